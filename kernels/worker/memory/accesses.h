// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/abi/block.h"
#include "uapi/kernel.h"

namespace worker {

/** class Ranges - a set of bytes as ranges, in order, of which no two touch. */
class Ranges {
public:
	struct Range {
		uint64_t start;
		uint64_t end;
	};

	/** add() - Return: false: the set would have more than MOST ranges. */
	bool add(Range more);

	/** meets() - whether one of the bytes is in the set. */
	bool meets(const Range &range) const;

	const std::vector<Range> &all() const { return ranges_; }

private:
	static constexpr size_t MOST = 4096;

	size_t last_ = 0; /* the range that was added to last */
	std::vector<Range> ranges_;
};

/** class Accesses - the global memory that an instance has accessed, or all of a launch. */
class Accesses {
public:
	/** using Finder - finds the allocation of an address, as struct unpu_kernel_services does. */
	using Finder = std::function<bool(uint64_t address, unpu_kernel_memory_range &range)>;

	/** add() - @write: as of unpu_kernel_services.observe. */
	void add(uint64_t address, uint64_t bytes, uint32_t write);
	void add(const Accesses &other);

	/** list() - ranges of one length and distance in an allocation are one of the list. Empty, if there are too
	 * many for UNPU_KERNEL_MAX_ACCESSES, or for a set. */
	std::vector<unpu_kernel_access> list(const Finder &find) const;

private:
	static constexpr uint32_t KINDS = UNPU_KERNEL_ACCESS_ATOMIC + 1;

	Ranges sets_[KINDS];
	bool is_lost_ = false; /* some could not be added */
};

} // namespace worker
