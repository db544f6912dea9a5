/* SPDX-License-Identifier: MIT */
/*
 * DOC: Functions of rows
 *
 * Sum, CumSum and Broadcast. They sum in float.
 */
#ifndef UNPU_ASCENDC_MATH_ROWS_H
#define UNPU_ASCENDC_MATH_ROWS_H

#include "unpu_ascendc/core/math_library.h"
#include "unpu_ascendc/reduce/tree.h"
#include "unpu_ascendc/tensor/shape.h"

namespace AscendC {

struct SumParams {
	uint32_t outter = 1;
	uint32_t inner = 0;
	uint32_t n = 0;
};

struct CumSumInfo {
	uint32_t outter = 0;
	uint32_t inner = 0;
};

struct CumSumConfig {
	bool isLastAxis = true;
	bool isReuseSource = false;
	bool outputLastRow = false;
};
constexpr CumSumConfig defaultCumSumConfig = {true, false, true};

/* The tiling that the host computes for SoftMax. Unused here. */
struct SoftMaxTiling {
	uint32_t numbers[16] = {};
};

struct SoftMaxShapeInfo {
	uint32_t srcM = 0;
	uint32_t srcK = 0;
	uint32_t oriSrcM = 0;
	uint32_t oriSrcK = 0;
};

} // namespace AscendC

using AscendC::SoftMaxTiling;

namespace unpu::lang {

/* Checks the operands of a function of rows. */
template <class D, class S>
inline void require_rows(const char *call, const LocalTensor<D> &dst, uint64_t results,
			 const LocalTensor<S> &src, uint64_t elements, Where where)
{
	const Actor actor = {call, Pipe::V, where};

	require_local(call, "dst", dst.address_, results * sizeof(D), 32, where);
	require_local(call, "src", src.address_, elements * sizeof(S), 32, where);
	if (__builtin_expect(deepest > 1, 0)) {
		note_use(actor, "src", src.address_.absAddr, elements * sizeof(S));
		note_result(actor, "dst", dst.address_.absAddr, results * sizeof(D));
	}
}

/* The sum of f(element) over a row: 16 partial sums, each of every 16th element, which are then added as a tree. */
template <class T, class Function>
inline float sum_of_row(const T *row, uint64_t columns, Function f)
{
	constexpr uint32_t lanes = 16;
	float sums[lanes] = {};
	Source<T> source(row);

	for (uint64_t first = 0; first < columns; first += CHUNK) {
		const uint32_t now =
			static_cast<uint32_t>(columns - first < CHUNK ? columns - first : CHUNK);
		const auto *elements = source.load(static_cast<uint32_t>(first), now);
		uint32_t i = 0;

		for (; i + lanes <= now; i += lanes)
			for (uint32_t k = 0; k < lanes; k++)
				sums[k] += f(float(elements[i + k]));
		for (uint32_t k = 0; i + k < now; k++)
			sums[k] += f(float(elements[i + k]));
	}
	return sum_whole_tree<float, lanes>(sums);
}

/* Sums along rows (last axis) or along columns. */
template <class T>
inline void cumulate(T *dst, const T *src, uint32_t rows, uint32_t columns, bool along_rows)
{
	for (uint32_t i = 0; i < (along_rows ? rows : columns); i++) {
		float sum = 0.0f;

		for (uint32_t k = 0; k < (along_rows ? columns : rows); k++) {
			const uint64_t at =
				along_rows ? uint64_t(i) * columns + k : uint64_t(k) * columns + i;

			sum += float(src[at]);
			dst[at] = static_cast<T>(sum);
		}
	}
}

/* Each element of @dst is the element of @src with the same index; in dims where @src has one element, with index 0. */
template <class T>
inline void broadcast(T *dst, const T *src, uint32_t dims, const uint32_t *to, const uint32_t *from)
{
	uint64_t total = 1;

	for (uint32_t d = 0; d < dims; d++)
		total *= to[d];
	for (uint64_t i = 0; i < total; i++) {
		uint64_t rest = i;
		uint64_t at = 0;
		uint64_t step = 1;

		for (uint32_t d = dims; d-- > 0;) {
			at += (from[d] == 1 ? 0 : rest % to[d]) * step;
			rest /= to[d];
			step *= from[d];
		}
		dst[i] = src[at];
	}
}

} // namespace unpu::lang

