// SPDX-License-Identifier: MIT
/**
 * DOC: The end of streams
 *
 * A stream ends once: the thread that sets its `ends` waits for the threads that use it, and releases it.
 */
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "report_threads.h"
#include "stream.h"
#include "stream_failure.h"
#include "task_list.h"
#include "umd/core/device/open_device.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/report/kernel_output.h"
#include "umd/core/task/own_function.h"
#include "umd/core/watch/ready.h"

namespace umd {

using base::Status;

/* Context: the context's lock is held. */
static void leave_list(std::vector<Stream *> &streams, const Stream &stream)
{
	streams[stream.place] = streams.back();
	streams[stream.place]->place = stream.place;
	streams.pop_back();
}

void announce_end(Context &context)
{
	std::vector<Stream *> streams;
	{
		std::lock_guard lock(context.mutex);
		std::copy_if(context.streams.begin(), context.streams.end(),
			     std::back_inserter(streams),
			     [](const Stream *stream) { return !stream->is_detached; });
	}
	for (Stream *stream : streams)
		announce(*stream, StreamState::DESTROYING);
}

/* Waits for the threads that still use the stream. If they do not leave within the device's answer limit,
 * gives up the device, which ends their waits. */
static void wait_for_guests(const Stream &stream)
{
	hal::Device &hal = stream.context->device().hal();
	wait_unprotected(&stream, hal, hal.answer_limit_ns());
}

std::vector<Stream *> claim_streams(Context &context)
{
	std::lock_guard lock(context.mutex);
	std::vector<Stream *> claimed;
	std::copy_if(context.streams.begin(), context.streams.end(), std::back_inserter(claimed),
		     [](Stream *stream) { return !stream->ends.exchange(true); });
	return claimed;
}

/* Records the end of a stream. The thread that ends a stream waits for its work, or drops it. If work is
 * dropped, the trace gets no end of the stream, so that the sanitizer can find waits that would never have
 * ended. */
static void note_end(Stream &stream)
{
	if (stream.channel->aborts() == 0 && stream.context->device().done(stream.channel->last()))
		recorder::observer.note_stream_end(stream, true);
	else
		recorder::observer.forget_sources();
}

/* Whether the stream has no work to drop and no thread uses it. Then another stream may use its channel.
 * Context: `ends` is set, so that no more threads come. */
static bool is_at_rest(const Stream &stream)
{
	return !is_protected(&stream) && stream.channel->idle();
}

void end_streams(const std::vector<Stream *> &streams)
{
	std::vector<const Stream *> used;
	for (Stream *stream : streams) {
		keep_failure(*stream);
		note_end(*stream);
		if (is_at_rest(*stream))
			continue;
		stream->channel->end();
		used.push_back(stream);
	}
	for (const Stream *stream : used)
		wait_for_guests(*stream);
	for (Stream *stream : streams) {
		if (has_kernel_output(*stream->channel, stream->printed))
			print_kernel_output(stream->context->device());
	}
}

void release_stream(Stream &stream)
{
	if (stream.has_threads.load())
		ReportThreads::get().drop_stream(stream);
	stream.sink.set(nullptr);
	stream.tasks.reset();
	stream.context->device().pool().give(std::move(stream.channel));
	HostCalls &calls = stream.context->open->calls;
	calls.drop(stream.serial, calls.added());
	stream.context->state->streams--;
	Context &context = *stream.context;
	std::unique_lock lock(context.mutex);
	base::store_release(stream.context, static_cast<Context *>(nullptr));
	/* If it is not detached, the program still has the handle, and destroy_stream() recycles the stream. */
	const bool is_free = stream.is_detached;
	lock.unlock();
	if (is_free)
		Stream::table().recycle(stream);
}

static void wait_for_end(const Stream &stream)
{
	const HazardGuard stay(stream);
	if (stay.alive())
		(void)stream.context->device().wait(stream.channel->last(), base::NO_DEADLINE);
}

static void run_what_is_ready(const Stream &stream)
{
	const HazardGuard stay(stream);
	if (stay.alive())
		(void)run_ready(*stream.context->open, std::array{stream.channel->last()},
				base::now_ns());
}

static void cancel_update(Stream &stream)
{
	std::unique_lock lock(TaskSink::mutex);
	if (stream.update)
		stream.update->leave(stream);
}

void leave_sinks(Stream &stream)
{
	std::unique_lock lock(TaskSink::mutex);
	if (CaptureSink *capture = stream.sink.capture())
		capture->leave(stream);
	if (stream.update)
		stream.update->leave(stream);
}

/* Return: whether the caller has to end the stream. If not, another thread ends and recycles it, or it has
 * ended and is recycled here. Context: the caller has retired the handle. */
static bool claim_destroyed(Stream &stream, const Context &context, bool is_welcome)
	REQUIRES(context.mutex)
{
	stream.is_detached = true;
	if (base::load_acquire(stream.context) != &context) {
		Stream::table().recycle(stream);
		return false;
	}
	return is_welcome && !stream.ends.exchange(true);
}

/* Other threads may have given the stream tasks while the caller waited for its work. The function waits for
 * these tasks as well, unless the context ends. Context: `ends` is set, so that no more come. */
static void let_end(const Stream &stream, const Context &context)
{
	constexpr uint64_t END_LOOK_NS = 100 * base::NS_PER_MS;
	drv::Device &device = context.device();
	while (!is_at_rest(stream) && !context.ends.load()) {
		const Status status =
			device.wait(stream.channel->last(), base::deadline_after(END_LOOK_NS));
		if (status == Status::TIMEOUT)
			continue;
		const uint64_t answer_ns = device.hal().answer_limit_ns();
		if (status != Status::OK ||
		    !wait_until_left(&stream, base::deadline_after(answer_ns)))
			return;
	}
}

/* The HazardGuard keeps the context from ending before the stream has ended. */
static Status end_stream(Stream &stream, Context &context, const void *handle, bool wait)
{
	const HazardGuard stay(context);
	{
		std::lock_guard lock(context.mutex);
		/* Another thread may have destroyed the stream or its context meanwhile. */
		if (!Stream::table().retire(stream, handle))
			return refuse_stale_stream(handle);
		if (!claim_destroyed(stream, context, stay.alive()))
			return Status::OK;
	}
	if (wait)
		let_end(stream, context);
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
		return stream_captured(stream, "destroyed");
	Context *context = base::load_acquire(stream.context);
	if (stream.model.load() != 0 && context)
		return set_error(Status::STREAM_MODEL,
				 fmt::format("stream {} is bound to a model; call "
					     "$model_unbind_stream or $model_destroy first",
					     stream.id));
	if (context && wait && ThreadState::mine().host_stream == stream.serial) [[unlikely]]
		return check::refuse_own_function(stream.id, "destroy it");
	cancel_update(stream);
	auto &streams = Stream::table();
	if (context) {
		announce(stream, StreamState::DESTROYING);
		if (wait)
			wait_for_end(stream);
		else
			run_what_is_ready(stream);
		return end_stream(stream, *context, handle, wait);
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
		stream.is_detached = true;
		recorder::observer.note_stream_end(stream, false);
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
		if (!stream.is_detached || stream.ends.load() || !stream.channel->idle() ||
		    stream.channel->failure().status != Status::OK)
			continue;
		stream.ends = true;
		/* Another thread may use it, or may have given it a task just now. */
		if (!is_at_rest(stream)) {
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
	const HazardGuard stay(context);
	if (!stay.alive())
		return;
	for (Stream *stream : take_idle_detached(context))
		release_stream(*stream);
}

} // namespace umd
