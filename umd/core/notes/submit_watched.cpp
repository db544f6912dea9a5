// SPDX-License-Identifier: MIT
/**
 * DOC: Submits that are recorded
 */
#include "check_budget.h"
#include "comparison.h"
#include "drv/packet/cookie.h"
#include "host_guard.h"
#include "notes.h"
#include "umd/core/process/collective.h"
#include "umd/core/stream/post.h"

namespace umd::recorder {

using base::Result;
using drv::Fence;

static Result<Fence> post_shadow_copy(Stream &stream, ShadowCopy &shadow)
{
	Result<Fence> fence = Fence();
	shadow.read();
	for (const ShadowCopy::Part &part : shadow.packets()) {
		fence = post_now(stream, {part.packet, part.page, part.bytes, shadow.group()});
		if (!fence)
			return fence;
	}
	shadow.keep(*fence);
	return fence;
}

static Result<Fence> submit_watched(Stream &stream, const Submission &one)
{
	/* Their operation is told of as a whole. */
	if (is_collective(drv::decode_cookie(one.packet.cookie).call)) {
		HostGuard::open();
		return post_now(stream, one);
	}
	uint16_t flags = 0;
	const uint64_t now_ns = one.packet.opcode == UNPU_OP_COPY ? base::now_ns() : 0;
	const auto shadow = ShadowCopy::begin(stream, one.packet, one.page, flags);
	/* It reads its source, which may be the target of an earlier copy. */
	if (shadow)
		HostGuard::open_box(shadow->box());
	const uint64_t guarded =
		HostGuard::claim(stream, one.packet, shadow ? shadow->number() : 0);
	Entry entry = begin_packet(stream, one.packet, one.page, one.bytes, flags,
				   shadow ? shadow->number() : guarded);
	auto fence = shadow ? post_shadow_copy(stream, *shadow) : post_now(stream, one);
	if (!fence) {
		HostGuard::drop(guarded);
		return fence;
	}
	entry.publish_task(stream.channel->task_number(*fence));
	HostGuard::hold(guarded, stream, *fence);
	if (now_ns != 0 && (shadow || guarded != 0))
		CheckBudget::spend(now_ns);
	return fence;
}

void observe_submits()
{
	observer.submit = submit_watched;
}

} // namespace umd::recorder
