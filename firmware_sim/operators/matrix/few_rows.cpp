// SPDX-License-Identifier: MIT
/*
 * DOC: Products of a few rows
 *
 * A decoder multiplies one row, or a few, with large weights. The time is that of reading the weights. So
 * each weight is read once, in the order of the memory, and becomes a float in a register.
 *
 * If b is in row-major order, eight of its rows at a time, times their factors, are added to the rows of c,
 * which stay in the first-level cache. If b is in column-major order, each element of c is a dot product of a
 * row of a and a column of b.
 */
#include "few_rows.h"

#include <cstring>
#include <type_traits>

#include "firmware_sim/operators/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/matrix/few_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/kernels/half-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace simd = fw::simd::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using One = hn::CappedTag<float, 1>;

/* How the elements of b become floats. The elements may have any alignment. A vector of one lane is loaded as
 * bytes, because Highway would load it as an aligned float. */
struct Single {
	static constexpr int64_t bytes = 4;

	template <class D> static HWY_INLINE hn::VFromD<D> load(D d, const std::byte *from)
	{
		if constexpr (std::is_same_v<D, One>) {
			float number;
			std::memcpy(&number, from, sizeof(number));
			return hn::Set(d, number);
		} else {
			return hn::LoadU(d, reinterpret_cast<const float *>(from));
		}
	}
};

struct Half : simd::Half {
	static constexpr int64_t bytes = 2;
};

struct Bfloat : simd::Bfloat {
	static constexpr int64_t bytes = 2;
};

struct Byte {
	static constexpr int64_t bytes = 1;

	template <class D> static HWY_INLINE hn::VFromD<D> load(D d, const std::byte *from)
	{
		const hn::Rebind<int8_t, D> small;
		const hn::Rebind<int32_t, D> words;
		return hn::ConvertTo(
			d, hn::PromoteTo(words,
					 hn::LoadU(small, reinterpret_cast<const int8_t *>(from))));
	}
};

/* load_rows() - a vector of each of @Rows rows of b. */
template <class Type, int Rows, class D>
HWY_INLINE void load_rows(D d, const FewRows &p, const std::byte *from, int64_t column,
			  hn::VFromD<D> (&rows)[Rows])
{
	for (int r = 0; r < Rows; r++)
		rows[r] = Type::load(d, from + r * p.step + column * Type::bytes);
	if constexpr (Type::bytes == 1) {
		const auto scale = hn::LoadU(d, p.scales + column);
		const auto offset = hn::LoadU(d, p.offsets + column);
		for (auto &row : rows)
			row = hn::Mul(hn::Add(row, offset), scale);
	}
}

/* add_rows() - adds @Rows rows of b from number @k on, times their @factors, to columns of each row of c.
 * Return: the first column that is left. */
template <class Type, int Rows, class D>
HWY_INLINE int64_t add_rows(D d, const FewRows &p, const float *factors, int64_t k, int64_t column)
{
	const auto lanes = static_cast<int64_t>(hn::Lanes(d));
	const std::byte *from = p.b + k * p.step;
	for (; p.n - column >= lanes; column += lanes) {
		hn::VFromD<D> rows[Rows];
		load_rows<Type, Rows>(d, p, from, column, rows);
		for (int64_t i = 0; i < p.m; i++) {
			float *to = p.c + i * p.stride + column;
			auto sum = hn::LoadU(d, to);
			for (int r = 0; r < Rows; r++)
				sum = hn::MulAdd(hn::Set(d, factors[i * Rows + r]), rows[r], sum);
			hn::StoreU(sum, d, to);
		}
	}
	return column;
}

/* add_block() - adds @Rows rows of b from number @k on. Their factors lie far apart in memory and compete for
 * the same lines of the first-level cache, so they are copied first. */
template <class Type, int Rows> HWY_INLINE void add_block(const FewRows &p, int64_t k)
{
	float factors[MOST_ROWS * Rows];
	for (int64_t i = 0; i < p.m; i++)
		for (int r = 0; r < Rows; r++)
			factors[i * Rows + r] = p.a[i * p.before + k + r];
	add_rows<Type, Rows>(One(), p, factors, k,
			     add_rows<Type, Rows>(Floats(), p, factors, k, 0));
}

template <class Type> HWY_INLINE void multiply_rows(const FewRows &p)
{
	constexpr int ROWS = 8;
	int64_t k = 0;
	for (; p.k - k >= ROWS; k += ROWS)
		add_block<Type, ROWS>(p, k);
	for (; k < p.k; k++)
		add_block<Type, 1>(p, k);
}

/* add_column() - adds the dot products of @Rows rows of a, from number @row on, with a column of b. */
template <class Type, int Rows>
HWY_INLINE void add_column(const FewRows &p, int64_t row, int64_t column)
{
	constexpr int SUMS = Rows == 1 ? 4 : 2;
	const Floats d;
	const auto lanes = static_cast<int64_t>(hn::Lanes(d));
	const std::byte *from = p.b + column * p.step;
	const float *a = p.a + row * p.before;
	hn::VFromD<Floats> sums[Rows][SUMS];
	for (auto &of_row : sums)
		for (auto &sum : of_row)
			sum = hn::Zero(d);
	int64_t k = 0;
	for (; p.k - k >= SUMS * lanes; k += SUMS * lanes) {
		for (int s = 0; s < SUMS; s++) {
			const int64_t at = k + s * lanes;
			const auto weights = Type::load(d, from + at * Type::bytes);
			for (int i = 0; i < Rows; i++)
				sums[i][s] = hn::MulAdd(hn::LoadU(d, a + i * p.before + at),
							weights, sums[i][s]);
		}
	}
	const One one;
	for (int i = 0; i < Rows; i++) {
		auto sum = sums[i][0];
		for (int s = 1; s < SUMS; s++)
			sum = hn::Add(sum, sums[i][s]);
		float total = hn::GetLane(hn::SumOfLanes(d, sum));
		for (int64_t at = k; at < p.k; at++)
			total += a[i * p.before + at] *
				 hn::GetLane(Type::load(one, from + at * Type::bytes));
		p.c[(row + i) * p.stride + column] += total;
	}
}

template <class Type> HWY_INLINE void multiply_columns(const FewRows &p)
{
	for (int64_t column = 0; column < p.n; column++) {
		int64_t row = 0;
		for (; p.m - row >= 4; row += 4)
			add_column<Type, 4>(p, row, column);
		for (; row < p.m; row++)
			add_column<Type, 1>(p, row, column);
	}
}

template <class Type> HWY_INLINE void multiply(const FewRows &p)
{
	if (p.is_transposed)
		multiply_columns<Type>(p);
	else
		multiply_rows<Type>(p);
}

void multiply_any(const FewRows &p)
{
	switch (p.dtype) {
	case UNPU_DTYPE_F16:
		return multiply<Half>(p);
	case UNPU_DTYPE_BF16:
		return multiply<Bfloat>(p);
	case UNPU_DTYPE_I8:
		return multiply_rows<Byte>(p);
	default:
		return multiply<Single>(p);
	}
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(multiply_any);

void multiply_few_rows(const FewRows &product)
{
	HWY_DYNAMIC_DISPATCH(multiply_any)(product);
}

} // namespace fw::tensor

#endif
