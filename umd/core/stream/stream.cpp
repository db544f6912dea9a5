// SPDX-License-Identifier: MIT
/**
 * DOC: Stream
 *
 * A stream is a channel with a context, a task sink, and a gate: the fences that its next task has to wait
 * for. enqueue.cpp and submit.cpp have the submits, gate.cpp the gate, stream_wait.cpp the waits, stream_end.cpp
 * the end.
 */
#include "stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "task_list.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/device_state.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"
#include "umd/core/record/observer.h"
#include "umd/core/task/capture_notes.h"

namespace umd {

using base::Result;
using base::Status;

static constexpr uint32_t HUGE_SLOTS = 16384;
static constexpr uint32_t LOWEST = 7;

static drv::ChannelConfig channel_config(const Context &context, uint32_t priority, uint32_t flags)
{
	drv::ChannelConfig config;
	config.priority = priority;
	config.group = context.group;
	if (flags & STREAM_HUGE)
		config.slots = HUGE_SLOTS;
	return config;
}

static void fill_stream(Stream &stream, Context &context, std::unique_ptr<drv::Channel> channel,
			uint32_t priority, uint32_t flags)
{
	base::store_release(stream.context, &context);
	stream.channel = std::move(channel);
	stream.id = stream.channel->index();
	stream.flags = flags;
	stream.serial = stream.handle;
	stream.is_default = false;
	stream.is_detached = false;
	stream.takes_turns = false;
	stream.wait_policy = 1;
	stream.saturates = context.state->saturates.load();
	stream.priority = priority;
	stream.attention = recorder::is_on() ? Stream::WATCHED : 0;
	stream.traced = 0;
	stream.stops_on_failure = stream.has_failure_mode = false;
	stream.noted = 0;
	stream.model = 0;
	stream.printed = stream.channel->kernel_output();
	stream.uses_runtime_thread = stream.has_threads = false;
	if (flags & STREAM_COLLECTS)
		stream.tasks = std::make_unique<TaskList>(stream.id);
	stream.sink.set(stream.tasks.get());
	{
		std::lock_guard gate(stream.gate_mutex);
		stream.gate.clear();
		stream.turn.clear();
	}
	stream.settings.overflow_check = false;
	stream.settings.cache_op_info = false;
	stream.settings.user_tag = 0;
	stream.settings.limits.clear();
	std::lock_guard lock(context.mutex);
	if (context.stops_on_failure.load() || context.state->is_aborted.load())
		stream.attention |= Stream::REFUSES;
	stream.channel->set_user(&context, &stream);
	stream.place = context.streams.size();
	context.streams.push_back(&stream);
	stream.ends = false;
}

static Result<Stream *> make_stream(Context &context, uint32_t priority, uint32_t flags)
{
	auto channel = context.device().pool().take(channel_config(context, priority, flags));
	if (!channel)
		return set_error(channel.status(),
				 fmt::format("no stream can be created on device {}: {}",
					     context.state->index,
					     context.device().refusal(channel.status(),
								      drv::Need::CHANNEL)));
	Stream *stream = Stream::table().create();
	if (!stream)
		return set_error(Status::NO_RESOURCE, "too many streams; destroy some");
	fill_stream(*stream, context, channel.take(), priority, flags);
	return stream;
}

void announce(Stream &stream, StreamState state)
{
	StreamCallbacks::get().call_all(
		[&](const StreamCallback &callback) { callback(stream, state); });
}

uint32_t most_streams(const Context &context)
{
	return MAX_STREAMS - context.device().own_channels();
}

Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags)
{
	const HazardGuard stay(context);
	if (!stay.alive())
		return set_error(Status::NO_CONTEXT,
				 "the context was ended by another thread; create another, or keep "
				 "the thread from that");
	DeviceState &state = *context.state;
	reap_detached(context);
	const uint32_t most = most_streams(context);
	if (state.streams.fetch_add(1) >= most) {
		state.streams--;
		return set_error(
			Status::NO_STREAM,
			fmt::format("device {} has {} streams, and all are in use; destroy "
				    "one first",
				    state.index, most));
	}
	auto stream = make_stream(context, std::min(priority, LOWEST), flags & STREAM_FLAGS);
	if (!stream)
		state.streams--;
	else
		announce(**stream, StreamState::CREATED);
	return stream;
}

Status refuse_stale_stream(const void *handle)
{
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("stream {} is not a live stream: it was destroyed, its device was "
			    "reset, or it is something else",
			    fmt::ptr(handle)));
}

Status stream_gone(const Stream &stream)
{
	return set_error(
		Status::INVALID_HANDLE,
		fmt::format("stream {} ended, by another thread, before the call did", stream.id));
}

Status stream_captured(const Stream &stream, const char *what)
{
	return refuse_for_capture(
		stream.context->notes, Status::STREAM_CAPTURED,
		fmt::format("the stream captures: its tasks are recorded, not run, so it can't be "
			    "{}; end the capture first",
			    what),
		subject_of(stream));
}

void choose_sink(Stream &stream)
{
	if (capturing(stream))
		return;
	stream.sink.set(stream.update ? stream.update : stream.tasks.get());
}

Status stop_stream_on_failure(Stream &stream)
{
	const Status status = stream.channel->stop_on_failure();
	if (status != Status::OK)
		return stream_failed(stream, status);
	stream.stops_on_failure = true;
	return Status::OK;
}

Held<Stream> hold_stream(Stream &stream)
{
	Held<Stream> held(stream);
	return held ? std::move(held) : Held<Stream>(stream_gone(stream));
}

Status stream_failed(const Stream &stream, Status status)
{
	return device_failed(stream.context->device(), status);
}

Status set_priority(Stream &stream, uint32_t priority)
{
	priority = std::min(priority, LOWEST);
	Status status = stream.channel->set_priority(priority);
	if (status != Status::OK)
		return stream_failed(stream, status);
	stream.priority = priority;
	return Status::OK;
}

uint8_t operator_flags(const Stream &stream)
{
	uint8_t flags = 0;
	if (stream.settings.overflow_check.load())
		flags |= UNPU_PACKET_OVERFLOW_FAILS;
	if (stream.saturates)
		flags |= UNPU_PACKET_SATURATE;
	return flags;
}

Status drop_tasks(Stream &stream)
{
	if (!(stream.flags & STREAM_PERSISTENT))
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("stream {} was made without $STREAM_PERSISTENT, so it "
					     "keeps no tasks; make it with that flag",
					     stream.id));
	if (stream.model.load() != 0)
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} is bound to a model that has its tasks; "
					     "call $model_unbind_stream first",
					     stream.id));
	stream.tasks->clear();
	return Status::OK;
}

} // namespace umd
