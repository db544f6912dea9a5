// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "san/symbols/frame.h"

namespace san {

/**
 * class Module - an ELF file, with its debug information where there is any.
 *
 * The debug information is that of the file itself, or a file of its own where Debian's packages put those.
 *
 * Context: one thread.
 */
class Module {
public:
	/** @path: of the file. One that can't be read has no functions. */
	explicit Module(std::string path);
	~Module();
	Module(const Module &) = delete;
	Module &operator=(const Module &) = delete;

	/**
	 * frames() - the function at @offset, an address of the file, and before it those that were inlined
	 * there. Without debug information it has no line, without symbols no name.
	 */
	Stack frames(uint64_t offset);

private:
	struct Debug;
	bool add_lines(uint64_t offset, Stack &stack);
	std::string symbol(uint64_t offset) const;

	std::string path_;
	std::unique_ptr<Debug> debug_;
};

/** demangled() - the name of a function as a program has it, without its arguments. */
std::string demangled(const char *name);

} // namespace san
