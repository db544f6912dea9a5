// SPDX-License-Identifier: MIT
#ifndef UNPU_TESTS_HOSTILE_KERNELS_ATTACKS_H
#define UNPU_TESTS_HOSTILE_KERNELS_ATTACKS_H

#include <span>
#include <string>

#include <sys/types.h>

namespace attack {

/** struct Ground - the firmware that is attacked, and how long an attack takes that has no end of its own. */
struct Ground {
	std::string socket;
	double seconds = 2;
	pid_t firmware = -1;
};

/** struct Attack - @run returns what is wrong, or "". */
struct Attack {
	const char *name;
	std::string (*run)(const Ground &ground);
};

std::span<const Attack> attacks();

} // namespace attack

#endif
