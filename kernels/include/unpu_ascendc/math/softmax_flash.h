/* SPDX-License-Identifier: MIT */
/*
 * DOC: Softmax of rows
 *
 * SoftMax and SimpleSoftMax take whole rows. SoftmaxFlash and SoftmaxFlashV2 compute a softmax of rows that come in
 * parts: with isUpdate they continue with the maxima and sums of the parts before. Version 1 divides by the sum,
 * version 2 leaves that to the end. SoftmaxGrad is the derivative.
 */
#ifndef UNPU_ASCENDC_MATH_SOFTMAX_FLASH_H
#define UNPU_ASCENDC_MATH_SOFTMAX_FLASH_H

#include "unpu_ascendc/math/rows.h"
#include "unpu_ascendc/tensor/operand.h"

namespace unpu::lang {

/* Maxima and sums of all rows; each row has a block of 32 bytes with the same number in all places. */
template <class S> struct SoftmaxState {
	const LocalTensor<S> &sum;
	const LocalTensor<S> &max;
};

template <class T>
inline Rows softmax_rows(const Actor &actor, const LocalTensor<T> &dst, const LocalTensor<T> &src,
			 const AscendC::SoftMaxShapeInfo &shape)
{
	const Rows rows = {shape.srcM, shape.srcK, shape.oriSrcK ? shape.oriSrcK : shape.srcK};

	require_number(actor, "SoftMaxShapeInfo::srcM", rows.count, 1, 0xffffffffu);
	require_number(actor, "SoftMaxShapeInfo::srcK", rows.pitch, 1, 0xffffffffu);
	require_number(actor, "SoftMaxShapeInfo::oriSrcK", rows.columns, 1, rows.pitch);
	note_source(actor, "src", src, (rows.count - 1) * rows.pitch + rows.columns);
	note_target(actor, "dst", dst, rows.count * rows.pitch);
	return rows;
}

template <class S> inline void fill_block(const LocalTensor<S> &tensor, uint64_t row, float value)
{
	constexpr uint32_t copies = per_block<S>;

	for (uint32_t k = 0; k < copies; k++)
		tensor.data()[row * copies + k] = static_cast<S>(value);
}

/* One part of a softmax. @is_divided: version 1. @keeps: maxima and sums. @before and @scale are for an update. */
template <bool is_divided, bool is_update, bool keeps, class T, class S>
inline void softmax_part(const Actor &actor, const LocalTensor<T> &dst, const SoftmaxState<S> &now,
			 const LocalTensor<T> &src, const LocalTensor<T> &scale,
			 const SoftmaxState<S> &before, const AscendC::SoftMaxShapeInfo &shape)
{
	constexpr uint32_t copies = per_block<S>;
	const Rows rows = softmax_rows(actor, dst, src, shape);

	if constexpr (is_update) {
		note_source(actor, "inExpSumTensor", before.sum, rows.count * copies);
		note_source(actor, "inMaxTensor", before.max, rows.count * copies);
		note_target(actor, "expMaxTensor", scale, rows.count * per_block<T>);
	}
	if constexpr (keeps) {
		note_target(actor, "expSumTensor", now.sum, rows.count * copies);
		note_target(actor, "maxTensor", now.max, rows.count * copies);
	}
	for (uint64_t i = 0; i < rows.count; i++) {
		const T *from = src.data() + i * rows.pitch;
		T *to = dst.data() + i * rows.pitch;
		float most = is_update ? float(before.max.data()[i * copies]) : float(from[0]);
		const float most_before = most;
		float sum = 0.0f;
		float kept = 0.0f; /* of the parts before */

		for (uint64_t k = 0; k < rows.columns; k++)
			most = float(from[k]) > most ? float(from[k]) : most;
		for (uint64_t k = 0; k < rows.columns; k++)
			sum += expf(float(from[k]) - most);
		if constexpr (is_update) {
			kept = expf(most_before - most);
			sum += kept * float(before.sum.data()[i * copies]);
			if (is_divided)
				kept = kept * float(before.sum.data()[i * copies]) / sum;
		}
		for (uint64_t k = 0; k < rows.columns; k++)
			to[k] = static_cast<T>(expf(float(from[k]) - most) /
					       (is_divided ? sum : 1.0f));
		if constexpr (keeps) {
			fill_block(now.sum, i, sum);
			fill_block(now.max, i, most);
		}
		if constexpr (is_update)
			fill_block(scale, i, kept);
	}
}

} // namespace unpu::lang

