// SPDX-License-Identifier: MIT
/**
 * DOC: Stream
 *
 * A stream is a channel plus what an API adds: a context, a capture it may take part in, and fences
 * that its next task has to wait for.
 */
#include "umd/stream.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "drv/cookie.h"
#include "drv/packets.h"
#include "umd/capture.h"
#include "umd/error.h"
#include "umd/runtime.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

const char *call_name(Call call)
{
	static constexpr const char *NAMES[] = {
		"a task",
		"aclrtMemcpyAsync",
		"aclrtMemsetAsync",
		"aclrtRecordEvent",
		"aclrtStreamWaitEvent",
		"aclrtResetEvent",
		"an operator",
		"aclrtLaunchHostFunc",
		"aclmdlRIExecuteAsync",
		"aclrtMemcpy2dAsync",
		"aclrtMemcpyAsyncWithOffset",
		"aclrtValueWrite",
		"aclrtValueWait",
		"aclrtReduceAsync",
		"aclrtRandomNumAsync",
		"aclrtCmoAsync",
		"aclrtMemManagedPrefetchAsync",
	};
	static_assert(std::size(NAMES) == static_cast<size_t>(Call::COUNT));
	return call < Call::COUNT ? NAMES[static_cast<size_t>(call)] : NAMES[0];
}

Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags)
{
	auto channel = drv::Channel::create(context.device(), std::min(priority, 7u));
	if (!channel)
		return set_error(channel.status(),
				 fmt::format("no stream can be created on device {}: {}",
					     context.state->index,
					     base::status_sentence(channel.status())));
	Stream *stream = Runtime::get().streams.create();
	if (!stream)
		return set_error(Status::NO_RESOURCE, "too many streams");
	stream->context = &context;
	stream->channel = channel.take();
	stream->id = stream->channel->index();
	stream->priority = std::min(priority, 7u);
	stream->flags = flags;
	stream->is_default = false;
	stream->takes_turns = false;
	stream->wait_policy = 1;
	stream->stops_on_failure = false;
	stream->gate.clear();
	stream->gated = false;
	std::lock_guard lock(context.mutex);
	context.streams.push_back(stream);
	return stream;
}

void release_stream(Stream &stream, bool wait)
{
	if (stream.channel) {
		if (wait)
			(void)stream.context->device().wait(stream.channel->last(),
							    base::NO_DEADLINE);
		stream.channel.reset();
	}
	stream.context = nullptr;
}

Status destroy_stream(Stream &stream, bool wait)
{
	if (capturing(stream))
		return set_error(
			Status::STREAM_CAPTURED,
			"the stream takes part in a capture; end the capture before destroying it");
	if (Context *context = stream.context) {
		if (wait)
			(void)context->device().wait(stream.channel->last(), base::NO_DEADLINE);
		std::lock_guard lock(context->mutex);
		std::erase(context->streams, &stream);
		release_stream(stream, false);
	}
	Runtime::get().streams.destroy(stream);
	return Status::OK;
}

Status detach_stream(Stream &stream)
{
	Context *context = stream.context;
	if (!context || capturing(stream))
		return destroy_stream(stream, false);
	drv::Device &device = context->device();
	{
		std::lock_guard lock(context->mutex);
		std::erase(context->streams, &stream);
		std::shared_ptr<drv::Channel> channel = std::move(stream.channel);
		device.defer_after(channel->last(), [channel] {});
		stream.context = nullptr;
	}
	Runtime::get().streams.destroy(stream);
	device.reap();
	return Status::OK;
}

Status stop_stream_on_failure(Stream &stream)
{
	TRY(stream.channel->stop_on_failure());
	stream.stops_on_failure = true;
	return Status::OK;
}

Result<Stream *> find_stream(const void *handle, bool launching)
{
	Runtime &runtime = Runtime::get();
	if (!handle || launching) {
		auto context = runtime.current();
		if (!context)
			return context.status();
		if (!handle)
			return default_stream(**context);
		Stream *stream = runtime.streams.get(handle);
		if (stream && stream->context == *context) [[likely]]
			return stream;
		if (stream && stream->context)
			return set_error(
				Status::WRONG_CONTEXT,
				"stream belongs to another context than the thread's current one");
	} else {
		Stream *stream = runtime.streams.get(handle);
		if (stream && stream->context)
			return stream;
	}
	TRY(runtime.check_fork());
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("stream {} is not a live stream: it was destroyed, its device was "
			    "reset, or it is something else",
			    fmt::ptr(handle)));
}

