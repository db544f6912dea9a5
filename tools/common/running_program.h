// SPDX-License-Identifier: MIT
#pragma once

#include "devices.h"

namespace tool {

/** struct Program - what a running program answers about its devices (umd/core/watch/look.h). */
struct Program {
	Json told;	 /* "pid", "program", "version", "devices": snapshots with "streams" */
	int code = 0;	 /* EXIT_SHOWN, or what the tool ends with */
	std::string why; /* a sentence, unless EXIT_SHOWN */
};

/** look_at_program() - asks the process without a signal and without stopping it.
 * @patience_ms: how long the answer of a process that is stopped is waited for */
Program look_at_program(uint64_t pid, unsigned patience_ms = 10000);

/** listening_programs() - the processes that look_at_program() may ask, of all users, by number. */
std::vector<uint64_t> listening_programs();

/** is_own_process() - whether it is one of this user. */
bool is_own_process(uint64_t pid);

/** look_around() - look(); without a device string, or with @pids, the devices of running programs instead: a device
 * of the tool's own would show nothing of them. If there is none, a line on stderr says that the device is the
 * tool's own. @pids: empty: all programs of this user that have a device open */
Devices look_around(const std::vector<uint64_t> &pids = {});

/** streams() - a line for each stream that is not idle: what it waits for. */
std::string streams(const Json &device);

} // namespace tool
