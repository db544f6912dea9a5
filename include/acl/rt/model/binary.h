/* SPDX-License-Identifier: MIT */
/*
 * DOC: Binaries of kernels
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 */
#ifndef ACL_RT_BINARY_H
#define ACL_RT_BINARY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of cores that a binary is for. */
#define ACL_RT_BINARY_MAGIC_ELF_AICORE 0x43554245U
#define ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE 0x41415246U
#define ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE 0x41494343U

/** enum aclrtBinaryLoadOptionType - options of loading a binary. */
typedef enum aclrtBinaryLoadOptionType {
	ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
	ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
	ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
	ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3,
} aclrtBinaryLoadOptionType;

/** enum aclrtFuncAttribute - attributes of a kernel. */
typedef enum aclrtFuncAttribute {
	ACL_FUNC_ATTR_KERNEL_TYPE = 1,
	ACL_FUNC_ATTR_KERNEL_RATIO = 2,
	ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3,
} aclrtFuncAttribute;

/** enum aclrtKernelType - kinds of kernels. */
typedef enum aclrtKernelType {
	ACL_KERNEL_TYPE_AICORE = 0,
	ACL_KERNEL_TYPE_CUBE = 1,
	ACL_KERNEL_TYPE_VECTOR = 2,
	ACL_KERNEL_TYPE_MIX = 3,
	ACL_KERNEL_TYPE_AICPU = 100,
} aclrtKernelType;

/** typedef aclrtBinary - a binary in host memory. */
typedef void *aclrtBinary;
/** typedef aclrtBinHandle - a binary loaded on a device. */
typedef void *aclrtBinHandle;
/** typedef aclrtFuncHandle - a kernel of a loaded binary. */
typedef void *aclrtFuncHandle;
/** typedef aclrtArgsHandle - a list of arguments being built. */
typedef void *aclrtArgsHandle;
/** typedef aclrtParamHandle - one argument of such a list. */
typedef void *aclrtParamHandle;

/**
 * union aclrtBinaryLoadOptionValue - value of one option of loading a binary
 * @isLazyLoad: 1 loads at the first launch
 * @magic: ACL_RT_BINARY_MAGIC_*
 * @cpuKernelMode: format of a kernel for the scalar processors
 * @rsv: zero
 */
typedef union aclrtBinaryLoadOptionValue {
	uint32_t isLazyLoad;
	uint32_t magic;
	int32_t cpuKernelMode;
	uint32_t rsv[4];
} aclrtBinaryLoadOptionValue;

/**
 * struct aclrtBinaryLoadOption - one option of loading a binary
 * @type: the option
 * @value: its value
 */
typedef struct aclrtBinaryLoadOption {
	aclrtBinaryLoadOptionType type;
	aclrtBinaryLoadOptionValue value;
} aclrtBinaryLoadOption;

/**
 * struct aclrtBinaryLoadOptions - options of loading a binary
 * @options: array, owned by the caller
 * @numOpt: elements of @options
 */
typedef struct aclrtBinaryLoadOptions {
	aclrtBinaryLoadOption *options;
	size_t numOpt;
} aclrtBinaryLoadOptions;

/**
 * aclrtBinaryLoadFromFile() - loads kernels from a file
 * @binPath: absolute path of the file
 * @options: options, or NULL
 * @binHandle: out, owned by the caller until aclrtBinaryUnLoad()
 *
 * Context: any thread with a current context; may block on the file, and waits for the device.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_PARAM_INVALID for a file that is no image of kernels,
 * ACL_ERROR_RT_FILE_OPEN, or ACL_ERROR_RT_RESOURCE_ALLOC_FAIL.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromFile(const char *binPath,
						     aclrtBinaryLoadOptions *options,
						     aclrtBinHandle *binHandle);

/**
 * aclrtBinaryLoadFromData() - loads kernels from memory
 * @data: the file's contents
 * @length: bytes at @data, > 0
 * @options: options, or NULL
 * @binHandle: out, owned by the caller until aclrtBinaryUnLoad()
 *
 * Context: any thread with a current context; waits for the device.
 * Return: as aclrtBinaryLoadFromFile(), but for ACL_ERROR_RT_FILE_OPEN.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoadFromData(const void *data, size_t length,
						     const aclrtBinaryLoadOptions *options,
						     aclrtBinHandle *binHandle);

/**
 * aclrtCreateBinary() - describes kernels in memory
 * @data: a file's contents; stays the caller's and must outlive the description
 * @dataLen: bytes at @data
 *
 * Context: any thread; never blocks.
 * Return: the description, owned by the caller until aclrtDestroyBinary(), or NULL.
 */
ACL_FUNC_VISIBILITY aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen);

