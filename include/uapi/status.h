/* SPDX-License-Identifier: MIT */
/*
 * The one list of statuses, shared by firmware, driver and runtime.
 *
 * X(name, number, sentence): the number travels in completion lines and mailbox replies. Numbers are
 * never reused. The list generates the enum, the names, the sentences and their test; the front ends
 * translate each entry to their API's codes in one table.
 */
#ifndef UNPU_UAPI_STATUS_H
#define UNPU_UAPI_STATUS_H

#include <stdint.h>

#define UNPU_STATUS_LIST(X) \
	X(OK, 0, "success") \
	/* requests */ \
	X(INVALID_ARGUMENT, 1, "an argument is outside its documented range; the page of the call has the range") \
	X(INVALID_HANDLE, 2, "the handle is stale or of another type") \
	X(NULL_POINTER, 3, "a required pointer is NULL") \
	X(NOT_SUPPORTED, 4, "the device does not support the operation; unpu doctor tells what this machine lacks") \
	X(NO_MEMORY, 5, "out of memory; free some, or raise memory= of UNPU_DEVICE or firmware-sim --memory") \
	X(NO_RESOURCE, 6, "a resource is exhausted; end unused streams, events and graphs, or raise RLIMIT_NOFILE") \
	X(NO_CONTEXT, 7, "the calling thread has no current context; call aclrtSetDevice first") \
	X(WRONG_CONTEXT, 8, "the object belongs to another context") \
	X(INVALID_DEVICE, 9, "there is no such device; devices= of UNPU_DEVICE sets how many there are") \
	X(NOT_INITIALISED, 10, "the library is not initialised") \
	X(ALREADY_INITIALISED, 11, "the library is already initialised") \
	X(ALREADY_FINALISED, 12, "the library is already finalised") \
	X(TIMEOUT, 13, "the deadline passed before the work was done; unpu-info --pid tells what runs") \
	X(NOT_READY, 14, "the work is not complete") \
	X(NO_PERMISSION, 15, "the process lacks a permission, or a limit is too low; unpu doctor tells which") \
	X(IN_USE, 16, "the object is in use; wait for its work, or end first what uses it") \
	X(INTERNAL, 17, "an internal invariant does not hold; this is a fault of unpu, please report it") \
	X(DEVICE_SET_MISSING, 18, "the device was not set, or was already reset") \
	X(BAD_FILE, 19, "the file can't be read or written") \
	X(BAD_CONFIG, 20, "the configuration can't be parsed") \
	X(CONFIG_CHANGED, 21, "the configuration differs from the first initialisation") \
	X(INVALID_ENUM, 22, "an enumerator is unknown; the header of the call lists those that it takes") \
	X(CONTEXT_DYING, 23, "the context is being destroyed") \
	X(QUOTA, 24, "a quota for this client or its user is used up; see the log and --quota-* of firmware-sim") \
	X(NOT_SHARED, 25, "the key names nothing that this firmware shares") \
	X(SAME_PROCESS, 26, "the key was made by this process") \
	X(NOT_ALLOWED, 27, "the exporter does not allow this process to import") \
	X(FILE_SHORT, 28, "the file ended before the transfer did") \
	X(BAD_PATH, 29, "the file can't be opened") \
	X(NO_SYMBOL, 30, "no variable of the kernels has the name") \
	X(NO_FUNCTION, 31, "the function stands for no kernel") \
	X(ALREADY_REGISTERED, 100, "the memory is registered already") \
	X(NOT_REGISTERED, 101, "the memory is not registered") \
	/* faults found by the firmware */ \
	X(BAD_PACKET, 32, "a packet has a reserved bit set or an impossible field") \
	X(BAD_OPCODE, 33, "a packet has an unknown opcode") \
	X(MMU_FAULT, 34, "an address is not mapped in the context") \
	X(ACCESS_FAULT, 35, "a mapping does not allow the access") \
	X(BAD_OPERATOR, 36, "an operator descriptor is malformed") \
	X(BAD_SEMAPHORE, 37, "a semaphore is not one of the context's") \
	X(BAD_GRAPH, 38, "a graph image is malformed") \
	X(RING_BROKEN, 39, "the ring's words contradict each other") \
	X(VERSION_MISMATCH, 40, "host and firmware speak different versions; install both from one toolkit") \
	X(BAD_MESSAGE, 41, "a mailbox message is malformed") \
	X(DEVICE_LOST, 42, "the device is gone; reset it and create the context again") \
	X(WAIT_TIMEOUT, 43, "a wait task ran into its time limit") \
	X(CHANNEL_STOPPED, 44, "the channel was stopped") \
	X(SKIPPED, 45, "the task did not run because an earlier one failed") \
	X(PEER_LOST, 46, "the process that shared the object, or was to signal it, is gone") \
	X(HUNG, 47, "a task did not end; the watchdog cut the context off") \
	X(BAD_INDEX, 48, "an index that an operator reads is outside of its tensor") \
	X(BAD_KERNEL, 49, "a kernel image can't be loaded, or a launch does not fit its kernel") \
	X(KERNEL_FAULT_VECTOR, 50, "a kernel failed on a vector core") \
	X(KERNEL_FAULT_CORE, 51, "a kernel failed on a cube core or on both kinds of core") \
	X(KERNEL_TIMEOUT_VECTOR, 52, "a kernel on vector cores did not end within its time limit") \
	X(KERNEL_TIMEOUT_CORE, 53, "a kernel with cube cores did not end within its time limit") \
	X(NO_OPERATORS, 54, "the firmware can't load its toolkit's lib64/libunpu_operators.so, the tensor operators") \
	/* events */ \
	X(EVENT_NEVER_RECORDED, 64, "the event was never recorded") \
	X(EVENT_NO_TIMESTAMP, 65, "the event has no time stamp, or is not complete") \
	X(EVENT_TIMEOUT, 66, "the event did not complete within the time limit") \
	X(STREAM_TIMEOUT, 67, "the stream did not complete within the time limit") \
	X(EVENT_NO_ID, 68, "the event has no hardware id yet") \
	X(NO_EVENT, 69, "the device has no hardware event left; destroy one that is not used") \
	/* capture and graphs */ \
	X(STREAM_CAPTURED, 80, "the call is illegal on a stream that is capturing") \
	X(EVENT_CAPTURED, 81, "the call is illegal on an event that is part of a capture") \
	X(MODEL_CAPTURED, 82, "the call is illegal on a model that is being captured") \
	X(NOT_CAPTURING, 83, "the stream is not capturing") \
	X(CAPTURE_MODE, 84, "the capture mode forbids the call") \
	X(CAPTURE_IMPLICIT, 85, "the default stream can't take part in a capture") \
	X(CAPTURE_CONFLICT, 86, "event and stream belong to different captures") \
	X(CAPTURE_UNMATCHED, 87, "the stream joined the capture but did not begin it") \
	X(CAPTURE_WRONG_THREAD, 88, "another thread began the capture") \
	X(CAPTURE_INVALIDATED, 89, "an earlier failure invalidated the capture") \
	X(CAPTURE_UNJOINED, 90, "a stream that joined the capture did not return to its origin") \
	X(CAPTURE_DEPENDENCY, 91, "an event in the capture was recorded outside it, or never") \
	X(CAPTURE_PAGEABLE, 92, "an asynchronous copy of pageable memory can't be captured") \
	X(CAPTURE_BLOCK_ASYNC, 93, "the capture mode forbids an asynchronous copy of pageable memory") \
	X(MODEL_CONTEXT, 94, "the model belongs to another context") \
	X(MODEL_NOT_READY, 95, "the model is not ready to execute") \
	X(MODEL_RUNNING, 96, "the model is still running") \
	X(GRAPH_TOO_LARGE, 97, "the graph is larger than the device accepts; divide it into several") \
	/* execution */ \
	X(NO_STREAM, 110, "the device has no stream left; destroy one that is not used") \
	X(DEVICE_ABORTED, 112, "the tasks of the device were aborted") \
	X(KERNEL_TRAP, 113, "an operator did what it may not") \
	X(STREAM_MODEL, 114, "stream and model don't belong together") \
	X(OVERFLOW, 115, "a result of an operator is infinite or not a number") \
	X(STREAM_SUBSCRIBED, 116, "the stream's functions are run by another thread") \
	X(THREAD_SUBSCRIBED, 117, "the thread is not the one that runs the stream's functions") \
	X(NO_SUBSCRIBER, 118, "the stream has no thread for its callbacks") \
	X(REPORT_TIMEOUT, 119, "nothing was due within the time limit") \
	/* options */ \
	X(OPTION_NOT_SET, 120, "the option was never set in the context") \
	X(CALLBACK_FAILED, 121, "a callback of the program failed") \
	X(BAD_QUEUE_LENGTH, 122, "the length of the operator queue is not a positive number") \
	/* sharing */ \
	X(NO_NOTIFY, 130, "the device has no notify left; destroy one that is not used") \
	X(LINK_NOT_SUPPORTED, 131, "the device has no link of that kind") \
	X(RESERVED_FLAG, 132, "a flag that is reserved is set") \
	/* queues, channels of tensors, profiling */ \
	X(NO_QUEUE, 140, "no queue has the number") \
	X(QUEUE_FULL, 141, "the queue had no room within the time limit") \
	X(QUEUE_EMPTY, 142, "the queue had nothing within the time limit") \
	X(QUEUE_STOPPED, 143, "the channel of tensors was stopped") \
	X(PROFILING_OFF, 144, "nothing is profiled now") \
	X(PROFILING_ON, 145, "profiling runs already") \
	X(PROFILING_CONFLICT, 146, "a subscription and a profile can't be there at once") \
	X(NO_MODEL, 147, "no model has the number") \
	X(MODEL_SUBSCRIBED, 148, "the model is subscribed to already") \
	/* tasks of models */ \
	X(TASK_GROUP, 150, "a task group is open, or none is") \
	X(TASK_GROUP_BROKEN, 151, "the task group holds something else than kernels") \
	X(TASK_KIND, 152, "tasks of this kind can't be in a task group") \
	X(UPDATE_KIND, 153, "tasks of this kind can't be updated") \
	X(MODEL_UPDATE, 154, "the model can't be updated") \
	X(ARRAY_TOO_SMALL, 155, "the array is too small for what is to be told") \
	X(SUB_CAPTURING, 156, "a model inside the one that is captured is captured still")

/* enum unpu_status - every status in the tree; see UNPU_STATUS_LIST. Stored as uint32_t on the wire. */
enum unpu_status {
#define UNPU_STATUS_ENUM(name, number, sentence) UNPU_STATUS_##name = number,
	UNPU_STATUS_LIST(UNPU_STATUS_ENUM)
#undef UNPU_STATUS_ENUM
};

#endif /* UNPU_UAPI_STATUS_H */
