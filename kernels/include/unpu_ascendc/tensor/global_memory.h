/* SPDX-License-Identifier: MIT */
/*
 * DOC: Global memory
 *
 * The checks of accesses to global memory. The allocation that contained the last access is remembered, so that most
 * calls ask the worker for nothing. Accesses of the scalar unit that follow each other are told to observe() as one.
 */
#ifndef UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H
#define UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H

#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

enum class Access : uint32_t { READ = 0, WRITE = 1, ATOMIC = 2 };

__attribute__((noinline, cold)) inline void explain_global(
	const char *call, uint64_t address, uint64_t bytes, Access access, uint64_t tensor,
	const struct unpu_kernel_memory_range &range, bool is_inside, Where where)
{
	const char *verb = access == Access::READ ? "reads" : "writes";
	const unsigned long long start = range.start;
	const unsigned long long size = range.bytes;
	char offset[64] = "";

	if (tensor && address >= tensor)
		snprintf(offset, sizeof(offset), " (byte %llu of its tensor)",
			 static_cast<unsigned long long>(address - tensor));
	if (range.bytes == 0)
		fail(where,
		     "%s: %s %llu bytes of global memory at 0x%llx%s, where no allocation is", call,
		     verb, static_cast<unsigned long long>(bytes),
		     static_cast<unsigned long long>(address), offset);
	if (!is_inside)
		fail(where,
		     "%s: %s %llu bytes of global memory at 0x%llx%s, %llu bytes behind the end of "
		     "the allocation of %llu bytes at 0x%llx",
		     call, verb, static_cast<unsigned long long>(bytes),
		     static_cast<unsigned long long>(address), offset,
		     static_cast<unsigned long long>(address - start - size), size, start);
	fail(where,
	     "%s: %s %llu bytes of global memory at 0x%llx%s, but the allocation of %llu bytes at "
	     "0x%llx ends after %llu of them",
	     call, verb, static_cast<unsigned long long>(bytes),
	     static_cast<unsigned long long>(address), offset, size, start,
	     static_cast<unsigned long long>(start + size - address));
}

/* Level 1 and up: checks that global memory is allocated. @tensor: the start of the tensor, or 0. */
inline void require_global(const char *call, uint64_t address, uint64_t bytes, Access access,
			   uint64_t tensor, Where where)
{
	struct unpu_kernel_memory_range &range = state().range;

	if (__builtin_expect(address - range.start < range.bytes &&
				     bytes <= range.bytes - (address - range.start),
			     1))
		return;
	struct unpu_kernel_memory_range found = {0, 0};
	const bool is_inside = services->find_memory(address, &found) != 0;

	if (!is_inside || bytes > found.bytes - (address - found.start))
		explain_global(call, address, bytes, access, tensor, found, is_inside, where);
	range = found;
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
