// SPDX-License-Identifier: MIT
/**
 * DOC: Submits
 *
 * The slow parts of the way of a packet into its ring, see post.h.
 */
#include "post.h"
#include "stream_failure.h"
#include "umd/core/handle/hazard.h"
#include "umd/core/process/error.h"
#include "umd/core/record/observer.h"

namespace umd {

using base::Result;
using base::Status;
using drv::Fence;

Status wait_for_room(Stream &stream, uint32_t packets)
{
	const HazardGuard stay(stream);
	if (!stay.alive())
		return stream_gone(stream);
	const Status status = stream.channel->wait_for_room(packets);
	if (stream.ends.load())
		return stream_gone(stream);
	return status == Status::OK ? status : device_failed(stream.context->device(), status);
}

static uint32_t slots_of(const Submission &one)
{
	return one.is_long ? drv::Channel::slots_for(one.bytes)
			   : 1 + static_cast<uint32_t>(one.next.size());
}

Result<Fence> post_later(Stream &stream, const Submission &one, uint32_t aborts)
{
	const HazardGuard stay(stream);
	if (!stay.alive())
		return stream_gone(stream);
	for (;;) {
		TRY(wait_for_room(stream, slots_of(one)));
		auto fence = try_post(stream, one, aborts);
		if (fence.status() != Status::NOT_READY)
			return fence;
	}
}

Result<Fence> post_attentively(Stream &stream, const Submission &one)
{
	TRY(begin_submit(stream));
	return stream.attention.load() & Stream::WATCHED ? recorder::observer.submit(stream, one)
							 : post_now(stream, one);
}

Status begin_submit(Stream &stream)
{
	if (stream.attention.load() == 0) [[likely]]
		return Status::OK;
	TRY(check_accepts(stream));
	return stream.attention.load() & Stream::GATED ? pass_gate(stream) : Status::OK;
}

Result<Fence> submit(Stream &stream, const unpu_packet &packet, const unpu_operator *op)
{
	return post(stream, {packet, op, op ? sizeof(*op) : 0});
}

Result<Fence> try_submit(Stream &stream, const Submission &one, uint32_t aborts)
{
	return try_post(stream, one, aborts);
}

} // namespace umd
