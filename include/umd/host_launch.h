// SPDX-License-Identifier: MIT
#pragma once

#include "umd/report_threads.h"
#include "umd/stream.h"

namespace umd {

/** subscribe() - functions of @stream go to a thread of the program, a pthread_t, from now on.
 * Return: STREAM_SUBSCRIBED when it has one, or has used the runtime's; THREAD_SUBSCRIBED. */
base::Status subscribe(uint64_t thread, Stream &stream, Scheme scheme);

/** launch_callback() - @fn(@args) runs on the stream's thread for reports, in stream order.
 * @holds: the stream stands still until its end.
 * Return: NO_SUBSCRIBER, STREAM_SUBSCRIBED. */
base::Status launch_callback(Stream &stream, void (*fn)(void *), void *args, bool holds);

/** launch_host_func() - @fn(@args) runs in stream order, on the stream's thread for host functions or
 * on one of the runtime; the stream stands still until its end.
 * @always: also where the stream has stopped on a failure
 * Return: STREAM_SUBSCRIBED when the stream has a thread for reports and none for this. */
base::Status launch_host_func(Stream &stream, void (*fn)(void *), void *args, bool always = false);

/** launch_own() - the same for a function of the runtime itself, which leaves alone how the program may
 * launch its own. Context: the stream neither captures nor collects.
 * Return: the task's fence; as submit(), NO_RESOURCE. */
base::Result<drv::Fence> launch_own(Stream &stream, void (*fn)(void *), void *args);

} // namespace umd
