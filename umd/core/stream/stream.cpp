// SPDX-License-Identifier: MIT
/**
 * DOC: Stream
 *
 * A stream is a channel with a context, a task sink, and a gate: the fences that its next task has to wait
 * for. submit.cpp has the submits.
 */
#include "stream.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "stream_failure.h"
#include "umd/core/capture/capture_notes.h"
#include "umd/core/capture/task_list.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/handle/stay.h"
#include "umd/core/host/report_threads.h"
#include "umd/core/memory/pool.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

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
	stream.detached = false;
	stream.takes_turns = false;
	stream.wait_policy = 1;
	stream.saturates = context.state->saturates.load();
	stream.priority = priority;
	stream.attention = 0;
	stream.stops_on_failure = false;
	stream.model = 0;
	stream.uses_runtime_thread = stream.has_threads = false;
	if (flags & STREAM_COLLECTS)
		stream.tasks = std::make_unique<TaskList>(stream.id);
	stream.sink.set(stream.tasks.get());
	stream.gate.clear();
	stream.settings.overflow_check = false;
	stream.settings.cache_op_info = false;
	stream.settings.user_tag = 0;
	stream.settings.limits.clear();
	std::lock_guard lock(context.mutex);
	if (context.stops_on_failure.load() || context.state->aborted.load())
		stream.attention = Stream::REFUSES;
	stream.channel->set_user(&context, &stream);
	stream.place = context.streams.size();
	context.streams.push_back(&stream);
	stream.ends = false;
}

/* Context: the context's lock is held. */
static void leave_list(std::vector<Stream *> &streams, const Stream &stream)
{
	streams[stream.place] = streams.back();
	streams[stream.place]->place = stream.place;
	streams.pop_back();
}

static Result<Stream *> make_stream(Context &context, uint32_t priority, uint32_t flags)
{
	auto channel =
		drv::Channel::create(context.device(), channel_config(context, priority, flags));
	if (!channel)
		return set_error(channel.status(),
				 fmt::format("no stream can be created on device {}: {}",
					     context.state->index,
					     base::status_sentence(channel.status())));
	Stream *stream = Stream::table().create();
	if (!stream)
		return set_error(Status::NO_RESOURCE, "too many streams; destroy some");
	fill_stream(*stream, context, channel.take(), priority, flags);
	return stream;
}

static void announce(Stream &stream, StreamState state)
{
	StreamCallbacks::get().call_all(
		[&](const StreamCallback &callback) { callback(stream, state); });
}

Result<Stream *> create_stream(Context &context, uint32_t priority, uint32_t flags)
{
	const Stay stay(context);
	if (!stay.welcome())
		return set_error(Status::NO_CONTEXT, "the context was ended by another thread");
	DeviceState &state = *context.state;
	reap_detached(context);
	if (state.streams.fetch_add(1) >= MAX_STREAMS) {
		state.streams--;
		return set_error(
			Status::NO_STREAM,
			fmt::format("device {} has {} streams, and all are in use; destroy "
				    "one first",
				    state.index, MAX_STREAMS));
	}
	auto stream = make_stream(context, std::min(priority, LOWEST), flags & STREAM_FLAGS);
	if (!stream)
		state.streams--;
	else
		announce(**stream, StreamState::CREATED);
	return stream;
}

void announce_end(Context &context)
{
	std::vector<Stream *> streams;
	{
		std::lock_guard lock(context.mutex);
		std::copy_if(context.streams.begin(), context.streams.end(),
			     std::back_inserter(streams),
			     [](const Stream *stream) { return !stream->detached; });
	}
	for (Stream *stream : streams)
		announce(*stream, StreamState::DESTROYING);
}

/* Waits for the threads that still use the stream. If they do not leave within the device's answer limit,
 * gives up the device, which ends their waits. */
static void wait_for_guests(const Stream &stream)
{
	hal::Device &hal = stream.context->device().hal();
	see_off(&stream, hal, hal.answer_limit_ns());
}

std::vector<Stream *> claim_streams(Context &context)
{
	std::lock_guard lock(context.mutex);
	std::vector<Stream *> claimed;
	std::copy_if(context.streams.begin(), context.streams.end(), std::back_inserter(claimed),
		     [](Stream *stream) { return !stream->ends.exchange(true); });
	return claimed;
}

