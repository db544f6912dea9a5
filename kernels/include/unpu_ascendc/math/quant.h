/* SPDX-License-Identifier: MIT */
/*
 * DOC: Quantisation
 *
 * AscendQuant makes int8_t of numbers, AscendDequant numbers of the int32_t sums of a product, and AscendAntiQuant
 * numbers of int8_t weights. They compute in float and round once; integers are rounded to even and saturate.
 */
#ifndef UNPU_ASCENDC_MATH_QUANT_H
#define UNPU_ASCENDC_MATH_QUANT_H

#include "unpu_ascendc/tensor/operand.h"
#include "unpu_ascendc/types/rounding.h"
#include "unpu_ascendc/vector/forms.h"

namespace AscendC {

struct AscendQuantConfig {
	uint32_t calcCount = 0;
	uint32_t offsetCount = 0;
	uint32_t scaleCount = 0;
	uint32_t workLocalSize = 0;
};
constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {};

enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW };

/* @m rows of @n elements, of which the first @calCount are computed. */
struct DequantParams {
	uint32_t m = 0;
	uint32_t n = 0;
	uint32_t calCount = 0;
};

/* Rows and columns of the tensors of offsets and scales. */
struct AntiQuantShapeInfo {
	uint32_t offsetHeight = 0;
	uint32_t offsetWidth = 0;
	uint32_t scaleHeight = 0;
	uint32_t scaleWidth = 0;
};

} // namespace AscendC

namespace unpu::lang {

inline int8_t quantized(float value)
{
	return saturate_to<int8_t>(round_whole<RoundMode::CAST_RINT>(value));
}

/* A scale of dequantisation: a number, or a uint64_t whose low half has the bits of a float. */
template <class S> inline float scale_of(S scale)
{
	if constexpr (std::is_same_v<S, uint64_t>)
		return cast_bits<float>(static_cast<uint32_t>(scale));
	else
		return float(scale);
}

/* dst[i] = src[i] * scale(i) + offset(i), as int8_t. */
template <class T, class Scale, class Offset>
inline void quantize(const Actor &actor, const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
		     uint64_t count, Scale scale, Offset offset)
{
	require_number(actor, "calCount", count, 1, 0xffffffffu);
	note_source(actor, "src", src, count);
	note_target(actor, "dst", dst, count);
	for (uint64_t i = 0; i < count; i++)
		dst.data()[i] = quantized(float(src.data()[i]) * scale(i) + offset(i));
}

/* dst[i][j] = src[i][j] * scale(j); rows of dst begin at multiples of 32 bytes. */
template <class D, class Scale>
inline void dequantize(const Actor &actor, const LocalTensor<D> &dst,
		       const LocalTensor<int32_t> &src, const AscendC::DequantParams &params,
		       Scale scale)
{
	const uint64_t pitch = padded<D>(params.n);

	require_number(actor, "DequantParams::m", params.m, 1, 0xffffffffu);
	require_number(actor, "DequantParams::calCount", params.calCount, 1, params.n);
	if (params.n % 8 != 0 && level() > 0)
		fail(actor.where,
		     "%s: DequantParams::n is %u, which is no multiple of 8: rows of src have "
		     "whole blocks of 32 bytes",
		     actor.call, params.n);
	note_source(actor, "src", src, uint64_t(params.m - 1) * params.n + params.calCount);
	note_target(actor, "dst", dst, (params.m - 1) * pitch + params.calCount);
	for (uint64_t i = 0; i < params.m; i++)
		for (uint64_t j = 0; j < params.calCount; j++)
			dst.data()[i * pitch + j] =
				static_cast<D>(float(src.data()[i * params.n + j]) * scale(j));
}

/* dst = (src + offset) * scale of @rows x @columns elements. */
template <class S, class D, class Scale, class Offset>
inline void anti_quantize(const Actor &actor, const LocalTensor<D> &dst, const LocalTensor<S> &src,
			  uint64_t rows, uint64_t columns, Offset offset, Scale scale)
{
	note_source(actor, "src", src, rows * columns);
	note_target(actor, "dst", dst, rows * columns);
	for (uint64_t i = 0; i < rows; i++)
		for (uint64_t j = 0; j < columns; j++) {
			const uint64_t at = i * columns + j;

			dst.data()[at] = static_cast<D>((float(src.data()[at]) + offset(i, j)) *
							scale(i, j));
		}
}

/* The element of a tensor of offsets or scales that belongs to an element of a matrix of @rows x @columns. */
struct Groups {
	uint64_t rows, columns; /* of the matrix */
	uint64_t height, width; /* of the tensor */