namespace AscendC {

struct SoftmaxConfig {
	bool isCheckTiling = true;
	uint32_t oriSrcM = 0;
	uint32_t oriSrcK = 0;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {};

/* dst = exp(src - max) / sum of each row; sums and maxima of a row fill a block of 32 bytes. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SoftMax(const LocalTensor<T> &dst, const LocalTensor<S> &sum, const LocalTensor<S> &max,
	     const LocalTensor<T> &src, const SoftMaxTiling &, const SoftMaxShapeInfo &shape = {},
	     UNPU_WHERE)
{
	UNPU_ONLY(SoftMax, T, "half and float", half, float);
	static_assert(!isDataFormatNZ, "unpu: SoftMax supports the layout ND only");
	unpu::lang::softmax_part<true, false, true, T, S>({"SoftMax", unpu::lang::Pipe::V, where},
							  dst, {sum, max}, src, dst, {sum, max},
							  shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SoftMax(const LocalTensor<T> &dst, const LocalTensor<S> &sum, const LocalTensor<S> &max,
	     const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling,
	     const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(dst, sum, max, src, tiling,
									shape, where);
}
/* The same, without the sums and maxima as results. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG>
void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SoftMaxTiling &,
	     const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	UNPU_ONLY(SoftMax, T, "half and float", half, float);
	unpu::lang::softmax_part<true, false, false, T, T>({"SoftMax", unpu::lang::Pipe::V, where},
							   dst, {dst, dst}, src, dst, {dst, dst},
							   shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG>
void SoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
	     const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SoftMax<T, isReuseSource, isBasicBlock, config>(dst, src, tiling, shape, where);
}

/* The same, with sums and maxima that the kernel has computed before. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<S> &inSum,
		   const LocalTensor<S> &inMax, const LocalTensor<T> &src, const SoftMaxTiling &,
		   const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	UNPU_ONLY(SimpleSoftMax, T, "half and float", half, float);
	static_assert(!isDataFormatNZ, "unpu: SimpleSoftMax supports the layout ND only");
	const unpu::lang::Actor actor = {"SimpleSoftMax", unpu::lang::Pipe::V, where};
	const unpu::lang::Rows rows = unpu::lang::softmax_rows(actor, dst, src, shape);
	constexpr uint32_t copies = unpu::lang::per_block<S>;

	unpu::lang::note_source(actor, "inSumTensor", inSum, rows.count * copies);
	unpu::lang::note_source(actor, "inMaxTensor", inMax, rows.count * copies);
	for (uint64_t i = 0; i < rows.count; i++) {
		const float sum = float(inSum.data()[i * copies]);
		const float most = float(inMax.data()[i * copies]);

		for (uint64_t k = i * rows.pitch; k < i * rows.pitch + rows.columns; k++)
			dst.data()[k] = static_cast<T>(expf(float(src.data()[k]) - most) / sum);
	}
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SimpleSoftMax(const LocalTensor<T> &dst, const LocalTensor<S> &inSum,
		   const LocalTensor<S> &inMax, const LocalTensor<T> &src,
		   const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling,
		   const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SimpleSoftMax<T, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
		dst, inSum, inMax, src, tiling, shape, where);
}

/* Without isUpdate: dst = exp(src - max). With it: expMax = exp(inMax - max), expSum = expMax * inExpSum + sums. */
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<S> &expSum,
		    const LocalTensor<S> &max, const LocalTensor<T> &src,
		    const LocalTensor<T> &expMax, const LocalTensor<S> &inExpSum,
		    const LocalTensor<S> &inMax, const SoftMaxTiling &,
		    const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	UNPU_ONLY(SoftmaxFlashV2, T, "half and float", half, float);
	static_assert(!isDataFormatNZ, "unpu: SoftmaxFlashV2 supports the layout ND only");
	unpu::lang::softmax_part<false, isUpdate, true, T, S>(
		{"SoftmaxFlashV2", unpu::lang::Pipe::V, where}, dst, {expSum, max}, src, expMax,
		{inExpSum, inMax}, shape);
}
template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,
	  bool isDataFormatNZ = false, UNPU_CONFIG(SoftmaxConfig) config = SOFTMAX_DEFAULT_CFG,
	  typename S>
void SoftmaxFlashV2(const LocalTensor<T> &dst, const LocalTensor<S> &expSum,
		    const LocalTensor<S> &max, const LocalTensor<T> &src,
		    const LocalTensor<T> &expMax, const LocalTensor<S> &inExpSum,
		    const LocalTensor<S> &inMax, const LocalTensor<uint8_t> &,
		    const SoftMaxTiling &tiling, const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SoftmaxFlashV2<T, isUpdate, isReuseSource, isBasicBlock, isDataFormatNZ, config>(
		dst, expSum, max, src, expMax, inExpSum, inMax, tiling, shape, where);
}

/* As version 2, but dst and expMax are divided by the new sum. */
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename S>
void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<S> &sum, const LocalTensor<S> &max,
		  const LocalTensor<T> &src, const LocalTensor<T> &expMax,
		  const LocalTensor<S> &inSum, const LocalTensor<S> &inMax, const SoftMaxTiling &,
		  bool isUpdate = false, const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	UNPU_ONLY(SoftmaxFlash, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"SoftmaxFlash", unpu::lang::Pipe::V, where};