void end_streams(const std::vector<Stream *> &streams)
{
	for (Stream *stream : streams)
		stream->channel->end();
	for (const Stream *stream : streams)
		wait_for_guests(*stream);
}

void release_stream(Stream &stream)
{
	if (stream.has_threads.load())
		ReportThreads::get().drop_stream(stream);
	stream.sink.set(nullptr);
	stream.tasks.reset();
	stream.channel.reset();
	HostCalls &calls = stream.context->open->calls;
	calls.drop(stream.serial, calls.added());
	stream.context->state->streams--;
	Context &context = *stream.context;
	std::unique_lock lock(context.mutex);
	base::store_release(stream.context, static_cast<Context *>(nullptr));
	/* If it is not detached, the program still has the handle, and destroy_stream() recycles the stream. */
	const bool is_free = stream.detached;
	lock.unlock();
	if (is_free)
		Stream::table().recycle(stream);
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

/* The error of a wait during which the stream's work was dropped. */
static Status dropped(const Stream &stream)
{
	if (!stream.ends.load())
		return stream_aborted(stream);
	return set_error(Status::CHANNEL_STOPPED,
			 fmt::format("stream {} was destroyed by another thread, or with its "
				     "device; what it had still to do was dropped",
				     stream.id));
}

static void wait_for_end(const Stream &stream)
{
	const Stay stay(stream);
	if (stay.welcome())
		(void)stream.context->device().wait(stream.channel->last(), base::NO_DEADLINE);
}

static Status refuse_captured(const Stream &stream, const char *what)
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

static void cancel_update(Stream &stream)
{
	auto lock = TaskSink::lock();
	if (stream.update)
		stream.update->leave(stream);
}

void leave_sinks(Stream &stream)
{
	auto lock = TaskSink::lock();
	if (CaptureSink *capture = stream.sink.capture())
		capture->leave(stream);
	if (stream.update)
		stream.update->leave(stream);
}

/* Return: whether the caller has to end the stream. If not, another thread ends and recycles it, or it has
 * ended and is recycled here. Context: the context's lock is held, and the caller has retired the handle. */
static bool claim_destroyed(Stream &stream, const Context &context, bool is_welcome)
{
	stream.detached = true;
	if (base::load_acquire(stream.context) != &context) {
		Stream::table().recycle(stream);
		return false;
	}
	return is_welcome && !stream.ends.exchange(true);
}

/* The Stay keeps the context from ending before the stream has ended. */
static Status end_stream(Stream &stream, Context &context, const void *handle)
{
	const Stay stay(context);
	{
		std::lock_guard lock(context.mutex);
		/* Another thread may have destroyed the stream or its context meanwhile. */
		if (!Stream::table().retire(stream, handle))
			return refuse_stale_stream(handle);
		if (!claim_destroyed(stream, context, stay.welcome()))
			return Status::OK;
	}
	end_streams({&stream});
	/* Another thread may have begun a capture or an update meanwhile. */
	leave_sinks(stream);
	{
		std::lock_guard lock(context.mutex);
		leave_list(context.streams, stream);
	}
	release_stream(stream);
	return Status::OK;
}

Status destroy_stream(Stream &stream, const void *handle, bool wait)
{
	if (capturing(stream))
		return refuse_captured(stream, "destroyed");
	Context *context = base::load_acquire(stream.context);
	if (stream.model.load() != 0 && context)
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} is bound to a model; call "
					     "$model_unbind_stream or $model_destroy first",
					     stream.id));
	cancel_update(stream);
	auto &streams = Stream::table();
	if (context) {
		announce(stream, StreamState::DESTROYING);
		if (wait)
			wait_for_end(stream);
		return end_stream(stream, *context, handle);
	}
	if (!streams.retire(stream, handle))
		return refuse_stale_stream(handle);
	streams.recycle(stream);
	return Status::OK;
}

Status detach_stream(Stream &stream, const void *handle)
{
	Context *context = base::load_acquire(stream.context);
	if (!context || capturing(stream))
		return destroy_stream(stream, handle, false);
	{
		std::lock_guard lock(context->mutex);
		if (!Stream::table().retire(stream, handle))
			return refuse_stale_stream(handle);
		stream.detached = true;
		if (base::load_acquire(stream.context) == context)
			context->detached++;
		else
			Stream::table().recycle(stream);
	}
	reap_detached(*context);
	return Status::OK;
}

