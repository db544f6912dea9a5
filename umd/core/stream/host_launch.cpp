// SPDX-License-Identifier: MIT
/**
 * DOC: Launching host functions
 *
 * The launch decides which thread runs the function. A stream uses either the runtime's thread or a thread
 * that the program subscribed: with both, two functions of one stream could run out of order. A program may
 * subscribe one thread for callbacks and one for host functions; it then has to order them itself.
 */
#include "host_launch.h"

#include <fmt/format.h>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "report_threads.h"
#include "stream.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/task.h"

namespace umd {

using base::Status;

static bool has_thread(const Stream &stream, Scheme scheme)
{
	return ReportThreads::get().subscribed(stream, scheme);
}

Status subscribe(uint64_t thread, Stream &stream, Scheme scheme)
{
	if (scheme == Scheme::REPORT && stream.uses_runtime_thread.load())
		return set_error(Status::STREAM_SUBSCRIBED,
				 fmt::format("stream {} has used $launch_host_func, so the runtime "
					     "runs its functions",
					     stream.id));
	return ReportThreads::get().subscribe(thread, stream, scheme);
}

/* Launches a host function. @task: complete, except for the call number. */
static Status launch(Stream &stream, GraphTask task)
{
	HostFunction &function = task.host;
	unpu_packet &packet = task.packet;
	function.stream = stream.serial;
	/* A captured function is called each time the graph or model runs. */
	if (!stream.sink.is_empty()) [[unlikely]] {
		if (auto status = offer_task(stream, task))
			return *status;
	}
	recorder::Entry entry;
	if (recorder::is_on()) [[unlikely]]
		entry = recorder::observer.begin_host_task(stream, task);
	HostCalls &calls = stream.context->open->calls;
	auto call = TRY(calls.add(function));
	packet.call.call = call;
	Status status = enqueue_noted(stream, packet, entry);
	if (status != Status::OK)
		calls.remove(call);
	return status;
}

static Status launch(Stream &stream, const HostFunction &function, Call call, bool always = false)
{
	GraphTask task;
	task.kind = TaskKind::HOST;
	task.packet = drv::host_call_packet(drv::cookie_call(static_cast<uint16_t>(call)), 0);
	if (always)
		task.packet.flags |= UNPU_PACKET_ALWAYS;
	task.host = function;
	return launch(stream, std::move(task));
}

Status launch_work(Stream &stream, const GraphTask &task)
{
	return launch(stream, task);
}

Status launch_callback(Stream &stream, void (*fn)(void *), void *args, bool holds)
{
	if (stream.uses_runtime_thread.load())
		return set_error(Status::STREAM_SUBSCRIBED,
				 fmt::format("stream {} has used $launch_host_func; it can't use "
					     "$launch_callback too",
					     stream.id));
	if (!has_thread(stream, Scheme::REPORT))
		return set_error(Status::NO_SUBSCRIBER,
				 fmt::format("stream {} has no thread for callbacks; call "
					     "$subscribe_report first",
					     stream.id));
	HostFunction function{fn, args};
	function.by = HostFunction::By::REPORT_THREAD;
	function.holds = holds;
	return launch(stream, function, Call::CALLBACK);
}

Status launch_host_func(Stream &stream, void (*fn)(void *), void *args, bool always, Call call)
{
	HostFunction function{fn, args};
	if (stream.has_threads.load()) [[unlikely]] {
		if (has_thread(stream, Scheme::HOST_FUNC)) {
			function.by = HostFunction::By::HOST_FUNC_THREAD;
			return launch(stream, function, call, always);
		}
		if (has_thread(stream, Scheme::REPORT))
			return set_error(
				Status::STREAM_SUBSCRIBED,
				fmt::format("stream {} has a thread for callbacks; use "
					    "$launch_callback, or subscribe a thread for host "
					    "functions",
					    stream.id));
	}
	stream.uses_runtime_thread = true;
	return launch(stream, function, call, always);
}

base::Result<drv::Fence> launch_own(Stream &stream, void (*fn)(void *), void *args)
{
	HostFunction function{fn, args};
	function.stream = stream.serial;
	HostCalls &calls = stream.context->open->calls;
	auto call = TRY(calls.add(function));
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::HOST_FUNC));
	auto fence = submit(stream, drv::host_call_packet(cookie, call));
	if (!fence)
		calls.remove(call);
	return fence;
}

} // namespace umd
