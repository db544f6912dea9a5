/* SPDX-License-Identifier: MIT */
/*
 * DOC: Reductions of repeats, blocks and pairs
 *
 * WholeReduce has a result for each repeat, BlockReduce one for each block of 32 bytes, PairReduceSum one for two
 * neighbours.
 */
#ifndef UNPU_ASCENDC_REDUCE_REPEAT_H
#define UNPU_ASCENDC_REDUCE_REPEAT_H

#include "unpu_ascendc/reduce/reduce.h"

namespace unpu::lang {

using AscendC::ReduceOrder;

/* @dst_repeat: in elements. */
template <class T>
inline void whole_sum(const char *call, const LocalTensor<T> &dst, const LocalTensor<T> &src,
		      const Pattern &pattern, uint64_t dst_repeat, uint32_t block,
		      uint32_t repeat_stride, Where where)
{
	const Lane lane = lane_of("src", src, block, repeat_stride);

	require_source(call, lane, src, pattern, where);
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		T values[128];

		put_result(call, dst, repeat * dst_repeat,
			   sum_tree(values, collect(lane, pattern, repeat, values, nullptr)),
			   where);
	}
}

template <class T>
inline void put_extreme(const char *call, const LocalTensor<T> &dst, uint64_t repeat,
			uint64_t stride, ReduceOrder order, T value, uint32_t index, Where where)
{
	switch (order) {
	case ReduceOrder::ORDER_VALUE_INDEX:
		put_result(call, dst, 2 * repeat * stride, value, where);
		put_result(call, dst, 2 * repeat * stride + 1, index_as<T>(index), where);
		return;
	case ReduceOrder::ORDER_INDEX_VALUE:
		put_result(call, dst, 2 * repeat * stride, index_as<T>(index), where);
		put_result(call, dst, 2 * repeat * stride + 1, value, where);
		return;
	case ReduceOrder::ORDER_ONLY_VALUE:
		put_result(call, dst, repeat * stride, value, where);
		return;
	case ReduceOrder::ORDER_ONLY_INDEX:
		put_result(call, dst.template ReinterpretCast<uint32_t>(), repeat * stride, index,
			   where);
		return;
	}
}

/* The best of @first and the lanes 1 to 7. */
template <bool is_max, class T, class Lanes> inline T best_of_lanes(T first, const Lanes &lanes)
{
	const auto better = [](T other, T best) {
		return is_better<is_max>(float(other), float(best)) ? other : best;
	};
	const T a = better(lanes[4], first), b = better(lanes[5], lanes[1]),
		c = better(lanes[6], lanes[2]), d = better(lanes[7], lanes[3]);

	return better(better(d, b), better(c, a));
}

/* Compares eight elements at a time. Each lane starts with the first element, so that a NaN there remains the
 * result. */
template <bool is_max, class T> inline T best_of(const T *values, uint32_t count)
{
	const auto best_of_rest = [=](T best, uint32_t i) {
		for (; i < count; i++)
			if (is_better<is_max>(float(values[i]), float(best)))
				best = values[i];
		return best;
	};
	const T first = values[0];
	uint32_t i = 0;

	if (count < 8)
		return best_of_rest(first, 0);
	if constexpr (std::is_same_v<T, float>) {
		typedef float Eight __attribute__((vector_size(32), aligned(4), may_alias));
		typedef int32_t Bits __attribute__((vector_size(32)));
		Eight most = {first, first, first, first, first, first, first, first};

		for (; i + 8 <= count; i += 8) {
			const Eight now = *reinterpret_cast<const Eight *>(values + i);
			const Bits better = is_max ? now > most : now < most;

			most = (Eight)((better & (Bits)now) | (~better & (Bits)most));
		}
		return best_of_lanes<is_max, T>(best_of_rest(most[0], i), most);
	} else {
		T most[8] = {first, first, first, first, first, first, first, first};

		for (; i + 8 <= count; i += 8)
			for (uint32_t k = 0; k < 8; k++)
				if (is_better<is_max>(float(values[i + k]), float(most[k])))
					most[k] = values[i + k];
		return best_of_lanes<is_max, T>(best_of_rest(most[0], i), most);
	}
}

template <bool is_max, class T>
inline void whole_extreme(const char *call, const LocalTensor<T> &dst, const LocalTensor<T> &src,
			  const Pattern &pattern, uint64_t dst_repeat, uint32_t block,
			  uint32_t repeat_stride, ReduceOrder order, Where where)
{
	const Lane lane = lane_of("src", src, block, repeat_stride);

	/* Contiguous elements are read in place, without a copy. */
	const uint32_t together = lane.block == 32 ? pattern.first_elements() : 0;

	require_source(call, lane, src, pattern, where);
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		T values[128];
		uint32_t indices[128];

		if (order == ReduceOrder::ORDER_ONLY_VALUE && together > 0) {
			const uint32_t most = pattern.elements_of(repeat);

			put_result(call, dst, repeat * dst_repeat,
				   best_of<is_max>(reinterpret_cast<const T *>(lane.at(repeat, 0)),
						   together < most ? together : most),
				   where);
			continue;
		}

		if (order == ReduceOrder::ORDER_ONLY_VALUE) {
			const uint32_t count = collect(lane, pattern, repeat, values, nullptr);

			if (count)
				put_result(call, dst, repeat * dst_repeat,
					   best_of<is_max>(values, count), where);
			continue;
		}
		const uint32_t count = collect(lane, pattern, repeat, values, indices);
		uint32_t best = 0;

		for (uint32_t i = 1; i < count; i++)
			if (is_better<is_max>(float(values[i]), float(values[best])))
				best = i;
		if (count)
			put_extreme(call, dst, repeat, dst_repeat, order, values[best],
				    indices[best], where);
	}
}

