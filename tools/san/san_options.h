// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace san::tool {

/* The exit codes of unpu-san, which --help lists too. */
constexpr int EXIT_CLEAN = 0;
/* there are errors, if --exit-code names no other code; diff: there are new findings; confirm: the result was
 * wrong; selftest, replay: the command failed */
constexpr int EXIT_FOUND = 1;
constexpr int EXIT_NEW = 1;
constexpr int EXIT_USAGE = 2; /* the command line or a file is wrong; the output can't be written */
constexpr int EXIT_NO_RUN = 127; /* run: the program can't be started */

constexpr const char *NAME = "unpu-san";

/** struct Wishes - what the command line asks for. */
struct Wishes {
	std::vector<std::string> files; /* for run: the program and its arguments */
	std::string format = "text";
	std::string suppressions;
	std::string baseline;
	std::string out; /* empty: report to stdout, run to stderr */
	std::string root;
	std::string fail_on = "error";
	int exit_code = EXIT_FOUND; /* of a report with findings as --fail-on names them */
	/* run: the folder that gets the report in three forms, and traces of what ran */
	std::string reports;
	std::string keep; /* run: the folder in which the traces are kept */
	/* run: the order in which commands run; empty: the device's usual order */
	std::string schedule;
	/* run: how accesses to pinned memory are found; empty: see host_check() */
	std::string host;
	std::string finding; /* confirm: the number of a finding, such as F1, or its fingerprint */
	uint64_t seed = 1;   /* run: the seed of the first run */
	uint32_t runs = 1;
	bool check = false;   /* run: do each run twice */
	bool parts = false;   /* report findings of UNINIT-PART too */
	bool by_mark = false; /* make a separate entry for each marked part of the program */
};

} // namespace san::tool
