// SPDX-License-Identifier: MIT
/**
 * DOC: Plain objects: refusals
 */
#include "plain_object.h"

#include <fmt/format.h>

#include "error.h"

namespace umd {

using base::Status;

Status refuse_handle(const char *caller, const char *argument, const void *handle, const char *noun)
{
	if (!handle)
		return set_error(Status::NULL_POINTER, fmt::format("{} is NULL", argument));
	return set_error(Status::INVALID_HANDLE,
			 fmt::format("{}: {} {} is not a live {}: it was destroyed, or is "
				     "something else",
				     caller, argument, fmt::ptr(handle), noun));
}

Status refuse_new_object(const char *caller, const char *noun)
{
	return set_error(Status::NO_MEMORY,
			 fmt::format("{}: there is no memory for another {}", caller, noun));
}

} // namespace umd
