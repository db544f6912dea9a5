// SPDX-License-Identifier: MIT
/**
 * DOC: Kept memory
 *
 * Some arrays of 64 KiB and more are freed and allocated again soon, for example those of graphs. The C
 * library may give such memory back to the kernel, which then has to clear each page once more: for a graph
 * of 10,000 nodes that took longer than all other work. So the process keeps up to four freed arrays of each
 * power of two, 8 MiB in all.
 */
#pragma once

#include <cstddef>
#include <vector>

namespace base {

/** take_kept() - memory of at least @bytes with undefined content. Throws std::bad_alloc. Context: any
 * thread. */
void *take_kept(size_t bytes);

/** give_kept() - frees memory of take_kept(), or keeps it for another call. @bytes: the size that take_kept()
 * was called with */
void give_kept(void *memory, size_t bytes);

/** struct KeptMemory - an allocator for containers, which uses kept memory. */
template <class T> struct KeptMemory {
	using value_type = T;

	KeptMemory() = default;
	template <class U> KeptMemory(const KeptMemory<U> &) {}

	T *allocate(size_t count) { return static_cast<T *>(take_kept(count * sizeof(T))); }
	void deallocate(T *array, size_t count) { give_kept(array, count * sizeof(T)); }

	bool operator==(const KeptMemory &) const { return true; }
};

/** using KeptVector - a vector that may be large and is freed soon. */
template <class T> using KeptVector = std::vector<T, KeptMemory<T>>;

} // namespace base
