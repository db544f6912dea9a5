// SPDX-License-Identifier: MIT
/*
 * DOC: Vector kernels
 *
 * Vector code for the rows that gain most from it: F32 arithmetic and the conversions between F32 and
 * the 16-bit floats. Everything else in elementwise.cpp is built from these or is a plain loop. Highway
 * compiles this file once for each instruction set and picks one at run time.
 *
 * A compiler may otherwise fuse the multiplication and the addition of add_f32(), even between
 * intrinsics, and round once where the device rounds twice: contraction is switched off for the file.
 */
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "elementwise_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/kernels/elementwise_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "dtype.h"

HWY_BEFORE_NAMESPACE();

namespace fw::simd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/* Rows are walked in whole vectors, then in short ones of up to 4 lanes, then one by one. */
using Whole = hn::ScalableTag<float>;
using Short = hn::CappedTag<float, 4>;

template <class D> using Words = hn::RebindToUnsigned<D>;
template <class D> using SignedWords = hn::RebindToSigned<D>;
template <class D> using Halves = hn::Rebind<uint16_t, D>;
template <class D> using FloatVector = hn::VFromD<D>;
template <class D> using WordVector = hn::VFromD<Words<D>>;

template <class D> HWY_INLINE FloatVector<D> load_floats(D d, const std::byte *from)
{
	return hn::LoadU(d, reinterpret_cast<const float *>(from));
}

HWY_INLINE float load_float(const std::byte *from)
{
	return load_element<UNPU_DTYPE_F32, float>(from);
}

struct Add {
	static HWY_INLINE float one(float a, float b, float scalar)
	{
		const float product = scalar * b;

		return a + product;
	}

	template <class Vector> static HWY_INLINE Vector many(Vector a, Vector b, Vector scalar)
	{
		return hn::Add(a, hn::Mul(scalar, b));
	}
};

struct Mul {
	static HWY_INLINE float one(float a, float b, float) { return a * b; }

	template <class Vector> static HWY_INLINE Vector many(Vector a, Vector b, Vector)
	{
		return hn::Mul(a, b);
	}
};

/* struct Row - the arguments of one binary row. */
struct Row {
	std::byte *to;
	const std::byte *a, *b;
	size_t n;
	float scalar;
};

/* binary_span() - processes as many vectors of @d as fit from element @i on; returns the index behind
 * them. */
template <class Operation, Form form, class D>
HWY_INLINE size_t binary_span(D d, const Row &row, size_t i)
{
	constexpr bool row_a = form != Form::ONE_ROW, row_b = form != Form::ROW_ONE;
	const size_t lanes = hn::Lanes(d);
	const auto scalars = hn::Set(d, row.scalar);
	const auto all_a = hn::Set(d, row_a ? 0.0f : load_float(row.a));
	const auto all_b = hn::Set(d, row_b ? 0.0f : load_float(row.b));

	for (; row.n - i >= lanes; i += lanes) {
		const size_t at = i * sizeof(float);
		const auto a = row_a ? load_floats(d, row.a + at) : all_a;
		const auto b = row_b ? load_floats(d, row.b + at) : all_b;

		hn::StoreU(Operation::many(a, b, scalars), d,
			   reinterpret_cast<float *>(row.to + at));
	}
	return i;
}

template <class Operation, Form form> HWY_INLINE void binary_row(const Row &row)
{
	constexpr bool row_a = form != Form::ONE_ROW, row_b = form != Form::ROW_ONE;
	const float one_a = row_a ? 0.0f : load_float(row.a),
		    one_b = row_b ? 0.0f : load_float(row.b);
	size_t i = 0;

	if (row.n >= hn::Lanes(Whole()))
		i = binary_span<Operation, form>(Whole(), row, i);
	i = binary_span<Operation, form>(Short(), row, i);
	for (; i < row.n; i++) {
		const size_t at = i * sizeof(float);
		const float a = row_a ? load_float(row.a + at) : one_a;
		const float b = row_b ? load_float(row.b + at) : one_b;

		store_element<UNPU_DTYPE_F32, float>(row.to + at, Operation::one(a, b, row.scalar));
	}
}

