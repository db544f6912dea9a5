/* SPDX-License-Identifier: MIT */
/*
 * DOC: Stable sort
 *
 * By merging. <algorithm> would cost each kernel a tenth of a second to compile.
 */
#ifndef UNPU_ASCENDC_SORT_STABLE_H
#define UNPU_ASCENDC_SORT_STABLE_H

#include <stdint.h>
#include <stdlib.h>

namespace unpu::lang {

/* Merges two sorted neighbours: @middle - @first elements and @end - @middle. */
template <class T, class Before>
inline void merge_neighbours(const T *first, const T *middle, const T *end, T *to, Before before)
{
	const T *a = first, *b = middle;

	while (a < middle || b < end)
		*to++ = b == end || (a < middle && !before(*b, *a)) ? *a++ : *b++;
}

/* @before(a, b): whether a has to come before b. Elements of which neither has to keep their order. */
template <class T, class Before> inline void sort_stably(T *elements, uint64_t count, Before before)
{
	T *other = static_cast<T *>(malloc(count * sizeof(T)));

	for (uint64_t width = 1; width < count; width *= 2) {
		for (uint64_t i = 0; i < count; i += 2 * width) {
			const uint64_t middle = i + width < count ? i + width : count;
			const uint64_t end = i + 2 * width < count ? i + 2 * width : count;

			merge_neighbours(elements + i, elements + middle, elements + end, other + i,
					 before);
		}
		for (uint64_t i = 0; i < count; i++)
			elements[i] = other[i];
	}
	free(other);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_SORT_STABLE_H */
