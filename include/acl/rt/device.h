/* SPDX-License-Identifier: MIT */
/*
 * DOC: Devices and contexts
 *
 * Part of acl/acl_rt.h, which states what holds for every function.
 *
 * Every device has one primary context, shared by all threads that select the device. A thread's
 * current context is the explicit one it set or created last, else the primary context of the
 * device it selected.
 */
#ifndef ACL_RT_DEVICE_H
#define ACL_RT_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers about a device feature. */
#define ACL_DEV_FEATURE_SUPPORT 0x00000001
#define ACL_DEV_FEATURE_NOT_SUPPORT 0x00000000

/* Values of ACL_DEV_ATTR_HD_CONNECT_TYPE. */
#define ACL_HOST_DEVICE_CONNECT_TYPE_PCIE 0
#define ACL_HOST_DEVICE_CONNECT_TYPE_HCCS 1
#define ACL_HOST_DEVICE_CONNECT_TYPE_UB 2

/* Values of ACL_DEV_ATTR_DEVICE_FORM_FACTOR. */
#define ACL_DEVICE_FORM_FACTOR_POD 0
#define ACL_DEVICE_FORM_FACTOR_A_K 1
#define ACL_DEVICE_FORM_FACTOR_A_X 2
#define ACL_DEVICE_FORM_FACTOR_PCIE_CARD 3

/* How two devices are connected, one bit each. */
#define ACL_RT_DEVS_TOPOLOGY_HCCS 0x01ULL
#define ACL_RT_DEVS_TOPOLOGY_PIX 0x02ULL
#define ACL_RT_DEVS_TOPOLOGY_PIB 0x04ULL
#define ACL_RT_DEVS_TOPOLOGY_PHB 0x08ULL
#define ACL_RT_DEVS_TOPOLOGY_SYS 0x10ULL
#define ACL_RT_DEVS_TOPOLOGY_SIO 0x20ULL
#define ACL_RT_DEVS_TOPOLOGY_HCCS_SW 0x40ULL

/** enum aclrtTsId - which task scheduler is meant. */
typedef enum aclrtTsId {
	ACL_TS_ID_AICORE = 0,
	ACL_TS_ID_AIVECTOR = 1,
	ACL_TS_ID_RESERVED = 2,
} aclrtTsId;

/** enum aclrtGroupAttr - attributes of a group of cores. */
typedef enum aclrtGroupAttr {
	ACL_GROUP_AICORE_INT = 0,
	ACL_GROUP_AIV_INT = 1,
	ACL_GROUP_AIC_INT = 2,
	ACL_GROUP_SDMANUM_INT = 3,
	ACL_GROUP_ASQNUM_INT = 4,
	ACL_GROUP_GROUPID_INT = 5,
} aclrtGroupAttr;

/** enum aclrtFloatOverflowMode - what floating-point overflow yields. */
typedef enum aclrtFloatOverflowMode {
	ACL_RT_OVERFLOW_MODE_SATURATION = 0,
	ACL_RT_OVERFLOW_MODE_INFNAN = 1,
	ACL_RT_OVERFLOW_MODE_UNDEF = 2,
} aclrtFloatOverflowMode;

/** enum aclrtDeviceStatus - whether a device works. */
typedef enum aclrtDeviceStatus {
	ACL_RT_DEVICE_STATUS_NORMAL = 0,
	ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
	ACL_RT_DEVICE_STATUS_END = 65535,
} aclrtDeviceStatus;

/** enum aclrtDevAttr - attributes of a device. */
typedef enum aclrtDevAttr {
	ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
	ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
	ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
	ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
	ACL_DEV_ATTR_WARP_SIZE = 202,
	ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
	ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
	ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,
	ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
	ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
	ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
	ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
	ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
	ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
	ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
	ACL_DEV_ATTR_SMP_ID = 401,
	ACL_DEV_ATTR_PHY_CHIP_ID = 402,
	ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403,
	ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
	ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
	ACL_DEV_ATTR_SUPER_POD_ID = 405,
	ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
	ACL_DEV_ATTR_MAINBOARD_ID = 407,
	ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
	ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409,
	ACL_DEV_ATTR_IS_VIRTUAL = 501,
	ACL_DEV_ATTR_NPU_ARCH = 601,
} aclrtDevAttr;

/** enum aclrtDevFeatureType - features of a device. */
typedef enum aclrtDevFeatureType {
	ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
	ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21,
} aclrtDevFeatureType;