namespace AscendC {

/* dst[i] = the sum of the first n elements of row i of @inner elements. */
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SumParams &params, UNPU_WHERE)
{
	UNPU_ONLY(Sum, T, "half and float", half, float);
	unpu::lang::require_rows(
		"Sum", dst, params.outter, src,
		params.outter ? uint64_t(params.outter - 1) * params.inner + params.n : 0, where);
	for (uint32_t i = 0; i < params.outter; i++) {
		const T *row = src.data() + uint64_t(i) * params.inner;
		const float sum = unpu::lang::sum_of_row(row, params.n, [](float x) { return x; });

		dst.data()[i] = static_cast<T>(sum);
	}
}
template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
	 const SumParams &params, UNPU_WHERE)
{
	Sum<T>(dst, src, params, where);
}

template <typename T, UNPU_CONFIG(CumSumConfig) config = defaultCumSumConfig>
void CumSum(const LocalTensor<T> &dst, const LocalTensor<T> &lastRow, const LocalTensor<T> &src,
	    const CumSumInfo &info, UNPU_WHERE)
{
	UNPU_ONLY(CumSum, T, "half and float", half, float);
	const uint64_t elements = uint64_t(info.outter) * info.inner;

	unpu::lang::require_rows("CumSum", dst, elements, src, elements, where);
	unpu::lang::cumulate(dst.data(), src.data(), info.outter, info.inner, config.isLastAxis);
	if constexpr (config.outputLastRow) {
		const uint64_t row = elements - info.inner;

		unpu::lang::require_rows("CumSum", lastRow, info.inner, dst, elements, where);
		memmove(lastRow.data(), dst.data() + row, info.inner * sizeof(T));
	}
}
template <typename T, UNPU_CONFIG(CumSumConfig) config = defaultCumSumConfig>
void CumSum(const LocalTensor<T> &dst, const LocalTensor<T> &lastRow, const LocalTensor<T> &src,
	    const LocalTensor<uint8_t> &, const CumSumInfo &info, UNPU_WHERE)
{
	CumSum<T, config>(dst, lastRow, src, info, where);
}

template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
	       const uint32_t srcShape[dim], UNPU_WHERE)
{
	static_assert(dim >= 1 && axis >= 0 && axis < dim,
		      "Broadcast: the axis is one of the dimensions");
	uint64_t to = 1;
	uint64_t from = 1;

	for (int32_t i = 0; i < dim; i++) {
		to *= dstShape[i];
		from *= srcShape[i];
		if (srcShape[i] != 1 && srcShape[i] != dstShape[i] && unpu::lang::level() > 0)
			unpu::lang::fail(where,
					 "Broadcast: axis %d has %u elements in src and %u in dst; "
					 "it needs 1, or as many",
					 i, srcShape[i], dstShape[i]);
	}
	unpu::lang::require_rows("Broadcast", dst, to, src, from, where);
	unpu::lang::broadcast(dst.data(), src.data(), dim, dstShape, srcShape);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
	       const uint32_t srcShape[dim], LocalTensor<uint8_t> &, UNPU_WHERE)
{
	Broadcast<T, dim, axis>(dst, src, dstShape, srcShape, where);
}
/* The older spelling. */
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
	       const uint32_t srcShape[dim], UNPU_WHERE)
{
	Broadcast<T, dim, axis>(dst, src, dstShape, srcShape, where);
}
template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false>
void BroadCast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t dstShape[dim],
	       const uint32_t srcShape[dim], LocalTensor<uint8_t> &, UNPU_WHERE)
{
	Broadcast<T, dim, axis>(dst, src, dstShape, srcShape, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_ROWS_H */
