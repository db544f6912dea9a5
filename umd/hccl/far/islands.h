// SPDX-License-Identifier: MIT
/**
 * DOC: Islands
 *
 * An island is the set of all ranks of a communicator whose devices belong to one firmware. In MPI terms it
 * is a node: these ranks share memory and semaphores. Ranks of different islands exchange frames over the
 * wire. Islands are numbered in the order of their lowest ranks.
 */
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace umd {

/** class Islands - which rank is on which island. All ranks of a communicator compute the same result. */
class Islands {
public:
	/** struct Run - a run of consecutive ranks that are all on one island. */
	struct Run {
		uint32_t island = 0;
		uint32_t first = 0; /* lowest rank of the run */
		uint32_t count = 0;
	};

	Islands() = default;
	/** @firmwares: for each rank, the number of its device's firmware. @rank: this rank */
	Islands(std::span<const uint64_t> firmwares, uint32_t rank);

	uint32_t ranks() const { return static_cast<uint32_t>(island_.size()); }
	uint32_t count() const { return static_cast<uint32_t>(members_.size()); }
	uint32_t own() const { return own_; }
	uint32_t of(uint32_t rank) const { return island_[rank]; }
	bool is_near(uint32_t rank) const { return of(rank) == own_; }
	/** members() - the ranks of an island, in ascending order. near() - the ranks of this rank's
	 * island. */
	const std::vector<uint32_t> &members(uint32_t island) const { return members_[island]; }
	const std::vector<uint32_t> &near() const { return members_[own_]; }
	/** place() - the position of @rank on its island: the number of lower ranks there. */
	uint32_t place(uint32_t rank) const { return place_[rank]; }
	/** most_members() - the number of ranks on the largest island. */
	uint32_t most_members() const { return most_; }
	/** agent() - the rank of @island that handles item @number. Items are distributed round robin over
	 * the ranks of an island. */
	uint32_t agent(uint32_t island, uint32_t number) const
	{
		return members_[island][number % members_[island].size()];
	}
	/** partners() - the ranks of other islands that handle some of the same items as @rank (see agent()).
	 * A schedule exchanges pieces only between partners. */
	std::vector<uint32_t> partners(uint32_t rank) const;
	/** runs() - all ranks in ascending order, divided into runs. */
	const std::vector<Run> &runs() const { return runs_; }

private:
	std::vector<uint32_t> island_; /* island of each rank */
	std::vector<uint32_t> place_;
	std::vector<std::vector<uint32_t>> members_;
	std::vector<Run> runs_;
	uint32_t own_ = 0;
	uint32_t most_ = 0;
};

} // namespace umd
