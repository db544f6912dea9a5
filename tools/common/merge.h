// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace tool {

/** struct Merged - the result of a merge. */
struct Merged {
	size_t events = 0;
	size_t arrows = 0;     /* arrows between two files */
	size_t loose_ends = 0; /* ends of arrows whose other end is in none of the files */
	std::string why;       /* an error message; empty after success */
};

/** merge_traces() - makes one trace file from several: from those of programs, and of the firmware that the
 * programs used. */
Merged merge_traces(const std::vector<std::string> &files, const std::string &out);

} // namespace tool
