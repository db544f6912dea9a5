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
 * class Resolver - finds the functions and lines of the call sites of a trace.
 *
 * A call site is a call stack as text: one frame on each line, the innermost first. A frame is usually
 * "MODULE+0xOFFSET". It is "FILE:LINE FUNCTION" or "FILE:LINE" if the writer of the trace knew these. Any
 * other text is the name of a function.
 *
 * Context: one thread.
 */
class Resolver {
public:
	/** stack() - the call stack of a site; empty for an empty site. It begins at the line at which the
	 * program launches a kernel, not in the code that the toolkit adds for the launch. */
	Stack stack(const std::string &site);

	/** MAX_FRAMES - how many frames of a stack are kept. MAX_KNOWN - how many frames the cache keeps. */
	static constexpr size_t MAX_FRAMES = 32;
	static constexpr size_t MAX_KNOWN = 1 << 16;
	static constexpr size_t MAX_MODULES = 1024;

private:
	Stack frames(const std::string &text);

	std::map<std::string, std::unique_ptr<Module>> modules_;
	std::unordered_map<std::string, Stack> known_; /* text of a frame -> its functions */
};

} // namespace san
