/* SPDX-License-Identifier: MIT */
/*
 * DOC: Reductions of one axis
 *
 * ReduceSum and its kin with a pattern: of a matrix whose rows begin at blocks of 32 bytes, AR leaves one result of
 * each row and RA one of each column. They compute in float, and round once.
 */
#ifndef UNPU_ASCENDC_REDUCE_AXIS_H
#define UNPU_ASCENDC_REDUCE_AXIS_H

#include "unpu_ascendc/reduce/reduce.h"

namespace AscendC::Pattern::Reduce {

/* One letter for each axis, the outermost first: A: kept, R: reduced. */
struct AR {};
struct RA {};

} // namespace AscendC::Pattern::Reduce

namespace unpu::lang {

using AscendC::Pattern::Reduce::AR;
using AscendC::Pattern::Reduce::RA;

/* A matrix in UB; @pitch: elements from row to row. */
struct Axes {
	uint32_t rows;
	uint32_t columns;
	uint32_t pitch;
};

template <class T>
inline Axes require_axes(const Actor &actor, const LocalTensor<T> &dst, const LocalTensor<T> &src,
			 const uint32_t shape[], bool is_padded, bool has_rows)
{
	const uint32_t in_blocks = (shape[1] + per_block<T> - 1) / per_block<T> * per_block<T>;
	const Axes axes = {shape[0], shape[1], in_blocks};

	if (level() > 0 && (axes.rows == 0 || axes.columns == 0))
		fail(actor.where, "%s: srcShape is {%u, %u}; both have to be positive", actor.call,
		     axes.rows, axes.columns);
	if (level() > 0 && !is_padded && axes.pitch != axes.columns)
		fail(actor.where,
		     "%s: srcInnerPad is false, but rows of %u elements are no whole blocks of 32 "
		     "bytes; "
		     "let each row begin at a block, as DataCopyPad does, and pass true",
		     actor.call, axes.columns);
	if (axes.rows == 0 || axes.columns == 0)
		return axes;
	note_target(actor, "dst", dst, has_rows ? axes.rows : axes.columns);
	require_local(actor.call, "src", src.address_,
		      (uint64_t(axes.rows - 1) * axes.pitch + axes.columns) * sizeof(T), 32,
		      actor.where);
	for (uint32_t i = 0; deepest > 1 && i < axes.rows; i++)
		note_use(actor, "src", src.data() + uint64_t(i) * axes.pitch,
			 axes.columns * sizeof(T));
	return axes;
}

template <class T, class Op> inline float reduce_row(const T *row, uint32_t count, Op op)
{
	if constexpr (std::is_same_v<T, float> && std::is_same_v<Op, AddOp>) {
		unsigned char *base = reinterpret_cast<unsigned char *>(const_cast<T *>(row));

		return sum_repeats<T>({"src", base, 32, 32, 256},
				      pattern_of_total(count, per_repeat<T>));
	}
	float result = float(row[0]);

	for (uint32_t i = 1; i < count; i++)
		result = op(result, float(row[i]));
	return result;
}

/* dst = a op b op c ...; with @is_mean divided by their number. */
template <class Pattern, class T, class Op>
inline void reduce_axis(const char *call, const LocalTensor<T> &dst, const LocalTensor<T> &src,
			const uint32_t shape[], bool is_padded, Op op, bool is_mean, Where where)
{
	static_assert(
		std::is_same_v<Pattern, AR> || std::is_same_v<Pattern, RA>,
		"a reduction with a pattern has Pattern::Reduce::AR and Pattern::Reduce::RA only");
	constexpr bool has_rows = std::is_same_v<Pattern, AR>;
	const Axes axes =
		require_axes({call, Pipe::V, where}, dst, src, shape, is_padded, has_rows);
	const float parts = is_mean ? float(has_rows ? axes.columns : axes.rows) : 1.0f;

	if constexpr (has_rows) {
		for (uint32_t i = 0; i < axes.rows && axes.columns > 0; i++)
			dst.data()[i] = T(reduce_row(src.data() + uint64_t(i) * axes.pitch,
						     axes.columns, op) /
					  parts);
		return;
	}
	for (uint32_t first = 0; first < axes.columns && axes.rows > 0; first += CHUNK) {
		const uint32_t count = axes.columns - first < CHUNK ? axes.columns - first : CHUNK;
		float results[CHUNK];

		for (uint32_t i = 0; i < axes.rows; i++) {
			const T *row = src.data() + uint64_t(i) * axes.pitch + first;

			for (uint32_t j = 0; j < count; j++)
				results[j] = i == 0 ? float(row[j]) : op(results[j], float(row[j]));
		}
		for (uint32_t j = 0; j < count; j++)
			dst.data()[first + j] = T(results[j] / parts);
	}
}

} // namespace unpu::lang

/* Name<T, Pattern>(dst, src, [scratch,] shape, padded) */
#define UNPU_AXIS(Name, Op, is_mean, list, ...) \
	template <class T, class Pattern, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t srcShape[], \
		  bool srcInnerPad, UNPU_WHERE) \
	{ \
		UNPU_ONLY(Name, T, list, __VA_ARGS__); \
		unpu::lang::reduce_axis<Pattern>(#Name, dst, src, srcShape, srcInnerPad, \
						 unpu::lang::Op{}, is_mean, where); \
	} \
	template <class T, class Pattern, bool isReuseSource = false> \
	void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, \
		  const LocalTensor<uint8_t> &, const uint32_t srcShape[], bool srcInnerPad, \
		  UNPU_WHERE) \
	{ \
		Name<T, Pattern, isReuseSource>(dst, src, srcShape, srcInnerPad, where); \
	}

namespace AscendC {

UNPU_AXIS(ReduceSum, AddOp, false, "half and float", half, float)
UNPU_AXIS(ReduceMean, AddOp, true, "half and float", half, float)
UNPU_AXIS(ReduceMax, MaxOp, false, "half and float", half, float)
UNPU_AXIS(ReduceMin, MinOp, false, "half and float", half, float)
UNPU_AXIS(ReduceProd, MulOp, false, "half and float", half, float)
/* Of zeros and ones. */
UNPU_AXIS(ReduceAny, MaxOp, false, "uint8_t and float", uint8_t, float)
UNPU_AXIS(ReduceAll, MinOp, false, "uint8_t and float", uint8_t, float)

} // namespace AscendC

#endif /* UNPU_ASCENDC_REDUCE_AXIS_H */
