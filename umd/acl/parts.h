// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include "front.h"

namespace umd {

/** check_wait() - checks a timeout of a queue or channel, which may also be 0. */
inline base::Status check_wait(int32_t timeout_ms)
{
	if (timeout_ms >= -1)
		return base::Status::OK;
	return set_error(base::Status::NULL_POINTER,
			 fmt::format("timeout is {} ms; it must be -1 (for ever), 0 or positive",
				     timeout_ms));
}

/** give_part() - copies one field of a description to the program's memory.
 * @room: bytes at @to.
 * @given: gets the number of bytes written. */
inline base::Status give_part(const void *part, size_t bytes, size_t room, void *to, size_t *given)
{
	if (room < bytes)
		return set_error(base::Status::NULL_POINTER,
				 fmt::format("len is {}; this part has {} bytes", room, bytes));
	memcpy(to, part, bytes);
	*given = bytes;
	return base::Status::OK;
}

} // namespace umd