template <class Operation> HWY_INLINE void binary(const Row &row, Form form)
{
	if (form == Form::ROW_ROW)
		binary_row<Operation, Form::ROW_ROW>(row);
	else if (form == Form::ROW_ONE)
		binary_row<Operation, Form::ROW_ONE>(row);
	else
		binary_row<Operation, Form::ONE_ROW>(row);
}

void add_rows(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	      Form form)
{
	binary<Add>({to, a, b, n, scalar}, form);
}

void mul_rows(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	      Form form)
{
	binary<Mul>({to, a, b, n, scalar}, form);
}

/* choose() - @yes where @left < @right, both unsigned, else @no. */
template <class V> HWY_INLINE V choose(V left, V right, V yes, V no)
{
	return hn::IfThenElse(hn::Lt(left, right), yes, no);
}

struct Half {
	static constexpr uint32_t dtype = UNPU_DTYPE_F16;

	template <class D> static HWY_INLINE FloatVector<D> widen(D d, WordVector<D> halves)
	{
		const Words<D> dw;
		const auto wide = hn::ShiftLeft<16>(halves);
		const auto magnitude = hn::Add(wide, wide);
		const auto rebased =
			hn::Add(hn::ShiftRight<4>(magnitude), hn::Set(dw, 0xe0u << 23));
		const auto normal = hn::Mul(hn::BitCast(d, rebased), hn::Set(d, 0x1p-112f));
		const auto mantissa =
			hn::Or(hn::ShiftRight<17>(magnitude), hn::Set(dw, 126u << 23));
		const auto subnormal = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 0.5f));
		const auto value = choose(magnitude, hn::Set(dw, 1u << 27),
					  hn::BitCast(dw, subnormal), hn::BitCast(dw, normal));

		return hn::BitCast(d, hn::Or(hn::And(wide, hn::Set(dw, 0x80000000u)), value));
	}

	template <class D> static HWY_INLINE WordVector<D> narrow(D d, FloatVector<D> floats)
	{
		const Words<D> dw;
		const auto bits = hn::BitCast(dw, floats);
		const auto sign = hn::And(bits, hn::Set(dw, 0x80000000u));
		const auto shifted = hn::Add(bits, bits);
		const auto exponent = hn::And(shifted, hn::Set(dw, 0xff000000u));
		const auto half_bias =
			hn::ShiftRight<1>(hn::Max(exponent, hn::Set(dw, 0x71000000u)));
		const auto bias = hn::BitCast(d, hn::Add(half_bias, hn::Set(dw, 0x07800000u)));
		const auto large = hn::Mul(hn::Abs(floats), hn::Set(d, 0x1p+112f));
		const auto scaled = hn::Mul(large, hn::Set(d, 0x1p-110f));
		const auto rounded = hn::BitCast(dw, hn::Add(bias, scaled));
		const auto number =
			hn::Add(hn::And(hn::ShiftRight<13>(rounded), hn::Set(dw, 0x7c00u)),
				hn::And(rounded, hn::Set(dw, 0x0fffu)));
		const auto value =
			choose(hn::Set(dw, 0xff000000u), shifted, hn::Set(dw, 0x7e00u), number);

		return hn::Or(hn::ShiftRight<16>(sign), value);
	}
};

struct Bfloat {
	static constexpr uint32_t dtype = UNPU_DTYPE_BF16;

	template <class D> static HWY_INLINE FloatVector<D> widen(D d, WordVector<D> bfloats)
	{
		return hn::BitCast(d, hn::ShiftLeft<16>(bfloats));
	}

	template <class D> static HWY_INLINE WordVector<D> narrow(D, FloatVector<D> floats)
	{
		const Words<D> dw;
		const auto bits = hn::BitCast(dw, floats);
		const auto sign = hn::ShiftRight<16>(hn::And(bits, hn::Set(dw, 0x80000000u)));
		const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(dw, 1u));
		const auto number =
			hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(dw, 0x7fffu))));

		return choose(hn::Set(dw, 0xff000000u), hn::Add(bits, bits),
			      hn::Or(sign, hn::Set(dw, 0x7fc0u)), number);
	}
};

