/* SPDX-License-Identifier: MIT */
/*
 * DOC: Streams
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * A stream runs its tasks one after the other. The legacy stream takes turns with the blocking streams
 * of its context, which are those without CU_STREAM_NON_BLOCKING and each thread's own stream: a task of
 * the legacy stream waits for all earlier work of these streams, and their later tasks wait for it, also
 * those of streams created later.
 *
 * A thread's own stream is destroyed when the thread ends, as by cuStreamDestroy().
 */
#ifndef CUDA_DRIVER_STREAM_H
#define CUDA_DRIVER_STREAM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUstream_flags - NON_BLOCKING: the stream and the legacy stream do not wait for each other. */
typedef enum CUstream_flags_enum {
	CU_STREAM_DEFAULT = 0x0,
	CU_STREAM_NON_BLOCKING = 0x1,
} CUstream_flags;

/** enum CUsynchronizationPolicy - how a thread waits for a stream, as CUctx_flags. AUTO: the flags of the context
 * decide. */
typedef enum CUsynchronizationPolicy_enum {
	CU_SYNC_POLICY_AUTO = 1,
	CU_SYNC_POLICY_SPIN = 2,
	CU_SYNC_POLICY_YIELD = 3,
	CU_SYNC_POLICY_BLOCKING_SYNC = 4,
} CUsynchronizationPolicy;

/** enum CUlaunchAttributeID - attributes of launches. Streams have SYNCHRONIZATION_POLICY and PRIORITY;
 * the others are of kernels. */
typedef enum CUlaunchAttributeID_enum {
	CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
	CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
	CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
	CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
	CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
	CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
	CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
	CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
	CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
	CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
	CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
	CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
	CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT = 12,
	CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE = 13,
	CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
	CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING = 16,
} CUlaunchAttributeID;

/** enum CUaccessProperty - how long the cache keeps memory. */
typedef enum CUaccessProperty_enum {
	CU_ACCESS_PROPERTY_NORMAL = 0,
	CU_ACCESS_PROPERTY_STREAMING = 1,
	CU_ACCESS_PROPERTY_PERSISTING = 2,
} CUaccessProperty;

/** struct CUaccessPolicyWindow - memory that the cache treats differently. */
typedef struct CUaccessPolicyWindow_st {
	void *base_ptr;
	size_t num_bytes;
	float hitRatio;
	CUaccessProperty hitProp;
	CUaccessProperty missProp;
} CUaccessPolicyWindow_v1;
typedef CUaccessPolicyWindow_v1 CUaccessPolicyWindow;

/** enum CUclusterSchedulingPolicy - how clusters of blocks are placed. */
typedef enum CUclusterSchedulingPolicy_enum {
	CU_CLUSTER_SCHEDULING_POLICY_DEFAULT = 0,
	CU_CLUSTER_SCHEDULING_POLICY_SPREAD = 1,
	CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING = 2,
} CUclusterSchedulingPolicy;

/** enum CUlaunchMemSyncDomain - whose stores a kernel waits for. */
typedef enum CUlaunchMemSyncDomain_enum {
	CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT = 0,
	CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE = 1,
} CUlaunchMemSyncDomain;

/** struct CUlaunchMemSyncDomainMap - the numbers of both. */
typedef struct CUlaunchMemSyncDomainMap_st {
	unsigned char default_;
	unsigned char remote;
} CUlaunchMemSyncDomainMap;

typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;

/** union CUlaunchAttributeValue - the value of an attribute. */
typedef union CUlaunchAttributeValue_union {
	char pad[64];
	CUaccessPolicyWindow accessPolicyWindow;
	int cooperative;
	CUsynchronizationPolicy syncPolicy;
	struct {
		unsigned int x;
		unsigned int y;
		unsigned int z;
	} clusterDim;
	CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
	int programmaticStreamSerializationAllowed;
	struct {
		CUevent event;
		int flags;
		int triggerAtBlockStart;
	} programmaticEvent;
	struct {
		CUevent event;
		int flags;
	} launchCompletionEvent;
	int priority;
	CUlaunchMemSyncDomainMap memSyncDomainMap;
	CUlaunchMemSyncDomain memSyncDomain;
	struct {
		unsigned int x;
		unsigned int y;
		unsigned int z;
	} preferredClusterDim;
	struct {
		int deviceUpdatable;
		CUgraphDeviceNode devNode;
	} deviceUpdatableKernelNode;
	unsigned int sharedMemCarveout;
	unsigned int nvlinkUtilCentricScheduling;
	uint64_t align_; /* not part of the interface */
} CUlaunchAttributeValue;

#define CUstreamAttrID CUlaunchAttributeID
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
typedef CUlaunchAttributeValue CUstreamAttrValue_v1;
typedef CUstreamAttrValue_v1 CUstreamAttrValue;

/**
 * cuStreamCreate() - creates a stream in the current context
 * @phStream: receives the stream; cuStreamDestroy() destroys it
 * @Flags: CU_STREAM_DEFAULT or CU_STREAM_NON_BLOCKING
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuStreamCreate(CUstream *phStream, unsigned int Flags);

/**
 * cuStreamCreateWithPriority() - creates a stream with a priority
 * @phStream: receives the stream
 * @flags: CU_STREAM_DEFAULT or CU_STREAM_NON_BLOCKING
 * @priority: a lower number is a higher priority; clamped to the range of cuCtxGetStreamPriorityRange()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);

/**
 * cuStreamDestroy() - destroys a stream; its queued work still runs
 * @hStream: a stream from cuStreamCreate()
 *
 * If the stream joined a capture, the capture goes on, and what the stream has captured has to lead back to
 * the origin as before. If the stream began a capture that others have joined, the capture is invalid, and
 * cuStreamEndCapture() of each of the others ends it. A capture ends with its last stream.
 * Context: any thread; does not wait.
 * Return: CUDA_ERROR_INVALID_HANDLE for a predefined stream,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED for a destroyed stream, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a
 * stream that AscendCL captures.
 */
