// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace umd::recorder {

/**
 * struct ReportedStack - a call stack that a language binding reports, for example the Python module. Its
 * functions are Python functions, which a walk of the machine stack can't see. The caller owns it, and sets
 * it for the time of a call.
 */
struct ReportedStack {
	uint64_t key;	    /* equal stacks have equal keys, different stacks have different keys */
	const char *frames; /* in the form of the text of a site; see san/trace/record.h */

	/** mine() - the stack of the calling thread, or nullptr. */
	static const ReportedStack *&mine()
	{
		static thread_local constinit const ReportedStack *told = nullptr;
		return told;
	}
};

} // namespace umd::recorder
