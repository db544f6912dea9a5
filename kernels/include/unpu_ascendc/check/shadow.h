/* SPDX-License-Identifier: MIT */
/*
 * DOC: Shadows of local memories
 *
 * Level 2: a byte of shadow for each byte of a local memory says whether it was written, and whether the kernel gave
 * its buffer back. Shadows belong to the local memories of a core of the worker, which it uses again for later blocks;
 * so there are as many as there are cores, and a block that ends early leaves nothing behind. A block that never
 * touches a memory pays nothing for its shadow.
 */
#ifndef UNPU_ASCENDC_CHECK_SHADOW_H
#define UNPU_ASCENDC_CHECK_SHADOW_H

#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/check/trail.h"
#include "unpu_ascendc/core/spin_lock.h"

namespace unpu::lang {

struct Shadow {
	enum : unsigned char { UNWRITTEN = 0, WRITTEN = 1, FREED = 2 };

	/* An instruction that computed with bytes that were never written. Its result counts as unwritten, too. */
	struct Source {
		const char *call;
		const char *name; /* of its operand */
		uint64_t byte;	  /* that it read */
		Where where;
	};
	static constexpr uint64_t SOURCE_BYTES = 32;

	uint32_t memory;
	const unsigned char *base;
	uint64_t bytes;
	unsigned char *cells; /* NULL: no block has used it so far */
	Source *sources; /* one for each 32 bytes; @call is NULL if no instruction has computed them */
	Trail trail;
	Order *order; /* of the block; NULL below level 3 */

	bool contains(const void *pointer) const
	{
		return static_cast<uint64_t>(static_cast<const unsigned char *>(pointer) - base) <
		       bytes;
	}
	uint64_t offset(const void *pointer) const
	{
		return static_cast<uint64_t>(static_cast<const unsigned char *>(pointer) - base);
	}

	/* The length of a range, cut at the end of the memory. */
	uint64_t cut(const void *pointer, uint64_t length) const
	{
		return length < bytes - offset(pointer) ? length : bytes - offset(pointer);
	}
	void mark(const void *pointer, uint64_t length, unsigned char value)
	{
		memset(cells + offset(pointer), value, cut(pointer, length));
		for (uint64_t at = offset(pointer);
		     value == UNWRITTEN && at < offset(pointer) + length; at += SOURCE_BYTES)
			if (at < bytes)
				sources[at / SOURCE_BYTES].call = nullptr;
	}
	/* Memory that was given back to a queue of an earlier pipe belongs to a new buffer now. */
	void take_over(const void *pointer, uint64_t length)
	{
		unsigned char *cell = cells + offset(pointer);

		for (uint64_t i = 0; i < cut(pointer, length); i++)
			if (cell[i] == FREED)
				cell[i] = UNWRITTEN;
	}
	/* The call that left the bytes at @pointer unwritten; if there is none, the call that reads them now. */
	Source source_of(const void *pointer, const char *call, const char *name, Where where) const
	{
		const Source &known = sources[offset(pointer) / SOURCE_BYTES];

		return known.call ? known : Source{call, name, offset(pointer), where};
	}
	void mark_computed(const void *pointer, uint64_t length, const Source &source)
	{
		Source &known = sources[offset(pointer) / SOURCE_BYTES];

		memset(cells + offset(pointer), UNWRITTEN, cut(pointer, length));
		/* Only the first such byte of an instruction is reported. */
		if (known.call != source.call || known.where.line != source.where.line)
			known = source;
	}
	bool is_written(const void *pointer, uint64_t length) const
	{
		if (!contains(pointer))
			return true;
		const unsigned char *cell = cells + offset(pointer);

		for (uint64_t i = 0; i < cut(pointer, length); i++)
			if (cell[i] != WRITTEN)
				return false;
		return true;
	}

	/* Fails if a byte belongs to a buffer that was given back. */
	void require_owned(const char *call, const char *name, const void *pointer, uint64_t length,
			   Where where) const
	{
		const void *found = memchr(cells + offset(pointer), FREED, cut(pointer, length));

		if (found)
			fail(where,
			     "%s: %s uses byte %llu of %s, whose buffer FreeTensor has given back "
			     "to its queue",
			     call, name,
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells),
			     memory_name(memory));
	}
	/* Fails if the byte of @cell was computed from bytes that were never written. @call: the call that reads it */
	void explain_source(const char *call, const unsigned char *cell, Where where) const
	{
		const uint64_t byte = static_cast<uint64_t>(cell - cells);
		const Source &source = sources[byte / SOURCE_BYTES];

		if (source.call)
			fail(source.where,
			     "%s: %s reads byte %llu of %s, which the kernel has not written "
			     "before; %s "
			     "at %s:%u takes the result, byte %llu",
			     source.call, source.name, static_cast<unsigned long long>(source.byte),
			     memory_name(memory), call, where.file ? where.file : "?",
			     unsigned(where.line), static_cast<unsigned long long>(byte));
	}
	void require_written(const char *call, const char *name, const void *pointer,
			     uint64_t length, Where where) const
	{
		require_owned(call, name, pointer, length, where);
		const void *found =
			memchr(cells + offset(pointer), UNWRITTEN, cut(pointer, length));

		if (found)
			explain_source(call, static_cast<const unsigned char *>(found), where);
		if (found)
			fail(where,
			     "%s: %s reads byte %llu of %s (byte %llu of the operand), which the "
			     "kernel has not written before",
			     call, name,
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells),
			     memory_name(memory),
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells -
				     offset(pointer)));
	}

	void read(const Actor &actor, const char *name, const void *pointer, uint64_t length)
	{
		if (order)
			trail.read(*order, actor, name, offset(pointer), length);
	}
	void write(const Actor &actor, const char *name, const void *pointer, uint64_t length)
	{
		if (order)
			trail.write(*order, actor, name, offset(pointer), length);
	}

	/*
	 * A queue hands the buffer at @byte on from some pipes, and others take it. @kind: 0 EnQue and DeQue,
	 * 1 FreeTensor and AllocTensor.
	 */
	void hand_on(uint32_t kind, uint64_t byte, PipeSet from)
	{
		if (order)
			trail.handed_on[kind][byte / Trail::CELL_BYTES] = order->hand_on(from);
	}
	void take(uint32_t kind, uint64_t byte, PipeSet to)
	{
		if (order)
			order->take(trail.handed_on[kind][byte / Trail::CELL_BYTES], to);
	}
};