	uint64_t at(uint64_t i, uint64_t j) const
	{
		return i * height / rows * width + j * width / columns;
	}
};

inline void require_groups(const Actor &actor, const char *name, const Groups &of)
{
	if (level() > 0 && (of.height == 0 || of.width == 0 || of.rows % of.height != 0 ||
			    of.columns % of.width != 0))
		fail(actor.where,
		     "%s: %s has %llu x %llu elements, which do not divide the %llu x %llu of src",
		     actor.call, name, static_cast<unsigned long long>(of.height),
		     static_cast<unsigned long long>(of.width),
		     static_cast<unsigned long long>(of.rows),
		     static_cast<unsigned long long>(of.columns));
}

} // namespace unpu::lang

namespace AscendC {

/* dst = src * scale + offset, one scale and one offset for all elements. */
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale,
		 const float offset, const uint32_t calCount, UNPU_WHERE)
{
	UNPU_ONLY(AscendQuant, T, "half and float", half, float);
	unpu::lang::quantize(
		{"AscendQuant", unpu::lang::Pipe::V, where}, dst, src, calCount,
		[=](uint64_t) { return scale; }, [=](uint64_t) { return offset; });
}
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src, const float scale,
		 const float offset, UNPU_WHERE)
{
	AscendQuant<T, isReuseSource, config>(dst, src, scale, offset, src.GetSize(), where);
}
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
		 const LocalTensor<uint8_t> &, const float scale, const float offset,
		 const uint32_t calCount, UNPU_WHERE)
{
	AscendQuant<T, isReuseSource, config>(dst, src, scale, offset, calCount, where);
}
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
		 const LocalTensor<uint8_t> &, const float scale, const float offset, UNPU_WHERE)
{
	AscendQuant<T, isReuseSource, config>(dst, src, scale, offset, src.GetSize(), where);
}

/* Rows of @scaleCount elements; each column has a scale, and an offset of its own or the same one. */
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
		 const LocalTensor<T> &scale, unpu::lang::Same<T> offset, const uint32_t scaleCount,
		 const uint32_t calCount, UNPU_WHERE)
{
	UNPU_ONLY(AscendQuant, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"AscendQuant", unpu::lang::Pipe::V, where};

	unpu::lang::require_number(actor, "scaleCount", scaleCount, 1, 0xffffffffu);
	unpu::lang::note_source(actor, "scale", scale, scaleCount);
	unpu::lang::quantize(
		actor, dst, src, calCount,
		[&](uint64_t i) { return float(scale.data()[i % scaleCount]); },
		[=](uint64_t) { return float(offset); });
}
template <typename T, bool isReuseSource = false,
	  UNPU_CONFIG(AscendQuantConfig) config = ASCEND_QUANT_DEFAULT_CFG>
void AscendQuant(const LocalTensor<int8_t> &dst, const LocalTensor<T> &src,
		 const LocalTensor<T> &scale, const LocalTensor<T> &offset,
		 const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount,
		 UNPU_WHERE)
{
	UNPU_ONLY(AscendQuant, T, "half and float", half, float);
	const unpu::lang::Actor actor = {"AscendQuant", unpu::lang::Pipe::V, where};

	unpu::lang::require_number(actor, "scaleCount", scaleCount, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "offsetCount", offsetCount, 1, 0xffffffffu);
	unpu::lang::note_source(actor, "scale", scale, scaleCount);
	unpu::lang::note_source(actor, "offset", offset, offsetCount);
	unpu::lang::quantize(
		actor, dst, src, calCount,
		[&](uint64_t i) { return float(scale.data()[i % scaleCount]); },
		[&](uint64_t i) { return float(offset.data()[i % offsetCount]); });
}

template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src,
		   const LocalTensor<S> &deqScale, const DequantParams &params, UNPU_WHERE)
{
	UNPU_ONLY(AscendDequant, D, "half, bfloat16_t and float", half, bfloat16_t, float);
	const unpu::lang::Actor actor = {"AscendDequant", unpu::lang::Pipe::V, where};

	unpu::lang::note_source(actor, "deqScale", deqScale, params.calCount);
	unpu::lang::dequantize(actor, dst, src, params, [&](uint64_t j) {
		return unpu::lang::scale_of(deqScale.data()[j]);
	});
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src,
		   const LocalTensor<S> &deqScale, const LocalTensor<uint8_t> &,
		   const DequantParams &params, UNPU_WHERE)
{
	AscendDequant<D, S, mode>(dst, src, deqScale, params, where);
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW,
	  class = std::enable_if_t<unpu::lang::is_one_of<S, float, half, bfloat16_t, uint64_t>>>
void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const S deqScale,
		   const DequantParams &params, UNPU_WHERE)
{
	UNPU_ONLY(AscendDequant, D, "half, bfloat16_t and float", half, bfloat16_t, float);
	const float scale = unpu::lang::scale_of(deqScale);

	unpu::lang::dequantize({"AscendDequant", unpu::lang::Pipe::V, where}, dst, src, params,
			       [=](uint64_t) { return scale; });
}
template <typename D, typename S, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW,
	  class = std::enable_if_t<unpu::lang::is_one_of<S, float, half, bfloat16_t, uint64_t>>>
