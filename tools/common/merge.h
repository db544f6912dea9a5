// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace tool {

/** struct Merged - the result of a merge. */
struct Merged {
	size_t events = 0;
	size_t arrows = 0;     /* between the files */
	size_t loose_ends = 0; /* ends whose other end is in none of the files */
	std::string why;       /* a sentence, unless it went well */
};

/** merge_traces() - one trace file of several: those of programs, and of firmware they used. */
Merged merge_traces(const std::vector<std::string> &files, const std::string &out);

} // namespace tool
