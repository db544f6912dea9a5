// SPDX-License-Identifier: MIT
/**
 * DOC: Marks in streams
 *
 * A mark is an empty task. Its times in a trace show when the stream reached it.
 */
#include "stream_mark.h"

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "hal/trace.h"
#include "stream.h"
#include "umd/core/process/call.h"

namespace umd {

using base::Status;

Status mark_stream(Stream &stream, uint32_t words, uint32_t category)
{
	if (!hal::trace::on())
		return Status::OK;
	uint64_t cookie = drv::cookie_call(static_cast<uint8_t>(Call::MARK));
	hal::trace::mark(words, category, cookie);
	return enqueue(stream, drv::nop_packet(cookie));
}

} // namespace umd
