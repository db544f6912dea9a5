// SPDX-License-Identifier: MIT
/**
 * DOC: Gates
 *
 * What a stream's next task has to wait for: fences of other streams (the gate), and fences that are no work of the
 * stream (the turn). Who adds one posts nothing; the next submit posts the waits first.
 */
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "stream.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/object/fence_set_ops.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"

namespace umd {

using base::Status;
using drv::Fence;

static bool is_own(const Stream &stream, const Fence &fence)
{
	return stream.channel && fence.sem == stream.channel->timeline();
}

void add_gate(Stream &stream, const Fence &fence)
{
	if (is_own(stream, fence))
		return;
	const drv::Device &device = stream.context->device();
	std::lock_guard lock(stream.gate_mutex);
	stream.gate.take(stream.turn, device);
	stream.gate.add(fence, device);
	stream.attention |= Stream::GATED;
	if (stream.channel)
		stream.context->device().note_unsettled(*stream.channel);
}

void add_turn(Stream &stream, const Fence &fence)
{
	if (is_own(stream, fence))
		return;
	std::lock_guard lock(stream.gate_mutex);
	stream.turn.add(fence, stream.context->device());
	stream.attention |= Stream::GATED;
}

/* Submits waits for @fences, and drops each from the set. Return: as post_gate(). */
static Status post_waits(Stream &stream, FenceSet &fences) REQUIRES(stream.gate_mutex)
{
	drv::Device &device = stream.context->device();
	drv::Channel &channel = *stream.channel;
	Status status = Status::OK;
	fences.take_while([&](const Fence &fence) {
		if (device.done(fence))
			return true;
		auto packet = drv::order_packet(
			drv::cookie_call(static_cast<uint8_t>(Call::EXECUTE_MODEL)), fence.sem,
			fence.value);
		status = channel.post(packet, nullptr, 0, channel.aborts()).status();
		return status == Status::OK;
	});
	return status;
}

static void note_passed(Stream &stream) REQUIRES(stream.gate_mutex)
{
	if (stream.gate.is_empty() && stream.turn.is_empty())
		stream.attention &= ~Stream::GATED;
}

/* Another thread that submits also takes the lock, so its task can't overtake the gate's wait packets. */
Status post_gate(Stream &stream)
{
	std::lock_guard lock(stream.gate_mutex);
	const Status status = post_waits(stream, stream.gate);
	note_passed(stream);
	return status;
}

Status post_turn(Stream &stream)
{
	std::lock_guard lock(stream.gate_mutex);
	Status status = post_waits(stream, stream.turn);
	if (status == Status::OK)
		status = post_waits(stream, stream.gate);
	note_passed(stream);
	return status;
}

Status pass_gate(Stream &stream)
{
	Status status = post_turn(stream);
	if (status == Status::NOT_READY) {
		const HazardGuard stay(stream);
		if (!stay.alive())
			return stream_gone(stream);
		do {
			TRY(wait_for_room(stream));
			status = post_turn(stream);
		} while (status == Status::NOT_READY);
	}
	return status == Status::OK ? status : device_failed(stream.context->device(), status);
}

static void add_left(Stream &stream, FenceSet &from, FenceSet &fences) REQUIRES(stream.gate_mutex)
{
	const drv::Device &device = stream.context->device();
	(void)from.for_each([&](const Fence &fence) {
		fences.add(fence, device);
		return true;
	});
}

void append_tail(Stream &stream, FenceSet &fences)
{
	if (stream.attention.load() & Stream::GATED && post_gate(stream) != Status::OK) {
		std::lock_guard lock(stream.gate_mutex);
		add_left(stream, stream.gate, fences);
	}
	fences.add(stream.channel->last(), stream.context->device());
}

void append_turn(Stream &stream, FenceSet &fences)
{
	if (stream.attention.load() & Stream::GATED && post_turn(stream) != Status::OK) {
		std::lock_guard lock(stream.gate_mutex);
		add_left(stream, stream.turn, fences);
	}
	append_tail(stream, fences);
}

} // namespace umd
