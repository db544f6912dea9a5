// SPDX-License-Identifier: MIT
/**
 * DOC: Submits that are recorded
 */
#include "drv/packet/cookie.h"
#include "post.h"
#include "umd/core/notes/comparison.h"
#include "umd/core/notes/target_guard.h"
#include "umd/core/process/collective.h"
#include "umd/core/record/notes.h"

namespace umd {

using base::Result;
using drv::Fence;

static Result<Fence> post_detour(Stream &stream, recorder::Detour &detour)
{
	Result<Fence> fence = Fence();
	detour.read();
	for (const recorder::Detour::Part &part : detour.packets()) {
		fence = post_now(stream, {part.packet, part.page, part.bytes, detour.group()});
		if (!fence)
			return fence;
	}
	detour.keep(*fence);
	return fence;
}

Result<Fence> submit_watched(Stream &stream, const Submission &one)
{
	/* Their operation is told of as a whole. */
	if (is_collective(drv::decode_cookie(one.packet.cookie).call)) {
		recorder::TargetGuard::open();
		return post_now(stream, one);
	}
	uint16_t flags = 0;
	const auto detour = recorder::Detour::begin(stream, one.packet, one.page, flags);
	/* It reads its source, which may be the target of an earlier copy. */
	if (detour)
		recorder::TargetGuard::open();
	const uint64_t guarded = detour ? 0 : recorder::TargetGuard::number_for(stream, one.packet);
	recorder::Entry entry = recorder::begin_packet(stream, one.packet, one.page, one.bytes,
						       flags, detour ? detour->number() : guarded);
	auto fence = detour ? post_detour(stream, *detour) : post_now(stream, one);
	if (!fence)
		return fence;
	entry.publish_task(stream.channel->task_number(*fence));
	recorder::TargetGuard::hold(guarded, stream, one.packet, *fence);
	return fence;
}

} // namespace umd
