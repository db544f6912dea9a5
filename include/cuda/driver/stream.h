/* SPDX-License-Identifier: MIT */
/*
 * DOC: Streams
 *
 * Part of cuda.h, which states what holds for every function.
 *
 * A stream does its tasks one after the other. The legacy stream takes turns with all streams of its
 * context that were made without CU_STREAM_NON_BLOCKING: its task waits for what they have to do, and
 * what they are given later waits for its task.
 */
#ifndef CUDA_DRIVER_STREAM_H
#define CUDA_DRIVER_STREAM_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUstream_flags - NON_BLOCKING: the legacy stream does not wait for it, nor it for that. */
typedef enum CUstream_flags_enum {
	CU_STREAM_DEFAULT = 0x0,
	CU_STREAM_NON_BLOCKING = 0x1,
} CUstream_flags;

/** enum CUsynchronizationPolicy - how a thread waits for a stream. */
typedef enum CUsynchronizationPolicy_enum {
	CU_SYNC_POLICY_AUTO = 1,
	CU_SYNC_POLICY_SPIN = 2,
	CU_SYNC_POLICY_YIELD = 3,
	CU_SYNC_POLICY_BLOCKING_SYNC = 4,
} CUsynchronizationPolicy;

/** enum CUlaunchAttributeID - attributes of streams; only those that streams have. */
typedef enum CUlaunchAttributeID_enum {
	CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
	CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
} CUlaunchAttributeID;

/** union CUlaunchAttributeValue - the value of an attribute. */
typedef union CUlaunchAttributeValue_union {
	char pad[64];
	CUsynchronizationPolicy syncPolicy;
	int priority;
	uint64_t align_; /* not part of the interface */
} CUlaunchAttributeValue;

#define CUstreamAttrID CUlaunchAttributeID
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
typedef CUlaunchAttributeValue CUstreamAttrValue_v1;
typedef CUstreamAttrValue_v1 CUstreamAttrValue;

/**
 * cuStreamCreate() - makes a stream of the current context
 * @phStream: receives the stream; cuStreamDestroy() destroys it
 * @Flags: CU_STREAM_DEFAULT or CU_STREAM_NON_BLOCKING
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuStreamCreate(CUstream *phStream, unsigned int Flags);

/**
 * cuStreamCreateWithPriority() - makes a stream that goes before others
 * @phStream: receives the stream
 * @flags: CU_STREAM_DEFAULT or CU_STREAM_NON_BLOCKING
 * @priority: lower numbers go first; put into the range of cuCtxGetStreamPriorityRange()
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream *phStream, unsigned int flags, int priority);

/**
 * cuStreamDestroy() - destroys a stream; what it has to do is still done
 * @hStream: a stream of cuStreamCreate()
 *
 * Context: any thread; does not wait.
 * Return: CUDA_ERROR_INVALID_HANDLE for a stream that need not be created,
 * CUDA_ERROR_CONTEXT_IS_DESTROYED for one that is gone, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for one
 * that captures.
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
 * @flags: receives them; 0 for streams that need not be created
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @flags is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetFlags(CUstream hStream, unsigned int *flags);

/**
 * cuStreamGetId() - a number that no other stream of the process ever has
 * @hStream: a stream
 * @streamId: receives the number
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @streamId is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuStreamGetId(CUstream hStream, unsigned long long *streamId);

/**
 * cuStreamGetCtx() - the context of a stream
 * @hStream: a stream; those that need not be created belong to the current context
 * @pctx: receives the context
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @pctx is NULL, CUDA_ERROR_INVALID_CONTEXT when there is no
 * current context to tell, CUDA_ERROR_CONTEXT_IS_DESTROYED.
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
 * cuStreamWaitEvent() - what the stream is given later waits for what the event marks now
 * @hStream: a stream
 * @hEvent: an event, of any context and device
 * @Flags: CU_EVENT_WAIT_DEFAULT, or CU_EVENT_WAIT_EXTERNAL on a stream that captures
 *
 * An event that a capture has recorded makes the stream take part in that capture.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE for an event that is NULL or gone, CUDA_ERROR_INVALID_VALUE for
 * other flags, CUDA_ERROR_STREAM_CAPTURE_ISOLATION on a stream that captures for an event that was
 * recorded outside, CUDA_ERROR_STREAM_CAPTURE_MERGE for an event of another capture.
 */
CUresult CUDAAPI cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);

/**
 * cuStreamQuery() - whether a stream has nothing to do
 * @hStream: a stream
 *
 * Context: any thread; never blocks; unsafe during a capture.
 * Return: CUDA_ERROR_NOT_READY, CUDA_ERROR_CONTEXT_IS_DESTROYED,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED for a stream that captures, what a task failed with.
 */
CUresult CUDAAPI cuStreamQuery(CUstream hStream);

/**
 * cuStreamSynchronize() - waits until a stream has nothing to do
 * @hStream: a stream
 *
 * Context: any thread; blocks; unsafe during a capture.
 * Return: as cuStreamQuery(), but never CUDA_ERROR_NOT_READY.
 */
CUresult CUDAAPI cuStreamSynchronize(CUstream hStream);

/**
 * cuStreamAddCallback() - the stream calls a function, also when an earlier task has failed
 * @hStream: a stream that does not capture
 * @callback: called once, by a thread of the library, with the stream and what failed
 * @userData: handed to it
 * @flags: 0
 *
 * Later tasks wait until it has returned.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_CONTEXT_IS_DESTROYED,
 * CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED on a stream that captures; that capture is invalid then.
 */
CUresult CUDAAPI cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void *userData,
				     unsigned int flags);

/**
 * cuLaunchHostFunc() - the stream calls a function, unless an earlier task has failed
 * @hStream: a stream; one that captures gets a host node
 * @fn: called by a thread of the library
 * @userData: handed to it
 *
 * Later tasks wait until it has returned. Functions of all streams of a device are called by one
 * thread: they may wait for what other threads do, not for each other.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE when @fn is NULL, CUDA_ERROR_CONTEXT_IS_DESTROYED.
 */
CUresult CUDAAPI cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void *userData);

/**
 * cuStreamAttachMemAsync() - says which stream uses managed memory; it needs not be said here
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
 * cuStreamCopyAttributes() - gives a stream the attributes of another one
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
 * @attr: CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY; the priority stays that of the creation
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