/* reduce(values, count) of the selected elements of each @group elements. A group without any has no result. */
template <class T, class Reduce>
inline void reduce_groups(const char *call, const LocalTensor<T> &dst, const LocalTensor<T> &src,
			  const Pattern &pattern, uint32_t group, uint64_t dst_repeat,
			  uint32_t block, uint32_t repeat_stride, Reduce reduce, Where where)
{
	const Lane lane = lane_of("src", src, block, repeat_stride);

	require_source(call, lane, src, pattern, where);
	for (uint32_t repeat = 0; repeat < pattern.repeats; repeat++) {
		const uint32_t most = pattern.elements_of(repeat);

		for (uint32_t first = 0; first < most; first += group) {
			T values[128];
			uint32_t count = 0;

			for (uint32_t i = first; i < first + group && i < most; i++)
				if (pattern.has(i))
					memcpy(&values[count++], lane.at(repeat, i), sizeof(T));
			if (count)
				put_result(call, dst, repeat * dst_repeat + first / group,
					   reduce(values, count), where);
		}
	}
}

} // namespace unpu::lang

#define UNPU_PATTERN(Name, T, mask, repeat) \
	unpu::lang::make_pattern<isSetMask>(#Name, mask, unpu::lang::per_repeat<T>, repeat, where)

namespace AscendC {

template <typename T, bool isSetMask = true, typename Mask>
void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask,
		    uint32_t repeat, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(WholeReduceSum, T);
	unpu::lang::whole_sum("WholeReduceSum", dst, src,
			      UNPU_PATTERN(WholeReduceSum, T, mask, repeat), dst_repeat, src_block,
			      src_repeat, where);
}
/* The same with other parameters; @dst_repeat in elements. */
template <typename T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
		     int32_t mask, uint32_t, uint32_t src_block, uint32_t dst_repeat,
		     uint32_t src_repeat, UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(RepeatReduceSum, T);
	unpu::lang::whole_sum("RepeatReduceSum", dst, src,
			      UNPU_PATTERN(RepeatReduceSum, T, static_cast<uint64_t>(mask), repeat),
			      dst_repeat, src_block, src_repeat, where);
}
template <typename T, bool isSetMask = true, typename Mask>
void WholeReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask,
		    uint32_t repeat, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(WholeReduceMax, T);
	unpu::lang::whole_extreme<true>("WholeReduceMax", dst, src,
					UNPU_PATTERN(WholeReduceMax, T, mask, repeat), dst_repeat,
					src_block, src_repeat, order, where);
}
template <typename T, bool isSetMask = true, typename Mask>
void WholeReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, const Mask &mask,
		    uint32_t repeat, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX, UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(WholeReduceMin, T);
	unpu::lang::whole_extreme<false>("WholeReduceMin", dst, src,
					 UNPU_PATTERN(WholeReduceMin, T, mask, repeat), dst_repeat,
					 src_block, src_repeat, order, where);
}

/* Each repeat has 8 results. @dst_repeat: in units of 8 results */
template <typename T, bool isSetMask = true, typename Mask>
void BlockReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
		    const Mask &mask, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(BlockReduceSum, T);
	unpu::lang::reduce_groups(
		"BlockReduceSum", dst, src, UNPU_PATTERN(BlockReduceSum, T, mask, repeat),
		unpu::lang::per_block<T>, uint64_t(dst_repeat) * 8, src_block, src_repeat,
		[](T *values, uint32_t count) { return unpu::lang::sum_tree(values, count); },
		where);
}
template <typename T, bool isSetMask = true, typename Mask>
void BlockReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
		    const Mask &mask, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(BlockReduceMax, T);
	unpu::lang::reduce_groups(
		"BlockReduceMax", dst, src, UNPU_PATTERN(BlockReduceMax, T, mask, repeat),
		unpu::lang::per_block<T>, uint64_t(dst_repeat) * 8, src_block, src_repeat,
		[](T *values, uint32_t count) { return unpu::lang::best_of<true>(values, count); },
		where);
}
template <typename T, bool isSetMask = true, typename Mask>
void BlockReduceMin(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
		    const Mask &mask, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		    UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(BlockReduceMin, T);
	unpu::lang::reduce_groups(
		"BlockReduceMin", dst, src, UNPU_PATTERN(BlockReduceMin, T, mask, repeat),
		unpu::lang::per_block<T>, uint64_t(dst_repeat) * 8, src_block, src_repeat,
		[](T *values, uint32_t count) { return unpu::lang::best_of<false>(values, count); },
		where);
}

/* There are half as many results as elements. @dst_repeat: in units of 128 bytes */
template <typename T, bool isSetMask = true, typename Mask>
void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t repeat,
		   const Mask &mask, uint32_t dst_repeat, uint32_t src_block, uint32_t src_repeat,
		   UNPU_WHERE)
{
	UNPU_REDUCE_TYPES(PairReduceSum, T);
	unpu::lang::reduce_groups(
		"PairReduceSum", dst, src, UNPU_PATTERN(PairReduceSum, T, mask, repeat), 2,
		uint64_t(dst_repeat) * 128 / sizeof(T), src_block, src_repeat,
		[](T *values, uint32_t count) { return unpu::lang::sum_tree(values, count); },
		where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_REDUCE_REPEAT_H */
