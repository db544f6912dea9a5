/* SPDX-License-Identifier: MIT */
/*
 * DOC: Pools of local memory
 *
 * What InitBuffer takes memory from: the local memories of the core, or a part of one that a TBufPool has.
 */
#ifndef UNPU_ASCENDC_PIPE_BUFFER_POOL_H
#define UNPU_ASCENDC_PIPE_BUFFER_POOL_H

#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

inline constexpr uint32_t BUFFERS_MAX = 64;

struct BufferPool {
	uint32_t start_[UNPU_KERNEL_MEMORIES];
	uint32_t used_[UNPU_KERNEL_MEMORIES];
	uint32_t limit_[UNPU_KERNEL_MEMORIES];
	uint32_t buffers_;

	void reset()
	{
		memset(this, 0, sizeof(*this));
		for (uint32_t memory = 0; memory < UNPU_KERNEL_MEMORIES; memory++)
			limit_[memory] = static_cast<uint32_t>(usable_bytes(memory));
	}
	uint32_t used(uint32_t memory) const { return start_[memory] + used_[memory]; }

	/* The chip lets kernels use the bytes of UB that belong to the system, and public kernels do. */
	bool is_tolerated(uint32_t memory, uint64_t end) const
	{
		return level() == 1 && limit_[memory] == usable_bytes(memory) &&
		       end <= block().local[memory].bytes;
	}

	/* Takes @count buffers of @bytes. Returns the byte where the first begins, in its memory. */
	uint32_t take(TPosition position, uint32_t count, uint32_t bytes, Where where)
	{
		const uint32_t memory = memory_of(position);
		const uint32_t first = used_[memory];
		const uint64_t end = first + uint64_t(count) * bytes;

		if (end > limit_[memory] && level() > 0 && !is_tolerated(memory, end))
			fail(where,
			     "InitBuffer: %s overflow: needs %llu of %u bytes (%u used before, %u "
			     "buffers of %u bytes more for %s)",
			     memory_name(memory), static_cast<unsigned long long>(end),
			     limit_[memory], first, count, bytes, position_name(position));
		if (end > block().local[memory].bytes)
			fail(where, "InitBuffer: %s has %llu bytes, and the kernel needs %llu",
			     memory_name(memory),
			     static_cast<unsigned long long>(block().local[memory].bytes),
			     static_cast<unsigned long long>(end));
		buffers_ += count;
		if (buffers_ > BUFFERS_MAX && level() > 0)
			fail(where, "InitBuffer: %u buffers, %u at most in a kernel", buffers_,
			     BUFFERS_MAX);
		used_[memory] = static_cast<uint32_t>(end);
		return start_[memory] + first;
	}
};

constexpr uint32_t round_up_32(uint32_t bytes)
{
	return (bytes + 31) / 32 * 32;
}

inline TBuffAddr address_at(TPosition position, uint32_t byte, uint32_t bytes)
{
	unsigned char *base = block().local[memory_of(position)].base + byte;

	return {static_cast<uint8_t>(position), base, bytes, byte, base};
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_PIPE_BUFFER_POOL_H */
