// SPDX-License-Identifier: MIT
/**
 * DOC: Islands of a communicator
 *
 * Two devices belong to the same firmware if their firmwares report the same number. Each firmware chooses a
 * random number when it starts.
 */
#include "islands.h"

#include <algorithm>
#include <set>

namespace umd {

Islands::Islands(std::span<const uint64_t> firmwares, uint32_t rank)
{
	std::vector<uint64_t> known;
	for (const uint64_t firmware : firmwares) {
		const auto found = std::find(known.begin(), known.end(), firmware);
		const auto island = static_cast<uint32_t>(found - known.begin());
		if (found == known.end()) {
			known.push_back(firmware);
			members_.emplace_back();
		}
		const auto next = static_cast<uint32_t>(island_.size());
		if (runs_.empty() || runs_.back().island != island)
			runs_.push_back({island, next, 0});
		runs_.back().count++;
		place_.push_back(static_cast<uint32_t>(members_[island].size()));
		members_[island].push_back(next);
		island_.push_back(island);
		most_ = std::max(most_, static_cast<uint32_t>(members_[island].size()));
	}
	own_ = island_[rank];
}

std::vector<uint32_t> Islands::partners(uint32_t rank) const
{
	std::set<uint32_t> found;
	for (uint32_t number = 0; number < most_; number++) {
		for (uint32_t island = 0; island < count(); island++) {
			if (island != of(rank) && agent(of(rank), number) == rank)
				found.insert(agent(island, number));
		}
	}
	return {found.begin(), found.end()};
}

} // namespace umd
