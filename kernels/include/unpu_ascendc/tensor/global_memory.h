/* SPDX-License-Identifier: MIT */
/*
 * DOC: Global memory
 *
 * The checks of accesses to global memory. A tensor may be used in the allocation that its start lies in, so a copy
 * that runs into the next allocation is found. Each tensor points to the allocation, so most calls ask the worker for
 * nothing: an access of the scalar unit costs a few comparisons, at level 0 as at level 1. Accesses of the scalar unit
 * that follow each other are told to observe() as one.
 */
#ifndef UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H
#define UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H

#include <stddef.h>

#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

/*
 * Symbols of the linker: the end of the code of the image, behind which its constants follow, and the end of the image.
 * __ehdr_start is not used: gdb would take a kernel for a part of that object, and would not skip its prologue.
 */
extern "C" {
extern const char _etext[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));
}

/* Kinds of accesses for observe(). BEYOND_READ, BEYOND_WRITE: bytes of an access that are beyond the end of its
 * tensor. */
enum class Access : uint32_t { READ = 0, WRITE = 1, ATOMIC = 2, BEYOND_READ = 3, BEYOND_WRITE = 4 };

inline bool holds(const struct unpu_kernel_memory_range &range, uint64_t address, uint64_t bytes)
{
	return address - range.start < range.bytes &&
	       bytes <= range.bytes - (address - range.start);
}

/* Where a tensor begins, and its home. A start of 0 means accesses without a tensor. @declared: the size that the
 * kernel has given, if accesses beyond it are errors; else ANY */
struct Origin {
	static constexpr uint64_t ANY = ~uint64_t{0};

	uint64_t start = 0;
	Home *home = &nowhere;
	uint64_t declared = ANY;

	/* Copies move whole blocks, so the last block may end behind the tensor. For an access before the start the
	 * caller uses find_home(). */
	bool allows(uint64_t address, uint64_t bytes) const
	{
		return declared == ANY || address < start || address + bytes <= end();
	}

	/* The end of the last block that has a declared byte. */
	uint64_t end() const
	{
		constexpr uint64_t BLOCK = 32;

		return start + (declared + BLOCK - 1) / BLOCK * BLOCK;
	}
};

/*
 * The home of a tensor that begins at @tensor. If it has none, the home that was taken the longest time ago is used
 * again. Outside of blocks a tensor has no home.
 */
__attribute__((noinline)) inline Home *take_home(uint64_t tensor)
{
	if (!services || !services->block())
		return &nowhere;
	State &now = state();

	for (Home &home : now.homes)
		if (home.tensor == tensor)
			return &home;
	Home *home = &now.homes[++now.last_home % HOMES];
	*home = {tensor, {0, 0}, NO_TENSOR, 0};
	return home;
}

inline Home &home_of(const Origin &origin)
{
	return origin.home == &nowhere ? *take_home(origin.start) : *origin.home;
}

/* An access that is not allowed. @range: the allocation that it is in, or closest to. */
struct Stray {
	const char *call;
	uint64_t address;
	uint64_t bytes;
	Access access;
	uint64_t tensor;
	struct unpu_kernel_memory_range range;
	bool is_freed; /* @range was freed before the launch */
	uint64_t declared =
		Origin::ANY; /* the bytes of the tensor, if the access goes beyond them */
};

