/* SPDX-License-Identifier: MIT */
/*
 * DOC: Trees of sums
 *
 * The order of additions is part of the result, above all for half, which is rounded at each of them: neighbours are
 * added, then the sums of neighbours, up to one number.
 */
#ifndef UNPU_ASCENDC_REDUCE_TREE_H
#define UNPU_ASCENDC_REDUCE_TREE_H

#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

/* A sum that is rounded to T. */
template <class T> inline T sum_of(T a, T b)
{
	if constexpr (std::is_same_v<T, half>)
		return half(float(a) + float(b));
	else
		return AddOp{}(a, b);
}

/* Adds @count elements, 128 at most, as a tree; values are overwritten. */
template <class T> inline T sum_tree(T *values, uint32_t count)
{
	while (count > 1) {
		for (uint32_t i = 0; i < count / 2; i++)
			values[i] = sum_of(values[2 * i], values[2 * i + 1]);
		if (count % 2)
			values[count / 2] = values[count - 1];
		count = (count + 1) / 2;
	}
	return count ? values[0] : T(0);
}

/* The better one of a maximum or a minimum; the first of equals. */
template <bool is_max, class T> inline bool is_better(T a, T b)
{
	return is_max ? a > b : a < b;
}

/* An index as bits of an element of type T. */
template <class T> inline T index_as(uint32_t index)
{
	using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
	const Bits bits = static_cast<Bits>(index);
	T value;

	memcpy(&value, &bits, sizeof(T));
	return value;
}

/* The selected elements of a repeat, one behind the other; indices too, if wanted. Returns how many. */
template <class T>
inline uint32_t collect(const Lane &lane, const Pattern &pattern, uint32_t repeat, T *values,
			uint32_t *indices)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < pattern.per_repeat; i++) {
		if (!pattern.has(i) || (repeat + 1 == pattern.repeats && i >= pattern.last))
			continue;
		memcpy(&values[count], lane.at(repeat, i), sizeof(T));
		if (indices)
			indices[count] = i;
		count++;
	}
	return count;
}

template <class T>
inline void require_source(const char *call, const Lane &lane, const LocalTensor<T> &src,
			   const Pattern &pattern, Where where)
{
	const Lane lanes[] = {lane};

	require_local(call, "src", src.address_, reach_of(lane, pattern), 32, where);
	if (__builtin_expect(deepest > 1, 0))
		for_each_run(lanes, pattern, [&](unsigned char *const *at, uint32_t count) {
			note_use({call, Pipe::V, where}, "src", at[0], uint64_t(count) * sizeof(T));
		});
}

/* Writes one element of a result. */
template <class T>
inline void put_result(const char *call, const LocalTensor<T> &dst, uint64_t index, T value,
		       Where where)
{
	require_local(call, "dst", dst.address_, (index + 1) * sizeof(T), sizeof(T), where);
	if (__builtin_expect(deepest > 1, 0))
		note_result({call, Pipe::V, where}, "dst", dst.data() + index, sizeof(T));
	dst.data()[index] = value;
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_REDUCE_TREE_H */
