/* SPDX-License-Identifier: MIT */
/*
 * DOC: Normalisation of rows
 *
 * LayerNorm and RmsNorm. They sum in float. The rows and their length are in the tiling, which the host fills in.
 */
#ifndef UNPU_ASCENDC_MATH_NORM_H
#define UNPU_ASCENDC_MATH_NORM_H

#include "unpu_ascendc/core/math_library.h"
#include "unpu_ascendc/math/rows.h"
#include "unpu_ascendc/tensor/operand.h"
#include "unpu_ascendc/vector/forms.h"

/* B x S rows of @hLength elements. Only the first @originalHLength are used (0: all). */
struct LayerNormTiling {
	uint32_t bLength = 0;
	uint32_t sLength = 0;
	uint32_t hLength = 0;
	uint32_t originalHLength = 0;
	uint32_t numbers[22] = {}; /* what nothing here needs */
};

/* As LayerNormTiling. */
struct RmsNormTiling {
	uint32_t bLength = 0;
	uint32_t sLength = 0;
	uint32_t hLength = 0;
	uint32_t originalHLength = 0;
	uint32_t numbers[8] = {}; /* what nothing here needs */
};

/* The tiling that the host computes for the LayerNorm that returns 1 / sqrt(variance). Unused here. */
struct LayerNormSeparateTiling {
	uint32_t numbers[24] = {};
};

namespace AscendC {

using ::LayerNormSeparateTiling;
using ::LayerNormTiling;
using ::RmsNormTiling;

struct LayerNormPara {
	uint32_t aLength = 0;		 /* number of rows */
	uint32_t rLength = 0;		 /* elements of a row */
	uint32_t rLengthWithPadding = 0; /* from row to row; 0: rLength */
};

} // namespace AscendC

namespace unpu::lang {

/* The rows of a tiling, checked. */
template <class Tiling> inline Rows rows_of(const Actor &actor, const Tiling &tiling)
{
	const Rows rows = {uint64_t(tiling.bLength) * tiling.sLength, tiling.hLength,
			   tiling.originalHLength ? tiling.originalHLength : tiling.hLength};

	require_number(actor, "bLength * sLength of the tiling", rows.count, 1, 0xffffffffu);
	require_number(actor, "hLength of the tiling", rows.pitch, 1, 0xffffffffu);
	require_number(actor, "originalHLength of the tiling", rows.columns, 1, rows.pitch);
	return rows;
}

/* Mean and variance of one row. */
template <class T>
inline void moments_of(const T *row, uint64_t columns, float *mean, float *variance)
{
	const float middle = sum_of_row(row, columns, [](float x) { return x; }) / float(columns);

	*mean = middle;
	*variance = sum_of_row(row, columns,
			       [middle](float x) { return (x - middle) * (x - middle); }) /
		    float(columns);
}

/* @spread gets the variance, or 1 / sqrt(variance + epsilon) if @is_inverse. */
template <class T, class U, class V>
inline void layer_norm(const Actor &actor, const Rows &rows, bool is_inverse,
		       const LocalTensor<T> &output, const LocalTensor<V> &mean_out,
		       const LocalTensor<V> &spread, const LocalTensor<T> &input,
		       const LocalTensor<U> &gamma, const LocalTensor<U> &beta, float epsilon)
{
	const uint64_t elements = rows.count * rows.pitch;

	note_source(actor, "inputX", input, (rows.count - 1) * rows.pitch + rows.columns);
	note_source(actor, "gamma", gamma, rows.columns);
	note_source(actor, "beta", beta, rows.columns);
	note_target(actor, "output", output, elements);
	note_target(actor, "outputMean", mean_out, rows.count);
	note_target(actor, is_inverse ? "outputRstd" : "outputVariance", spread, rows.count);
	for (uint64_t i = 0; i < rows.count; i++) {
		const T *from = input.data() + i * rows.pitch;
		T *to = output.data() + i * rows.pitch;
		float mean, variance;

		moments_of(from, rows.columns, &mean, &variance);
		const float factor = 1.0f / sqrtf(variance + epsilon);

		loop<T>([mean, factor](float x, float g,
				       float b) { return (x - mean) * factor * g + b; },
			false, static_cast<uint32_t>(rows.columns), to, from,
			static_cast<const U *>(gamma.data()), static_cast<const U *>(beta.data()));
		mean_out.data()[i] = static_cast<V>(mean);
		spread.data()[i] = static_cast<V>(is_inverse ? factor : variance);
	}
}

} // namespace unpu::lang

