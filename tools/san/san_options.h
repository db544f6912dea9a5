// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace san::tool {

/* How unpu-san ends; its --help says so too. */
constexpr int EXIT_CLEAN = 0;
constexpr int EXIT_NEW = 1;   /* diff: there are new findings; selftest, replay: it failed */
constexpr int EXIT_USAGE = 2; /* the command line or a file is wrong; the output can't be written */
constexpr int EXIT_FOUND = 66;	 /* there are errors; confirm: the result was wrong */
constexpr int EXIT_NO_RUN = 127; /* run: the program can't be started */

constexpr const char *NAME = "unpu-san";

/** struct Wishes - what the command line asks for. */
struct Wishes {
	std::vector<std::string> files; /* of run: the program and its arguments */
	std::string format = "text";
	std::string suppressions;
	std::string baseline;
	std::string out; /* empty: report to stdout, run to stderr */
	std::string root;
	std::string fail_on = "error";
	std::string keep;     /* run: folder that keeps the traces */
	std::string schedule; /* run: in which order commands run; empty: the device's own */
	std::string host;     /* run: what is compared of pinned memory; empty: see host_check() */
	std::string finding;  /* confirm: F1, or a fingerprint */
	uint64_t seed = 1;    /* run: of the first run */
	uint32_t runs = 1;
	bool check = false;   /* run: each run twice */
	bool parts = false;   /* UNINIT-PART too */
	bool by_mark = false; /* an entry for each marked part of the program */
};

} // namespace san::tool
