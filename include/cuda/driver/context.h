/* SPDX-License-Identifier: MIT */
/*
 * DOC: Contexts
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A context is a group of streams, events and allocations on one device. Each thread has a stack of
 * contexts; the context on top is its current one. The primary context of a device exists while
 * cuDevicePrimaryCtxRetain() references exist. It is the same context that AscendCL's aclrtSetDevice()
 * uses.
 */
#ifndef CUDA_DRIVER_CONTEXT_H
#define CUDA_DRIVER_CONTEXT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUctx_flags - how threads wait for a context's work, and other options. SPIN: they poll. YIELD: they poll,
 * and offer their CPU to other threads between two looks. BLOCKING_SYNC: they sleep. AUTO: SPIN while a CPU is
 * idle, else BLOCKING_SYNC. */
typedef enum CUctx_flags_enum {
	CU_CTX_SCHED_AUTO = 0x00,
	CU_CTX_SCHED_SPIN = 0x01,
	CU_CTX_SCHED_YIELD = 0x02,
	CU_CTX_SCHED_BLOCKING_SYNC = 0x04,
	CU_CTX_BLOCKING_SYNC = 0x04,
	CU_CTX_SCHED_MASK = 0x07,
	CU_CTX_MAP_HOST = 0x08,
	CU_CTX_LMEM_RESIZE_TO_MAX = 0x10,
	CU_CTX_COREDUMP_ENABLE = 0x20,
	CU_CTX_USER_COREDUMP_ENABLE = 0x40,
	CU_CTX_SYNC_MEMOPS = 0x80,
	CU_CTX_FLAGS_MASK = 0xff,
} CUctx_flags;

/** enum CUlimit - limits of cuCtxSetLimit(); the device runs no kernels, so they have no effect. */
typedef enum CUlimit_enum {
	CU_LIMIT_STACK_SIZE = 0x00,
	CU_LIMIT_PRINTF_FIFO_SIZE = 0x01,
	CU_LIMIT_MALLOC_HEAP_SIZE = 0x02,
	CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 0x03,
	CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 0x04,
	CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 0x05,
	CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 0x06,
	CU_LIMIT_SHMEM_SIZE = 0x07,
	CU_LIMIT_CIG_ENABLED = 0x08,
	CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED = 0x09,
	CU_LIMIT_MAX = 0x0a, /* one more than the last */
} CUlimit;

/** enum CUfunc_cache - how a device divides its cache among kernels; this one has none to divide. */
typedef enum CUfunc_cache_enum {
	CU_FUNC_CACHE_PREFER_NONE = 0x00,
	CU_FUNC_CACHE_PREFER_SHARED = 0x01,
	CU_FUNC_CACHE_PREFER_L1 = 0x02,
	CU_FUNC_CACHE_PREFER_EQUAL = 0x03,
} CUfunc_cache;

/** enum CUexecAffinityType - parts of a device that a context may be bound to; not supported. */
typedef enum CUexecAffinityType_enum {
	CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
	CU_EXEC_AFFINITY_TYPE_MAX = 1, /* one more than the last */
} CUexecAffinityType;

/** struct CUexecAffinityParam - see CUexecAffinityType. */
typedef struct CUexecAffinityParam_st {
	CUexecAffinityType type;
	union {
		struct {
			unsigned int val;
		} smCount;
	} param;
} CUexecAffinityParam;

typedef struct CUctxCigParam_st CUctxCigParam;

/** struct CUctxCreateParams - more options of cuCtxCreate(); both pointers must be NULL. */
typedef struct CUctxCreateParams_st {
	CUexecAffinityParam *execAffinityParams;
	int numExecAffinityParams;
	CUctxCigParam *cigParams;
} CUctxCreateParams;

/**
 * cuCtxCreate() - creates a context and pushes it on the calling thread's stack
 * @pctx: receives the context; cuCtxDestroy() destroys it
 * @ctxCreateParams: NULL, or all fields zero
 * @flags: an OR of CUctx_flags with at most one of the SCHED ones
 * @dev: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_NOT_SUPPORTED for a part of
 * a device, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuCtxCreate(CUcontext *pctx, CUctxCreateParams *ctxCreateParams,
			     unsigned int flags, CUdevice dev);

/**
 * cuCtxDestroy() - destroys a context with its streams and its memory, after their work is complete
 * @ctx: a context from cuCtxCreate()
 *
 * If it is the calling thread's current context, it is popped from the stack. It stays on the stacks of
 * other threads, where calls that need it return CUDA_ERROR_CONTEXT_IS_DESTROYED.
 * Context: any thread; blocks while tasks run.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_INVALID_CONTEXT for the primary context or an
 * invalid handle, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuCtxDestroy(CUcontext ctx);

/**
 * cuCtxPushCurrent() - pushes a context on the calling thread's stack
 * @ctx: a context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuCtxPushCurrent(CUcontext ctx);

/**
 * cuCtxPopCurrent() - pops the top context from the calling thread's stack
 * @pctx: receives it; may be NULL
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_CONTEXT when the stack is empty.
 */
CUresult CUDAAPI cuCtxPopCurrent(CUcontext *pctx);

