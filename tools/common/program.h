// SPDX-License-Identifier: MIT
#pragma once

#include "devices.h"

namespace tool {

/** struct Program - what a running program answers about its devices (umd/core/hang/look.h). */
struct Program {
	Json told;	 /* "pid", "program", "version", "devices": snapshots with "streams" */
	int code = 0;	 /* EXIT_SHOWN, or what the tool ends with */
	std::string why; /* a sentence, unless EXIT_SHOWN */
};

/** look_at_program() - asks the process without a signal and without stopping it.
 * @patience_ms: how long the answer of a process that is stopped is waited for */
Program look_at_program(uint64_t pid, unsigned patience_ms = 10000);

/** streams() - a line for each stream that is not idle: what it waits for. */
std::string streams(const Json &device);

} // namespace tool
