// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace unpu_command {

/** struct Finding - the result of one look at the machine. */
struct Finding {
	enum class State {
		GOOD,  /* nothing to do */
		LESS,  /* works, with less speed or size */
		LACKS, /* something that programs need is missing */
	};
	const char *what; /* a word or two */
	State state;
	std::string text;   /* how it is, and what follows */
	std::string remedy; /* what to do; empty: nothing */
};

/** check_machine() - looks at what the libraries need of this machine and this process. Opens no device. */
std::vector<Finding> check_machine();

} // namespace unpu_command