/* Takes the idle detached streams out of the context's list. Skips a stream whose `ends` is set: the thread
 * that set it takes that stream out. */
static std::vector<Stream *> take_idle_detached(Context &context)
{
	std::vector<Stream *> taken;
	std::lock_guard lock(context.mutex);
	for (size_t i = context.streams.size(); i-- > 0;) {
		Stream &stream = *context.streams[i];
		/* A failed stream stays until a call has reported its failure. */
		if (!stream.detached || stream.ends.load() || !stream.channel->idle() ||
		    stream.channel->failure().status != Status::OK)
			continue;
		stream.ends = true;
		if (somebody_stays(&stream)) {
			stream.ends = false;
			continue;
		}
		leave_list(context.streams, stream);
		context.detached--;
		taken.push_back(&stream);
	}
	return taken;
}

void reap_detached(Context &context)
{
	if (context.detached.load() == 0) [[likely]]
		return;
	/* Keeps the context alive until the streams taken out of its list are released. */
	const Stay stay(context);
	if (!stay.welcome())
		return;
	for (Stream *stream : take_idle_detached(context))
		release_stream(*stream);
}

Status stop_stream_on_failure(Stream &stream)
{
	TRY(stream.channel->stop_on_failure());
	stream.stops_on_failure = true;
	return Status::OK;
}

Held<Stream> hold_stream(Stream &stream)
{
	Held<Stream> held(stream);
	return held ? std::move(held) : Held<Stream>(stream_gone(stream));
}

static Status failed(const Stream &stream, Status status)
{
	return device_failed(stream.context->device(), status);
}

Status set_priority(Stream &stream, uint32_t priority)
{
	priority = std::min(priority, LOWEST);
	Status status = stream.channel->set_priority(priority);
	if (status != Status::OK)
		return failed(stream, status);
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
					     "keeps no tasks",
					     stream.id));
	if (stream.model.load() != 0)
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} is bound to a model that has its tasks; "
					     "call $model_unbind_stream first",
					     stream.id));
	stream.tasks->clear();
	return Status::OK;
}

/* If the ring has no room for all wait packets of the gate, waits until it is empty and posts the rest. */
Status drain_stream(Stream &stream, uint64_t deadline_ns, bool spin, Fence &tail)
{
	drv::Channel &channel = *stream.channel;
	const uint32_t aborts = channel.aborts();
	for (;;) {
		Status gate = Status::OK;
		if (stream.attention.load() & Stream::GATED) [[unlikely]]
			gate = post_gate(stream);
		if (gate != Status::OK && gate != Status::NOT_READY)
			return gate;
		tail = channel.last();
		TRY(stream.context->device().wait(tail, deadline_ns, spin));
		if (gate == Status::OK || stream.ends.load() || channel.aborts() != aborts)
			return Status::OK;
	}
}

Status wait_stream(Stream &stream, uint64_t deadline_ns, bool spin)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		if (capturing(stream))
			return refuse_captured(stream, "synchronised");
		if (collects(stream))
			return Status::OK;
	}
	const Stay stay(stream);
	if (!stay.welcome())
		return stream_gone(stream);
	uint32_t aborts = stream.channel->aborts();
	Fence tail;
	Status status = drain_stream(stream, deadline_ns, spin, tail);
	if (status == Status::TIMEOUT)
		return set_error(
			Status::STREAM_TIMEOUT,
			fmt::format("stream {} did not finish within the time limit; it keeps "
				    "running and can be synchronised again{}",
				    stream.id, circle_sentence(stream.context->device())));
	if (status != Status::OK)
		return failed(stream, status);
	Pools::get().trim_idle();
	stream.context->device().reap();
	if (stream.channel->aborts() != aborts)
		return dropped(stream);
	return report_end(stream, tail);
}

Status query_stream(Stream &stream, bool &ready)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		if (capturing(stream))
			return refuse_captured(stream, "queried");
		ready = true;
		if (collects(stream))
			return Status::OK;
	}
	ready = true;
	drv::Device &device = stream.context->device();
	Status status = Status::OK;
	if (stream.attention.load() & Stream::GATED) [[unlikely]]
		status = post_gate(stream);
	bool left = status == Status::NOT_READY;
	if (status == Status::OK || left)
		status = device.query(stream.channel->last(), ready);
	if (left)
		ready = false;
	return status == Status::OK ? status : failed(stream, status);
}

} // namespace umd
