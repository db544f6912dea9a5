// SPDX-License-Identifier: MIT
/**
 * DOC: Waits for streams
 *
 * A wait ends with the stream's last task at the time of the call, or when that work is dropped.
 */
#include <fmt/format.h>

#include "base/hot_path.h"
#include "pool.h"
#include "stream.h"
#include "stream_failure.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/device/kernel_leftovers.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"
#include "umd/core/report/kernel_output.h"
#include "umd/core/task/own_function.h"
#include "umd/core/watch/blocked.h"
#include "umd/core/watch/vain_queries.h"

namespace umd {

using base::Status;
using drv::Fence;

/* The error of a wait during which the stream's work was dropped. */
static Status dropped(const Stream &stream)
{
	if (!stream.ends.load())
		return stream_aborted(stream);
	return set_error(Status::CHANNEL_STOPPED,
			 fmt::format("stream {} was destroyed by another thread, or with its "
				     "device; its remaining tasks were dropped",
				     stream.id));
}

/* If the ring has no room for all wait packets of the gate, waits until it is empty and posts the rest. */
HOT_PATH Status drain_stream(Stream &stream, uint64_t deadline_ns, hal::WaitWay way, Fence &tail)
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
		TRY(stream.context->device().wait(tail, deadline_ns, way));
		if (gate == Status::OK || stream.ends.load() || channel.aborts() != aborts)
			return Status::OK;
	}
}

/* The calling thread runs a function of the program for a stream. The next task of that stream comes when the function
 * has returned. */
static Status check_own_function(const Stream &stream, uint64_t deadline_ns)
{
	if (ThreadState::mine().host_stream != stream.serial || deadline_ns != base::NO_DEADLINE)
		return check::refuse_wait_in_function("a stream ($synchronize_stream)");
	return check::refuse_own_function(stream.id, "synchronise");
}

HOT_PATH Status wait_stream(Stream &stream, uint64_t deadline_ns, hal::WaitWay way)
{
	if (ThreadState::mine().host_stream != 0) [[unlikely]]
		TRY(check_own_function(stream, deadline_ns));
	if (!stream.sink.is_empty()) [[unlikely]] {
		if (capturing(stream))
			return stream_captured(stream, "synchronised");
		if (collects(stream))
			return Status::OK;
	}
	const HazardGuard stay(stream);
	if (!stay.alive())
		return stream_gone(stream);
	uint32_t aborts = stream.channel->aborts();
	Fence tail;
	recorder::observer.note_stream(san::Kind::BLOCKED, stream);
	Status status = drain_stream(stream, deadline_ns, way, tail);
	if (status == Status::TIMEOUT)
		return set_error(
			Status::STREAM_TIMEOUT,
			fmt::format("stream {} did not finish within the time limit; it keeps "
				    "running and can be synchronised again{}{}",
				    stream.id, blocked_sentence(*stream.context->open, tail),
				    circle_sentence(stream.context->device())));
	if (status != Status::OK)
		return stream_failed(stream, status);
	recorder::observer.look_behind(*stream.context->open, tail);
	KernelLeftovers::release();
	Pools::get().trim_idle();
	stream.context->device().reap();
	if (has_kernel_output(*stream.channel, stream.printed)) [[unlikely]]
		print_kernel_output(stream.context->device());
	if (stream.channel->aborts() != aborts)
		return dropped(stream);
	recorder::observer.note_stream(san::Kind::STREAM_SYNC, stream);
	return report_end(stream, tail);
}

/* This is a separate function, so that the query saves fewer registers. */
[[gnu::noinline]] static void note_done(Stream &stream, const Fence &last)
{
	recorder::observer.look_behind(*stream.context->open, last);
	recorder::observer.note_stream(san::Kind::STREAM_DONE, stream);
}

Status query_stream(Stream &stream, bool &ready)
{
	if (!stream.sink.is_empty()) [[unlikely]] {
		if (capturing(stream))
			return stream_captured(stream, "queried");
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
	const Fence last = stream.channel->last();
	if (status == Status::OK || left)
		status = device.query(last, ready);
	if (left)
		ready = false;
	if (status != Status::OK)
		return stream_failed(stream, status);
	if (ready)
		note_done(stream, last);
	else
		note_vain_query(device, last);
	return Status::OK;
}

} // namespace umd
