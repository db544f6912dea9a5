/* SPDX-License-Identifier: MIT */
/*
 * DOC: Types of code, kernels and launches
 *
 * Part of cuda.h. Programs name them; no function of the device takes them.
 */
#ifndef CUDA_DRIVER_KERNEL_TYPES_H
#define CUDA_DRIVER_KERNEL_TYPES_H

#include "context.h"
#include "stream.h"

/* Code, what it consists of, and a link that is being made. */
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUlinkState_st *CUlinkState;

/* References that code has to textures and surfaces. */
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;

/** enum CUfunction_attribute - attributes of kernels. */
typedef enum CUfunction_attribute_enum {
	CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
	CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
	CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
	CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
	CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
	CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
	CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
	CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
	CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
	CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
	CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
	CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
	CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
	CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
	CU_FUNC_ATTRIBUTE_MAX = 16,
} CUfunction_attribute;

/** enum CUfunctionLoadingState - whether the code of a kernel is there. */
typedef enum CUfunctionLoadingState_enum {
	CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
	CU_FUNCTION_LOADING_STATE_LOADED = 1,
	CU_FUNCTION_LOADING_STATE_MAX = 2,
} CUfunctionLoadingState;

/** enum CUsharedconfig - how wide the banks of shared memory are. */
typedef enum CUsharedconfig_enum {
	CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0x0,
	CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 0x1,
	CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 0x2,
} CUsharedconfig;

/** enum CUshared_carveout - how much of the cache is shared memory, in percent. */
typedef enum CUshared_carveout_enum {
	CU_SHAREDMEM_CARVEOUT_DEFAULT = -1,
	CU_SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
	CU_SHAREDMEM_CARVEOUT_MAX_L1 = 0,
} CUshared_carveout;

/** enum CUoccupancy_flags - how blocks are counted. */
typedef enum CUoccupancy_flags_enum {
	CU_OCCUPANCY_DEFAULT = 0x0,
	CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 0x1,
} CUoccupancy_flags;

/** enum CUjit_option - options of the compiler. */
typedef enum CUjit_option_enum {
	CU_JIT_MAX_REGISTERS = 0,
	CU_JIT_THREADS_PER_BLOCK = 1,
	CU_JIT_WALL_TIME = 2,
	CU_JIT_INFO_LOG_BUFFER = 3,
	CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
	CU_JIT_ERROR_LOG_BUFFER = 5,
	CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
	CU_JIT_OPTIMIZATION_LEVEL = 7,
	CU_JIT_TARGET_FROM_CUCONTEXT = 8,
	CU_JIT_TARGET = 9,
	CU_JIT_FALLBACK_STRATEGY = 10,
	CU_JIT_GENERATE_DEBUG_INFO = 11,
	CU_JIT_LOG_VERBOSE = 12,
	CU_JIT_GENERATE_LINE_INFO = 13,
	CU_JIT_CACHE_MODE = 14,
	CU_JIT_NEW_SM3X_OPT = 15,
	CU_JIT_FAST_COMPILE = 16,
	CU_JIT_GLOBAL_SYMBOL_NAMES = 17,
	CU_JIT_GLOBAL_SYMBOL_ADDRESSES = 18,
	CU_JIT_GLOBAL_SYMBOL_COUNT = 19,
	CU_JIT_LTO = 20,
	CU_JIT_FTZ = 21,
	CU_JIT_PREC_DIV = 22,
	CU_JIT_PREC_SQRT = 23,
	CU_JIT_FMA = 24,
	CU_JIT_REFERENCED_KERNEL_NAMES = 25,
	CU_JIT_REFERENCED_KERNEL_COUNT = 26,
	CU_JIT_REFERENCED_VARIABLE_NAMES = 27,
	CU_JIT_REFERENCED_VARIABLE_COUNT = 28,
	CU_JIT_OPTIMIZE_UNUSED_DEVICE_VARIABLES = 29,
	CU_JIT_POSITION_INDEPENDENT_CODE = 30,
	CU_JIT_MIN_CTA_PER_SM = 31,
	CU_JIT_MAX_THREADS_PER_BLOCK = 32,
	CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33,
	CU_JIT_SPLIT_COMPILE = 34,
	CU_JIT_NUM_OPTIONS = 35,
} CUjit_option;

