// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "san/symbols/frame.h"
#include "san/symbols/module.h"

namespace san {

/**
 * class Resolver - makes functions and lines of the sites of a trace.
 *
 * A site is a call stack, a frame a line, the innermost first. A frame is "MODULE+0xOFFSET" as a recorder writes
 * it, or "FILE:LINE FUNCTION" or "FILE:LINE" where whoever wrote the trace knew better; any other text is the
 * name of a function.
 *
 * Context: one thread.
 */
class Resolver {
public:
	/** stack() - of a site; empty for an empty one. It begins where the program launches a kernel, not in what the
	 * toolkit adds to the program for it. */
	Stack stack(const std::string &site);

	/** MAX_FRAMES - frames that are kept of a stack, MAX_KNOWN - that are kept for the next look. */
	static constexpr size_t MAX_FRAMES = 32;
	static constexpr size_t MAX_KNOWN = 1 << 16;
	static constexpr size_t MAX_MODULES = 1024;

private:
	Stack frames(const std::string &text);

	std::map<std::string, std::unique_ptr<Module>> modules_;
	std::unordered_map<std::string, Stack> known_; /* text of a frame -> its functions */
};

} // namespace san