__attribute__((noinline, cold)) inline void explain_global(const Stray &stray, Where where)
{
	const unsigned long long address = stray.address;
	const unsigned long long start = stray.range.start;
	unsigned long long size = stray.range.bytes;
	char offset[64] = "";
	char begin[160];

	if (size != 0 && services->bytes > offsetof(unpu_kernel_services, asked_bytes) &&
	    services->asked_bytes)
		size = services->asked_bytes(&stray.range);
	if (stray.tensor && address >= stray.tensor)
		snprintf(offset, sizeof(offset), " (byte %llu of its tensor)",
			 static_cast<unsigned long long>(address - stray.tensor));
	snprintf(begin, sizeof(begin), "%s: %s %llu bytes of global memory at 0x%llx%s", stray.call,
		 stray.access == Access::READ ? "reads" : "writes",
		 static_cast<unsigned long long>(stray.bytes), address, offset);
	if (stray.declared != Origin::ANY)
		fail(where,
		     "%s, but SetGlobalBuffer() gave the tensor %llu bytes: it goes %llu bytes "
		     "beyond them",
		     begin, static_cast<unsigned long long>(stray.declared),
		     address + stray.bytes - stray.tensor - stray.declared);
	if (stray.is_freed)
		fail(where,
		     "%s, in the allocation of %llu bytes at 0x%llx, which was freed before the "
		     "launch",
		     begin, size, start);
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

/* On the device the constants of a kernel are in global memory, beside its code. */
inline bool is_in_image(uint64_t address, uint64_t bytes)
{
	const uint64_t start = reinterpret_cast<uint64_t>(_etext);

	return holds({start, reinterpret_cast<uint64_t>(_end) - start}, address, bytes);
}

/*
 * Asks the worker. A tensor that begins in no allocation may be used in any: kernels subtract a margin from a pointer
 * that they do not use.
 */
__attribute__((noinline)) inline void find_home(const Origin &origin, Stray stray, Where where)
{
	Home &home = home_of(origin);
	struct unpu_kernel_memory_range range = {0, 0};
	const uint64_t from = stray.tensor ? stray.tensor : stray.address;
	bool is_inside = services->find_memory(from, &range) != 0;

	if (!is_inside && stray.tensor)
		is_inside = services->find_memory(stray.address, &range) != 0;
	if (!is_inside && stray.access == Access::READ && is_in_image(stray.address, stray.bytes))
		return;
	stray.range = range;
	stray.is_freed = !is_inside && stray.address - range.start < range.bytes;
	if (!is_inside || !holds(range, stray.address, stray.bytes))
		explain_global(stray, where);
	home = {stray.tensor, range, NO_TENSOR, 0};
}

/* Reports the part of an access that is beyond the end of its tensor, if the level of checks allows it. */
__attribute__((noinline, cold)) inline void tell_beyond(const Origin &origin, uint64_t address,
							uint64_t bytes, Access access, Where where)
{
	const uint64_t from = address > origin.end() ? address : origin.end();
	const Access kind = access == Access::READ ? Access::BEYOND_READ : Access::BEYOND_WRITE;

	if (services->observes)
		services->observe(from, address + bytes - from, static_cast<uint32_t>(kind),
				  where.file, static_cast<uint32_t>(where.line));
}

/* Level 1 and up: checks that global memory is allocated. */
inline void require_global(const char *call, uint64_t address, uint64_t bytes, Access access,
			   const Origin &origin, Where where)
{
	const Home &home = *origin.home;
	const bool is_home = home.tensor == origin.start && holds(home.range, address, bytes);

	if (__builtin_expect(is_home && origin.allows(address, bytes), 1))
		return;
	Stray stray = {call, address, bytes, access, origin.start, {0, 0}, false};
	if (!is_home)
		find_home(origin, stray, where);
	if (origin.allows(address, bytes))
		return;
	if (!is_exact())
		return tell_beyond(origin, address, bytes, access, where);
	stray.declared = origin.declared;
	explain_global(stray, where);
}

/* Level 1 and up: tells the worker of an access. */
inline void tell(uint64_t address, uint64_t bytes, Access access, Where where)
{
	if (__builtin_expect(services->observes, 0) && !is_in_image(address, bytes))
		services->observe(address, bytes, static_cast<uint32_t>(access), where.file,
				  static_cast<uint32_t>(where.line));
}

/* Tells the worker of scalar accesses that are still pending. */
inline void flush_pending()
{
	Pending &pending = state().pending;

	if (pending.end > pending.start)
		services->observe(pending.start, pending.end - pending.start, pending.write,
				  pending.where.file, static_cast<uint32_t>(pending.where.line));
	pending = {};
}

/* An access of the scalar unit that has to be reported to the worker. */
inline void note_pending(uint64_t address, uint64_t bytes, Access access, Where where)
{
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

/* Whether the scalar unit may make an access, and need not report it to the worker. */
inline bool is_quiet(const Origin &origin, uint64_t address, uint64_t bytes)
{
	return __builtin_expect(
		origin.home->quiet == origin.start && holds(origin.home->range, address, bytes), 1);
}

/* An access of the scalar unit that may have to be checked or reported. */
__attribute__((noinline)) inline void note_global_scalar(uint64_t address, uint64_t bytes,
							 Access access, const char *call,
							 const Origin &origin, Where where)
{
	if (level() == 0) {
		home_of(origin) = {origin.start, {0, ~uint64_t{0}}, origin.start, 0};
		return;
	}
	require_global(call, address, bytes, access, origin, where);
	if (services->observes && !is_in_image(address, bytes))
		note_pending(address, bytes, access, where);
	else if (deepest < 3 && origin.declared == Origin::ANY)
		home_of(origin).quiet = origin.start;
}

/* An access of a copy to global memory. */
inline void note_global_copy(uint64_t address, uint64_t bytes, Access access, const char *call,
			     const Origin &origin, Where where)
{
	if (level() == 0 || bytes == 0)
		return;
	require_global(call, address, bytes, access, origin, where);
	tell(address, bytes, access, where);
}

/* A block that polls global memory has to let the others run. */
inline void poll(Home &home)
{
	if (__builtin_expect((++home.polls & 1023u) == 0, 0))
		services->yield();
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_TENSOR_GLOBAL_MEMORY_H */
