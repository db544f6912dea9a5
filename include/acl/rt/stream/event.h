/* SPDX-License-Identifier: MIT */
/*
 * DOC: Events
 *
 * Part of acl/acl_rt.h, which states the rules for all functions.
 *
 * Recording an event marks the work queued on a stream so far; streams and threads can wait for
 * that mark. Waits refer to the latest record at the time of their call. Events of aclrtCreateEvent()
 * and aclrtCreateEventWithFlag() are of the old kind and have a hardware number. Events of
 * aclrtCreateEventExWithFlag() are of the new kind; they have no hardware number, so their number is
 * not limited.
 */
#ifndef ACL_RT_EVENT_H
#define ACL_RT_EVENT_H

#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Purpose of an event. The first three may be combined; the others must be used alone. SYNC: streams
 * may wait for it. TIME_LINE: it takes a time stamp.
 */
#define ACL_EVENT_SYNC 0x00000001U
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U
#define ACL_EVENT_TIME_LINE 0x00000008U
#define ACL_EVENT_DEVICE_USE_ONLY 0x00000010U
#define ACL_EVENT_EXTERNAL 0x00000020U
#define ACL_EVENT_IPC 0x00000040U

/* Flags of one record or wait; EXTERNAL links a model to work outside it. */
#define ACL_EVENT_RECORD_DEFAULT 0x0U
#define ACL_EVENT_RECORD_EXTERNAL 0x01U
#define ACL_EVENT_WAIT_DEFAULT 0x0U
#define ACL_EVENT_WAIT_EXTERNAL 0x01U

/* Size of an event's handle for other processes, in bytes. */
#define ACL_IPC_EVENT_HANDLE_SIZE 64U

/** enum aclrtEventStatus - result of aclrtQueryEvent(). */
typedef enum aclrtEventStatus {
	ACL_EVENT_STATUS_COMPLETE = 0,
	ACL_EVENT_STATUS_NOT_READY = 1,
	ACL_EVENT_STATUS_RESERVED = 2,
} aclrtEventStatus;

/** enum aclrtEventRecordedStatus - whether the work before the latest record is done. */
typedef enum aclrtEventRecordedStatus {
	ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
	ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
} aclrtEventRecordedStatus;

/** enum aclrtEventWaitStatus - whether streams still wait for the event. */
typedef enum aclrtEventWaitStatus {
	ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
	ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
	ACL_EVENT_WAIT_STATUS_RESERVED = 65535,
} aclrtEventWaitStatus;

/**
 * struct aclrtIpcEventHandle - an event's handle for other processes
 * @reserved: opaque
 */
typedef struct aclrtIpcEventHandle {
	char reserved[ACL_IPC_EVENT_HANDLE_SIZE];
} aclrtIpcEventHandle;

