// SPDX-License-Identifier: MIT
#pragma once

#include "check.h"
#include "umd/core/context/thread_state.h"

namespace umd::check {

/** refuse_wait_in_function() - for calls that wait: whether the calling thread runs a function of the program for a
 * stream. Return: OK; NOT_SUPPORTED in such a function with `error`. */
inline base::Status refuse_wait_in_function()
{
	if (ThreadState::mine().host_stream == 0 || !is_on()) [[likely]]
		return base::Status::OK;
	return misuse(
		base::Status::NOT_SUPPORTED,
		"a function of the program that a stream runs waits for the device; other "
		"functions of the program wait behind it, and so may the work that it waits for");
}

} // namespace umd::check
