/* SPDX-License-Identifier: MIT */
/*
 * DOC: Instructions of one tensor
 */
#ifndef UNPU_ASCENDC_VECTOR_UNARY_H
#define UNPU_ASCENDC_VECTOR_UNARY_H

#include "unpu_ascendc/core/math_library.h"
#include "unpu_ascendc/types/rounding.h"
#include "unpu_ascendc/vector/binary.h"

namespace unpu::lang {

struct AbsOp {
	template <class T> T operator()(T value) const { return magnitude_of(value); }
};
struct ExpOp {
	float operator()(float value) const { return expf(value); }
};
struct LnOp {
	float operator()(float value) const { return logf(value); }
};
struct SqrtOp {
	float operator()(float value) const { return __builtin_sqrtf(value); }
};
/* The results of the device are less exact. */
struct RsqrtOp {
	float operator()(float value) const { return 1.0f / __builtin_sqrtf(value); }
};
struct ReciprocalOp {
	float operator()(float value) const { return 1.0f / value; }
};
struct ReluOp {
	template <class T> T operator()(T value) const { return MaxOp{}(value, T(0)); }
};
struct NotOp {
	template <class T> T operator()(T value) const { return static_cast<T>(~value); }
};

} // namespace unpu::lang

namespace AscendC {

UNPU_UNARY_FORMS(Abs, unpu::lang::AbsOp, "half and float", half, float)
UNPU_UNARY_FORMS(Exp, unpu::lang::ExpOp, "half and float", half, float)
UNPU_UNARY_FORMS(Ln, unpu::lang::LnOp, "half and float", half, float)
UNPU_UNARY_FORMS(Sqrt, unpu::lang::SqrtOp, "half and float", half, float)
UNPU_UNARY_FORMS(Rsqrt, unpu::lang::RsqrtOp, "half and float", half, float)
UNPU_UNARY_FORMS(Reciprocal, unpu::lang::ReciprocalOp, "half and float", half, float)
UNPU_UNARY_FORMS(Relu, unpu::lang::ReluOp, "half, float and int32_t", half, float, int32_t)
UNPU_UNARY_COUNT(Not, unpu::lang::NotOp, "integers of 8 and 16 bits", int8_t, uint8_t, int16_t,
		 uint16_t)
UNPU_UNARY_MASKED(Not, unpu::lang::NotOp, "int16_t and uint16_t", int16_t, uint16_t)

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_UNARY_H */
