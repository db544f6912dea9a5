/* SPDX-License-Identifier: MIT */
/*
 * DOC: Events
 *
 * Part of cuda.h, which states the rules for all functions.
 *
 * An event marks the work that a stream had when the event was recorded; before the first record it
 * marks no work. A new record replaces the mark; queued waits keep the old mark. A waiting thread polls
 * until the work is done; with CU_EVENT_BLOCKING_SYNC it sleeps.
 */
#ifndef CUDA_DRIVER_EVENT_H
#define CUDA_DRIVER_EVENT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum CUevent_flags - options of an event. */
typedef enum CUevent_flags_enum {
	CU_EVENT_DEFAULT = 0x0,
	CU_EVENT_BLOCKING_SYNC = 0x1,
	CU_EVENT_DISABLE_TIMING = 0x2,
	CU_EVENT_INTERPROCESS = 0x4,
} CUevent_flags;

/** enum CUevent_record_flags - EXTERNAL: a capturing stream gets a node that records the event. */
typedef enum CUevent_record_flags_enum {
	CU_EVENT_RECORD_DEFAULT = 0x0,
	CU_EVENT_RECORD_EXTERNAL = 0x1,
} CUevent_record_flags;

/* The name that the description of cuEventRecordWithFlags() uses. */
typedef CUevent_record_flags CUevent_capture_flags;

/** enum CUevent_wait_flags - EXTERNAL: a capturing stream gets a node that waits for the event. */
typedef enum CUevent_wait_flags_enum {
	CU_EVENT_WAIT_DEFAULT = 0x0,
	CU_EVENT_WAIT_EXTERNAL = 0x1,
} CUevent_wait_flags;

/**
 * cuEventCreate() - creates an event in the current context
 * @phEvent: receives the event; cuEventDestroy() destroys it
 * @Flags: an OR of CUevent_flags; INTERPROCESS needs DISABLE_TIMING
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_OUT_OF_MEMORY.
 */
CUresult CUDAAPI cuEventCreate(CUevent *phEvent, unsigned int Flags);

/**
 * cuEventRecord() - makes an event mark the present work of a stream
 * @hEvent: an event of the stream's context
 * @hStream: a stream
 *
 * Without CU_EVENT_DISABLE_TIMING, the event takes a time stamp when that work is complete. On a
 * capturing stream the event becomes part of the capture; streams that wait for it join the capture.
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE for an event that is NULL, destroyed or of another context,
 * CUDA_ERROR_INVALID_CONTEXT.
 */
CUresult CUDAAPI cuEventRecord(CUevent hEvent, CUstream hStream);

/**
 * cuEventRecordWithFlags() - cuEventRecord(), or adds a node that records the event
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
 * cuEventQuery() - whether the work that an event marks is complete
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread; never blocks; unsafe during a capture.
 * Return: CUDA_ERROR_NOT_READY while it is not complete, CUDA_ERROR_INVALID_HANDLE,
 * CUDA_ERROR_CAPTURED_EVENT for an event whose latest record is in a capture, CUDA_ERROR_INVALID_VALUE if that
 * capture has ended, the failure of a task of its stream.
 */
CUresult CUDAAPI cuEventQuery(CUevent hEvent);

/**
 * cuEventSynchronize() - waits until the work that an event marks is complete
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread; blocks; unsafe during a capture.
 * Return: as cuEventQuery(), but never CUDA_ERROR_NOT_READY.
 */
CUresult CUDAAPI cuEventSynchronize(CUevent hEvent);

/**
 * cuEventDestroy() - destroys an event without waiting; queued waits for it stay valid
 * @hEvent: an event; its context need not be current
 *
 * Context: any thread.
 * Return: CUDA_ERROR_INVALID_HANDLE.
 */
CUresult CUDAAPI cuEventDestroy(CUevent hEvent);

/**
 * cuEventElapsedTime() - the time between two events
 * @pMilliseconds: receives it, with a resolution below a microsecond; negative if @hEnd was complete
 * first
 * @hStart: an event with time stamp
 * @hEnd: another event of the same device, or the same event
 *
 * Context: any thread; never blocks.
 * Return: CUDA_ERROR_INVALID_VALUE when @pMilliseconds is NULL or an event was last recorded in a
 * capture, CUDA_ERROR_INVALID_HANDLE for an event that has no time stamp, was not recorded, is of
 * another device or was destroyed, else CUDA_ERROR_NOT_READY while one of them is not complete.
 */
CUresult CUDAAPI cuEventElapsedTime(float *pMilliseconds, CUevent hStart, CUevent hEnd);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_DRIVER_EVENT_H */