/**
 * cuCtxSetCurrent() - replaces the top context of the calling thread's stack
 * @ctx: a context; NULL pops the top context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuCtxSetCurrent(CUcontext ctx);

/**
 * cuCtxGetCurrent() - the calling thread's current context
 * @pctx: receives it; NULL when there is none
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pctx is NULL.
 */
CUresult CUDAAPI cuCtxGetCurrent(CUcontext *pctx);

/**
 * cuCtxGetDevice() - the device of the current context
 * @device: receives it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @device is NULL, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxGetDevice(CUdevice *device);

/**
 * cuCtxGetFlags() - the flags of the current context
 * @flags: receives them; CU_CTX_MAP_HOST is always set
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @flags is NULL, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxGetFlags(unsigned int *flags);

/**
 * cuCtxSetFlags() - changes the flags of the current context
 * @flags: an OR of CUctx_flags with at most one of the SCHED ones
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxSetFlags(unsigned int flags);

/**
 * cuCtxGetId() - a number that is unique among all contexts of the process
 * @ctx: a context; NULL means the current one
 * @ctxId: receives the number
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @ctxId is NULL, CUDA_ERROR_INVALID_CONTEXT,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuCtxGetId(CUcontext ctx, unsigned long long *ctxId);

/**
 * cuCtxGetApiVersion() - the version of a context
 * @ctx: a context; NULL means the current one
 * @version: receives 3020
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @version is NULL, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxGetApiVersion(CUcontext ctx, unsigned int *version);

/**
 * cuCtxSynchronize() - waits until all work of the current context is complete
 *
 * Context: any thread; blocks.
 * Return: CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while one of its streams
 * captures, the failure of a task.
 */
CUresult CUDAAPI cuCtxSynchronize(void);

/**
 * cuCtxGetStreamPriorityRange() - the range of the priorities of streams
 * @leastPriority: receives 0; may be NULL
 * @greatestPriority: receives -7; may be NULL. A lower number is a higher priority.
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority);

/**
 * cuCtxGetLimit() - a limit of the current context
 * @pvalue: receives the value that was set, or 0
 * @limit: which one
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pvalue is NULL, CUDA_ERROR_UNSUPPORTED_LIMIT.
 */
CUresult CUDAAPI cuCtxGetLimit(size_t *pvalue, CUlimit limit);

/**
 * cuCtxSetLimit() - stores a limit of the current context until that is destroyed; limits have no effect
 * @limit: which one
 * @value: the value that cuCtxGetLimit() returns
 *
 * Context: any thread.
 * Return: CUDA_ERROR_UNSUPPORTED_LIMIT, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value);

/**
 * cuCtxEnablePeerAccess() - lets the current context use another context's memory; not supported
 * @peerContext: a context on another device
 * @Flags: 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_PEER_ACCESS_UNSUPPORTED: devices have address spaces of their own, and copies
 * between them go through cuMemcpyPeer(). CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags);

/**
 * cuCtxDisablePeerAccess() - undoes cuCtxEnablePeerAccess(); not supported
 * @peerContext: a context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peerContext);

/**
 * cuCtxRecordEvent() - records an event for all present work of a context
 * @hCtx: a context; NULL means the current one
 * @hEvent: an event of that context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE, also for an event of another context,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a stream of it captures; the call invalidates that capture.
 */
CUresult CUDAAPI cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);

/**
 * cuCtxWaitEvent() - makes all later work of a context wait for an event
 * @hCtx: a context; NULL means the current one
 * @hEvent: an event
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_VALUE for an event whose latest record is in a capture that has
 * ended, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while a stream of it
 * captures; the call invalidates that capture.
 */
CUresult CUDAAPI cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);

/**
 * cuDevicePrimaryCtxRetain() - adds a reference to a device's primary context
 * @pctx: receives it; it does not become current
 * @dev: a device
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pctx is NULL, CUDA_ERROR_INVALID_DEVICE,
 * CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev);

/**
 * cuDevicePrimaryCtxRelease() - drops a reference to the primary context; the last one destroys it
 * @dev: a device
 *
 * Each reference can be dropped after cuDevicePrimaryCtxReset() too, and counts until then.
 * Context: any thread; the last one blocks while tasks run.
 * Return: CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_CONTEXT when it has no references.
 */
CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev);

/**
 * cuDevicePrimaryCtxSetFlags() - sets the flags of the primary context, whether it exists or not
 * @dev: a device
 * @flags: an OR of CUctx_flags with at most one of the SCHED ones
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);

/**
 * cuDevicePrimaryCtxGetState() - flags of the primary context, and whether it exists
 * @dev: a device
 * @flags: receives the flags
 * @active: receives 1 if it exists, else 0
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for NULL, CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active);

/**
 * cuDevicePrimaryCtxReset() - destroys the primary context with its memory even if it has references
 * @dev: a device
 *
 * Context: any thread; blocks while tasks run.
 * Return: CUDA_ERROR_INVALID_DEVICE.
 */
CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev);

/**
 * cuCtxGetCacheConfig() - how the current context divides the device's cache
 * @pconfig: receives CU_FUNC_CACHE_PREFER_NONE, as on every device that can't divide it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pconfig is NULL, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache *pconfig);

/**
 * cuCtxSetCacheConfig() - a wish how to divide the device's cache
 * @config: a CUfunc_cache; it has no effect, as on every device that can't divide its cache
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE for an unknown @config, CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_CONTEXT_H */
