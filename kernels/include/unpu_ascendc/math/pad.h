/* SPDX-License-Identifier: MIT */
/*
 * DOC: Padding of rows
 *
 * Pad adds elements at both ends of each row, UnPad takes them away.
 */
#ifndef UNPU_ASCENDC_MATH_PAD_H
#define UNPU_ASCENDC_MATH_PAD_H

#include "unpu_ascendc/tensor/operand.h"

/* A row has @srcWidth elements; only the first @srcOriWidth are used. @numbers: unused here. */
struct PadTiling {
	uint32_t srcHeight = 0;
	uint32_t srcWidth = 0;
	uint32_t srcOriWidth = 0;
	uint32_t numbers[20] = {};
};
struct UnPadTiling {
	uint32_t srcHeight = 0;
	uint32_t srcWidth = 0;
	uint32_t numbers[20] = {};
};

namespace AscendC {

struct PadParams {
	uint16_t leftPad = 0;
	uint16_t rightPad = 0;
	int32_t padValue = 0;
};
struct UnPadParams {
	uint16_t leftPad = 0;
	uint16_t rightPad = 0;
};

/* Each row of dst is the left padding, a row of src and the right padding. It is aligned to 32 bytes. */
template <typename T>
void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const PadParams &params,
	 const PadTiling &tiling, UNPU_WHERE)
{
	static_assert(unpu::lang::is_one_of<T, half, float, int16_t, uint16_t, int32_t, uint32_t>,
		      "Pad: elements have 2 or 4 bytes");
	const unpu::lang::Actor actor = {"Pad", unpu::lang::Pipe::V, where};
	const uint64_t height = tiling.srcHeight;
	const uint64_t inner = tiling.srcOriWidth;
	const uint64_t width = params.leftPad + inner + params.rightPad;
	const uint64_t pitch = unpu::lang::padded<T>(width);

	unpu::lang::require_number(actor, "srcHeight of the tiling", height, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "srcOriWidth of the tiling", inner, 1, tiling.srcWidth);
	unpu::lang::note_source(actor, "src", src, (height - 1) * tiling.srcWidth + inner);
	unpu::lang::note_target(actor, "dst", dst, (height - 1) * pitch + width);
	for (uint64_t i = 0; i < height; i++) {
		T *to = dst.data() + i * pitch;

		memmove(to + params.leftPad, src.data() + i * tiling.srcWidth, inner * sizeof(T));
		for (uint64_t k = 0; k < params.leftPad; k++)
			to[k] = static_cast<T>(params.padValue);
		for (uint64_t k = 0; k < params.rightPad; k++)
			to[params.leftPad + inner + k] = static_cast<T>(params.padValue);
	}
}
template <typename T>
void Pad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const PadParams &params,
	 const LocalTensor<uint8_t> &, const PadTiling &tiling, UNPU_WHERE)
{
	Pad(dst, src, params, tiling, where);
}

/* Rows of dst follow each other without a gap. */
template <typename T>
void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const UnPadParams &params,
	   const UnPadTiling &tiling, UNPU_WHERE)
{
	static_assert(unpu::lang::is_one_of<T, half, float, int16_t, uint16_t, int32_t, uint32_t>,
		      "UnPad: elements have 2 or 4 bytes");
	const unpu::lang::Actor actor = {"UnPad", unpu::lang::Pipe::V, where};
	const uint64_t height = tiling.srcHeight;
	const uint64_t width = tiling.srcWidth;
	const uint64_t away = uint64_t(params.leftPad) + params.rightPad;

	unpu::lang::require_number(actor, "srcHeight of the tiling", height, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "srcWidth of the tiling", width, 1, 0xffffffffu);
	unpu::lang::require_number(actor, "leftPad + rightPad", away, 0, width - 1);
	unpu::lang::note_source(actor, "src", src, height * width);
	unpu::lang::note_target(actor, "dst", dst, height * (width - away));
	for (uint64_t i = 0; i < height; i++)
		memmove(dst.data() + i * (width - away), src.data() + i * width + params.leftPad,
			(width - away) * sizeof(T));
}
template <typename T>
void UnPad(const LocalTensor<T> &dst, const LocalTensor<T> &src, const UnPadParams &params,
	   const LocalTensor<uint8_t> &, const UnPadTiling &tiling, UNPU_WHERE)
{
	UnPad(dst, src, params, tiling, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_MATH_PAD_H */
