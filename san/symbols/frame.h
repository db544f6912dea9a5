// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace san {

/** struct Frame - one function of a call stack. An unknown field is empty or 0. */
struct Frame {
	std::string module;   /* path of the ELF file */
	uint64_t offset = 0;  /* address of the call in that file */
	std::string function; /* name of the function, without its arguments */
	std::string file;
	uint32_t line = 0;
	bool is_inlined = false; /* the compiler inlined the function into the next frame */
};

/** Stack - a call stack, the innermost function first. */
using Stack = std::vector<Frame>;

} // namespace san
