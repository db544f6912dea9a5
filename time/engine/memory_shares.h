// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "time/graph/steps.h"
#include "time/profile/profile.h"

namespace timing {

/**
 * class MemoryShares - the tasks that run on a device, and the parts of the memory's rate that they get.
 *
 * If the tasks want more than there is, each of them gets the same, but none more than it wants (max-min fairness). A
 * task with half of what it wants takes twice the time.
 */
class MemoryShares {
public:
	/** add() - a task starts. @time: what it takes when it gets all that it wants. @wanted: bytes a second, or 0 */
	void add(Id id, Picoseconds now, Picoseconds time, uint64_t wanted);

	/** remove() - a task has ended. */
	void remove(Id id);

	/** share() - gives each task its share, after tasks have started or ended. @rate: bytes a second */
	void share(Picoseconds now, uint64_t rate);

	/** next() - when the next task ends; false if none runs. ended_at() - the tasks that end at @now */
	bool next(Picoseconds &time) const;
	std::vector<Id> ended_at(Picoseconds now) const;

private:
	struct Task {
		Id id;
		Picoseconds since; /* when its share was set */
		Picoseconds left;  /* what it took from then on with all that it wants */
		Picoseconds end;
		uint64_t wanted;
		uint64_t got;
	};

	std::vector<Task> tasks_;
	bool is_changed_ = false;
};

} // namespace timing
