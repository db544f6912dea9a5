// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include "umd/core/process/check.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"

namespace umd::check {

/** refuse_wait_in_function() - for calls that wait: whether the calling thread runs a function of the program for a
 * stream. @what: what the call waits for: a literal. Return: OK; NOT_SUPPORTED in such a function with `error`. */
inline base::Status refuse_wait_in_function(const char *what)
{
	if (ThreadState::mine().host_stream == 0 || !is_on()) [[likely]]
		return base::Status::OK;
	return misuse(
		base::Status::NOT_SUPPORTED,
		fmt::format("a function of the program that a stream runs waits for {}; other "
			    "functions of the program wait behind it, and so may the work that it "
			    "waits for",
			    what));
}

/** refuse_own_function() - the failure of a call that waits for stream number @stream, in a function for which that
 * stream waits. @instead: what to do in another thread */
inline base::Status refuse_own_function(uint32_t stream, const char *instead)
{
	return set_error(
		base::Status::NOT_SUPPORTED,
		fmt::format("stream {} runs the function of the program that makes this "
			    "call, so the call would wait for ever; {} from another thread",
			    stream, instead));
}

/** refuse_end_in_function() - for calls that end all streams: whether a stream waits for the function that
 * makes the call. Return: OK; NOT_SUPPORTED, which sets the error message. */
inline base::Status refuse_end_in_function()
{
	const uint64_t handle = ThreadState::mine().host_stream;
	if (handle == 0 || handle == ThreadState::SOME_STREAM) [[likely]]
		return base::Status::OK;
	return set_error(base::Status::NOT_SUPPORTED,
			 "a stream runs the function of the program that makes this call, so the "
			 "call would wait for ever; finalise from another thread");
}

} // namespace umd::check
