/* SPDX-License-Identifier: MIT */
/*
 * DOC: Writes of several blocks
 *
 * Level 3: blocks that write the same byte of global memory with different values, without a wait between them, depend
 * on luck. Each byte that a launch writes remembers the block and the time. Two blocks that write the same value are no
 * mistake: kernels let the last block begin earlier, so that it is whole. 32 MiB of each launch are watched.
 */
#ifndef UNPU_ASCENDC_CHECK_OVERLAP_H
#define UNPU_ASCENDC_CHECK_OVERLAP_H

#include <stdlib.h>
#include <string.h>

#include "unpu_ascendc/core/spin_lock.h"
#include "unpu_ascendc/core/state.h"

namespace unpu::lang {

struct Writes {
	static constexpr uint32_t PAGE = 4096;
	static constexpr uint32_t PAGES = 8192;

	struct Page {
		uint64_t number;
		uint32_t writer[PAGE]; /* 0: none */
		uint32_t time[PAGE];
	};

	uint64_t launch;
	uint32_t time;
	uint32_t page_count;
	Page *pages[2 * PAGES]; /* by a hash of the number, the next free place after it */

	Page *find(uint64_t number)
	{
		for (uint64_t i = number * 0x9e3779b97f4a7c15ull >> 50;; i++) {
			Page *&page = pages[i % (2 * PAGES)];

			if (page && page->number == number)
				return page;
			if (page)
				continue;
			if (page_count == PAGES)
				return nullptr;
			page = static_cast<Page *>(calloc(1, sizeof(Page)));
			if (page) {
				page->number = number;
				page_count++;
			}
			return page;
		}
	}
	void clear(uint64_t of_launch)
	{
		for (Page *&page : pages) {
			free(page);
			page = nullptr;
		}
		launch = of_launch;
		time = page_count = 0;
	}
};

inline Writes *writes = nullptr;
inline SpinLock writes_lock = {false};

/* The byte that another block wrote with another value, or @bytes. @writer: that block. */
inline uint64_t record_write(uint64_t address, const unsigned char *data, uint64_t bytes,
			     uint32_t *writer)
{
	const unpu_kernel_block &of = block();
	const uint32_t me = static_cast<uint32_t>(of.index * 2 + of.core + 1);
	const uint32_t waited = state().last_wait;

	if (writes->launch > of.launch)
		return bytes;
	if (writes->launch < of.launch)
		writes->clear(of.launch);
	const uint32_t time = ++writes->time;

	for (uint64_t i = 0; i < bytes; i++) {
		Writes::Page *page = writes->find((address + i) / Writes::PAGE);

		if (!page)
			return bytes;
		uint32_t &last = page->writer[(address + i) % Writes::PAGE];
		uint32_t &when = page->time[(address + i) % Writes::PAGE];

		if (last != 0 && last != me && when > waited &&
		    *reinterpret_cast<unsigned char *>(address + i) != data[i]) {
			*writer = last - 1;
			return i;
		}
		last = me;
		when = time;
	}
	return bytes;
}

/* Bytes that the block is about to write to global memory. */
__attribute__((noinline)) inline void note_global_write(uint64_t address, const void *data,
							uint64_t bytes, const char *call,
							Where where)
{
	uint32_t writer = 0;

	if (level() < 3)
		return;
	writes_lock.lock();
	if (!writes)
		writes = static_cast<Writes *>(calloc(1, sizeof(Writes)));
	const uint64_t found =
		writes ? record_write(address, static_cast<const unsigned char *>(data), bytes,
				      &writer)
		       : bytes;

	writes_lock.unlock();
	if (found < bytes)
		fail(where,
		     "%s: writes byte 0x%llx of global memory, which the %s block %u has written "
		     "with another value; no wait of this "
		     "block lies between them",
		     call, static_cast<unsigned long long>(address + found),
		     (writer & 1) == UNPU_KERNEL_CORE_AIV ? "vector" : "cube", writer / 2);
}

/* The block has waited for others: what they wrote is ordered before what it writes now. */
inline void note_wait()
{
	if (__builtin_expect(level() > 2 && writes != nullptr, 0))
		state().last_wait = writes->time;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_CHECK_OVERLAP_H */
