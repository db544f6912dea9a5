// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

#include "base/result.h"

namespace drv {

/**
 * class Heap - hands out ranges of [0, bytes) without touching the memory itself.
 *
 * Best fit with immediate coalescing; both operations are logarithmic in the number of free ranges.
 * Context: the caller's lock.
 */
class Heap {
public:
	explicit Heap(uint64_t bytes);

	/** allocate() - a range of @bytes whose offset is a multiple of @alignment (a power of two).
	 * Return: NO_MEMORY. */
	base::Result<uint64_t> allocate(uint64_t bytes, uint64_t alignment);

	/** release() - gives a range back. Return: its size, or 0 when @offset starts no range. */
	uint64_t release(uint64_t offset);

	bool empty() const { return used_.empty(); }
	uint64_t used_bytes() const { return used_bytes_; }
	uint64_t bytes() const { return bytes_; }

private:
	void insert_free(uint64_t offset, uint64_t bytes);
	void erase_free(std::map<uint64_t, uint64_t>::iterator range);

	const uint64_t bytes_;
	uint64_t used_bytes_ = 0;
	std::map<uint64_t, uint64_t> free_;		  /* offset -> bytes */
	std::set<std::pair<uint64_t, uint64_t>> by_size_; /* (bytes, offset) */
	std::unordered_map<uint64_t, uint64_t> used_;	  /* offset -> bytes */
};

} // namespace drv
