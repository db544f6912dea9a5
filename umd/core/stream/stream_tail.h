// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "drv/channel/channel.h"
#include "stream.h"

namespace umd {

/** stream_tail() - one fence that passes when the stream's next task could start.
 * Blocks while the ring is full. Context: no lock held.
 * Return: as pass_gate(). */
inline base::Result<drv::Fence> stream_tail(Stream &stream)
{
	if (stream.attention.load() & Stream::GATED) [[unlikely]]
		TRY(pass_gate(stream));
	return stream.channel->last();
}

} // namespace umd
