// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "devices.h"

namespace tool {

/** nodes() - the NUMA nodes of the machine, with number, CPUs, distances and memory. Empty on a kernel
 * without NUMA. */
Json nodes();

/** process_places() - where the threads and the device memory of a process are: its name, its threads, and
 * its pages of each kind, by node and by page size. A page counts once, even if it is mapped several times.
 * If this user may not read the data of the process, "readable" is false. */
Json process_places(uint64_t pid);

/** processes_of() - the process ids of the firmware and the clients of these devices, and @more, without
 * duplicates and in ascending order. */
std::vector<uint64_t> processes_of(const std::vector<Json> &snapshots,
				   const std::vector<uint64_t> &more);

/** draw_places() - draws a picture of nodes, threads and pages.
 * @snapshots: the snapshots of devices; may be empty */
std::string draw_places(const Json &nodes, const std::vector<Json> &snapshots,
			const Json &processes);

} // namespace tool
