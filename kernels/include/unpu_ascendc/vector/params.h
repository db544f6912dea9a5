/* SPDX-License-Identifier: MIT */
/*
 * DOC: Strides of the vector unit
 *
 * The structs that calls with a mask take. Their fields are narrow, as those of the device are; a constructor takes
 * any number and remembers whether it fitted, so that a check can tell.
 */
#ifndef UNPU_ASCENDC_VECTOR_PARAMS_H
#define UNPU_ASCENDC_VECTOR_PARAMS_H

#include "unpu_ascendc/core/services.h"

namespace unpu::lang {

/* Whether a number keeps its value in @Narrow. */
template <class Narrow, class T> constexpr bool fits(T value)
{
	return static_cast<T>(static_cast<Narrow>(value)) == value &&
	       ((static_cast<Narrow>(value) < Narrow{}) == (value < T{}));
}

/* Fails if a field of @params was given a number that it cannot hold. */
template <class Params>
inline void require_fitting(const char *call, const Params &params, Where where)
{
	if (__builtin_expect(params.is_narrowed, 0) && level() > 0)
		fail(where,
		     "%s: a field of its parameters was given a number that is too large for it: "
		     "strides and counts have 8 or 16 bits",
		     call);
}

} // namespace unpu::lang

namespace AscendC {

struct BinaryRepeatParams {
	uint8_t dstBlkStride = 1;
	uint8_t src0BlkStride = 1;
	uint8_t src1BlkStride = 1;
	uint8_t dstRepStride = 8;
	uint8_t src0RepStride = 8;
	uint8_t src1RepStride = 8;
	bool is_narrowed = false;

	constexpr BinaryRepeatParams() = default;
	template <class A, class B, class C, class D, class E, class F>
	constexpr BinaryRepeatParams(A dst_block, B src0_block, C src1_block, D dst_repeat,
				     E src0_repeat, F src1_repeat)
		: dstBlkStride(static_cast<uint8_t>(dst_block)),
		  src0BlkStride(static_cast<uint8_t>(src0_block)),
		  src1BlkStride(static_cast<uint8_t>(src1_block)),
		  dstRepStride(static_cast<uint8_t>(dst_repeat)),
		  src0RepStride(static_cast<uint8_t>(src0_repeat)),
		  src1RepStride(static_cast<uint8_t>(src1_repeat)),
		  is_narrowed(!(unpu::lang::fits<uint8_t>(dst_block) &&
				unpu::lang::fits<uint8_t>(src0_block) &&
				unpu::lang::fits<uint8_t>(src1_block) &&
				unpu::lang::fits<uint8_t>(dst_repeat) &&
				unpu::lang::fits<uint8_t>(src0_repeat) &&
				unpu::lang::fits<uint8_t>(src1_repeat)))
	{
	}
};

struct UnaryRepeatParams {
	uint16_t dstBlkStride = 1;
	uint16_t srcBlkStride = 1;
	uint8_t dstRepStride = 8;
	uint8_t srcRepStride = 8;
	bool halfBlock = false;
	bool is_narrowed = false;

	constexpr UnaryRepeatParams() = default;
	template <class A, class B, class C, class D>
	constexpr UnaryRepeatParams(A dst_block, B src_block, C dst_repeat, D src_repeat,
				    bool half_block = false)
		: dstBlkStride(static_cast<uint16_t>(dst_block)),
		  srcBlkStride(static_cast<uint16_t>(src_block)),
		  dstRepStride(static_cast<uint8_t>(dst_repeat)),
		  srcRepStride(static_cast<uint8_t>(src_repeat)), halfBlock(half_block),
		  is_narrowed(!(unpu::lang::fits<uint16_t>(dst_block) &&
				unpu::lang::fits<uint16_t>(src_block) &&
				unpu::lang::fits<uint8_t>(dst_repeat) &&
				unpu::lang::fits<uint8_t>(src_repeat)))
	{
	}
};

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_PARAMS_H */
