// SPDX-License-Identifier: MIT
/**
 * DOC: Kept memory
 *
 * Arrays of 64 KiB and more that are freed and wanted again soon, as those of graphs. The C library may give such
 * memory back to the kernel, which then has to clear each page once more: for a graph of 10,000 nodes that took longer
 * than all else. So the process keeps up to four freed arrays of each power of two, 8 MiB in all.
 */
#pragma once

#include <cstddef>
#include <vector>

namespace base {

/** take_kept() - memory of at least @bytes, which may hold anything. Throws std::bad_alloc. Context: any thread. */
void *take_kept(size_t bytes);

/** give_kept() - frees it, or keeps it for another call. @bytes: as it was taken with */
void give_kept(void *memory, size_t bytes);

/** struct KeptMemory - the allocator of such arrays. */
template <class T> struct KeptMemory {
	using value_type = T;

	KeptMemory() = default;
	template <class U> KeptMemory(const KeptMemory<U> &) {}

	T *allocate(size_t count) { return static_cast<T *>(take_kept(count * sizeof(T))); }
	void deallocate(T *array, size_t count) { give_kept(array, count * sizeof(T)); }

	bool operator==(const KeptMemory &) const { return true; }
};

/** using KeptVector - a vector that may be large and does not live long. */
template <class T> using KeptVector = std::vector<T, KeptMemory<T>>;

} // namespace base