/**
 * aclrtCreateEvent() - creates an event of the old kind with time stamps that streams may wait for
 * @event: out, owned by the caller
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_CONTEXT_NULL, or ACL_ERROR_RT_MEMORY_ALLOCATION.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);

/**
 * aclrtCreateEventWithFlag() - creates an event of the old kind
 * @event: out, owned by the caller
 * @flag: a combination of SYNC, CAPTURE_STREAM_PROGRESS and TIME_LINE, or DEVICE_USE_ONLY, or
 *	EXTERNAL
 *
 * An event with SYNC behaves like a flag: a wait before any record blocks the stream until the event is
 * recorded, and the event stays set until aclrtResetEvent().
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another @flag, or ACL_ERROR_RT_NO_EVENT_RESOURCE.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/**
 * aclrtCreateEventExWithFlag() - creates an event of the new kind
 * @event: out, owned by the caller
 * @flag: a combination of SYNC, CAPTURE_STREAM_PROGRESS and TIME_LINE, or IPC
 *
 * A wait before any record does nothing. A queued wait keeps the record that it found, even if the
 * event is recorded again.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for another @flag, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/**
 * aclrtDestroyEvent() - destroys an event
 * @event: invalid afterwards; records and waits already queued still happen
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/**
 * aclrtRecordEvent() - marks the work queued on a stream so far
 * @event: the event; an earlier record is replaced
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. On a capturing stream the event becomes part of the capture.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_PARAM_INVALID for a DEVICE_USE_ONLY event,
 * or ACL_ERROR_STREAM_CAPTURE_CONFLICT.
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/**
 * aclrtRecordEventWithFlag() - aclrtRecordEvent(), or a record in a model that work outside it can wait
 * for
 * @event: for EXTERNAL an event of the new kind with exactly SYNC
 * @stream: for EXTERNAL a capturing stream
 * @flag: ACL_EVENT_RECORD_DEFAULT or ACL_EVENT_RECORD_EXTERNAL; the first use fixes it for the event
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtRecordEvent(), ACL_ERROR_INVALID_PARAM for another @flag,
 * ACL_ERROR_RT_PARAM_INVALID when @flag changes, ACL_ERROR_RT_STREAM_NOT_CAPTURED, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an unsuitable event.
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream,
						      uint32_t flag);

/**
 * aclrtStreamWaitEvent() - makes a stream's later work wait for an event
 * @stream: the stream that waits, or NULL
 * @event: an event with SYNC
 *
 * Asynchronous. Waiting for a captured event makes the stream part of the capture.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for an event without
 * SYNC, ACL_ERROR_RT_CAPTURE_DEPENDENCY, ACL_ERROR_STREAM_CAPTURE_CONFLICT, or
 * ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT for the default stream.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/**
 * aclrtStreamWaitEventWithTimeout() - aclrtStreamWaitEvent() with a limit
 * @stream: the stream that waits, or NULL
 * @event: an event with SYNC
 * @timeout: seconds, 0 for no limit
 *
 * The stream's next synchronisation returns ACL_ERROR_RT_TASK_TIMEOUT when the limit was reached.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtStreamWaitEvent(), or ACL_ERROR_RT_PARAM_INVALID for a negative @timeout.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
							     int32_t timeout);

/**
 * aclrtStreamWaitEventWithFlag() - a wait with a limit, or a wait in a model for work outside it
 * @stream: for EXTERNAL a capturing stream
 * @event: for EXTERNAL an event of the new kind with exactly SYNC
 * @timeout: seconds, 0 for no limit; 0 for EXTERNAL
 * @flag: ACL_EVENT_WAIT_DEFAULT or ACL_EVENT_WAIT_EXTERNAL; the first use fixes it for the event
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: as aclrtStreamWaitEvent(), ACL_ERROR_INVALID_PARAM for another @flag or a limit with
 * EXTERNAL, ACL_ERROR_RT_PARAM_INVALID when @flag changes, or ACL_ERROR_RT_STREAM_NOT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event,
							  uint32_t timeout, uint32_t flag);

/**
 * aclrtSetOpWaitTimeout() - limits how long tasks that wait for events may wait
 * @timeout: seconds, 0 for no limit
 *
 * Applies to later waits of the whole process. If a wait exceeds its limit, the stream's next
 * synchronisation returns ACL_ERROR_RT_TASK_TIMEOUT.
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/**
 * aclrtResetEvent() - clears an event, in a stream's order
 * @event: an event of aclrtCreateEventWithFlag() with SYNC or EXTERNAL
 * @stream: a stream of the current context, or NULL
 *
 * Asynchronous. The usual order is a wait on the stream, then the reset on the same stream.
 *
 * Context: any thread; may wait for room in the stream's queue.
 * Return: 0, ACL_ERROR_RT_STREAM_CONTEXT, ACL_ERROR_RT_PARAM_INVALID for a DEVICE_USE_ONLY event,
 * or ACL_ERROR_RT_FEATURE_NOT_SUPPORT for any other.
 */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/**
 * aclrtQueryEvent() - whether an event of the old kind is complete
 * @event: the event; it counts as complete if it was never recorded
 * @status: out
 *
 * Deprecated; new programs use aclrtQueryEventStatus().
 *
 * Context: any thread; never blocks.
 * Return: 0 for both answers, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for the new kind and EXTERNAL, or
 * ACL_ERROR_RT_EVENT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);

/**
 * aclrtQueryEventStatus() - whether the work before the latest record is done
 * @event: the event; if it was never recorded, it counts as complete in the new kind and as not ready
 * in the old kind
 * @status: out
 *
 * Context: any thread; never blocks.
 * Return: 0 for both answers, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for EXTERNAL, or
 * ACL_ERROR_RT_EVENT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event,
						   aclrtEventRecordedStatus *status);

/**
 * aclrtQueryEventWaitStatus() - whether streams still wait for an event of the old kind
 * @event: the event
 * @status: out, COMPLETE when no wait is pending
 *
 * Context: any thread; never blocks.
 * Return: 0 for both answers, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for the new kind, for EXTERNAL and without
 * ACL_EVENT_SYNC, or ACL_ERROR_RT_EVENT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event,
						       aclrtEventWaitStatus *status);

/**
 * aclrtSynchronizeEvent() - waits until the work before the latest record is done
 * @event: the event; returns at once if it was never recorded
 *
 * A task of the recording stream that failed before the record makes the first synchronisation fail that covers it: of
 * the event, of the stream or of the device.
 *
 * Context: any thread; may block.
 * Return: 0, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for EXTERNAL, ACL_ERROR_RT_EVENT_CAPTURED, or the
 * failure of the recording stream.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/**
 * aclrtSynchronizeEventWithTimeout() - aclrtSynchronizeEvent() with a limit
 * @event: the event; returns at once if it was never recorded
 * @timeout: milliseconds > 0, or -1 for no limit
 *
 * Context: any thread; may block up to @timeout.
 * Return: as aclrtSynchronizeEvent(), ACL_ERROR_RT_PARAM_INVALID for another @timeout, or
 * ACL_ERROR_RT_EVENT_SYNC_TIMEOUT.
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/**
 * aclrtEventElapsedTime() - the time between two events
 * @ms: out, milliseconds from @startEvent to @endEvent; may be negative
 * @startEvent: a complete event with TIME_LINE
 * @endEvent: a complete event with TIME_LINE
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_INTERNAL_ERROR when one was never recorded,
 * ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID without TIME_LINE or while not complete,
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for EXTERNAL and IPC, or ACL_ERROR_RT_EVENT_CAPTURED.
 */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent,
						   aclrtEvent endEvent);