namespace AscendC {

/* output = (inputX - mean) / sqrt(variance + epsilon) * gamma + beta, of each row. */
template <typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,
	       const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,
	       const LocalTensor<T> &gamma, const LocalTensor<T> &beta, unpu::lang::Same<T> epsilon,
	       const LayerNormTiling &tiling, UNPU_WHERE)
{
	UNPU_ONLY(LayerNorm, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"LayerNorm", unpu::lang::Pipe::V, where};

	unpu::lang::layer_norm(actor, unpu::lang::rows_of(actor, tiling), false, output, outputMean,
			       outputVariance, inputX, gamma, beta, float(epsilon));
}
template <typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,
	       const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,
	       const LocalTensor<T> &gamma, const LocalTensor<T> &beta,
	       const LocalTensor<uint8_t> &, unpu::lang::Same<T> epsilon,
	       const LayerNormTiling &tiling, UNPU_WHERE)
{
	LayerNorm<T, isReuseSource>(output, outputMean, outputVariance, inputX, gamma, beta,
				    epsilon, tiling, where);
}

/* The same, but it returns 1 / sqrt(variance + epsilon) and takes the shape apart from the tiling. */
template <typename U, typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean,
	       const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX,
	       const LocalTensor<U> &gamma, const LocalTensor<U> &beta, const float epsilon,
	       const LayerNormPara &para, const LayerNormSeparateTiling &, UNPU_WHERE)
{
	UNPU_ONLY(LayerNorm, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"LayerNorm", unpu::lang::Pipe::V, where};
	const uint64_t pitch = para.rLengthWithPadding ? para.rLengthWithPadding : para.rLength;

	unpu::lang::require_number(actor, "aLength", para.aLength, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "rLength", para.rLength, 1, pitch);
	unpu::lang::layer_norm(actor, {para.aLength, pitch, para.rLength}, true, output, outputMean,
			       outputRstd, inputX, gamma, beta, epsilon);
}
template <typename U, typename T, bool isReuseSource = false>
void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean,
	       const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX,
	       const LocalTensor<U> &gamma, const LocalTensor<U> &beta,
	       const LocalTensor<uint8_t> &, const float epsilon, const LayerNormPara &para,
	       const LayerNormSeparateTiling &tiling, UNPU_WHERE)
{
	LayerNorm<U, T, isReuseSource>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon,
				       para, tiling, where);
}

/* dst = src / sqrt(mean of the squares of the row + epsilon) * gamma. */
template <typename T, bool isBasicBlock = false>
void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma,
	     unpu::lang::Same<T> epsilon, const RmsNormTiling &tiling, UNPU_WHERE)
{
	UNPU_ONLY(RmsNorm, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"RmsNorm", unpu::lang::Pipe::V, where};
	const unpu::lang::Rows rows = unpu::lang::rows_of(actor, tiling);

	unpu::lang::note_source(actor, "src", src, (rows.count - 1) * rows.pitch + rows.columns);
	unpu::lang::note_source(actor, "gamma", gamma, rows.columns);
	unpu::lang::note_target(actor, "dst", dst, rows.count * rows.pitch);
	for (uint64_t i = 0; i < rows.count; i++) {
		const T *from = src.data() + i * rows.pitch;
		T *to = dst.data() + i * rows.pitch;
		const float squares =
			unpu::lang::sum_of_row(from, rows.columns, [](float x) { return x * x; });
		const float factor = 1.0f / sqrtf(squares / float(rows.columns) + float(epsilon));

		unpu::lang::loop<T>([factor](float x, float g) { return x * factor * g; }, false,
				    static_cast<uint32_t>(rows.columns), to, from,
				    static_cast<const T *>(gamma.data()));
	}
}
template <typename T, bool isBasicBlock = false>
void RmsNorm(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &gamma,
	     const LocalTensor<uint8_t> &, unpu::lang::Same<T> epsilon, const RmsNormTiling &tiling,
	     UNPU_WHERE)
{
	RmsNorm<T, isBasicBlock>(dst, src, gamma, epsilon, tiling, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_NORM_H */
