// SPDX-License-Identifier: MIT
/**
 * DOC: Streams of a context
 *
 * Functions for all streams of a context: wait for them, abort, drain and end them.
 */
#include "context_streams.h"

#include <algorithm>

#include <fmt/format.h>

#include "umd/core/device/device_lost.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/record/observer.h"
#include "umd/core/report/kernel_output.h"
#include "umd/core/stream/pool.h"
#include "umd/core/stream/stream.h"
#include "umd/core/stream/stream_failure.h"
#include "umd/core/task/own_function.h"
#include "umd/core/watch/blocked.h"

namespace umd {

using base::Result;
using base::Status;

Result<Stream *> default_stream(Context &context)
{
	if (Stream *stream = context.default_stream.load())
		return stream;
	auto made = create_stream(context, 0, 0);
	if (!made)
		return made;
	std::unique_lock lock(context.mutex);
	if (!context.default_stream) {
		(*made)->is_default = true;
		context.default_stream = *made;
		return made;
	}
	/* Another thread has created the default stream meanwhile. */
	lock.unlock();
	(void)destroy_stream(**made, Stream::table().pointer(**made), false);
	return context.default_stream.load();
}

/* Forgets the entry fences that have passed. While a trace is recorded it keeps them, because the program
 * must not rely on the luck that they have passed. */
static void forget_entry(Context &context) REQUIRES(context.mutex)
{
	constexpr size_t MOST_TRACED = 64;
	size_t left = context.entry.size();
	std::erase_if(context.entry, [&](const EntryWait &wait) {
		const bool is_over = wait.fence.empty() || context.device().done(wait.fence);
		const bool is_kept = !is_over || (wait.traced != 0 && left <= MOST_TRACED);
		if (is_kept)
			return false;
		left--;
		recorder::observer.note_point_end(wait.traced);
		return true;
	});
}

void pass_entry(Context &context, Stream &stream)
{
	std::lock_guard lock(context.mutex);
	forget_entry(context);
	for (const EntryWait &wait : context.entry) {
		if (!wait.fence.empty())
			add_gate(stream, wait.fence);
		recorder::observer.note_point_wait(wait.traced, stream);
	}
}

void add_entry(Context &context, const EntryWait &wait)
{
	std::lock_guard lock(context.mutex);
	forget_entry(context);
	context.entry.push_back(wait);
}

void clear_entry(Context &context)
{
	for (const EntryWait &wait : context.entry)
		recorder::observer.note_point_end(wait.traced);
	context.entry.clear();
	context.turn.clear();
}

static std::vector<Stream *> streams_of(Context &context)
{
	std::lock_guard lock(context.mutex);
	return context.streams;
}

/* Whether the context lists @stream. A stream that ends leaves the list before its channel ends. */
static bool is_listed(const Context &context, const Stream &stream) REQUIRES(context.mutex)
{
	return stream.place < context.streams.size() && context.streams[stream.place] == &stream;
}

/* Streams that may have work or a failure to report: those that had work lately, or all streams of a
 * context that refuses work. */
static std::vector<Stream *> open_streams(Context &context) REQUIRES(context.mutex)
{
	if (context.stops_on_failure.load() || context.state->is_aborted.load())
		return context.streams;
	std::vector<Stream *> streams;
	for (void *user : context.device().unsettled(&context)) {
		auto *stream = static_cast<Stream *>(user);
		if (is_listed(context, *stream))
			streams.push_back(stream);
	}
	return streams;
}

/* A stream that collects its tasks has nothing to wait for. The device runs them only as part of a
 * model. */
static bool runs_tasks(const Stream &stream)
{
	return !collects(stream) || stream.model.load() != 0;
}

/* The caller waits for fences, not for streams: another thread may destroy a stream meanwhile. */
Tails tails_of(Context &context)
{
	Tails tails;
	std::lock_guard lock(context.mutex);
	for (Stream *stream : open_streams(context)) {
		if (!runs_tasks(*stream))
			continue;
		if (stream->attention.load() & Stream::GATED && post_gate(*stream) != Status::OK)
			tails.is_left_out = true;
		tails.fences.push_back(stream->channel->last());
	}
	return tails;
}

void visit_streams(Context &context, const std::vector<Stream *> &streams,
		   const std::function<void(Stream &)> &visit)
{
	for (Stream *stream : streams) {
		std::unique_lock lock(context.mutex);
		if (std::find(context.streams.begin(), context.streams.end(), stream) ==
		    context.streams.end())
			continue;
		const HazardGuard stay(*stream);
		lock.unlock();
		if (stay.alive())
			visit(*stream);
	}
}

/* struct StreamReport - what a synchronisation has to report about a stream. */
struct StreamReport {
	Stream *stream;
	drv::Fence tail;
	bool aborted; /* the stream was aborted, and this synchronisation reports it */
};

/* The streams that have something to report. Marks the others as settled: they report nothing until
 * they have new work. */
static std::vector<StreamReport> collect_reports(Context &context)
{
	drv::Device &device = context.device();
	std::vector<StreamReport> reports;
	std::vector<drv::Device::Settled> settled;
	std::lock_guard lock(context.mutex);
	for (Stream *stream : open_streams(context)) {
		if (!runs_tasks(*stream))
			continue;
		const drv::Fence tail = stream->channel->last();
		/* A stream that has newer work stays unsettled, because it may still fail. */
		const bool done = device.done(tail);
		const bool failed = may_have_failed(*stream);
		if (failed || stream->channel->take_abort(tail))
			reports.push_back({stream, tail, !failed});
		else if (done)
			settled.push_back({stream->channel.get(), tail});
	}
	device.settle(settled);
	return reports;
}

/* Reports in reverse order, so that the error message of the first stream is the one that stays. Context: the
 * context's lock is not held, because the thread waits for functions of the program. */
static Status report(Context &context, const std::vector<StreamReport> &reports)
{
	Status first = Status::OK;
	for (auto one = reports.rbegin(); one != reports.rend(); ++one) {
		visit_streams(context, {one->stream}, [&](Stream &stream) {
			Status status = one->aborted ? stream_aborted(stream)
						     : report_end(stream, one->tail);
			if (status != Status::OK)
				first = status;
		});
	}
	return first;
}

/* The name of the stream that signals @fence, for an error message. */
static std::string waited_for(Context &context, const drv::Fence &fence)
{
	const auto *handle = reinterpret_cast<const void *>(context.handle.now());
	std::lock_guard lock(context.mutex);
	for (const Stream *stream : context.streams) {
		if (stream->channel && stream->channel->timeline() == fence.sem)
			return fmt::format("stream {} of context {}", stream->id, fmt::ptr(handle));
	}
	return fmt::format("a stream of context {}", fmt::ptr(handle));
}

static Status refuse_late(Context &context, const drv::Fence &fence)
{
	return set_error(
		Status::STREAM_TIMEOUT,
		waited_for(context, fence) +
			" did not finish within the time limit; it keeps running and can be "
			"synchronised again" +
			blocked_sentence(*context.open, fence) + circle_sentence(context.device()));
}

Status wait_work(Context &context, uint64_t deadline_ns, hal::WaitWay way)
{
	drv::Device &device = context.device();
	if (device.hal().lost())
		return device_failed(device, Status::DEVICE_LOST);
	for (Tails tails{{}, true}; tails.is_left_out;) {
		tails = tails_of(context);
		for (const drv::Fence &fence : tails.fences) {
			Status status = device.wait(fence, deadline_ns, way);
			if (status == Status::TIMEOUT)
				return refuse_late(context, fence);
			if (status != Status::OK)
				return device_failed(device, status);
		}
	}
	return Status::OK;
}

/* Prints what kernels of any stream have printed. */
static void print_output(Context &context)
{
	bool is_any = false;
	{
		std::lock_guard lock(context.mutex);
		for (Stream *stream : open_streams(context)) {
			if (runs_tasks(*stream) &&
			    has_kernel_output(*stream->channel, stream->printed))
				is_any = true;
		}
	}
	if (is_any)
		print_kernel_output(context.device());
}

/* A stream of the context waits for the function that makes the call. */
static Status refuse_own_function(Context &context, const char *instead)
{
	const uint64_t handle = ThreadState::mine().host_stream;
	if (handle == 0) [[likely]]
		return Status::OK;
	std::lock_guard lock(context.mutex);
	for (const Stream *stream : context.streams) {
		if (stream->serial == handle)
			return check::refuse_own_function(stream->id, instead);
	}
	return Status::OK;
}

Status refuse_end_in_function(Context &context)
{
	return refuse_own_function(context, "end it");
}

static Status check_own_function(Context &context, uint64_t deadline_ns)
{
	if (deadline_ns == base::NO_DEADLINE)
		TRY(refuse_own_function(context, "synchronise"));
	return check::refuse_wait_in_function("all streams ($synchronize_device)");
}

Status wait_context(Context &context, uint64_t deadline_ns, hal::WaitWay way)
{
	if (context.capture_count.load() > 0)
		return refuse_for_capture(
			context.notes, Status::STREAM_CAPTURED,
			"the device can't be synchronised while a stream of the current context "
			"captures; end the capture first");
	TRY(check_own_function(context, deadline_ns));
	const HazardGuard stay(context);
	if (!stay.alive())
		return set_error(Status::NO_CONTEXT,
				 "the context was ended by another thread before the call did");
	recorder::observer.note_context_wait();
	TRY(wait_work(context, deadline_ns, way));
	recorder::observer.look_behind_all();
	recorder::observer.note_context(context);
	print_output(context);
	KernelLeftovers::release();
	Pools::get().trim_idle();
	Status first = report(context, collect_reports(context));
	reap_detached(context);
	/* Streams of an ended context have no failure to report. */
	if (first == Status::OK && context.handle.now() == 0)
		return set_error(Status::NO_CONTEXT,
				 "the context was ended by another thread while the call waited; "
				 "the remaining tasks of its streams were dropped");
	return first;
}

/* Makes all streams refuse new work before the first one drops its work. */
Status abort_context(Context &context)
{
	std::vector<Stream *> streams;
	{
		std::lock_guard lock(context.mutex);
		for (Stream *stream : context.streams) {
			stream->attention |= Stream::REFUSES;
			if (!collects(*stream) || stream->model.load() != 0)
				streams.push_back(stream);
		}
	}
	Status first = Status::OK;
	visit_streams(context, streams, [&](Stream &stream) {
		Status status = drop_running(stream);
		if (first == Status::OK)
			first = status;
	});
	return first;
}

/* Waits for the threads that still use the context. Their fences have passed by now, so they leave
 * soon. */
static void wait_for_guests(Context &context)
{
	hal::Device &hal = context.device().hal();
	context.ends = true;
	wait_unprotected(&context, hal, hal.answer_limit_ns());
}

static void empty_sinks(Context &context)
{
	for (Stream *stream : streams_of(context))
		leave_sinks(*stream);
}

/* Takes all streams out of the context's list. */
static std::vector<Stream *> take_streams(Context &context)
{
	std::lock_guard lock(context.mutex);
	/* The program may still destroy the handles of its own streams. It has none of the default stream. */
	if (Stream *stream = context.default_stream.exchange(nullptr)) {
		auto &streams = Stream::table();
		stream->is_detached |= streams.retire(*stream, streams.pointer(*stream));
	}
	context.detached = 0;
	clear_entry(context);
	return std::exchange(context.streams, {});
}

void empty_context(Context &context)
{
	empty_sinks(context);
	announce_end(context);
	end_streams(claim_streams(context));
	/* A thread that ends a stream of the context also holds the context. */
	wait_for_guests(context);
	/* A call that had begun before the context ended may have made more streams. */
	end_streams(claim_streams(context));
	empty_sinks(context);
	for (Stream *stream : take_streams(context))
		release_stream(*stream);
	context.device().pool().drop(context.group);
}

} // namespace umd