/**
 * aclrtEventGetTimestamp() - the time stamp of an event
 * @event: a complete event with TIME_LINE
 * @timestamp: out, microseconds since the device started
 *
 * Context: any thread; never blocks.
 * Return: as aclrtEventElapsedTime().
 */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp);

/**
 * aclrtGetEventId() - the hardware number of an event
 * @event: an event that has a number: see the head of this file
 * @eventId: out
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_INTERNAL_ERROR when there is no number yet, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT for IPC.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);

/**
 * aclrtGetEventAvailNum() - how many events with a hardware number the current device has left
 * @eventCount: out
 *
 * Context: any thread; never blocks.
 * Return: 0 or one of the common errors.
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t *eventCount);

/**
 * aclrtIpcGetEventHandle() - a handle with which another process can open an event
 * @event: an event with ACL_EVENT_IPC
 * @handle: out, may be sent to the other process by any means
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID for an event of another kind, or
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle);

/**
 * aclrtIpcOpenEventHandle() - opens another process's event
 * @handle: its handle
 * @event: out, owned by the caller; aclrtDestroyEvent() closes it
 *
 * The process that created the event must exist as long as other processes use the event.
 *
 * Context: any thread; never blocks.
 * Return: 0, ACL_ERROR_RT_PARAM_INVALID, or ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
 */
ACL_FUNC_VISIBILITY aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_EVENT_H */