void add_gate(Stream &stream, const Fence &fence)
{
	if (stream.channel && fence.sem == stream.channel->timeline())
		return;
	std::lock_guard lock(stream.gate_mutex);
	auto same = std::find_if(stream.gate.begin(), stream.gate.end(),
				 [&](const Fence &other) { return other.sem == fence.sem; });
	if (same == stream.gate.end())
		stream.gate.push_back(fence);
	else
		same->value = std::max(same->value, fence.value);
	stream.gated = true;
}

static Status pass_gate(Stream &stream)
{
	std::lock_guard lock(stream.gate_mutex);
	drv::Device &device = stream.context->device();
	for (const Fence &fence : stream.gate) {
		if (device.done(fence))
			continue;
		auto packet = drv::wait_packet(
			drv::cookie_call(static_cast<uint8_t>(Call::EXECUTE_MODEL)), fence.sem,
			fence.value, 0);
		auto waited = stream.channel->submit(packet);
		if (!waited)
			return waited.status();
	}
	stream.gate.clear();
	stream.gated = false;
	return Status::OK;
}

Result<Fence> stream_tail(Stream &stream)
{
	if (stream.gated.load()) [[unlikely]]
		TRY(pass_gate(stream));
	return stream.channel->last();
}

Result<Fence> submit(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	if (stream.gated.load()) [[unlikely]]
		TRY(pass_gate(stream));
	return stream.channel->submit(packet, op);
}

Status enqueue(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	if (capturing(stream)) [[unlikely]] {
		auto lock = Capture::lock();
		if (Capture *capture = stream.capture.load())
			return capture->add(stream, packet, op);
	}
	auto fence = submit(stream, packet, op);
	if (!fence)
		return set_error(fence.status(), base::status_sentence(fence.status()));
	return Status::OK;
}

Status report_failure(Stream &stream)
{
	drv::Failure failure = stream.channel->failure();
	if (failure.status == Status::OK) [[likely]]
		return Status::OK;
	drv::Command command = drv::decode_cookie(failure.cookie);
	bool node = command.channel == drv::COOKIE_GRAPH;
	std::string text = fmt::format("stream {}: {} {} ({}) failed: {}", stream.id,
				       node ? "graph node" : "task", command.index,
				       call_name(static_cast<Call>(command.call)),
				       base::status_sentence(failure.status));
	if (failure.address)
		text += fmt::format(", address {:#x}", failure.address);
	if (!stream.stops_on_failure.load())
		stream.channel->clear_failure();
	return set_error(failure.status, text);
}

static Status refuse_captured(const char *what)
{
	return set_error(
		Status::STREAM_CAPTURED,
		fmt::format("the stream captures: its tasks are recorded, not run, so it can't be "
			    "{}; end the capture first",
			    what));
}

Status wait_stream(Stream &stream, uint64_t deadline_ns, bool spin)
{
	if (capturing(stream))
		return refuse_captured("synchronised");
	auto tail = stream_tail(stream);
	if (!tail)
		return set_error(tail.status(), base::status_sentence(tail.status()));
	Status status = stream.context->device().wait(*tail, deadline_ns, spin);
	if (status == Status::TIMEOUT)
		return set_error(
			Status::STREAM_TIMEOUT,
			fmt::format("stream {} did not finish within the time limit; it keeps "
				    "running and can be synchronised again",
				    stream.id));
	if (status != Status::OK)
		return set_error(status, base::status_sentence(status));
	Runtime::get().pools.trim_idle();
	return report_failure(stream);
}

Status query_stream(Stream &stream, bool &ready)
{
	if (capturing(stream))
		return refuse_captured("queried");
	auto tail = stream_tail(stream);
	if (!tail)
		return set_error(tail.status(), base::status_sentence(tail.status()));
	ready = stream.context->device().done(*tail);
	return Status::OK;
}

Status launch_host_func(Stream &stream, void (*fn)(void *), void *args, bool always)
{
	bool permanent = capturing(stream);
	HostCalls &calls = *stream.context->state->calls;
	auto call = calls.add(fn, args, permanent);
	if (!call)
		return set_error(call.status(), "the thread for host functions can't be started");
	auto cookie = drv::cookie_call(static_cast<uint8_t>(Call::HOST_FUNC));
	unpu_packet packet = drv::host_call_packet(cookie, *call);
	if (always)
		packet.flags |= UNPU_PACKET_ALWAYS;
	Status status = enqueue(stream, packet);
	if (status != Status::OK) {
		calls.remove(*call);
		return status;
	}
	if (permanent) {
		auto lock = Capture::lock();
		if (Capture *capture = stream.capture.load())
			capture->add_call(*call);
	}
	return Status::OK;
}

} // namespace umd
