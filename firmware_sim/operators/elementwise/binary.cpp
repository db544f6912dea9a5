// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of two operands
 *
 * Slot 0 is the result, slots 1 and 2 are the operands; POW_SCALAR has its exponent in slot 1. Call::compute
 * says in which type the arithmetic is done: F32, F64 or I64, which wraps. The compiler makes vectors of
 * the loops.
 */
#include "elementwise_views.h"

#include "arithmetic.h"
#include "power.h"

namespace fw::tensor {

/* map_pairs() - to[i] = @each(a[i], b[i]) for the elements of some units. */
template <class C, class Each>
static void map_pairs(const Call &call, uint64_t first, uint64_t count, Each each)
{
	run_binary<C>(call, first, count, [each](C *to, const C *a, const C *b, size_t n) {
		for (size_t i = 0; i < n; i++)
			to[i] = each(a[i], b[i]);
	});
}

struct Subtract {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		C alpha;
		if constexpr (std::is_same_v<C, int64_t>)
			alpha = call.scalar(0).integer;
		else
			alpha = static_cast<C>(call.scalar(0).real);
		map_pairs<C>(call, first, count,
			     [alpha](C x, C y) { return subtract(x, multiply(alpha, y)); });
	}
};

struct Quotient {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map_pairs<C>(call, first, count, [](C x, C y) { return x / y; });
	}
};

struct Product {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map_pairs<C>(call, first, count, [](C x, C y) { return multiply(x, y); });
	}
};

struct Equal {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map_pairs<C>(call, first, count, [](C x, C y) { return x == y ? C(1) : C(0); });
	}
};

struct Power {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map_pairs<C>(call, first, count, [](C x, C y) { return power(x, y); });
	}
};

struct PowerOfScalar {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		C base;
		if constexpr (std::is_same_v<C, int64_t>)
			base = call.scalar(0).integer;
		else
			base = static_cast<C>(call.scalar(0).real);
		/* 2^64 - 1 has the bits of -1, but its fractions are below 1. */
		const bool is_large =
			call.compute == UNPU_DTYPE_I64 && call.integers(0)[0] == UNPU_DTYPE_U64;
		run_unary<C>(call, first, count, [=](C *to, const C *a, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = is_large && a[i] < 0 ? C() : power(base, a[i]);
		});
	}
};

static bool check_arithmetic(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 3);
}

static bool check_quotient(const Call &call)
{
	return is_floating(call.compute) && have_one_shape(call, 3);
}

static bool check_power_of_scalar(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

/* The cost of an operator is in bytes that a copy moves in the same time. One pow() takes as long as 256. */
static uint64_t power_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count()) * 256;
}

static constexpr Kernel BINARY_KERNELS[] = {
	{UNPU_TENSOR_SUB, check_arithmetic, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Subtract>},
	{UNPU_TENSOR_DIV, check_quotient, elementwise_units, elementwise_cost, nullptr,
	 run_floating<Quotient>},
	{UNPU_TENSOR_MUL, check_arithmetic, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Product>},
	{UNPU_TENSOR_EQ, check_arithmetic, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Equal>},
	{UNPU_TENSOR_POW, check_arithmetic, elementwise_units, power_cost, nullptr,
	 run_arithmetic<Power>},
	{UNPU_TENSOR_POW_SCALAR, check_power_of_scalar, elementwise_units, power_cost, nullptr,
	 run_arithmetic<PowerOfScalar>},
};

const std::span<const Kernel> binary_kernels = BINARY_KERNELS;

} // namespace fw::tensor
