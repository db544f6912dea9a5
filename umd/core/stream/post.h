// SPDX-License-Identifier: MIT
/**
 * DOC: The way of a packet into its ring
 *
 *	enqueue()	gives the task to the stream's sink if it has one
 *	post()		the fast path: no bit of the stream's attention is set, and the ring has room
 *	post_attentively()	waits of the gate first; the recorder has a look
 *	post_later()	waits for room
 */
#pragma once

#include "stream.h"
#include "umd/core/device/device_lost.h"
#include "umd/core/process/thread_state.h"

namespace umd {

/** post_attentively() - post() where a bit of the stream's attention is set. */
base::Result<drv::Fence> post_attentively(Stream &stream, const Submission &one);

/** post_later() - post_now() where the ring is full. */
base::Result<drv::Fence> post_later(Stream &stream, const Submission &one, uint32_t aborts);

/** try_post() - try_submit(), inlined. */
[[gnu::always_inline]] inline base::Result<drv::Fence> try_post(Stream &stream,
								const Submission &one,
								uint32_t aborts)
{
	drv::Channel &channel = *stream.channel;
	const auto fence =
		one.is_long ? channel.post_pages(one.packet, one.page, one.bytes, aborts)
		: one.next.empty()
			? channel.post(one.packet, one.page, one.bytes, aborts)
			: channel.post_group(one.packet, one.page, one.bytes, one.next, aborts);
	if (!fence) [[unlikely]]
		return fence.status() == base::Status::NOT_READY
			       ? fence.status()
			       : device_failed(stream.context->device(), fence.status());
	if (!stream.is_default)
		ThreadState::mine().last_launch =
			static_cast<uint32_t>(channel.task_number(*fence));
	return fence;
}

/** post_now() - posts with no look at the stream's attention. */
[[gnu::always_inline]] inline base::Result<drv::Fence> post_now(Stream &stream,
								const Submission &one)
{
	const uint32_t aborts = stream.channel->aborts();
	auto fence = try_post(stream, one, aborts);
	if (fence.status() == base::Status::NOT_READY) [[unlikely]]
		return post_later(stream, one, aborts);
	return fence;
}

/** post() - inlined into each call that submits, as the hot path. */
[[gnu::always_inline]] inline base::Result<drv::Fence> post(Stream &stream, const Submission &one)
{
	if (stream.attention.load() != 0) [[unlikely]]
		return post_attentively(stream, one);
	return post_now(stream, one);
}

} // namespace umd