	if (isUpdate)
		unpu::lang::softmax_part<true, true, true, T, S>(actor, dst, {sum, max}, src,
								 expMax, {inSum, inMax}, shape);
	else
		unpu::lang::softmax_part<true, false, true, T, S>(actor, dst, {sum, max}, src,
								  expMax, {inSum, inMax}, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false, typename S>
void SoftmaxFlash(const LocalTensor<T> &dst, const LocalTensor<S> &sum, const LocalTensor<S> &max,
		  const LocalTensor<T> &src, const LocalTensor<T> &expMax,
		  const LocalTensor<S> &inSum, const LocalTensor<S> &inMax,
		  const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isUpdate = false,
		  const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SoftmaxFlash<T, isReuseSource, isBasicBlock>(dst, sum, max, src, expMax, inSum, inMax,
						     tiling, isUpdate, shape, where);
}

/* dst = (grad - sum of the row of grad * src) * src, or only that sum with isFront. src is a softmax. */
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src,
		 const SoftMaxTiling &, bool isFront = false, const SoftMaxShapeInfo &shape = {},
		 UNPU_WHERE)
{
	UNPU_ONLY(SoftmaxGrad, T, "half and float", half, float);
	static_assert(!isDataFormatNZ, "unpu: SoftmaxGrad supports the layout ND only");
	const unpu::lang::Actor actor = {"SoftmaxGrad", unpu::lang::Pipe::V, where};
	const unpu::lang::Rows rows = {shape.srcM, shape.srcK,
				       shape.oriSrcK ? shape.oriSrcK : shape.srcK};
	const uint64_t read = (rows.count - 1) * rows.pitch + rows.columns;

	unpu::lang::require_number(actor, "SoftMaxShapeInfo::srcM", rows.count, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "SoftMaxShapeInfo::srcK", rows.pitch, 1, 0xffffffffu);
	unpu::lang::note_source(actor, "grad", grad, read);
	unpu::lang::note_source(actor, "src", src, read);
	unpu::lang::note_target(actor, "dst", dst,
				rows.count * (isFront ? unpu::lang::per_block<T> : rows.pitch));
	for (uint64_t i = 0; i < rows.count; i++) {
		const uint64_t first = i * rows.pitch;
		float sum = 0.0f;

		for (uint64_t k = 0; k < rows.columns; k++)
			sum += float(grad.data()[first + k]) * float(src.data()[first + k]);
		if (isFront)
			unpu::lang::fill_block(dst, i, sum);
		for (uint64_t k = 0; k < rows.columns && !isFront; k++)
			dst.data()[first + k] =
				static_cast<T>((float(grad.data()[first + k]) - sum) *
					       float(src.data()[first + k]));
	}
}
template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
void SoftmaxGrad(const LocalTensor<T> &dst, const LocalTensor<T> &grad, const LocalTensor<T> &src,
		 const LocalTensor<uint8_t> &, const SoftMaxTiling &tiling, bool isFront = false,
		 const SoftMaxShapeInfo &shape = {}, UNPU_WHERE)
{
	SoftmaxGrad<T, isReuseSource, isDataFormatNZ>(dst, grad, src, tiling, isFront, shape,
						      where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_SOFTMAX_FLASH_H */
