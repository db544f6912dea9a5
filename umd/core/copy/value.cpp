// SPDX-License-Identifier: MIT
/**
 * DOC: Words in memory
 *
 * A stream stores a word, or waits until a word fulfils a condition. The device does both. The host need not
 * notify the device after it stores a word.
 */
#include "value.h"

#include <fmt/format.h>

#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "umd/core/memory/released.h"
#include "umd/core/process/call.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"

namespace umd {

using base::Status;

static Status check_word(Stream &stream, const Word &word, uint32_t access)
{
	drv::Place place;
	auto address = reinterpret_cast<uint64_t>(word.address);
	if (address % word.bytes != 0)
		return set_error(Status::INVALID_ARGUMENT,
				 fmt::format("devAddr is {}; it must be aligned to {} bytes",
					     fmt::ptr(word.address), word.bytes));
	if (stream.context->device().reaches(address, word.bytes, place, access))
		return Status::OK;
	TRY(ReleasedMemory::check("devAddr", word.address));
	return set_error(Status::INVALID_ARGUMENT,
			 fmt::format("devAddr {} is not inside a live allocation that the stream's "
				     "device reaches",
				     fmt::ptr(word.address)));
}

static uint64_t cut(uint64_t value, uint32_t bytes)
{
	return bytes == sizeof(uint32_t) ? value & UINT32_MAX : value;
}

Status write_value(Stream &stream, const Word &word, uint64_t value, Call call)
{
	TRY(check_word(stream, word, UNPU_ACCESS_WRITE));
	return enqueue(stream,
		       drv::value_write_packet(drv::cookie_call(static_cast<uint16_t>(call)),
					       reinterpret_cast<uint64_t>(word.address),
					       cut(value, word.bytes), word.bytes));
}

Status wait_value(Stream &stream, const Word &word, unpu_value_op op, uint64_t value,
		  uint64_t timeout_ns, Call call)
{
	TRY(check_word(stream, word, UNPU_ACCESS_READ));
	unpu_value_wait wait{reinterpret_cast<uint64_t>(word.address), cut(value, word.bytes),
			     timeout_ns, static_cast<uint32_t>(op), word.bytes};
	return enqueue(stream,
		       drv::value_wait_packet(drv::cookie_call(static_cast<uint16_t>(call)), wait));
}

} // namespace umd
