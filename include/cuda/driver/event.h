/* SPDX-License-Identifier: MIT */
/*
 * DOC: Events
 *
 * Part of cuda.h, which states what holds for every function.
 *
 * An event marks the work that a stream had when the event was recorded; before the first record it
 * marks none. A new record replaces the mark; waits that were queued keep the mark they took. A thread
 * that waits polls for a bounded time and then sleeps, whatever the event's flags;
 * CU_EVENT_BLOCKING_SYNC leaves the polling out.
 */
#ifndef CUDA_DRIVER_EVENT_H
#define CUDA_DRIVER_EVENT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUevent_flags - what an event is for. */
typedef enum CUevent_flags_enum {
	CU_EVENT_DEFAULT = 0x0,
	CU_EVENT_BLOCKING_SYNC = 0x1,
	CU_EVENT_DISABLE_TIMING = 0x2,
	CU_EVENT_INTERPROCESS = 0x4,
} CUevent_flags;

/** enum CUevent_record_flags - EXTERNAL makes a node of a record that a stream captures. */
typedef enum CUevent_record_flags_enum {
	CU_EVENT_RECORD_DEFAULT = 0x0,
	CU_EVENT_RECORD_EXTERNAL = 0x1,
} CUevent_record_flags;

/* What the description of cuEventRecordWithFlags() calls them. */
typedef CUevent_record_flags CUevent_capture_flags;

/** enum CUevent_wait_flags - EXTERNAL makes a node of a wait that a stream captures. */
typedef enum CUevent_wait_flags_enum {
	CU_EVENT_WAIT_DEFAULT = 0x0,
	CU_EVENT_WAIT_EXTERNAL = 0x1,
} CUevent_wait_flags;

/**
 * cuEventCreate() - makes an event of the current context
 * @phEvent: receives the event; cuEventDestroy() destroys it
 * @Flags: an OR of CUevent_flags; INTERPROCESS needs DISABLE_TIMING
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuEventCreate(CUevent *phEvent, unsigned int Flags);

/**
 * cuEventRecord() - the event marks what the stream has to do so far
 * @hEvent: an event of the stream's context
 * @hStream: a stream
 *
 * Without CU_EVENT_DISABLE_TIMING the time is taken when that work is done. On a stream that captures
 * nothing is recorded; streams that wait for the event join the capture.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE for an event that is NULL, gone or of another context,
 * CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuEventRecord(CUevent hEvent, CUstream hStream);

/**
 * cuEventRecordWithFlags() - cuEventRecord(), or a node that records the event
 * @hEvent: an event of the stream's context
 * @hStream: a stream
 * @flags: CU_EVENT_RECORD_DEFAULT, or CU_EVENT_RECORD_EXTERNAL on a stream that captures
 *
 * Context: any thread.
 * Return: as cuEventRecord(), and CUDA_ERROR_INVALID_VALUE for other flags, and for EXTERNAL on a
 * stream that does not capture.
 */
CUresult CUDAAPI cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);

/**
 * cuEventQuery() - whether the work that an event marks is done
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread; never blocks; unsafe during a capture.
 * Return: CUDA_ERROR_NOT_READY while it is not done, CUDA_ERROR_INVALID_HANDLE,
 * CUDA_ERROR_CAPTURED_EVENT for an event that a capture under way has recorded, what a task of its
 * stream failed with.
 */
CUresult CUDAAPI cuEventQuery(CUevent hEvent);

/**
 * cuEventSynchronize() - waits until the work that an event marks is done
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread; blocks; unsafe during a capture.
 * Return: as cuEventQuery(), but never CUDA_ERROR_NOT_READY.
 */
CUresult CUDAAPI cuEventSynchronize(CUevent hEvent);

/**
 * cuEventDestroy() - destroys an event; waits that were queued hold, and nothing is waited for
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE.
 */
CUresult CUDAAPI cuEventDestroy(CUevent hEvent);

/**
 * cuEventElapsedTime() - the time between two events
 * @pMilliseconds: receives it, with a resolution below a microsecond; negative when @hEnd was first
 * @hStart: an event with time stamp
 * @hEnd: another one, or the same, of the same device
 *
 * Context: any thread; never blocks.
 * Return: CUDA_ERROR_INVALID_VALUE when @pMilliseconds is NULL or an event was last recorded in a
 * capture, CUDA_ERROR_INVALID_HANDLE for an event without time stamp, without record, of another
 * device or gone, else CUDA_ERROR_NOT_READY while one is not done.
 */
CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_EVENT_H */
