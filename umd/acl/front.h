// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include "acl_error.h"
#include "base/clock.h"
#include "base/result.h"
#include "umd/core/handle/held.h"
#include "umd/core/process/error.h"

namespace umd {

struct Event;

/** null_argument() - the failure for a required pointer that is NULL. */
inline base::Status null_argument(const char *name)
{
	return set_error(base::Status::NULL_POINTER, fmt::format("{} is NULL", name));
}

/** find_event() - finds an event by its handle.
 * Return: NULL_POINTER for NULL, INVALID_HANDLE for a stale or foreign handle. */
inline Held<Event> find_event(const void *handle, const char *name);

/** find_event_parts() - the same; the result is small enough to be returned in registers. */
Held<Event>::Parts find_event_parts(const void *handle, const char *name);

inline Held<Event> find_event(const void *handle, const char *name)
{
	return Held<Event>(find_event_parts(handle, name));
}

/** check_begun() - with UNPU_CHECK, checks that the program has called aclInit(). @call: the name of the API
 * call
 * Return: OK, or NOT_INITIALISED sets the error message. */
base::Status check_begun(const char *call);

/** parse_timeout() - deadline for the milliseconds of a *WithTimeout call; -1 means no deadline. */
inline base::Result<uint64_t> parse_timeout(int32_t timeout_ms)
{
	if (timeout_ms == -1)
		return base::NO_DEADLINE;
	if (timeout_ms <= 0)
		return set_error(
			base::Status::INVALID_ARGUMENT,
			fmt::format("timeout is {} ms; it must be -1 (for ever) or positive",
				    timeout_ms));
	return base::deadline_after(static_cast<uint64_t>(timeout_ms) * base::NS_PER_MS);
}

} // namespace umd
