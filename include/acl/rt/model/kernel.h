/* SPDX-License-Identifier: MIT */
/*
 * DOC: Launches of kernels
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_KERNEL_H
#define ACL_RT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/rt/model/binary.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum aclrtEngineType - kinds of cores that a kernel can run on. */
typedef enum aclrtEngineType {
	ACL_RT_ENGINE_TYPE_AIC = 0,
	ACL_RT_ENGINE_TYPE_AIV = 1,
} aclrtEngineType;

/** enum aclrtLaunchKernelAttrId - attributes of a launch. */
typedef enum aclrtLaunchKernelAttrId {
	ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
	ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2,
	ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
	ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
	ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
	ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
	ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
	ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
	ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
	ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9,
} aclrtLaunchKernelAttrId;

#ifndef __BISHENG_CCEC__
/**
 * struct dim3 - a count in up to three dimensions
 * @x: first
 * @y: second
 * @z: third
 */
typedef struct dim3 {
	uint32_t x;
	uint32_t y;
	uint32_t z;
#ifdef __cplusplus
	dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_) {}
#endif
} dim3;
#endif

/**
 * struct aclrtTimeoutUs - a time limit in microseconds
 * @timeoutLow: low 32 bits
 * @timeoutHigh: high 32 bits
 */
typedef struct aclrtTimeoutUs {
	uint32_t timeoutLow;
	uint32_t timeoutHigh;
} aclrtTimeoutUs;

/**
 * union aclrtLaunchKernelAttrValue - value of one attribute of a launch
 * @schemMode: whether all blocks must run at once
 * @localMemorySize: bytes of local memory
 * @dynUBufSize: another name for @localMemorySize
 * @engineType: kind of cores to run on
 * @blockDimOffset: first block's number
 * @isBlockTaskPrefetch: 1: do not prefetch the next task
 * @isDataDump: 1 when the task's data may be dumped
 * @timeout: limit in seconds
 * @timeoutUs: limit in microseconds
 * @enableProfiling: 1 when the task may be profiled
 * @rsv: zero
 */
