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
#include "half-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::simd {
namespace HWY_NAMESPACE {

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
