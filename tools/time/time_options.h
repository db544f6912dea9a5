// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace timing::tool {

/* The exit codes of unpu-time, which --help lists too. */
constexpr int EXIT_HOLDS = 0;
constexpr int EXIT_FAILED = 1;	 /* an assertion does not hold */
constexpr int EXIT_USAGE = 2;	 /* the command line or a file is wrong */
constexpr int EXIT_NO_RUN = 127; /* run: the program can't be started */

constexpr const char *NAME = "unpu-time";

/** struct Wishes - what the command line asks for. */
struct Wishes {
	std::vector<std::string> words; /* run: the program and its arguments */
	std::string trace;
	std::vector<std::string> sentences; /* assertions */
	std::vector<std::string> sets;	    /* what-if: figures and speeds */
	std::vector<std::string> merges;    /* what-if: pairs of streams */
	std::vector<std::string> no_waits;  /* what-if: parts of call sites */
	std::string profile = "plain";
	/* a file for the output; empty: standard error for run, standard output for export */
	std::string out;
	std::string keep; /* run: the folder in which the traces are kept */
	size_t gaps = 10; /* how many gaps are listed */
	bool is_json = false;
};

} // namespace timing::tool
