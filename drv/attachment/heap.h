// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/result.h"
#include "first_fit.h"

namespace drv {

/**
 * class Heap - allocates ranges of [0, bytes) without accessing the memory itself.
 *
 * First fit by address with immediate coalescing; both operations are logarithmic in the number of free
 * ranges. The cost of fragmentation is bounded: see Documentation/memory.rst. Context: the caller's
 * lock.
 */
class Heap {
public:
	explicit Heap(uint64_t bytes);

	/** allocate() - a range of @bytes whose offset is a multiple of @alignment (a power of two). The
	 * bound holds where all offsets and sizes are multiples of one alignment.
	 * Return: NO_MEMORY. */
	base::Result<uint64_t> allocate(uint64_t bytes, uint64_t alignment);

	/** release() - frees a range. Return: its size, or 0 if no range starts at @offset. */
	uint64_t release(uint64_t offset);

	bool empty() const { return used_.empty(); }
	uint64_t used_bytes() const { return used_bytes_; }
	uint64_t bytes() const { return bytes_; }

	/** largest() - the size of the largest free range. */
	uint64_t largest() const { return free_.largest(); }

private:
	const uint64_t bytes_;
	uint64_t used_bytes_ = 0;
	FirstFit free_; /* the free ranges, by offset */
	/* the allocated ranges: the size of each, by offset */
	std::unordered_map<uint64_t, uint64_t> used_;
};

} // namespace drv
