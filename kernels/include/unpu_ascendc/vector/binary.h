/* SPDX-License-Identifier: MIT */
/*
 * DOC: Instructions of two tensors
 */
#ifndef UNPU_ASCENDC_VECTOR_BINARY_H
#define UNPU_ASCENDC_VECTOR_BINARY_H

#include "unpu_ascendc/vector/forms.h"

namespace unpu::lang {

/* Integers wrap. */
template <class T, bool = std::is_integral_v<T>> struct Wrapping {
	using type = T;
};
template <class T> struct Wrapping<T, true> {
	using type = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;
};
template <class T> using Wrapped = typename Wrapping<T>::type;

struct AddOp {
	template <class T> T operator()(T a, T b) const
	{
		return static_cast<T>(Wrapped<T>(a) + Wrapped<T>(b));
	}
};
struct SubOp {
	template <class T> T operator()(T a, T b) const
	{
		return static_cast<T>(Wrapped<T>(a) - Wrapped<T>(b));
	}
};
struct MulOp {
	template <class T> T operator()(T a, T b) const
	{
		return static_cast<T>(Wrapped<T>(a) * Wrapped<T>(b));
	}
};
struct DivOp {
	template <class T> T operator()(T a, T b) const { return a / b; }
};
/* Of a number and NaN the result is NaN. */
struct MaxOp {
	template <class T> T operator()(T a, T b) const { return a > b || a != a ? a : b; }
};
struct MinOp {
	template <class T> T operator()(T a, T b) const { return a < b || a != a ? a : b; }
};
struct AndOp {
	template <class T> T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
struct OrOp {
	template <class T> T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
struct AddReluOp {
	template <class T> T operator()(T a, T b) const { return MaxOp{}(AddOp{}(a, b), T(0)); }
};
struct SubReluOp {
	template <class T> T operator()(T a, T b) const { return MaxOp{}(SubOp{}(a, b), T(0)); }
};
/* dst + src0 * src1, rounded once. */
struct MulAddDstOp {
	template <class A, class B> A operator()(A dst, B src0, B src1) const
	{
		return static_cast<A>(__builtin_fmaf(float(src0), float(src1), float(dst)));
	}
};

/* MulAddDst: the destination is a source, too. */
template <bool isSetMask, class D, class S, class Mask>
inline void mul_add_dst_masked(const LocalTensor<D> &dst, const LocalTensor<S> &src0,
			       const LocalTensor<S> &src1, Mask mask, uint64_t repeat,
			       const BinaryRepeatParams &params, Where where)
{
	require_fitting("MulAddDst", params, where);
	run_pattern(
		"MulAddDst", MulAddDstOp{},
		make_pattern<isSetMask>("MulAddDst", mask, repeat_elements<D, S>(), repeat, where),
		where, Arg<D>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		Arg<D>{"dst", dst, params.dstBlkStride, params.dstRepStride},
		Arg<S>{"src0", src0, params.src0BlkStride, params.src0RepStride},
		Arg<S>{"src1", src1, params.src1BlkStride, params.src1RepStride});
}

template <class D, class S>
inline constexpr bool has_fused = (std::is_same_v<D, S> && is_one_of<D, half, float>) ||
				  (std::is_same_v<D, float> && std::is_same_v<S, half>);

} // namespace unpu::lang

namespace AscendC {

UNPU_BINARY_FORMS(Add, unpu::lang::AddOp, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t)
UNPU_BINARY_FORMS(Sub, unpu::lang::SubOp, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t)
UNPU_BINARY_FORMS(Mul, unpu::lang::MulOp, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t)
UNPU_BINARY_FORMS(Max, unpu::lang::MaxOp, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t)
UNPU_BINARY_FORMS(Min, unpu::lang::MinOp, "half, float, int16_t and int32_t", half, float, int16_t,
		  int32_t)
UNPU_BINARY_FORMS(Div, unpu::lang::DivOp, "half and float", half, float)
/* They work on bits. So with a count, elements of 8 bits are allowed, too; the bits of a mask stand for elements of
 * 16 bits. */
UNPU_BINARY_COUNT(And, unpu::lang::AndOp, "integers of 8 and 16 bits", int8_t, uint8_t, int16_t,
		  uint16_t)
UNPU_BINARY_COUNT(Or, unpu::lang::OrOp, "integers of 8 and 16 bits", int8_t, uint8_t, int16_t,
		  uint16_t)
UNPU_BINARY_MASKED(And, unpu::lang::AndOp, "int16_t and uint16_t", int16_t, uint16_t)
UNPU_BINARY_MASKED(Or, unpu::lang::OrOp, "int16_t and uint16_t", int16_t, uint16_t)
UNPU_BINARY_FORMS(AddRelu, unpu::lang::AddReluOp, "half, float and int16_t", half, float, int16_t)
UNPU_BINARY_FORMS(SubRelu, unpu::lang::SubReluOp, "half, float and int16_t", half, float, int16_t)

#define UNPU_HAS_FUSED(Name, D, S) \
	static_assert(unpu::lang::has_fused<D, S>, \
		      #Name ": the vector unit of this chip has it for half and float, " \
			    "and for a float destination with half sources")

/* dst += src0 * src1 */
template <typename D, typename S, bool isSetMask = true>
void MulAddDst(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,
	       int32_t count, UNPU_WHERE)
{
	UNPU_HAS_FUSED(MulAddDst, D, S);
	unpu::lang::run_count("MulAddDst", unpu::lang::MulAddDstOp{}, count, where,
			      unpu::lang::Arg<D>{"dst", dst}, unpu::lang::Arg<D>{"dst", dst},
			      unpu::lang::Arg<S>{"src0", src0}, unpu::lang::Arg<S>{"src1", src1});
}
template <typename D, typename S, bool isSetMask = true>
void MulAddDst(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,
	       uint64_t mask, uint32_t repeat, const BinaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_FUSED(MulAddDst, D, S);
	unpu::lang::mul_add_dst_masked<isSetMask>(dst, src0, src1, mask, repeat, params, where);
}
template <typename D, typename S, bool isSetMask = true>
void MulAddDst(const LocalTensor<D> &dst, const LocalTensor<S> &src0, const LocalTensor<S> &src1,
	       const uint64_t mask[], uint32_t repeat, const BinaryRepeatParams &params, UNPU_WHERE)
{
	UNPU_HAS_FUSED(MulAddDst, D, S);
	unpu::lang::mul_add_dst_masked<isSetMask>(dst, src0, src1, mask, repeat, params, where);
}

} // namespace AscendC

#endif /* UNPU_ASCENDC_VECTOR_BINARY_H */
