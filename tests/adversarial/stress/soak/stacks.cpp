// SPDX-License-Identifier: MIT
/*
 * DOC: Stacks
 */
#include "stacks.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace soak {

void print_stacks(pid_t pid)
{
	const std::string command = "gdb -p " + std::to_string(pid) +
				    " -batch -ex 'thread apply all bt 14' 2>/dev/null";

	if (system(command.c_str()) != 0)
		fprintf(stderr, "gdb could not look at process %d\n", pid);
}

} // namespace soak