/** enum aclrtDevResLimitType - resources whose use can be capped. */
typedef enum aclrtDevResLimitType {
	ACL_RT_DEV_RES_CUBE_CORE = 0,
	ACL_RT_DEV_RES_VECTOR_CORE = 1,
} aclrtDevResLimitType;

/** enum aclrtDeviceTaskAbortStage - when a task-abort callback runs. */
typedef enum aclrtDeviceTaskAbortStage {
	ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
	ACL_RT_DEVICE_TASK_ABORT_POST = 1,
} aclrtDeviceTaskAbortStage;

/** enum aclrtDeviceState - when a device-state callback runs. */
typedef enum aclrtDeviceState {
	ACL_RT_DEVICE_STATE_SET_PRE = 0,
	ACL_RT_DEVICE_STATE_SET_POST = 1,
	ACL_RT_DEVICE_STATE_RESET_PRE = 2,
	ACL_RT_DEVICE_STATE_RESET_POST = 3,
} aclrtDeviceState;

/** enum aclrtSnapShotStage - when a snapshot callback runs. */
typedef enum aclrtSnapShotStage {
	ACL_RT_SNAPSHOT_LOCK_PRE = 0,
	ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
	ACL_RT_SNAPSHOT_BACKUP_POST = 2,
	ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
	ACL_RT_SNAPSHOT_RESTORE_POST = 4,
	ACL_RT_SNAPSHOT_UNLOCK_POST = 5,
} aclrtSnapShotStage;

/** enum aclrtProcessState - whether a process is locked for a snapshot. */
typedef enum aclrtProcessState {
	ACL_RT_PROCESS_STATE_RUNNING = 0,
	ACL_RT_PROCESS_STATE_LOCKED = 1,
} aclrtProcessState;

/** enum aclrtDeviceLimit - sizes that can be configured per process. */
typedef enum aclrtDeviceLimit {
	ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
	ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
	ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
	ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
	ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4,
} aclrtDeviceLimit;

/** enum aclrtAtomicOperationCapability - the widths an atomic operation supports, one bit each. */
typedef enum aclrtAtomicOperationCapability {
	ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
	ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
	ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4,
	ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
	ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256,
} aclrtAtomicOperationCapability;

/** enum aclrtAtomicOperation - atomic operations across a link. */
typedef enum aclrtAtomicOperation {
	ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
	ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
	ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
	ACL_RT_ATOMIC_OPERATION_AND = 5,
	ACL_RT_ATOMIC_OPERATION_OR = 6,
	ACL_RT_ATOMIC_OPERATION_XOR = 7,
	ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
	ACL_RT_ATOMIC_OPERATION_CAS = 9,
	ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
	ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
	ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
	ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44,
} aclrtAtomicOperation;

/** typedef aclrtUtilizationExtendInfo - reserved; pointers to it are NULL. */
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;
/** typedef aclrtGroupInfo - description of the groups of cores of a device. */
typedef struct tagRtGroupInfo aclrtGroupInfo;

/**
 * struct aclrtUtilizationInfo - how busy a device is, percent each, -1 where unknown
 * @cubeUtilization: matrix units
 * @vectorUtilization: vector units
 * @aicpuUtilization: scalar processors
 * @memoryUtilization: memory
 * @utilizationExtend: NULL
 */
typedef struct aclrtUtilizationInfo {
	int32_t cubeUtilization;
	int32_t vectorUtilization;
	int32_t aicpuUtilization;
	int32_t memoryUtilization;
	aclrtUtilizationExtendInfo *utilizationExtend;
} aclrtUtilizationInfo;

/**
 * struct aclrtSnapShotBackupArgs - options of a snapshot's backup
 * @backupFlags: 0
 * @reserved: zero
 */
typedef struct aclrtSnapShotBackupArgs {
	uint32_t backupFlags;
	char reserved[60];
} aclrtSnapShotBackupArgs;

/**
 * struct aclrtSnapShotRestoreArgs - options of a snapshot's restore
 * @restoreFlags: 0
 * @reserved: zero
 */
typedef struct aclrtSnapShotRestoreArgs {
	uint32_t restoreFlags;
	char reserved[60];
} aclrtSnapShotRestoreArgs;

/**
 * struct aclrtUuid - identity of a device
 * @bytes: not text
 */
typedef struct aclrtUuid {
	char bytes[16];
} aclrtUuid;

/**
 * typedef aclrtDeviceStateCallback - told when a device is set or reset
 * @deviceId: the device
 * @state: before or after which step
 * @args: what was registered
 *
 * Context: the thread that sets or resets the device.
 */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void *args);