template <class Type, class D>
HWY_INLINE size_t widen_span(D d, float *to, const std::byte *from, size_t n, size_t i)
{
	const size_t lanes = hn::Lanes(d);

	for (; n - i >= lanes; i += lanes) {
		const auto *at = reinterpret_cast<const uint16_t *>(from + 2 * i);
		const auto words = hn::PromoteTo(Words<D>(), hn::LoadU(Halves<D>(), at));

		hn::StoreU(Type::widen(d, words), d, to + i);
	}
	return i;
}

template <class Type> HWY_INLINE void widen(float *to, const std::byte *from, size_t n)
{
	size_t i = 0;

	if (n >= hn::Lanes(Whole()))
		i = widen_span<Type>(Whole(), to, from, n, i);
	i = widen_span<Type>(Short(), to, from, n, i);
	for (; i < n; i++)
		to[i] = load_element<Type::dtype, float>(from + 2 * i);
}

template <class Type, class D>
HWY_INLINE size_t narrow_span(D d, std::byte *to, const float *from, size_t n, size_t i)
{
	const size_t lanes = hn::Lanes(d);

	for (; n - i >= lanes; i += lanes) {
		const auto words = Type::narrow(d, hn::LoadU(d, from + i));
		const auto halves = hn::DemoteTo(Halves<D>(), hn::BitCast(SignedWords<D>(), words));

		hn::StoreU(halves, Halves<D>(), reinterpret_cast<uint16_t *>(to + 2 * i));
	}
	return i;
}

template <class Type> HWY_INLINE void narrow(std::byte *to, const float *from, size_t n)
{
	size_t i = 0;

	if (n >= hn::Lanes(Whole()))
		i = narrow_span<Type>(Whole(), to, from, n, i);
	i = narrow_span<Type>(Short(), to, from, n, i);
	for (; i < n; i++)
		store_element<Type::dtype, float>(to + 2 * i, from[i]);
}

void widen_f16_rows(float *to, const std::byte *from, size_t n)
{
	widen<Half>(to, from, n);
}

void widen_bf16_rows(float *to, const std::byte *from, size_t n)
{
	widen<Bfloat>(to, from, n);
}

void narrow_f16_rows(std::byte *to, const float *from, size_t n)
{
	narrow<Half>(to, from, n);
}

void narrow_bf16_rows(std::byte *to, const float *from, size_t n)
{
	narrow<Bfloat>(to, from, n);
}

} // namespace HWY_NAMESPACE
} // namespace fw::simd

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::simd {

HWY_EXPORT(add_rows);
HWY_EXPORT(mul_rows);
HWY_EXPORT(widen_f16_rows);
HWY_EXPORT(widen_bf16_rows);
HWY_EXPORT(narrow_f16_rows);
HWY_EXPORT(narrow_bf16_rows);

void add_f32(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	     Form form)
{
	HWY_DYNAMIC_DISPATCH(add_rows)(to, a, b, n, scalar, form);
}

void mul_f32(std::byte *to, const std::byte *a, const std::byte *b, size_t n, float scalar,
	     Form form)
{
	HWY_DYNAMIC_DISPATCH(mul_rows)(to, a, b, n, scalar, form);
}

void widen_f16(float *to, const std::byte *from, size_t n)
{
	HWY_DYNAMIC_DISPATCH(widen_f16_rows)(to, from, n);
}

void widen_bf16(float *to, const std::byte *from, size_t n)
{
	HWY_DYNAMIC_DISPATCH(widen_bf16_rows)(to, from, n);
}

void narrow_f16(std::byte *to, const float *from, size_t n)
{
	HWY_DYNAMIC_DISPATCH(narrow_f16_rows)(to, from, n);
}

void narrow_bf16(std::byte *to, const float *from, size_t n)
{
	HWY_DYNAMIC_DISPATCH(narrow_bf16_rows)(to, from, n);
}

} // namespace fw::simd

#endif /* HWY_ONCE */
