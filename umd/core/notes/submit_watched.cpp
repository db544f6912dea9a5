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

static Result<Fence> post_shadow_copy(Stream &stream, recorder::ShadowCopy &shadow)
{
	Result<Fence> fence = Fence();
	shadow.read();
	for (const recorder::ShadowCopy::Part &part : shadow.packets()) {
		fence = post_now(stream, {part.packet, part.page, part.bytes, shadow.group()});
		if (!fence)
			return fence;
	}
	shadow.keep(*fence);
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
	const auto shadow = recorder::ShadowCopy::begin(stream, one.packet, one.page, flags);
	/* It reads its source, which may be the target of an earlier copy. */
	if (shadow)
		recorder::TargetGuard::open();
	const uint64_t guarded = shadow ? 0 : recorder::TargetGuard::number_for(stream, one.packet);
	recorder::Entry entry = recorder::begin_packet(stream, one.packet, one.page, one.bytes,
						       flags, shadow ? shadow->number() : guarded);
	auto fence = shadow ? post_shadow_copy(stream, *shadow) : post_now(stream, one);
	if (!fence)
		return fence;
	entry.publish_task(stream.channel->task_number(*fence));
	recorder::TargetGuard::hold(guarded, stream, one.packet, *fence);
	return fence;
}

} // namespace umd
