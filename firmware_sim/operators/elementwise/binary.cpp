// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of two operands
 *
 * Slot 0 is the result, slots 1 and 2 are the operands; POW_SCALAR has its exponent in slot 1. Call::compute
 * says in which type the arithmetic is done: F32, F64 or I64, which wraps. The compiler makes vectors of
 * the loops.
 */
#include "pairs.h"
#include "power.h"

namespace fw::tensor {

struct Subtract {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C alpha = scalar_as<C>(call, 0);
		run_binary<C>(call, first, count, [alpha](C *to, const C *a, const C *b, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = subtract(a[i], multiply(alpha, b[i]));
		});
	}
};

struct Quotient {
	template <class C> C operator()(C x, C y) const { return x / y; }
};

struct Product {
	template <class C> C operator()(C x, C y) const { return multiply(x, y); }
};

struct Equal {
	template <class C> C operator()(C x, C y) const { return x == y ? C(1) : C(0); }
};

struct Power {
	template <class C> C operator()(C x, C y) const { return power(x, y); }
};

struct PowerOfScalar {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C base = scalar_as<C>(call, 0);
		/* 2^64 - 1 has the bits of -1, but its fractions are below 1. */
		const bool is_large =
			call.compute == UNPU_DTYPE_I64 && call.integers(0)[0] == UNPU_DTYPE_U64;
		run_unary<C>(call, first, count, [=](C *to, const C *a, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = is_large && a[i] < 0 ? C() : power(base, a[i]);
		});
	}
};

static constexpr Kernel BINARY_KERNELS[] = {
	{UNPU_TENSOR_SUB, check_pairs, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Subtract>},
	{UNPU_TENSOR_DIV, check_floating_pairs, elementwise_units, elementwise_cost, nullptr,
	 run_floating<Pairs<Quotient>>},
	{UNPU_TENSOR_MUL, check_pairs, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Pairs<Product>>},
	{UNPU_TENSOR_EQ, check_pairs, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Pairs<Equal>>},
	{UNPU_TENSOR_POW, check_pairs, elementwise_units, power_cost, nullptr,
	 run_arithmetic<Pairs<Power>>},
	{UNPU_TENSOR_POW_SCALAR, check_one, elementwise_units, power_cost, nullptr,
	 run_arithmetic<PowerOfScalar>},
};

const std::span<const Kernel> binary_kernels = BINARY_KERNELS;

} // namespace fw::tensor