/* What the checks know of the block that a core runs. */
struct CoreChecks {
	const unsigned char *ub; /* of the core */
	Shadow shadows[UNPU_KERNEL_MEMORIES];
	uint32_t used; /* bits: which shadows this block has cleared for itself */
	Order order;
	CoreChecks *next;
};

inline CoreChecks *core_checks = nullptr;
inline SpinLock core_checks_lock = {false};

[[noreturn]] __attribute__((noinline, cold)) inline void fail_without_memory(uint32_t level)
{
	fail({nullptr, 0}, "no memory is left for the checks of level %u", level);
}

/* The shadows of the block's core, cleared. Level 2 and up. */
__attribute__((noinline, cold)) inline CoreChecks *begin_checks(const unpu_kernel_block &of)
{
	const unsigned char *ub = of.local[UNPU_KERNEL_UB].base;
	CoreChecks *found = nullptr;

	core_checks_lock.lock();
	for (found = core_checks; found && found->ub != ub; found = found->next)
		;
	if (!found) {
		found = static_cast<CoreChecks *>(calloc(1, sizeof(CoreChecks)));
		if (found) {
			found->ub = ub;
			found->next = core_checks;
			core_checks = found;
		}
	}
	core_checks_lock.unlock();
	if (!found)
		fail_without_memory(of.check);
	found->used = 0;
	found->order.clear();
	return found;
}

/* NULL below level 2. */
inline CoreChecks *checks_of_block()
{
	if (__builtin_expect(deepest < 2, 1))
		return nullptr;
	State &current = state();

	if (!current.checks && level() > 1)
		current.checks = begin_checks(block());
	return current.checks;
}

/* The block uses the memory for the first time. */
__attribute__((noinline, cold)) inline void begin_shadow(CoreChecks &checks, uint32_t memory)
{
	const unpu_kernel_block &of = block();
	Shadow &shadow = checks.shadows[memory];
	const uint64_t bytes = of.local[memory].bytes;

	shadow.memory = memory;
	shadow.base = of.local[memory].base;
	shadow.bytes = bytes;
	if (!shadow.cells)
		shadow.cells = static_cast<unsigned char *>(malloc(bytes));
	if (!shadow.sources)
		shadow.sources = static_cast<Shadow::Source *>(
			malloc(bytes / Shadow::SOURCE_BYTES * sizeof(Shadow::Source)));
	if (!shadow.cells || !shadow.sources)
		fail_without_memory(of.check);
	memset(shadow.cells, Shadow::UNWRITTEN, bytes);
	memset(shadow.sources, 0, bytes / Shadow::SOURCE_BYTES * sizeof(Shadow::Source));
	shadow.order = of.check > 2 ? &checks.order : nullptr;
	if (shadow.order) {
		if (!shadow.trail.cells && !shadow.trail.make(memory, bytes))
			fail_without_memory(of.check);
		shadow.trail.clear();
	}
	checks.used |= 1u << memory;
}

/* The shadow of the memory that @pointer is in; NULL below level 2, and for other memory. */
inline Shadow *shadow_at(const void *pointer)
{
	CoreChecks *checks = checks_of_block();

	if (!checks)
		return nullptr;
	for (uint32_t memory = 0; memory < UNPU_KERNEL_MEMORIES; memory++) {
		const struct unpu_kernel_local &local = block().local[memory];

		if (static_cast<uint64_t>(static_cast<const unsigned char *>(pointer) -
					  local.base) >= local.bytes)
			continue;
		if (!(checks->used >> memory & 1))
			begin_shadow(*checks, memory);
		return &checks->shadows[memory];
	}
	return nullptr;
}

/* The order of the pipes; NULL below level 3. */
inline Order *order_of_block()
{
	CoreChecks *checks = checks_of_block();

	return checks && level() > 2 ? &checks->order : nullptr;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_SHADOW_H */
