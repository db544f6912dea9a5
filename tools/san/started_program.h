// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "san_options.h"

namespace san::tool {

/** struct Start - how a program is started. */
struct Start {
	/* Variables of the environment, and their values. */
	std::vector<std::pair<std::string, std::string>> variables;
	std::string output;		  /* file for its standard output; empty: the tool's */
	bool has_fixed_addresses = false; /* its memory is at the same addresses in each run */
};

/** struct Ended - how a program ended. */
struct Ended {
	int code = 0;
	int signal = 0;
	std::string problem; /* why it was not started */

	bool is_good() const { return code == 0 && signal == 0 && problem.empty(); }
	bool operator==(const Ended &) const = default;
};

/** describe() - "ended with 5", "was killed by signal 9". */
std::string describe(const Ended &ended);

/** run_once() - runs the program and its arguments, and waits until it ends. Signals that ask the tool to end go to
 * the program meanwhile. */
Ended run_once(const std::vector<std::string> &words, const Start &start);

/** end_by() - ends the tool as a program that was killed by @signal. The core, if any, is the program's. */
[[noreturn]] void end_by(int signal);

/** make_folder() - Return: the folder @name in @base, which is made; empty when it can't be. */
std::string make_folder(const std::string &base, const std::string &name);

} // namespace san::tool
