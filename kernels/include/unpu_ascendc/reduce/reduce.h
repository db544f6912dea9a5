/* SPDX-License-Identifier: MIT */
/*
 * DOC: ReduceSum, ReduceMax, ReduceMin
 *
 * One result of a whole tensor.
 */
#ifndef UNPU_ASCENDC_REDUCE_REDUCE_H
#define UNPU_ASCENDC_REDUCE_REDUCE_H

#include "unpu_ascendc/reduce/tree.h"

namespace unpu::lang {

#define UNPU_REDUCE_TYPES(Name, T) UNPU_ONLY(Name, T, "half and float", half, float)

/* Adds each repeat as a tree, and then the results of the repeats in their order. */
template <class T> inline T sum_repeats(const Lane &lane, const Pattern &pattern)
{
	T total = T(0);

	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		T values[128];
		const T sum = sum_tree(values, collect(lane, pattern, repeat, values, nullptr));

		total = repeat ? sum_of(total, sum) : sum;
	}
	return total;
}

/* Adds the results of the repeats as a tree, too. Part i is a sum of 2^i of them. In the mode COUNTER there may be
 * any number of repeats. */
template <class T> inline T sum_tree_of_repeats(const Lane &lane, const Pattern &pattern)
{
	T parts[32], total = T(0);
	bool is_first = true;

	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		T values[128];
		T sum = sum_tree(values, collect(lane, pattern, repeat, values, nullptr));
		uint32_t part = 0;

		for (; repeat >> part & 1; part++)
			sum = sum_of(parts[part], sum);
		parts[part] = sum;
	}
	for (uint32_t part = 0; part < 32; part++) {
		if (!(pattern.repeats >> part & 1))
			continue;
		total = is_first ? parts[part] : sum_of(parts[part], total);
		is_first = false;
	}
	return total;
}

/* The scratch memory of a sum has an element for each repeat, in whole blocks. */
template <class T>
inline void require_scratch(const char *call, const LocalTensor<T> &scratch, uint32_t repeats,
			    Where where)
{
	require_local(call, "the scratch tensor", scratch.address_,
		      (repeats + per_block<T> - 1) / per_block<T> * 32, 32, where);
}

template <bool is_max, class T>
inline void extreme(const char *call, const LocalTensor<T> &dst, const LocalTensor<T> &src,
		    const Pattern &pattern, uint32_t repeat_stride, bool has_index, Where where)
{
	const Lane lane = lane_of("src", src, 1, repeat_stride);
	T best = T(0);
	uint32_t best_index = 0;
	bool is_first = true;

	require_source(call, lane, src, pattern, where);
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		T values[128];
		uint32_t indices[128];
		const uint32_t count = collect(lane, pattern, repeat, values, indices);

		for (uint32_t i = 0; i < count; i++) {
			if (!is_first && !is_better<is_max>(float(values[i]), float(best)))
				continue;
			best = values[i];
			best_index = repeat * pattern.per_repeat + indices[i];
			is_first = false;
		}
	}
	put_result(call, dst, 0, best, where);
	if (has_index)
		put_result(call, dst, 1, index_as<T>(best_index), where);
}

} // namespace unpu::lang

namespace AscendC {

template <typename T>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &tmp,
	       int32_t count, UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(ReduceSum, T);
	if (count <= 0)
		return unpu::lang::explain_count("ReduceSum", count, where);
	const unpu::lang::Pattern pattern = unpu::lang::pattern_of_total(
		static_cast<uint64_t>(count), unpu::lang::per_repeat<T>);
	const unpu::lang::Lane lane = unpu::lang::lane_of("src", src, 1, 8);

	unpu::lang::require_source("ReduceSum", lane, src, pattern, where);
	unpu::lang::require_scratch("ReduceSum", tmp, pattern.repeats, where);
	const T sum = unpu::lang::sum_repeats<T>(lane, pattern);

	unpu::lang::state().accumulated = float(sum);
	unpu::lang::put_result("ReduceSum", dst, 0, sum, where);
}
/* The result of the last ReduceSum with a count. */
template <typename T> T GetAccVal()
{
	UNPU_REDUCE_TYPES(GetAccVal, T);
	return static_cast<T>(unpu::lang::state().accumulated);
}
template <typename T, typename Mask>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &tmp,
	       const Mask &mask, uint32_t repeat, uint32_t src_repeat, UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(ReduceSum, T);
	const unpu::lang::Pattern pattern = unpu::lang::make_pattern<true>(
		"ReduceSum", mask, unpu::lang::per_repeat<T>, repeat, where);
	const unpu::lang::Lane lane = unpu::lang::lane_of("src", src, 1, src_repeat);

	unpu::lang::require_source("ReduceSum", lane, src, pattern, where);
	unpu::lang::require_scratch("ReduceSum", tmp, pattern.repeats, where);
	unpu::lang::put_result("ReduceSum", dst, 0,
			       unpu::lang::sum_tree_of_repeats<T>(lane, pattern), where);
}

#define UNPU_EXTREME(Name, is_max) \
	template <typename T> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, \
		  int32_t count, bool calIndex = false, UNPU_WHERE) \
	{ \
		UNPU_REDUCE_TYPES(Name, T); \
		if (count <= 0) \
			return unpu::lang::explain_count(#Name, count, where); \
		unpu::lang::extreme<is_max>( \
			#Name, dst, src, \
			unpu::lang::pattern_of_total(uint64_t(count), unpu::lang::per_repeat<T>), \
			8, calIndex, where); \
	} \
	template <typename T, typename Mask> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, \
		  const Mask &mask, uint32_t repeat, uint32_t src_repeat, bool calIndex = false, \
		  UNPU_WHERE) \
	{ \
		UNPU_REDUCE_TYPES(Name, T); \
		unpu::lang::extreme<is_max>( \
			#Name, dst, src, \
			unpu::lang::make_pattern<true>(#Name, mask, unpu::lang::per_repeat<T>, \
						       repeat, where), \
			src_repeat, calIndex, where); \
	}

UNPU_EXTREME(ReduceMax, true)
UNPU_EXTREME(ReduceMin, false)

} // namespace AscendC

#endif /* UNPU_ASCENDC_REDUCE_REDUCE_H */
