// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "devices.h"

namespace tool {

/** nodes() - the machine's: number, CPUs, distances, memory. Empty on a kernel without NUMA. */
Json nodes();

/** process_places() - what a process has of devices and where: its name, its threads, and its pages of
 * each kind by node and by size. Each page counts once however often it is mapped. A process that may
 * not be looked at has "readable" false. */
Json process_places(uint64_t pid);

/** processes_of() - firmware and clients of these devices, and @more, each once, in ascending order. */
std::vector<uint64_t> processes_of(const std::vector<Json> &snapshots,
				   const std::vector<uint64_t> &more);

/** draw_places() - a picture of it.
 * @snapshots: of devices; may be empty */
std::string draw_places(const Json &nodes, const std::vector<Json> &snapshots,
			const Json &processes);

} // namespace tool
