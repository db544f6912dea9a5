// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd::recorder {

/**
 * struct ToldStack - a call stack in the words of the program, as of one in Python, whose functions are no functions of
 * the machine. It is the caller's, who tells it for the time of a call.
 */
struct ToldStack {
	uint64_t key;	    /* equal stacks have equal keys, others do not */
	const char *frames; /* as the text of a site; san/trace/record.h */

	/** mine() - that of the calling thread, or nullptr. */
	static const ToldStack *&mine()
	{
		static thread_local constinit const ToldStack *told = nullptr;
		return told;
	}
};

} // namespace umd::recorder