/**
 * typedef aclrtSnapShotCallBack - told at a stage of a snapshot
 * @deviceId: the device
 * @args: what was registered
 *
 * Context: the thread that takes the snapshot.
 * Return: 0, or a number that ends the snapshot.
 */
typedef uint32_t (*aclrtSnapShotCallBack)(int32_t deviceId, void *args);

/**
 * typedef aclrtDeviceTaskAbortCallback - told when the work of a device is thrown away
 * @deviceId: the device
 * @stage: before or after
 * @timeout: milliseconds the callback may take
 * @args: what was registered
 *
 * Context: the thread that aborts.
 * Return: 0, or a number that ends the abort.
 */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage,
						uint32_t timeout, void *args);

/**
 * aclrtSetDevice() - selects a device for the calling thread
 * @deviceId: 0 .. count - 1
 *
 * Makes the device's primary context current, in place of an explicit one, and counts a reference
 * on it. The first reference creates the context and its default stream.
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_RT_INVALID_DEVICEID, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/**
 * aclrtResetDevice() - gives one aclrtSetDevice() back
 * @deviceId: the device
 *
 * The last one waits for the primary context's work and destroys it with all streams in it. Destroy
 * events, streams and explicit contexts first.
 *
 * Context: any thread; may block until the work is done.
 * Return: 0, ACL_ERROR_RT_INVALID_DEVICEID, or ACL_ERROR_RT_CONTEXT_RELEASE_ERROR when there is no
 * reference left.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/**
 * aclrtResetDeviceForce() - gives all references of a device back at once
 * @deviceId: the device
 *
 * Context: any thread; may block until the work is done.
 * Return: as aclrtResetDevice().
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * aclrtGetDevice() - the device of the calling thread's current context
 * @deviceId: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/**
 * aclrtGetDeviceCount() - how many devices the process may use
 * @count: out; what ASCEND_RT_VISIBLE_DEVICES hides is not counted
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_INVALID_PARAM.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/**
 * aclrtSynchronizeDevice() - waits for all streams of the current context
 *
 * Streams of the device's other contexts are not waited for.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_STREAM_CAPTURED when one of the streams is capturing, or the first
 * failure of the work.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/**
 * aclrtSynchronizeDeviceWithTimeout() - aclrtSynchronizeDevice() with a limit
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * Context: any thread; may block up to @timeout.
 * Return: as aclrtSynchronizeDevice(), ACL_ERROR_RT_PARAM_INVALID for another @timeout, or
 * ACL_ERROR_RT_STREAM_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/**
 * aclrtDeviceGetStreamPriorityRange() - the range of stream priorities
 * @leastPriority: out, the largest number and the least urgent; may be NULL
 * @greatestPriority: out, the smallest number and the most urgent; may be NULL
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority,
							       int32_t *greatestPriority);

/**
 * aclrtCreateContext() - creates an explicit context and makes it the thread's current one
 * @context: out, owned by the caller
 * @deviceId: the device it lives on
 *
 * Context: any thread; may block while the device starts.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_INVALID_DEVICEID, or
 * ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/**
 * aclrtDestroyContext() - destroys an explicit context with all its streams
 * @context: what aclrtCreateContext() gave; dead afterwards
 *
 * A thread whose current context it was has no explicit context afterwards.
 *
 * Context: any thread; may block until the work is done.
 * Return: 0, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_CONTEXT_NULL for a dead or a primary context, or
 * ACL_ERROR_RT_CONTEXT_RELEASE_ERROR while another thread destroys it.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/**
 * aclrtSetCurrentContext() - makes a context, and its device, the calling thread's current one
 * @context: a live context, explicit or primary
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_CONTEXT_NULL for a dead context.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * aclrtGetCurrentContext() - the calling thread's current context
 * @context: out, not a new reference
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

/**
 * aclrtCtxGetCurrentDefaultStream() - the handle of the current context's default stream
 * @stream: out, owned by the context; must not be destroyed
 *
 * Context: any thread; never blocks.
 * Return: 0 or ACL_ERROR_RT_CONTEXT_NULL.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);

/**
 * aclrtGetPrimaryCtxState() - tells whether a device's primary context exists
 * @deviceId: the device
 * @flags: reserved, NULL
 * @active: out, 1 when it exists, else 0
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_INVALID_PARAM, or ACL_ERROR_RT_INVALID_DEVICEID.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags,
						     int32_t *active);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_DEVICE_H */
