// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "san_options.h"

namespace san::tool {

/** struct Start - how a program is started. */
struct Start {
	/* Variables to set in the environment, and their values. */
	std::vector<std::pair<std::string, std::string>> variables;
	std::string output; /* file for its standard output; empty: the tool's */
	/* whether its memory has the same addresses in each run */
	bool has_fixed_addresses = false;
};

/** struct Ended - how a program ended. */
struct Ended {
	int code = 0;
	int signal = 0;
	std::string problem; /* why the program was not started; empty if it was */

	bool is_good() const { return code == 0 && signal == 0 && problem.empty(); }
	bool operator==(const Ended &) const = default;
};

/** describe() - how a program ended, as text: "ended with 5", "was killed by signal 9". */
std::string describe(const Ended &ended);

/** run_once() - runs the program and its arguments, and waits until it ends. Signals that ask the tool to end go to
 * the program meanwhile. */
Ended run_once(const std::vector<std::string> &words, const Start &start);

/** end_by() - ends the tool by @signal, as the program ended. The tool writes no core file, so that the
 * program's core file stays. */
[[noreturn]] void end_by(int signal);

/** make_folder() - makes the folder @name in @base. Return: its path, or an empty path if it can't be
 * made. */
std::string make_folder(const std::string &base, const std::string &name);

} // namespace san::tool
