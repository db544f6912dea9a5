// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cost.h"

namespace timing {

/** enum class Why - what a step waited for last before it began. */
enum class Why : uint8_t {
	NOTHING, /* it began at 0 */
	ORDER,	 /* the end of a step before it */
	ENGINE,	 /* the end of the task that had its engine */
	LAUNCH,	 /* the start of another task, because the device starts one at a time */
};

/** later() - a time after another one. It stays below the end of 64 bits, which only forged traces reach. */
constexpr Picoseconds later(Picoseconds time, Picoseconds by)
{
	constexpr Picoseconds END = Picoseconds{1} << 62;
	return time > END - by ? END : time + by;
}

/** struct Slot - when a step runs. */
struct Slot {
	Picoseconds ready = 0; /* when all steps before it have ended */
	Picoseconds begin = 0;
	Picoseconds end = 0;
	Why why = Why::NOTHING;
	Id cause = NO_VERTEX; /* the step that it waited for last */
	Id last = NO_VERTEX; /* the last step before it in the graph: why it was ready no earlier */
};

/** struct Timeline - when all steps run. */
struct Timeline {
	std::vector<Slot> slots; /* by vertex */
	std::vector<Cost> costs;
	Picoseconds total = 0;
	Id final = NO_VERTEX; /* the step that ends last */
};

/** bound_of() - the earliest times that the order allows, as if there were any number of engines. No schedule of the
 * same costs is shorter; a cost less or an edge less never makes it longer. */
Timeline bound_of(const Graph &graph, std::vector<Cost> costs);

/** schedule_of() - the times on the engines of the profile: first come, first served, and of equal times the call that
 * comes first in the trace. Another cost can make it longer or shorter. */
Timeline schedule_of(const Graph &graph, std::vector<Cost> costs, const Profile &profile);

} // namespace timing
