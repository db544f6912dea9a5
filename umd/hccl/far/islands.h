// SPDX-License-Identifier: MIT
/**
 * DOC: Islands
 *
 * An island is all ranks of a communicator whose devices belong to one firmware. They share memory and semaphores.
 * Ranks of different islands exchange parcels over the wire. Islands are numbered by their lowest ranks.
 */
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace umd {

/** class Islands - which rank is on which island. All ranks of a communicator compute the same. */
class Islands {
public:
	/** struct Run - ranks that follow each other and are on one island. */
	struct Run {
		uint32_t island = 0;
		uint32_t first = 0; /* rank */
		uint32_t count = 0;
	};

	Islands() = default;
	/** @firmwares: of each rank's device. @rank: this one */
	Islands(std::span<const uint64_t> firmwares, uint32_t rank);

	uint32_t ranks() const { return static_cast<uint32_t>(island_.size()); }
	uint32_t count() const { return static_cast<uint32_t>(members_.size()); }
	uint32_t own() const { return own_; }
	uint32_t of(uint32_t rank) const { return island_[rank]; }
	bool is_near(uint32_t rank) const { return of(rank) == own_; }
	/** members() - the ranks of an island, in their order. near() - those of the own island. */
	const std::vector<uint32_t> &members(uint32_t island) const { return members_[island]; }
	const std::vector<uint32_t> &near() const { return members_[own_]; }
	/** place() - how many ranks of its island are before @rank. */
	uint32_t place(uint32_t rank) const { return place_[rank]; }
	/** most_members() - of any island. */
	uint32_t most_members() const { return most_; }
	/** agent() - the rank of @island that has to do with item @number of such that are spread over its ranks. */
	uint32_t agent(uint32_t island, uint32_t number) const
	{
		return members_[island][number % members_[island].size()];
	}
	/** partners() - the ranks of other islands that agent() names for a number for which it names @rank. Schedules
	 * exchange pieces with them alone. */
	std::vector<uint32_t> partners(uint32_t rank) const;
	/** runs() - all ranks in their order. */
	const std::vector<Run> &runs() const { return runs_; }

private:
	std::vector<uint32_t> island_; /* of each rank */
	std::vector<uint32_t> place_;
	std::vector<std::vector<uint32_t>> members_;
	std::vector<Run> runs_;
	uint32_t own_ = 0;
	uint32_t most_ = 0;
};

} // namespace umd
