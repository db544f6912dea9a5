/* SPDX-License-Identifier: MIT */
/*
 * DOC: Shadow of UB
 *
 * Level 2: a byte of shadow for each byte of UB says whether it was written, and whether the kernel gave its buffer
 * back. A shadow belongs to a UB array of the worker, which the worker uses again for later blocks; so there are as
 * many as there are such arrays, and a block that ends early leaves nothing behind.
 */
#ifndef UNPU_ASCENDC_CHECK_SHADOW_H
#define UNPU_ASCENDC_CHECK_SHADOW_H

#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/check/order.h"
#include "unpu_ascendc/core/spin_lock.h"
#include "unpu_ascendc/tensor/address.h"

namespace unpu::lang {

struct Shadow {
	enum : unsigned char { UNWRITTEN = 0, WRITTEN = 1, FREED = 2 };

	const unsigned char *base;
	uint64_t bytes;
	unsigned char *cells;
	Order *order; /* NULL below level 3 */
	Order *kept;  /* memory of an earlier block */
	Shadow *next;

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
			     "%s: %s uses byte %llu of UB, whose buffer FreeTensor has given back "
			     "to its queue",
			     call, name,
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells));
	}
	void require_written(const char *call, const char *name, const void *pointer,
			     uint64_t length, Where where) const
	{
		require_owned(call, name, pointer, length, where);
		const void *found =
			memchr(cells + offset(pointer), UNWRITTEN, cut(pointer, length));

		if (found)
			fail(where,
			     "%s: %s reads byte %llu of UB (byte %llu of the operand), which the "
			     "kernel has not written before",
			     call, name,
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells),
			     static_cast<unsigned long long>(
				     static_cast<const unsigned char *>(found) - cells -
				     offset(pointer)));
	}
};

inline Shadow *shadows = nullptr;
inline SpinLock shadows_lock = {false};

/* The shadow of the block's UB, cleared; level 2 and up. */
__attribute__((noinline, cold)) inline Shadow *make_shadow(unpu_kernel_block &of)
{
	const struct unpu_kernel_local &local = of.local[UNPU_KERNEL_UB];
	Shadow *found = nullptr;

	shadows_lock.lock();
	for (found = shadows; found && found->base != local.base; found = found->next)
		;
	if (!found) {
		found = static_cast<Shadow *>(calloc(1, sizeof(Shadow)));
		if (found) {
			found->base = local.base;
			found->bytes = local.bytes;
			found->cells = static_cast<unsigned char *>(malloc(local.bytes));
			found->next = shadows;
			shadows = found;
		}
	}
	shadows_lock.unlock();
	if (!found || !found->cells)
		fail({nullptr, 0}, "no memory is left for the checks of level %u", of.check);
	memset(found->cells, Shadow::UNWRITTEN, found->bytes);
	if (of.check > 2 && !found->kept)
		found->kept = make_order(local.bytes);
	found->order = of.check > 2 ? found->kept : nullptr;
	if (found->order)
		found->order->clear();
	return found;
}

/* NULL below level 2. */
inline Shadow *shadow_of_block()
{
	if (__builtin_expect(deepest < 2, 1))
		return nullptr;
	State &current = state();

	if (!current.shadow && level() > 1)
		current.shadow = make_shadow(block());
	return current.shadow;
}

/* The order of the pipes; NULL below level 3. */
inline Order *order_of_block()
{
	Shadow *shadow = shadow_of_block();

	return shadow && level() > 2 ? shadow->order : nullptr;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_SHADOW_H */
