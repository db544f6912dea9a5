// SPDX-License-Identifier: MIT
#pragma once

#include "devices.h"

namespace tool {

/** struct Program - the answer of a running program about its devices (umd/core/watch/look.h). */
struct Program {
	Json told;	 /* "pid", "program", "version", "devices": snapshots with "streams" */
	int code = 0;	 /* EXIT_SHOWN, or the exit code with which the tool must end */
	std::string why; /* an error message, unless the code is EXIT_SHOWN */
};

/** look_at_program() - asks a process about its devices, without a signal and without stopping it.
 * @patience_ms: how long to wait for an answer: a process that is stopped gives none */
Program look_at_program(uint64_t pid, unsigned patience_ms = 10000);

/** listening_programs() - the process ids of all users' programs that look_at_program() may ask, in ascending
 * order. */
std::vector<uint64_t> listening_programs();

/** is_own_process() - whether the process belongs to this user. */
bool is_own_process(uint64_t pid);

/** own_folder() - the folder in which "unpu daemon" of this user makes its socket "unpu", unless told otherwise. */
std::string own_folder();

/** look_around() - gets snapshots as look() does. Without a device string, or with @pids, it asks running
 * programs for their devices instead, because a device that the tool opens itself would not show theirs. If
 * no such program runs, a line on stderr says that the device is the tool's own. @pids: the programs to ask;
 * empty: all programs of this user that have an open device */
Devices look_around(const std::vector<uint64_t> &pids = {});

/** streams() - text with a line for each stream that is not idle: what the stream waits for. */
std::string streams(const Json &device);

} // namespace tool
