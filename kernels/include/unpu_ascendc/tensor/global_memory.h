/* SPDX-License-Identifier: MIT */
/*
 * DOC: Global memory
 *
 * The checks of accesses to global memory. A tensor may be used in the allocation that its start lies in, so a copy
 * that runs into the next allocation is found. The allocations of the last tensors are remembered, so that most calls
 * ask the worker for nothing. Accesses of the scalar unit that follow each other are told to observe() as one.
 */
#ifndef UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H
#define UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H

#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

enum class Access : uint32_t { READ = 0, WRITE = 1, ATOMIC = 2 };

inline bool holds(const struct unpu_kernel_memory_range &range, uint64_t address, uint64_t bytes)
{
	return address - range.start < range.bytes &&
	       bytes <= range.bytes - (address - range.start);
}

/* An access that is not allowed. @range: the allocation that it is closest to. */
struct Stray {
	const char *call;
	uint64_t address;
	uint64_t bytes;
	Access access;
	uint64_t tensor;
	struct unpu_kernel_memory_range range;
};

__attribute__((noinline, cold)) inline void explain_global(const Stray &stray, Where where)
{
	const unsigned long long address = stray.address;
	const unsigned long long start = stray.range.start;
	const unsigned long long size = stray.range.bytes;
	char offset[64] = "";
	char begin[160];

	if (stray.tensor && address >= stray.tensor)
		snprintf(offset, sizeof(offset), " (byte %llu of its tensor)",
			 static_cast<unsigned long long>(address - stray.tensor));
	snprintf(begin, sizeof(begin), "%s: %s %llu bytes of global memory at 0x%llx%s", stray.call,
		 stray.access == Access::READ ? "reads" : "writes",
		 static_cast<unsigned long long>(stray.bytes), address, offset);
	if (size == 0)
		fail(where, "%s, where no allocation is", begin);
	if (address < start)
		fail(where,
		     "%s, %llu bytes before the allocation of %llu bytes at 0x%llx that its tensor "
		     "begins in",
		     begin, start - address, size, start);
	if (address - start >= size)
		fail(where,
		     "%s, %llu bytes behind the end of the allocation of %llu bytes at 0x%llx",
		     begin, address - start - size, size, start);
	fail(where, "%s, but the allocation of %llu bytes at 0x%llx ends after %llu of them", begin,
	     size, start, start + size - address);
}

__attribute__((noinline, cold)) inline void explain_freed(const Stray &stray, Where where)
{
	fail(where,
	     "%s: %s %llu bytes of global memory at 0x%llx, in the allocation of %llu bytes at "
	     "0x%llx, which was freed before the launch",
	     stray.call, stray.access == Access::READ ? "reads" : "writes",
	     static_cast<unsigned long long>(stray.bytes),
	     static_cast<unsigned long long>(stray.address),
	     static_cast<unsigned long long>(stray.range.bytes),
	     static_cast<unsigned long long>(stray.range.start));
}

/*
 * Asks the worker. A tensor that begins in no allocation may be used in any: kernels subtract a margin from a pointer
 * that they do not use.
 */
__attribute__((noinline)) inline void find_home(Home &home, Stray stray, Where where)
{
	struct unpu_kernel_memory_range range = {0, 0};
	const uint64_t from = stray.tensor ? stray.tensor : stray.address;
	bool is_inside = services->find_memory(from, &range) != 0;

	if (!is_inside && stray.tensor)
		is_inside = services->find_memory(stray.address, &range) != 0;
	stray.range = range;
	if (!is_inside && stray.address - range.start < range.bytes)
		explain_freed(stray, where);
	if (!is_inside || !holds(range, stray.address, stray.bytes))
		explain_global(stray, where);
	home = {stray.tensor, range};
}

/* Level 1 and up: checks that global memory is allocated. @tensor: the start of the tensor, or 0. */
inline void require_global(const char *call, uint64_t address, uint64_t bytes, Access access,
			   uint64_t tensor, Where where)
{
	Home &home = state().homes[(tensor >> 9 ^ tensor >> 5) % HOMES];

	if (__builtin_expect(home.tensor == tensor && holds(home.range, address, bytes), 1))
		return;
	find_home(home, {call, address, bytes, access, tensor, {0, 0}}, where);
}

/* Tells the worker of scalar accesses that are still pending. */
inline void flush_pending()
{
	Pending &pending = state().pending;

	if (pending.end > pending.start)
		services->observe(pending.start, pending.end - pending.start, pending.write,
				  pending.where.file, pending.where.line);
	pending = {};
}

/* An access of the scalar unit to global memory. */
inline void note_global_scalar(uint64_t address, uint64_t bytes, Access access, const char *call,
			       uint64_t tensor, Where where)
{
	if (level() == 0)
		return;
	require_global(call, address, bytes, access, tensor, where);
	Pending &pending = state().pending;
	const uint32_t write = static_cast<uint32_t>(access);

	if (pending.write == write && address >= pending.start && address <= pending.end &&
	    pending.end != 0) {
		if (address + bytes > pending.end)
			pending.end = address + bytes;
		return;
	}
	flush_pending();
	pending = {address, address + bytes, write, where};
}

/* An access of a copy to global memory. */
inline void note_global_copy(uint64_t address, uint64_t bytes, Access access, const char *call,
			     uint64_t tensor, Where where)
{
	if (level() == 0 || bytes == 0)
		return;
	require_global(call, address, bytes, access, tensor, where);
	services->observe(address, bytes, static_cast<uint32_t>(access), where.file, where.line);
}

/* A block that polls global memory has to let the others run. */
inline void poll()
{
	if ((++state().polls & 1023u) == 0)
		services->yield();
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H */
