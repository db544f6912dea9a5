/* SPDX-License-Identifier: MIT */
/*
 * DOC: Trees of sums
 *
 * The result of a sum depends on the order of the additions, above all for half, because each addition rounds. Here
 * neighbours are added, then neighbouring sums, until one number is left.
 */
#ifndef UNPU_ASCENDC_REDUCE_TREE_H
#define UNPU_ASCENDC_REDUCE_TREE_H

#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

/* Adds two numbers and rounds the sum to T. */
template <class T> inline T sum_of(T a, T b)
{
	if constexpr (std::is_same_v<T, half>)
		return half(float(a) + float(b));
	else
		return AddOp{}(a, b);
}

/* Rounds numbers to type T. */
template <class T> inline void round_to(float *values, uint32_t count)
{
	if constexpr (std::is_same_v<T, half>) {
		half rounded[128];

		narrow(rounded, values, count);
		widen(values, rounded, count);
	}
}

#if defined(__x86_64__) && defined(__AVX__)
#define UNPU_HAS_ADDITION_OF_NEIGHBOURS 1
/* The sums of each 8 of 32 floats, as trees of neighbours. */
inline void sum_eights(const float *values, float *sums)
{
	typedef float V __attribute__((vector_size(32), aligned(4), may_alias));
	const V *of = reinterpret_cast<const V *>(values);
	const V pairs = __builtin_ia32_haddps256(__builtin_ia32_haddps256(of[0], of[1]),
						 __builtin_ia32_haddps256(of[2], of[3]));

	for (int i = 0; i < 4; i++)
		sums[i] = pairs[i] + pairs[i + 4];
}
#endif

/* Adds neighbours of @COUNT elements until one is left. */
template <class T, uint32_t COUNT> inline float sum_whole_tree(const float *values)
{
#if defined(UNPU_HAS_ADDITION_OF_NEIGHBOURS)
	if constexpr (std::is_same_v<T, float> && COUNT >= 32) {
		float eights[COUNT / 8];

		for (uint32_t i = 0; i < COUNT / 32; i++)
			sum_eights(values + i * 32, eights + i * 4);
		return sum_whole_tree<T, COUNT / 8>(eights);
	}
#endif
	float sums[COUNT / 2];

	UNPU_INDEPENDENT
	for (uint32_t i = 0; i < COUNT / 2; i++)
		sums[i] = values[2 * i] + values[2 * i + 1];
	round_to<T>(sums, COUNT / 2);
	if constexpr (COUNT == 2)
		return sums[0];
	else
		return sum_whole_tree<T, COUNT / 2>(sums);
}

/* Adds the elements of a whole repeat as a tree. */
template <class T> inline T sum_repeat(const T *values)
{
	if constexpr (std::is_same_v<T, half>) {
		float wide[per_repeat<T>];

		widen(wide, values, per_repeat<T>);
		return half(sum_whole_tree<T, per_repeat<T>>(wide));
	} else {
		return sum_whole_tree<T, per_repeat<T>>(values);
	}
}

/* Adds @count elements as a tree; values are overwritten. */
template <class T> inline T sum_tree(T *values, uint32_t count)
{
	if (count == per_repeat<T>)
		return sum_repeat(values);
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

/* Stores an index in the bits of an element of type T. */
template <class T> inline T index_as(uint32_t index)
{
	using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
	const Bits bits = static_cast<Bits>(index);
	T value;

	memcpy(&value, &bits, sizeof(T));
	return value;
}

/* Copies the selected elements of a repeat to contiguous memory, and their indices if wanted. Return: how many there
 * are. */
template <class T>
inline uint32_t collect(const Lane &lane, const Pattern &pattern, uint32_t repeat, T *values,
			uint32_t *indices)
{
	const uint32_t most = pattern.elements_of(repeat);
	uint32_t count = 0;

	if (lane.block == 32 && pattern.is_full()) {
		memcpy(static_cast<void *>(values), lane.at(repeat, 0), most * sizeof(T));
		for (uint32_t i = 0; indices && i < most; i++)
			indices[i] = i;
		return most;
	}
	/* The mask that selects the first elements. */
	if (const uint32_t first = pattern.first_elements(); lane.block == 32 && first != 0) {
		count = first < most ? first : most;
		memcpy(static_cast<void *>(values), lane.at(repeat, 0), count * sizeof(T));
		for (uint32_t i = 0; indices && i < count; i++)
			indices[i] = i;
		return count;
	}
	for (uint32_t i = 0; i < most; i++) {
		if (!pattern.has(i))
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
