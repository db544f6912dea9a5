// SPDX-License-Identifier: MIT
#pragma once

#include "report_threads.h"
#include "stream.h"
#include "umd/core/process/call.h"
#include "umd/core/task/task.h"

namespace umd {

/** subscribe() - from now on a thread of the program, a pthread_t, runs the functions of @stream.
 * Return: STREAM_SUBSCRIBED if the stream has such a thread already, or has used the runtime's thread;
 * THREAD_SUBSCRIBED. */
base::Status subscribe(uint64_t thread, Stream &stream, Scheme scheme);

/** launch_callback() - @fn(@args) runs on the stream's thread for reports, in stream order.
 * @holds: the stream waits until it returns.
 * Return: NO_SUBSCRIBER, STREAM_SUBSCRIBED. */
base::Status launch_callback(Stream &stream, void (*fn)(void *), void *args, bool holds);

/** launch_host_func() - @fn(@args) runs in stream order, on the stream's thread for host functions or on one
 * of the runtime; the stream waits until it returns.
 * @always: run the function even if the stream has stopped on a failure. @call: the API function
 * Return: STREAM_SUBSCRIBED if the stream has a thread for reports but none for host functions. */
base::Status launch_host_func(Stream &stream, void (*fn)(void *), void *args, bool always = false,
			      Call call = Call::HOST_FUNC);

/** launch_work() - launches a task of work_task(). It runs in stream order, on the runtime's thread for such
 * work; the stream waits until it returns. Return: NO_RESOURCE, as enqueue(). */
base::Status launch_work(Stream &stream, const GraphTask &task);

/** launch_own() - the same for a function of the runtime itself; it does not affect which thread may run the
 * program's functions. Context: the stream neither captures nor collects.
 * Return: the task's fence; as submit(), NO_RESOURCE. */
base::Result<drv::Fence> launch_own(Stream &stream, void (*fn)(void *), void *args);

} // namespace umd