CUresult CUDAAPI cuStreamDestroy(CUstream hStream);

/**
 * cuStreamGetPriority() - the priority of a stream
 * @hStream: a stream
 * @priority: receives it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @priority is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetPriority(CUstream hStream, int *priority);

/**
 * cuStreamGetFlags() - the flags of a stream
 * @hStream: a stream
 * @flags: receives them; 0 for the two predefined streams
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @flags is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetFlags(CUstream hStream, unsigned int *flags);

/**
 * cuStreamGetId() - a number that no other stream of the process gets
 * @hStream: a stream
 * @streamId: receives the number. Its lower 16 bits are the stream's number in errors, traces and reports, the next 16
 *	bits the device, and the rest tells streams apart that had the same number one after the other
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @streamId is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetId(CUstream hStream, unsigned long long *streamId);

/**
 * cuStreamGetCtx() - the context of a stream
 * @hStream: a stream; the predefined streams belong to the current context
 * @pctx: receives the context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pctx is NULL, CUDA_ERROR_INVALID_CONTEXT for a predefined
 * stream without a current context, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetCtx(CUstream hStream, CUcontext *pctx);

/**
 * cuStreamGetDevice() - the device of a stream
 * @hStream: a stream
 * @device: receives the device
 *
 * Context: any thread.
 * Return: as cuStreamGetCtx().
 */
CUresult CUDAAPI cuStreamGetDevice(CUstream hStream, CUdevice *device);

/**
 * cuStreamWaitEvent() - makes later tasks of a stream wait for the work that an event marks now
 * @hStream: a stream
 * @hEvent: an event, of any context and device
 * @Flags: CU_EVENT_WAIT_DEFAULT, or CU_EVENT_WAIT_EXTERNAL on a stream that captures
 *
 * If a capture recorded the event, the stream joins that capture.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE for an event that is NULL or destroyed, CUDA_ERROR_INVALID_VALUE
 * for
 * other flags, CUDA_ERROR_STREAM_CAPTURE_ISOLATION on a stream that captures for an event that was
 * recorded outside, CUDA_ERROR_STREAM_CAPTURE_MERGE for an event of another capture.
 */
CUresult CUDAAPI cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);

/**
 * cuStreamQuery() - whether all work of a stream is complete
 * @hStream: a stream; the legacy stream is busy while a stream that takes turns with it is
 *
 * Context: any thread; never blocks; unsafe during a capture.
 * Return: CUDA_ERROR_NOT_READY, CUDA_ERROR_CONTEXT_IS_DESTROYED,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a stream that captures, the failure of a task.
 */
CUresult CUDAAPI cuStreamQuery(CUstream hStream);

/**
 * cuStreamSynchronize() - waits until all work of a stream is complete
 * @hStream: a stream
 *
 * Context: any thread; blocks; unsafe during a capture.
 * Return: as cuStreamQuery(), but never CUDA_ERROR_NOT_READY.
 */
CUresult CUDAAPI cuStreamSynchronize(CUstream hStream);

/**
 * cuStreamAddCallback() - calls a function in stream order, even if an earlier task has failed
 * @hStream: a stream that does not capture
 * @callback: called once, by a thread of the library, with the stream and its failure
 * @userData: passed to it
 * @flags: 0
 *
 * Later tasks wait until it has returned.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED on a stream that captures; the call invalidates that capture.
 */
CUresult CUDAAPI cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
				     unsigned int flags);

/**
 * cuLaunchHostFunc() - calls a function in stream order, unless an earlier task has failed
 * @hStream: a stream; one that captures gets a host node
 * @fn: called by a thread of the library
 * @userData: passed to it
 *
 * Later tasks wait until it has returned. One thread calls the functions of all streams of a device: a
 * function may wait for other threads, but not for another such function.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @fn is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);

/**
 * cuStreamAttachMemAsync() - declares which stream uses managed memory; has no effect
 * @hStream: a stream
 * @dptr: the start of managed memory
 * @length: 0, or the size of all of it
 * @flags: one of CUmemAttach_flags
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
					unsigned int flags);

/**
 * cuStreamCopyAttributes() - copies the attributes of a stream to another one
 * @dst: a stream
 * @src: a stream of the same context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamCopyAttributes(CUstream dst, CUstream src);

/**
 * cuStreamGetAttribute() - one attribute of a stream
 * @hStream: a stream
 * @attr: CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY or CU_STREAM_ATTRIBUTE_PRIORITY
 * @value_out: receives it
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr,
				      CUstreamAttrValue *value_out);

/**
 * cuStreamSetAttribute() - changes an attribute of a stream
 * @hStream: a stream
 * @attr: CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY; the priority can't be changed
 * @value: the new value
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED for another priority than the stream
 * has, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr,
				      const CUstreamAttrValue *value);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_STREAM_H */
