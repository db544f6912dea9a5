// SPDX-License-Identifier: MIT
/**
 * DOC: Order between the legacy stream and the blocking streams
 *
 * At the beginning of a turn, the legacy stream gets waits for the tails of the blocking streams. At the end
 * of the turn, the blocking streams get waits for the tail of the legacy stream. (The tail is the last fence
 * of a stream.) The context keeps that tail for the blocking streams that are created later.
 */
#include "order.h"

#include "drv/device.h"
#include "umd/core/context/context_streams.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream_failure.h"

namespace umd::cuda {

using base::Status;
using drv::Fence;

/* Calls @visit for each stream that takes turns with the legacy stream of @context. */
template <class F> static void for_others(Context &context, F visit) REQUIRES(context.mutex)
{
	for (Stream *stream : context.streams) {
		if (stream->takes_turns && stream->channel)
			visit(*stream);
	}
}

/* The fences that pass when the other streams have done their present work. */
static FenceSet tails_of_others(Stream &legacy)
{
	FenceSet tails;
	Context &context = *legacy.context;
	std::lock_guard lock(context.mutex);
	for_others(context, [&](Stream &stream) { append_tail(stream, tails); });
	return tails;
}

/* Calls @visit for the fences that have not passed. */
template <class F> static void for_pending(FenceSet &fences, const drv::Device &device, F visit)
{
	(void)fences.for_each([&](const Fence &fence) {
		if (!device.done(fence))
			visit(fence);
		return true;
	});
}

bool others_done(Stream &legacy)
{
	return tails_of_others(legacy).all_done(legacy.context->device());
}

Status report_others(Stream &legacy)
{
	Context &context = *legacy.context;
	std::vector<Stream *> failed;
	{
		std::lock_guard lock(context.mutex);
		for_others(context, [&](Stream &stream) {
			if (may_have_failed(stream))
				failed.push_back(&stream);
		});
	}
	Status first = Status::OK;
	visit_streams(context, failed, [&](Stream &stream) {
		if (first == Status::OK)
			first = report_failure(stream);
	});
	return first;
}

Status wait_others(Stream &legacy, hal::WaitWay way)
{
	recorder::observer.note_stream(san::Kind::BLOCKED, legacy);
	drv::Device &device = legacy.context->device();
	FenceSet tails = tails_of_others(legacy);
	Status status = Status::OK;
	(void)tails.for_each([&](const Fence &fence) {
		status = device.wait(fence, base::NO_DEADLINE, way);
		return status == Status::OK;
	});
	return status == Status::OK ? report_others(legacy) : stream_failed(legacy, status);
}

void join_turns(Stream &stream)
{
	Context &context = *stream.context;
	std::lock_guard lock(context.mutex);
	stream.takes_turns = true;
	for_pending(context.turn, context.device(),
		    [&](const Fence &fence) { add_turn(stream, fence); });
}

void Turn::begin()
{
	before_ = legacy_->channel->last();
	FenceSet tails = tails_of_others(*legacy_);
	for_pending(tails, legacy_->context->device(),
		    [&](const Fence &fence) { add_turn(*legacy_, fence); });
}

/* Makes the present and later blocking streams wait for @fence. Without thread safety analysis, because it
 * does not see the caller's lock in a lambda.
 * Context: the context's lock is held. */
static void follow(Context &context, const Fence &fence) NO_THREAD_SAFETY_ANALYSIS
{
	context.turn.add(fence, context.device());
	for_others(context, [&](Stream &stream) { add_turn(stream, fence); });
}

/* A call that submitted nothing to the legacy stream has no turn. */
void Turn::end()
{
	if (legacy_->channel->last() == before_)
		return;
	Context &context = *legacy_->context;
	FenceSet tail;
	append_turn(*legacy_, tail);
	std::lock_guard lock(context.mutex);
	for_pending(tail, context.device(), [&](const Fence &fence) { follow(context, fence); });
}

} // namespace umd::cuda
