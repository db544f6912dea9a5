// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "memory_shares.h"
#include "timeline.h"

namespace timing {

/** class Scheduler - plays a graph on the engines of its devices; see schedule_of(). */
class Scheduler {
public:
	Scheduler(const Graph &graph, std::vector<Cost> costs, const Profile &profile);

	Timeline run();

private:
	static constexpr size_t ENGINES = static_cast<size_t>(Engine::COUNT);
	using Place = std::tuple<Picoseconds, uint32_t, Id>; /* ready, number of the call, vertex */

	/* struct Device - one device: its engines, and who waits for them. */
	struct Device {
		std::array<uint64_t, ENGINES> free{};
		std::array<std::set<Place>, ENGINES> queues;
		/* the task that ended last on each engine, and when */
		std::array<Id, ENGINES> ended;
		std::array<Picoseconds, ENGINES> ended_at{};
		Id started = NO_VERTEX; /* the task that started last */
		Picoseconds next_start = 0;
		MemoryShares running;
	};

	void link();
	Device &device_of(Id id);
	void make_ready(Id id);
	void end(Id id);
	void settle();
	void start_on(Device &device);
	void start(Device &device, Id id);
	bool pick(Device &device, Id &id) const;
	bool next_time(Picoseconds &time) const;
	void end_at(Picoseconds time);

	const Graph &graph_;
	const Profile &profile_;
	Timeline line_;
	Picoseconds now_ = 0;
	std::vector<uint32_t> missing_; /* by vertex: steps before it that have not ended */
	std::vector<uint32_t> first_;	/* by vertex: the first of its followers */
	std::vector<Id> followers_;
	std::vector<Id> ended_;					  /* steps that end now */
	std::map<std::pair<uint32_t, uint32_t>, Device> devices_; /* client and device */
	/* steps without an engine, and moments at which a task may start */
	std::priority_queue<std::pair<Picoseconds, Id>, std::vector<std::pair<Picoseconds, Id>>,
			    std::greater<>>
		alarms_;
};

} // namespace timing