/**
 * aclrtDestroyBinary() - destroys a description
 * @binary: the description
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyBinary(aclrtBinary binary);

/**
 * aclrtBinaryLoad() - loads kernels from a description
 * @binary: the description
 * @binHandle: out, owned by the caller until aclrtBinaryUnLoad()
 *
 * Context: any thread with a current context; waits for the device.
 * Return: as aclrtBinaryLoadFromData(), or ACL_ERROR_RT_INVALID_HANDLE.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle);

/**
 * aclrtBinaryUnLoad() - unloads kernels
 * @binHandle: the binary; its handle and those of its kernels become stale
 *
 * Launches that are queued, and captured ones, still run.
 *
 * Context: any thread with the context that was current at the load; may block.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_HANDLE, or ACL_ERROR_RT_STREAM_CONTEXT.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);

/**
 * aclrtBinaryGetFunction() - a kernel by its name
 * @binHandle: the binary
 * @kernelName: the name; "NAME_KEY" with a number as KEY also means the kernel NAME with this tiling key
 * @funcHandle: out, owned by the binary
 *
 * Context: any thread; waits for the device if the binary is not loaded yet.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for an unknown name.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle,
						    const char *kernelName,
						    aclrtFuncHandle *funcHandle);

/**
 * aclrtBinaryGetFunctionByEntry() - a kernel by its entry number
 * @binHandle: the binary
 * @funcEntry: the tiling key: of the kernel whose name ends in it, or of the only kernel of the binary
 * @funcHandle: out, owned by the binary
 *
 * Context: any thread; waits for the device if the binary is not loaded yet.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for an unknown number.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle,
							   uint64_t funcEntry,
							   aclrtFuncHandle *funcHandle);

/**
 * aclrtBinaryGetDevAddress() - the device address of a binary
 * @binHandle: the binary
 * @binAddr: out, device memory with a copy of the file; NULL for a binary that was loaded lazily
 * @binSize: out, bytes of the file; 0 if it is not loaded yet
 *
 * The copy is for reading: kernels run in a process of the device that has loaded the file.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle,
						      void **binAddr, size_t *binSize);

/**
 * aclrtBinaryGetGlobal() - a variable of a binary
 * @binHandle: the binary
 * @name: its name
 * @dptr: out, its device address; may be NULL
 * @size: out, its size in bytes; may be NULL, but not both
 *
 * An image of kernels names no variables, so none is found.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_SYMBOL_NOT_FOUND.
 */
ACL_FUNC_VISIBILITY aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name,
						  void **dptr, size_t *size);

/**
 * aclrtGetFuncBySymbol() - the kernel that a host function represents
 * @symbol: address of the function
 * @funcHandle: out, owned by the library
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICE_FUNCTION.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle);

/**
 * aclrtRegisterCpuFunc() - names a kernel for the device's scalar processors
 * @handle: a binary of such kernels
 * @funcName: name of the function that runs it
 * @kernelName: name of the kernel
 * @funcHandle: out, owned by the binary
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_PARAM_INVALID for another kind of binary.
 */
ACL_FUNC_VISIBILITY aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char *funcName,
						  const char *kernelName,
						  aclrtFuncHandle *funcHandle);

/**
 * aclrtGetFunctionAddr() - the device address of a kernel's code
 * @funcHandle: the kernel
 * @aicAddr: out, for matrix cores
 * @aivAddr: out, for vector cores
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr,
						  void **aivAddr);

/**
 * aclrtGetFunctionSize() - bytes of a kernel's code
 * @funcHandle: the kernel
 * @aicSize: out, for matrix cores
 * @aivSize: out, for vector cores
 *
 * Context: any thread; never blocks.
 * Return: ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t *aicSize,
						  size_t *aivSize);

/**
 * aclrtGetFunctionName() - the name of a kernel
 * @funcHandle: the kernel
 * @maxLen: bytes at @name; a longer name is cut
 * @name: out, ends in a zero byte
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen,
						  char *name);

/**
 * aclrtGetFunctionAttribute() - an attribute of a kernel
 * @funcHandle: the kernel
 * @attrType: the attribute
 * @attrValue: out; KERNEL_TYPE: enum aclrtKernelType; KERNEL_RATIO: cube cores in bits 16 to 31, vector
 * cores in bits 0 to 15; KERNEL_SCHED_MODE: 0
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_PARAM_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle,
						       aclrtFuncAttribute attrType,
						       int64_t *attrValue);

/**
 * aclrtFunctionGetBinary() - the binary of a kernel
 * @funcHandle: the kernel
 * @binHandle: out, not a new reference
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle,
						    aclrtBinHandle *binHandle);

/**
 * aclrtFunctionGetParamCount() - how many arguments a kernel takes
 * @func: a kernel, or a host function that represents one
 * @paramCount: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount);

/**
 * aclrtFunctionGetParamInfo() - offset and size of an argument of a kernel
 * @func: a kernel, or a host function that represents one
 * @paramIndex: which argument
 * @paramOffset: out, bytes
 * @paramSize: out, bytes
 *
 * Context: any thread; never blocks.
 * Return: 0, or ACL_ERROR_RT_PARAM_INVALID for an index out of range.
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex,
						       size_t *paramOffset, size_t *paramSize);

/**
 * aclrtFunctionGetAvailDynUbufPerBlock() - local memory that a launch may request besides the kernel's
 * own
 * @func: a kernel, or a host function that represents one
 * @flags: 0
 * @dynamicUbufSize: out, bytes
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtFunctionGetAvailDynUbufPerBlock(void *func, uint32_t flags,
								  size_t *dynamicUbufSize);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_BINARY_H */
