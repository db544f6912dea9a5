/* SPDX-License-Identifier: MIT */
/*
 * DOC: Kernels and tasks
 *
 * Part of acl/acl_rt.h: how kernels are loaded, launched and changed afterwards.
 */
#ifndef ACL_RT_KERNEL_H
#define ACL_RT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which kind of core a binary is for. */
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

/** enum aclrtEngineType - kinds of cores a kernel can be sent to. */
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

/** enum aclrtFuncAttribute - what can be asked of a kernel. */
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

/** enum aclrtRandomNumFuncType - what a random task draws. */
typedef enum aclrtRandomNumFuncType {
	ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3,
} aclrtRandomNumFuncType;

/** enum aclrtUpdateTaskAttrId - kinds of tasks that can be changed. */
typedef enum aclrtUpdateTaskAttrId {
	ACL_RT_UPDATE_RANDOM_TASK = 1,
	ACL_RT_UPDATE_AIC_AIV_TASK = 2,
} aclrtUpdateTaskAttrId;

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
 * @cpuKernelMode: how a kernel for the scalar processors is given
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
 * @type: which
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
 * @dynUBufSize: bytes of local memory, by another name
 * @engineType: where to run
 * @blockDimOffset: first block's number
 * @isBlockTaskPrefetch: 1 keeps the next task from being fetched early
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
 * @id: which
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
 * struct aclrtPlaceHolderInfo - an argument whose data lies in the argument buffer itself
 * @addrOffset: where the address goes, bytes from the buffer's start
 * @dataOffset: where the data lies, bytes from the buffer's start
 */
typedef struct aclrtPlaceHolderInfo {
	uint32_t addrOffset;
	uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/**
 * struct aclrtRandomParaInfo - a number, or the device address of one
 * @isAddr: 1 when @valueOrAddr is an address
 * @valueOrAddr: the bytes
 * @size: bytes of the number
 * @rsv: zero
 */
typedef struct aclrtRandomParaInfo {
	uint8_t isAddr;
	uint8_t valueOrAddr[8];
	uint8_t size;
	uint8_t rsv[6];
} aclrtRandomParaInfo;

/**
 * struct aclrtDropoutBitmaskInfo - parameters of a dropout mask
 * @dropoutRation: probability of keeping an element
 */
typedef struct aclrtDropoutBitmaskInfo {
	aclrtRandomParaInfo dropoutRation;
} aclrtDropoutBitmaskInfo;

/**
 * struct aclrtUniformDisInfo - parameters of a uniform distribution
 * @min: lower end
 * @max: upper end
 */
typedef struct aclrtUniformDisInfo {
	aclrtRandomParaInfo min;
	aclrtRandomParaInfo max;
} aclrtUniformDisInfo;

/**
 * struct aclrtNormalDisInfo - parameters of a normal distribution
 * @mean: its mean
 * @stddev: its standard deviation
 */
typedef struct aclrtNormalDisInfo {
	aclrtRandomParaInfo mean;
	aclrtRandomParaInfo stddev;
} aclrtNormalDisInfo;

/**
 * struct aclrtRandomNumFuncParaInfo - what to draw
 * @funcType: selects the member of @paramInfo
 * @paramInfo: parameters
 * @paramInfo.dropoutBitmaskInfo: of a dropout mask
 * @paramInfo.uniformDisInfo: of a uniform distribution
 * @paramInfo.normalDisInfo: of a normal or truncated normal distribution
 */
typedef struct aclrtRandomNumFuncParaInfo {
	aclrtRandomNumFuncType funcType;
	union {
		aclrtDropoutBitmaskInfo dropoutBitmaskInfo;
		aclrtUniformDisInfo uniformDisInfo;
		aclrtNormalDisInfo normalDisInfo;
	} paramInfo;
} aclrtRandomNumFuncParaInfo;

/**
 * struct aclrtRandomNumTaskInfo - a random task
 * @dataType: element type of the result
 * @randomNumFuncParaInfo: what to draw
 * @randomParaAddr: device memory for the parameters, or NULL
 * @randomResultAddr: device memory for the result
 * @randomCounterAddr: device memory of the counter, advanced by the task
 * @randomSeed: seed
 * @randomNum: elements to draw
 * @rsv: zero
 */
typedef struct aclrtRandomNumTaskInfo {
	aclDataType dataType;
	aclrtRandomNumFuncParaInfo randomNumFuncParaInfo;
	void *randomParaAddr;
	void *randomResultAddr;
	void *randomCounterAddr;
	aclrtRandomParaInfo randomSeed;
	aclrtRandomParaInfo randomNum;
	uint8_t rsv[8];
} aclrtRandomNumTaskInfo;

/**
 * struct aclrtRandomTaskUpdateAttr - new parameters of a random task
 * @srcAddr: device memory with the parameters
 * @size: bytes at @srcAddr
 * @rsv: zero
 */
typedef struct aclrtRandomTaskUpdateAttr {
	void *srcAddr;
	size_t size;
	uint32_t rsv[4];
} aclrtRandomTaskUpdateAttr;

/**
 * struct aclrtAicAivTaskUpdateAttr - new parameters of a kernel task
 * @binHandle: the binary
 * @funcEntryAddr: device memory with the entry's number
 * @blockDimAddr: device memory with the block count
 * @rsv: zero
 */
typedef struct aclrtAicAivTaskUpdateAttr {
	void *binHandle;
	void *funcEntryAddr;
	void *blockDimAddr;
	uint32_t rsv[4];
} aclrtAicAivTaskUpdateAttr;

/**
 * union aclrtUpdateTaskAttrVal - new parameters of a task
 * @randomTaskAttr: for ACL_RT_UPDATE_RANDOM_TASK
 * @aicAivTaskAttr: for ACL_RT_UPDATE_AIC_AIV_TASK
 */
typedef union aclrtUpdateTaskAttrVal {
	aclrtRandomTaskUpdateAttr randomTaskAttr;
	aclrtAicAivTaskUpdateAttr aicAivTaskAttr;
} aclrtUpdateTaskAttrVal;

/**
 * struct aclrtTaskUpdateInfo - how to change a task
 * @id: kind of task
 * @val: new parameters
 */
typedef struct aclrtTaskUpdateInfo {
	aclrtUpdateTaskAttrId id;
	aclrtUpdateTaskAttrVal val;
} aclrtTaskUpdateInfo;

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_KERNEL_H */
