/* SPDX-License-Identifier: MIT */
/*
 * DOC: Instructions of a tensor and a scalar
 */
#ifndef UNPU_ASCENDC_VECTOR_SCALAR_H
#define UNPU_ASCENDC_VECTOR_SCALAR_H

#include "unpu_ascendc/vector/binary.h"

namespace unpu::lang {

template <class T> struct AddsOp {
	T scalar;

	T operator()(T value) const { return AddOp{}(value, scalar); }
};
template <class T> struct MulsOp {
	T scalar;

	T operator()(T value) const { return MulOp{}(value, scalar); }
};
template <class T> struct MaxsOp {
	T scalar;

	T operator()(T value) const { return MaxOp{}(value, scalar); }
};
template <class T> struct MinsOp {
	T scalar;

	T operator()(T value) const { return MinOp{}(value, scalar); }
};
template <class T> struct LeakyReluOp {
	T scalar;

	T operator()(T value) const { return value >= T(0) ? value : value * scalar; }
};

/* dst + src * scalar, rounded once. */
struct AxpyOp {
	float scalar;

	template <class A, class B> A operator()(A dst, B src) const
	{
		return static_cast<A>(__builtin_fmaf(float(src), scalar, float(dst)));
	}
};

template <bool isSetMask, class D, class S, class Mask>
inline void axpy_masked(const LocalTensor<D> &dst, const LocalTensor<S> &src, float scalar,
			Mask mask, uint64_t repeat, const UnaryRepeatParams &params, Where where)
{
	require_fitting("Axpy", params, where);
	run_pattern("Axpy", AxpyOp{scalar},
		    make_pattern<isSetMask>("Axpy", mask, repeat_elements<D, S>(), repeat, where),
		    where, Arg<D>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		    Arg<D>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		    Arg<S>{"src", src, params.srcBlkStride, params.srcRepStride});
}

template <class T> struct ShiftLeftOp {
	uint32_t bits;

	T operator()(T value) const
	{
		return bits < sizeof(T) * 8
			       ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(value) << bits)
			       : T(0);
	}
};
/* With rounding, half of the last bit is added before the shift. */
template <class T> struct ShiftRightOp {
	uint32_t bits;
	bool is_rounded;

	T operator()(T value) const
	{
		const int64_t wide = static_cast<int64_t>(value);
		const uint32_t shift = bits < sizeof(T) * 8 ? bits : uint32_t(sizeof(T) * 8);

		return static_cast<T>(
			(wide + (is_rounded && shift > 0 ? int64_t(1) << (shift - 1) : 0)) >>
			shift);
	}
};

} // namespace unpu::lang

namespace AscendC {

UNPU_SCALAR_FORMS(Adds, unpu::lang::AddsOp, "half, float, int16_t and int32_t", half, float,
		  int16_t, int32_t)
UNPU_SCALAR_FORMS(Muls, unpu::lang::MulsOp, "half, float, int16_t and int32_t", half, float,
		  int16_t, int32_t)
UNPU_SCALAR_FORMS(Maxs, unpu::lang::MaxsOp, "half, float, int16_t and int32_t", half, float,
		  int16_t, int32_t)
UNPU_SCALAR_FORMS(Mins, unpu::lang::MinsOp, "half, float, int16_t and int32_t", half, float,
		  int16_t, int32_t)
UNPU_SCALAR_FORMS(LeakyRelu, unpu::lang::LeakyReluOp, "half and float", half, float)

/* dst += src * scalar */
template <typename D, typename S, bool isSetMask = true>
void Axpy(const LocalTensor<D> &dst, const LocalTensor<S> &src, unpu::lang::Same<S> scalar,
	  int32_t count, UNPU_WHERE)
{
	UNPU_HAS_FUSED(Axpy, D, S);
	unpu::lang::run_count("Axpy", unpu::lang::AxpyOp{float(scalar)}, count, where,
			      unpu::lang::Arg<D>{"dst", dst}, unpu::lang::Arg<D>{"dst", dst},
			      unpu::lang::Arg<S>{"src", src});
}
template <typename D, typename S, bool isSetMask = true>
void Axpy(const LocalTensor<D> &dst, const LocalTensor<S> &src, unpu::lang::Same<S> scalar,
	  uint64_t mask, uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_FUSED(Axpy, D, S);
	unpu::lang::axpy_masked<isSetMask>(dst, src, float(scalar), mask, repeat, params, where);
}
template <typename D, typename S, bool isSetMask = true>
void Axpy(const LocalTensor<D> &dst, const LocalTensor<S> &src, unpu::lang::Same<S> scalar,
	  const uint64_t mask[], uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_FUSED(Axpy, D, S);
	unpu::lang::axpy_masked<isSetMask>(dst, src, float(scalar), mask, repeat, params, where);
}

#define UNPU_SHIFT_TYPES(Name, T) \
	UNPU_ONLY(Name, T, "16-bit and 32-bit integers", int16_t, uint16_t, int32_t, uint32_t)

template <typename T, bool isSetMask = true>
void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> bits,
	       int32_t count, UNPU_WHERE)
{
	UNPU_SHIFT_TYPES(ShiftLeft, T);
	unpu::lang::run_count("ShiftLeft", unpu::lang::ShiftLeftOp<T>{static_cast<uint32_t>(bits)},
			      count, where, unpu::lang::Arg<T>{"dst", dst},
			      unpu::lang::Arg<T>{"src", src});
}
template <typename T, bool isSetMask = true>
void ShiftLeft(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> bits,
	       uint64_t mask, uint32_t repeat, const UnaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_SHIFT_TYPES(ShiftLeft, T);
	unpu::lang::unary_masked<isSetMask>("ShiftLeft",
					    unpu::lang::ShiftLeftOp<T>{static_cast<uint32_t>(bits)},
					    dst, src, mask, repeat, params, where);
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> bits,
		int32_t count, UNPU_WHERE)
{
	UNPU_SHIFT_TYPES(ShiftRight, T);
	unpu::lang::run_count(
		"ShiftRight", unpu::lang::ShiftRightOp<T>{static_cast<uint32_t>(bits), false},
		count, where, unpu::lang::Arg<T>{"dst", dst}, unpu::lang::Arg<T>{"src", src});
}
template <typename T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, unpu::lang::Same<T> bits,
		uint64_t mask, uint32_t repeat, const UnaryRepeatParams &params,
		bool is_rounded = false, UNPU_WHERE)
{
	UNPU_SHIFT_TYPES(ShiftRight, T);
	unpu::lang::unary_masked<isSetMask>(
		"ShiftRight", unpu::lang::ShiftRightOp<T>{static_cast<uint32_t>(bits), is_rounded},
		dst, src, mask, repeat, params, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_SCALAR_H */