/** enum CUjit_target - the chip that code is compiled for. */
typedef enum CUjit_target_enum {
	CU_TARGET_COMPUTE_30 = 30,
	CU_TARGET_COMPUTE_32 = 32,
	CU_TARGET_COMPUTE_35 = 35,
	CU_TARGET_COMPUTE_37 = 37,
	CU_TARGET_COMPUTE_50 = 50,
	CU_TARGET_COMPUTE_52 = 52,
	CU_TARGET_COMPUTE_53 = 53,
	CU_TARGET_COMPUTE_60 = 60,
	CU_TARGET_COMPUTE_61 = 61,
	CU_TARGET_COMPUTE_62 = 62,
	CU_TARGET_COMPUTE_70 = 70,
	CU_TARGET_COMPUTE_72 = 72,
	CU_TARGET_COMPUTE_75 = 75,
	CU_TARGET_COMPUTE_80 = 80,
	CU_TARGET_COMPUTE_86 = 86,
	CU_TARGET_COMPUTE_87 = 87,
	CU_TARGET_COMPUTE_89 = 89,
	CU_TARGET_COMPUTE_90 = 90,
	CU_TARGET_COMPUTE_100 = 100,
	CU_TARGET_COMPUTE_110 = 110,
	CU_TARGET_COMPUTE_103 = 103,
	CU_TARGET_COMPUTE_120 = 120,
	CU_TARGET_COMPUTE_121 = 121,
	CU_TARGET_COMPUTE_90A = 0x1005a,
	CU_TARGET_COMPUTE_100A = 0x10064,
	CU_TARGET_COMPUTE_110A = 0x1006e,
	CU_TARGET_COMPUTE_103A = 0x10067,
	CU_TARGET_COMPUTE_120A = 0x10078,
	CU_TARGET_COMPUTE_121A = 0x10079,
	CU_TARGET_COMPUTE_100F = 0x20064,
	CU_TARGET_COMPUTE_110F = 0x2006e,
	CU_TARGET_COMPUTE_103F = 0x20067,
	CU_TARGET_COMPUTE_120F = 0x20078,
	CU_TARGET_COMPUTE_121F = 0x20079,
} CUjit_target;

/** enum CUjit_fallback - what is used when no code fits. */
typedef enum CUjit_fallback_enum {
	CU_PREFER_PTX = 0,
	CU_PREFER_BINARY = 1,
} CUjit_fallback;

/** enum CUjit_cacheMode - which cache loads use. */
typedef enum CUjit_cacheMode_enum {
	CU_JIT_CACHE_OPTION_NONE = 0,
	CU_JIT_CACHE_OPTION_CG = 1,
	CU_JIT_CACHE_OPTION_CA = 2,
} CUjit_cacheMode;

/** enum CUjitInputType - kinds of code that a link takes. */
typedef enum CUjitInputType_enum {
	CU_JIT_INPUT_CUBIN = 0,
	CU_JIT_INPUT_PTX = 1,
	CU_JIT_INPUT_FATBINARY = 2,
	CU_JIT_INPUT_OBJECT = 3,
	CU_JIT_INPUT_LIBRARY = 4,
	CU_JIT_INPUT_NVVM = 5,
	CU_JIT_NUM_INPUT_TYPES = 6,
} CUjitInputType;

/** enum CUlibraryOption - options of libraries. */
typedef enum CUlibraryOption_enum {
	CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
	CU_LIBRARY_BINARY_IS_PRESERVED = 1,
	CU_LIBRARY_NUM_OPTIONS = 2,
} CUlibraryOption;