typedef union aclrtLaunchKernelAttrValue {
	uint8_t schemMode;
	uint32_t localMemorySize;
	uint32_t dynUBufSize;
	aclrtEngineType engineType;
	uint32_t blockDimOffset;
	uint8_t isBlockTaskPrefetch;
	uint8_t isDataDump;
	uint16_t timeout;
	aclrtTimeoutUs timeoutUs;
	uint8_t enableProfiling;
	uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

/**
 * struct aclrtLaunchKernelAttr - one attribute of a launch
 * @id: the attribute
 * @value: its value
 */
typedef struct aclrtLaunchKernelAttr {
	aclrtLaunchKernelAttrId id;
	aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

/**
 * struct aclrtLaunchKernelCfg - attributes of a launch
 * @attrs: array, owned by the caller
 * @numAttrs: elements of @attrs
 */
typedef struct aclrtLaunchKernelCfg {
	aclrtLaunchKernelAttr *attrs;
	size_t numAttrs;
} aclrtLaunchKernelCfg;

/**
 * struct aclrtPlaceHolderInfo - an argument whose data is in the argument buffer itself
 * @addrOffset: where the address goes, bytes from the buffer's start
 * @dataOffset: where the data is, bytes from the buffer's start
 */
typedef struct aclrtPlaceHolderInfo {
	uint32_t addrOffset;
	uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/**
 * aclrtKernelArgsInit() - starts a list of arguments in the library's memory
 * @funcHandle: the kernel
 * @argsHandle: out, owned by the library, which keeps the last 64 lists of a thread
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle,
						 aclrtArgsHandle *argsHandle);

/**
 * aclrtKernelArgsInitByUserMem() - starts a list of arguments in the program's memory
 * @funcHandle: the kernel
 * @argsHandle: memory for the list, of aclrtKernelArgsGetHandleMemSize() bytes
 * @userHostMem: memory for the arguments, of aclrtKernelArgsGetMemSize() bytes
 * @actualArgsSize: bytes at @userHostMem
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle,
							  aclrtArgsHandle argsHandle,
							  void *userHostMem, size_t actualArgsSize);

/**
 * aclrtKernelArgsGetMemSize() - bytes that arguments need; each is padded to 8
 * @funcHandle: the kernel
 * @userArgsSize: bytes of the arguments themselves
 * @actualArgsSize: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle,
						       size_t userArgsSize, size_t *actualArgsSize);

/**
 * aclrtKernelArgsGetHandleMemSize() - bytes that a list of arguments needs
 * @funcHandle: the kernel
 * @memSize: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle,
							     size_t *memSize);

/**
 * aclrtKernelArgsAppend() - adds an argument
 * @argsHandle: the list of arguments
 * @param: the argument, copied
 * @paramSize: bytes at @param, as many as the kernel's next parameter has
 * @paramHandle: out, for aclrtKernelArgsParaUpdate()
 *
 * A list has as many arguments as the kernel has parameters, 64 at most.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param,
						   size_t paramSize, aclrtParamHandle *paramHandle);

/**
 * aclrtKernelArgsAppendPlaceHolder() - adds an argument whose data will follow the arguments in memory
 * @argsHandle: the list of arguments
 * @paramHandle: out, for aclrtKernelArgsGetPlaceHolderBuffer()
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle,
							      aclrtParamHandle *paramHandle);

/**
 * aclrtKernelArgsGetPlaceHolderBuffer() - the memory for such data; call it after the last argument was
 * added
 * @argsHandle: the list of arguments
 * @paramHandle: the argument
 * @dataSize: bytes of the data
 * @bufferAddr: out, host memory of the list
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
								 aclrtParamHandle paramHandle,
								 size_t dataSize,
								 void **bufferAddr);

/**
 * aclrtKernelArgsParaUpdate() - changes an argument; call aclrtKernelArgsFinalize() again afterwards
 * @argsHandle: the list of arguments
 * @paramHandle: the argument
 * @param: the new argument, copied
 * @paramSize: bytes at @param
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle,
						       aclrtParamHandle paramHandle, void *param,
						       size_t paramSize);

/**
 * aclrtKernelArgsFinalize() - ends a list of arguments, before its launch
 * @argsHandle: the list of arguments
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);

/**
 * aclrtLaunchKernel() - launches a kernel in a stream's order
 * @funcHandle: the kernel
 * @numBlocks: blocks to launch, 1 to 65535
 * @argsData: device or pinned memory with the arguments, a multiple of 8; read when the task runs
 * @argsSize: bytes of the arguments
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks,
					       const void *argsData, size_t argsSize,
					       aclrtStream stream);

/**
 * aclrtLaunchKernelV2() - aclrtLaunchKernel() with attributes
 * @funcHandle: the kernel
 * @numBlocks: blocks to launch, > 0
 * @argsData: device memory with the arguments
 * @argsSize: bytes of the arguments
 * @cfg: attributes of the launch, or NULL
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtLaunchKernel().
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks,
						 const void *argsData, size_t argsSize,
						 aclrtLaunchKernelCfg *cfg, aclrtStream stream);

/**
 * aclrtLaunchKernelWithConfig() - launches a kernel with a list of arguments
 * @funcHandle: the kernel
 * @numBlocks: blocks to launch, > 0
 * @stream: a stream of the current context, or NULL
 * @cfg: attributes of the launch, or NULL
 * @argsHandle: the list of arguments
 * @reserve: NULL
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtLaunchKernel().
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle,
							 uint32_t numBlocks, aclrtStream stream,
							 aclrtLaunchKernelCfg *cfg,
							 aclrtArgsHandle argsHandle, void *reserve);

/**
 * aclrtLaunchKernelWithHostArgs() - launches a kernel with arguments in host memory
 * @funcHandle: the kernel
 * @numBlocks: blocks to launch, > 0
 * @stream: a stream of the current context, or NULL
 * @cfg: attributes of the launch, or NULL
 * @hostArgs: the arguments in host memory, copied
 * @argsSize: bytes of the arguments
 * @placeHolderArray: array of @placeHolderNum: arguments whose data follows the arguments in memory; or
 * NULL
 * @placeHolderNum: elements of the array
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtLaunchKernel().
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle,
							   uint32_t numBlocks, aclrtStream stream,
							   aclrtLaunchKernelCfg *cfg,
							   void *hostArgs, size_t argsSize,
							   aclrtPlaceHolderInfo *placeHolderArray,
							   size_t placeHolderNum);

/**
 * aclrtLaunchKernelWithArgsArray() - launches a kernel with an array of pointers to its arguments
 * @func: a kernel, or a host function that represents one
 * @numBlocks: blocks to launch, > 0
 * @stream: a stream of the current context, or NULL
 * @cfg: attributes of the launch, or NULL
 * @args: array of pointers, one for each argument
 *
 * Asynchronous.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtLaunchKernel().
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks,
							    aclrtStream stream,
							    aclrtLaunchKernelCfg *cfg, void **args);

/**
 * aclrtLaunchSIMTKernelWithArgsArray() - aclrtLaunchKernelWithArgsArray() for a SIMT kernel
 * @func: a kernel, or a host function that represents one
 * @gridDim: blocks in each direction
 * @blockDim: threads of a block in each direction
 * @dynUbufSize: bytes of local memory to add
 * @stream: a stream of the current context, or NULL
 * @cfg: attributes of the launch, or NULL
 * @args: array of pointers, one for each argument
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithArgsArray(void *func, dim3 gridDim,
								dim3 blockDim, size_t dynUbufSize,
								aclrtStream stream,
								aclrtLaunchKernelCfg *cfg,
								void **args);

/**
 * aclrtLaunchSIMTKernelWithHostArgs() - aclrtLaunchKernelWithHostArgs() for a SIMT kernel
 * @func: a kernel, or a host function that represents one
 * @gridDim: blocks in each direction
 * @blockDim: threads of a block in each direction
 * @dynUbufSize: bytes of local memory to add
 * @stream: a stream of the current context, or NULL
 * @cfg: attributes of the launch, or NULL
 * @hostArgs: the arguments in host memory, copied
 * @argsSize: bytes of the arguments
 * @placeHolderArray: array of @placeHolderNum: arguments whose data follows the arguments in memory; or
 * NULL
 * @placeHolderNum: elements of the array
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchSIMTKernelWithHostArgs(
	void *func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize, aclrtStream stream,
	aclrtLaunchKernelCfg *cfg, void *hostArgs, size_t argsSize,
	aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_KERNEL_H */
