// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/abi/block.h"
#include "uapi/kernel.h"

namespace runner {

/** using HomeFinder - finds the allocation of an address, as find_memory of struct unpu_kernel_services does. */
using HomeFinder = std::function<bool(uint64_t address, unpu_kernel_memory_range &home)>;

/* class Ranges - a set of bytes as sorted ranges. No two ranges touch. */
class Ranges {
public:
	struct Range {
		uint64_t start;
		uint64_t end;
	};

	/** add() - A set that is full is widened. Return: false: the ranges are in too many allocations. */
	bool add(const Range &more, const HomeFinder &find);
	bool add(const Ranges &other, const HomeFinder &find);

	/* widen() - merges all ranges that begin in the same allocation into one, from their first to their last
	 * byte. */
	void widen(const HomeFinder &find);
	/** is_wide() - whether it may have bytes that were not added. */
	bool is_wide() const { return is_wide_; }

	/** meets() - whether one of the bytes is in the set. */
	bool meets(const Range &range) const;

	const std::vector<Range> &all() const { return ranges_; }

private:
	static constexpr size_t MOST = 4096;

	bool extend_last(const Range &more);

	size_t last_ = 0; /* the range that was added to last */
	bool is_wide_ = false;
	std::vector<Range> ranges_;
};

/** class Accesses - the global memory that an instance has accessed, or all of a launch. */
class Accesses {
public:
	/* add() - adds an access. @write: as in unpu_kernel_services.observe */
	void add(uint64_t address, uint64_t bytes, uint32_t write, const HomeFinder &find);
	void add(const Accesses &other, const HomeFinder &find);

	/** list() - the accesses as a list. Ranges in an allocation with the same length and the same distance are
	 * one entry. Empty if the kernel has accessed more than UNPU_KERNEL_MAX_ACCESSES allocations. */
	std::vector<unpu_kernel_access> list(const HomeFinder &find) const;

private:
	/* After the kinds of accesses: the parts of reads and writes that are beyond the end of their tensor. */
	static constexpr uint16_t BEYOND = UNPU_KERNEL_ACCESS_ATOMIC + 1;
	static constexpr uint16_t KINDS = BEYOND + UNPU_KERNEL_ACCESS_WRITE + 1;

	std::vector<unpu_kernel_access> list_as_is(const HomeFinder &find) const;
	uint16_t flags_of(uint16_t kind, const Ranges::Range &range) const;

	Ranges sets_[KINDS];
	bool is_lost_ = false; /* some could not be added */
};

} // namespace runner
