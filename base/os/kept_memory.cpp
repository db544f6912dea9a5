// SPDX-License-Identifier: MIT
/**
 * DOC: Kept memory, in slots
 *
 * A thread takes memory by an exchange of the slot's pointer with nullptr, and owns it from then on. A thread gives
 * memory back by a compare-and-exchange, which stores the pointer only in an empty slot. So two threads never own the
 * same memory, and no lock is needed.
 */
#include "kept_memory.h"

#include <bit>
#include <new>

#include "base/sync/ordering.h"

namespace base {

namespace {

constexpr size_t LEAST = 64 << 10;
constexpr unsigned SIZES = 5; /* sizes of 64 KiB to 1 MiB */
constexpr unsigned SLOTS = 4;

constinit void *kept[SIZES][SLOTS] = {};

/* The index of the smallest size that has @bytes; SIZES or more if memory of this size is not kept. */
unsigned size_of(size_t bytes)
{
	if (bytes < LEAST)
		return SIZES;
	return static_cast<unsigned>(std::bit_width((bytes - 1) / LEAST));
}

} // namespace

void *take_kept(size_t bytes)
{
	const unsigned size = size_of(bytes);
	if (size >= SIZES)
		return ::operator new(bytes);
	for (void *&slot : kept[size]) {
		if (!load_relaxed(slot)) /* only a hint: the exchange below decides */
			continue;
		if (void *memory = exchange<void *>(slot, nullptr))
			return memory;
	}
	return ::operator new(LEAST << size);
}

void give_kept(void *memory, size_t bytes)
{
	const unsigned size = size_of(bytes);
	if (size < SIZES) {
		for (void *&slot : kept[size]) {
			if (compare_exchange<void *>(slot, nullptr, memory))
				return;
		}
	}
	::operator delete(memory);
}

} // namespace base
