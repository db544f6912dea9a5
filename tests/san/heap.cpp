// SPDX-License-Identifier: MIT
/**
 * DOC: how much memory the test holds
 *
 * The operators new and delete of this program count, so that a test sees what a judge keeps, whatever the
 * allocator does with it. The judge has one thread.
 */
#include "tests/san/heap.h"

#include <cstdlib>
#include <new>

#include <malloc.h>

static size_t live_bytes;

namespace san::test {

size_t heap_bytes()
{
	return live_bytes;
}

} // namespace san::test

void *operator new(size_t bytes)
{
	void *memory = malloc(bytes > 0 ? bytes : 1);
	if (!memory)
		throw std::bad_alloc();
	live_bytes += malloc_usable_size(memory);
	return memory;
}

void operator delete(void *memory) noexcept
{
	if (memory)
		live_bytes -= malloc_usable_size(memory);
	free(memory);
}

void operator delete(void *memory, size_t) noexcept
{
	operator delete(memory);
}
