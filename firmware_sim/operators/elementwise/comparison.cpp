// SPDX-License-Identifier: MIT
/*
 * DOC: Comparisons, truth values, bits and choices
 *
 * Slot 0 is the result, slots 1 and 2 are the operands, or slot 1 and a scalar. WHERE has its condition in slot 1, and
 * slots 2 and 3 to choose from. Call::compute says in which type numbers are compared: F32, F64 or I64. The compiler
 * makes vectors of the loops.
 */
#include "elementwise_views.h"

#include <functional>

#include "pairs.h"

namespace fw::tensor {

namespace {

/* struct BesideScalar - to[i] = Each(a[i], scalar). A scalar above all numbers of I64 is above all elements.
 * @ABOVE: what a comparison with it gives */
template <class Each, bool ABOVE> struct BesideScalar {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const bool is_above =
			std::is_same_v<C, int64_t> && call.integers(0)[0] == UNPU_DTYPE_U64;
		const C other = scalar_as<C>(call, 0);
		run_unary<C>(call, first, count, [=](C *to, const C *a, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = static_cast<C>(is_above ? ABOVE : Each()(a[i], other));
		});
	}
};

struct BothTrue {
	template <class C> bool operator()(C x, C y) const { return (x != 0) & (y != 0); }
};

struct OneTrue {
	template <class C> bool operator()(C x, C y) const { return (x != 0) | (y != 0); }
};

struct OneAloneTrue {
	template <class C> bool operator()(C x, C y) const { return (x != 0) != (y != 0); }
};

/* NaN wins. */
struct Greater {
	template <class C> C operator()(C x, C y) const { return ((x > y) | (x != x)) ? x : y; }
};

struct Smaller {
	template <class C> C operator()(C x, C y) const { return ((x < y) | (x != x)) ? x : y; }
};

/* What is not above 0 is multiplied. */
struct Sloped {
	template <class C> C operator()(C x, C slope) const
	{
		return x > 0 ? x : multiply(x, slope);
	}
};

/* struct Choose - slot 2 where slot 1 is not 0, else slot 3. */
struct Choose {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		run_ternary<C>(
			call, first, count,
			[](C *to, const C *condition, const C *self, const C *other, size_t n) {
				for (size_t i = 0; i < n; i++)
					to[i] = condition[i] != 0 ? self[i] : other[i];
			});
	}
};

/* run_bits() - Kernel::run of bitwise operators; the bits of truth values are one bit. */
template <class Each>
Finding run_bits(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	Pairs<Each>::template run<int64_t>(call, first, count);
	return {};
}

bool check_pairs_of_bits(const Call &call)
{
	return call.compute == UNPU_DTYPE_I64 && have_one_shape(call, 3);
}

bool check_choice(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 4);
}

template <class Operation, auto CHECK = check_pairs> constexpr Kernel row(uint32_t kind)
{
	return {kind,
		CHECK,
		elementwise_units,
		elementwise_cost,
		nullptr,
		run_arithmetic<Operation>};
}

template <class Each> constexpr Kernel bits(uint32_t kind)
{
	return {kind,	 check_pairs_of_bits, elementwise_units, elementwise_cost,
		nullptr, run_bits<Each>};
}

constexpr Kernel COMPARISON_KERNELS[] = {
	row<Pairs<std::not_equal_to<>>>(UNPU_TENSOR_NE),
	row<Pairs<std::less<>>>(UNPU_TENSOR_LT),
	row<Pairs<std::less_equal<>>>(UNPU_TENSOR_LE),
	row<Pairs<std::greater<>>>(UNPU_TENSOR_GT),
	row<Pairs<std::greater_equal<>>>(UNPU_TENSOR_GE),
	row<BesideScalar<std::equal_to<>, false>, check_one>(UNPU_TENSOR_EQ_SCALAR),
	row<BesideScalar<std::not_equal_to<>, true>, check_one>(UNPU_TENSOR_NE_SCALAR),
	row<BesideScalar<std::less<>, true>, check_one>(UNPU_TENSOR_LT_SCALAR),
	row<BesideScalar<std::less_equal<>, true>, check_one>(UNPU_TENSOR_LE_SCALAR),
	row<BesideScalar<std::greater_equal<>, false>, check_one>(UNPU_TENSOR_GE_SCALAR),
	row<Pairs<BothTrue>>(UNPU_TENSOR_LOGICAL_AND),
	row<Pairs<OneTrue>>(UNPU_TENSOR_LOGICAL_OR),
	row<Pairs<OneAloneTrue>>(UNPU_TENSOR_LOGICAL_XOR),
	row<Pairs<Greater>>(UNPU_TENSOR_MAXIMUM),
	row<Pairs<Smaller>>(UNPU_TENSOR_MINIMUM),
	row<Pairs<Sloped>>(UNPU_TENSOR_PRELU),
	row<Choose, check_choice>(UNPU_TENSOR_WHERE),
	bits<std::bit_and<>>(UNPU_TENSOR_BITWISE_AND),
	bits<std::bit_or<>>(UNPU_TENSOR_BITWISE_OR),
	bits<std::bit_xor<>>(UNPU_TENSOR_BITWISE_XOR),
};

} // namespace

const std::span<const Kernel> comparison_kernels = COMPARISON_KERNELS;

} // namespace fw::tensor
