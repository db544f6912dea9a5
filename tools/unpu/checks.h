// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace unpu_command {

/** struct Finding - the result of one check of the machine. */
struct Finding {
	enum class State {
		GOOD,  /* the machine has it */
		LESS,  /* programs work without it, but are slower or limited in size */
		LACKS, /* something that programs need is missing */
	};
	const char *what; /* one or two words: what was checked */
	State state;
	std::string text;   /* what the check found, and what follows from it */
	std::string remedy; /* what the user can do; empty: nothing */
};

/** check_machine() - checks what the libraries need from this machine and this process. Opens no device. */
std::vector<Finding> check_machine();

} // namespace unpu_command
