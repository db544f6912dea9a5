// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "san/symbols/frame.h"

namespace san {

/**
 * class Module - an ELF file, with its debug information if there is any.
 *
 * The debug information is in the file itself, or in a separate file at the place where Debian's packages put
 * it.
 *
 * Context: one thread.
 */
class Module {
public:
	/** @path: path of the file. A file that can't be read has no functions. */
	explicit Module(std::string path);
	~Module();
	Module(const Module &) = delete;
	Module &operator=(const Module &) = delete;

	/**
	 * frames() - the function at @offset, an address in the file; the functions inlined there come before
	 * it. Without debug information the frames have no lines, and without symbols no names.
	 */
	Stack frames(uint64_t offset);

private:
	struct Debug;
	bool add_lines(uint64_t offset, Stack &stack);
	std::string symbol(uint64_t offset) const;

	std::string path_;
	std::unique_ptr<Debug> debug_;
};

/** demangled() - the demangled name of a function, without its arguments. */
std::string demangled(const char *name);

} // namespace san