/** enum CUatomicOperation - operations that may be atomic. */
typedef enum CUatomicOperation_enum {
	CU_ATOMIC_OPERATION_INTEGER_ADD = 0,
	CU_ATOMIC_OPERATION_INTEGER_MIN = 1,
	CU_ATOMIC_OPERATION_INTEGER_MAX = 2,
	CU_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
	CU_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
	CU_ATOMIC_OPERATION_AND = 5,
	CU_ATOMIC_OPERATION_OR = 6,
	CU_ATOMIC_OPERATION_XOR = 7,
	CU_ATOMIC_OPERATION_EXCHANGE = 8,
	CU_ATOMIC_OPERATION_CAS = 9,
	CU_ATOMIC_OPERATION_FLOAT_ADD = 10,
	CU_ATOMIC_OPERATION_FLOAT_MIN = 11,
	CU_ATOMIC_OPERATION_FLOAT_MAX = 12,
	CU_ATOMIC_OPERATION_MAX = 13,
} CUatomicOperation;

/** enum CUatomicOperationCapability - for which numbers they are. */
typedef enum CUatomicOperationCapability_enum {
	CU_ATOMIC_CAPABILITY_SIGNED = 0x1,
	CU_ATOMIC_CAPABILITY_UNSIGNED = 0x2,
	CU_ATOMIC_CAPABILITY_REDUCTION = 0x4,
	CU_ATOMIC_CAPABILITY_SCALAR_32 = 0x8,
	CU_ATOMIC_CAPABILITY_SCALAR_64 = 0x10,
	CU_ATOMIC_CAPABILITY_SCALAR_128 = 0x20,
	CU_ATOMIC_CAPABILITY_VECTOR_32x4 = 0x40,
} CUatomicOperationCapability;

/** CUoccupancyB2DSize - the dynamic shared memory that a block of so many threads needs. */
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);

/* How @extra of cuLaunchKernel() names the arguments. */
#define CU_LAUNCH_PARAM_END_AS_INT 0x00
#define CU_LAUNCH_PARAM_END ((void *)CU_LAUNCH_PARAM_END_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT 0x01
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT 0x02
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT)
#define CU_PARAM_TR_DEFAULT -1

/* Flags of cuLaunchCooperativeKernelMultiDevice(). */
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC 0x01
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC 0x02

/** struct CUlaunchAttribute - an attribute of a launch. */
typedef struct CUlaunchAttribute_st {
	CUlaunchAttributeID id;
	char pad[8 - sizeof(CUlaunchAttributeID)];
	CUlaunchAttributeValue value;
} CUlaunchAttribute;

/** struct CUlaunchConfig - grid, blocks, stream and attributes of a launch. */
typedef struct CUlaunchConfig_st {
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;
	CUstream hStream;
	CUlaunchAttribute *attrs;
	unsigned int numAttrs;
} CUlaunchConfig;

/** struct CUDA_LAUNCH_PARAMS - a launch on one of several devices. */
typedef struct CUDA_LAUNCH_PARAMS_st {
	CUfunction function;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;
	CUstream hStream;
	void **kernelParams;
} CUDA_LAUNCH_PARAMS_v1;
typedef CUDA_LAUNCH_PARAMS_v1 CUDA_LAUNCH_PARAMS;

/** struct CUDA_KERNEL_NODE_PARAMS - a launch of a graph. */
typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st {
	CUfunction func;
	unsigned int gridDimX;
	unsigned int gridDimY;
	unsigned int gridDimZ;
	unsigned int blockDimX;
	unsigned int blockDimY;
	unsigned int blockDimZ;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
	CUkernel kern;
	CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS_v2;
typedef CUDA_KERNEL_NODE_PARAMS_v2 CUDA_KERNEL_NODE_PARAMS;

#define CUkernelNodeAttrID CUlaunchAttributeID
typedef CUlaunchAttributeValue CUkernelNodeAttrValue_v1;
typedef CUkernelNodeAttrValue_v1 CUkernelNodeAttrValue;

#endif /* CUDA_DRIVER_KERNEL_TYPES_H */