void AscendDequant(const LocalTensor<D> &dst, const LocalTensor<int32_t> &src, const S deqScale,
		   const LocalTensor<uint8_t> &, const DequantParams &params, UNPU_WHERE)
{
	AscendDequant<D, S, mode>(dst, src, deqScale, params, where);
}

/*
 * src has K rows, or K columns with isTranspose; the other number follows from its size. The tensors of offsets and
 * scales have one row (or column) for each group of K, with an element for each column (or row) of src.
 */
template <typename S, typename D, bool isTranspose = false>
void AscendAntiQuant(const LocalTensor<D> &dst, const LocalTensor<S> &src,
		     const LocalTensor<D> &offset, const LocalTensor<D> &scale, const uint32_t K,
		     const AntiQuantShapeInfo &shape = {}, UNPU_WHERE)
{
	UNPU_ONLY(AscendAntiQuant, D, "half and bfloat16_t", half, bfloat16_t);
	UNPU_ONLY(AscendAntiQuant, S, "int8_t", int8_t);
	const unpu::lang::Actor actor = {"AscendAntiQuant", unpu::lang::Pipe::V, where};

	unpu::lang::require_number(actor, "K", K, 1, src.GetSize());
	const uint64_t across = src.GetSize() / K;
	const uint64_t rows = isTranspose ? across : K;
	const uint64_t columns = isTranspose ? K : across;
	const unpu::lang::Groups offsets = {rows, columns, shape.offsetHeight, shape.offsetWidth};
	const unpu::lang::Groups scales = {rows, columns, shape.scaleHeight, shape.scaleWidth};

	unpu::lang::require_groups(actor, "offset", offsets);
	unpu::lang::require_groups(actor, "scale", scales);
	unpu::lang::note_source(actor, "offset", offset, offsets.height * offsets.width);
	unpu::lang::note_source(actor, "scale", scale, scales.height * scales.width);
	unpu::lang::anti_quantize(
		actor, dst, src, rows, columns,
		[&](uint64_t i, uint64_t j) { return float(offset.data()[offsets.at(i, j)]); },
		[&](uint64_t i, uint64_t j) { return float(scale.data()[scales.at(i, j)]); });
}
template <typename S, typename D, bool isTranspose = false>
void AscendAntiQuant(const LocalTensor<D> &dst, const LocalTensor<S> &src,
		     const LocalTensor<D> &offset, const LocalTensor<D> &scale,
		     const LocalTensor<uint8_t> &, const uint32_t K,
		     const AntiQuantShapeInfo &shape = {}, UNPU_WHERE)
{
	AscendAntiQuant<S, D, isTranspose>(dst, src, offset, scale, K, shape, where);
}
/* One offset and one scale for all elements. */
template <typename S, typename D, bool isTranspose = false>
void AscendAntiQuant(const LocalTensor<D> &dst, const LocalTensor<S> &src,
		     unpu::lang::Same<D> offset, unpu::lang::Same<D> scale, const uint32_t K,
		     const AntiQuantShapeInfo & = {}, UNPU_WHERE)
{
	UNPU_ONLY(AscendAntiQuant, D, "half and bfloat16_t", half, bfloat16_t);
	UNPU_ONLY(AscendAntiQuant, S, "int8_t", int8_t);
	const unpu::lang::Actor actor = {"AscendAntiQuant", unpu::lang::Pipe::V, where};

	unpu::lang::require_number(actor, "K", K, 1, src.GetSize());
	unpu::lang::anti_quantize(
		actor, dst, src, 1, src.GetSize() / K * K,
		[=](uint64_t, uint64_t) { return float(offset); },
		[=](uint64_t, uint64_t) { return float(scale); });
}
template <typename S, typename D, bool isTranspose = false>
void AscendAntiQuant(const LocalTensor<D> &dst, const LocalTensor<S> &src,
		     unpu::lang::Same<D> offset, unpu::lang::Same<D> scale,
		     const LocalTensor<uint8_t> &, const uint32_t K,
		     const AntiQuantShapeInfo &shape = {}, UNPU_WHERE)
{
	AscendAntiQuant<S, D, isTranspose>(dst, src, offset, scale, K, shape, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_QUANT_H */
