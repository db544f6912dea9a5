// SPDX-License-Identifier: MIT
/*
 * DOC: Quotients, remainders and angles of two operands
 *
 * Slot 0 is the result, slots 1 and 2 are the operands; POWS has its exponent as a scalar. A quotient of integers has
 * no fraction. Integers that are divided by 0 give 0: a trap would end the firmware, not the client.
 */
#include "elementwise_views.h"

#include <cmath>

#include "pairs.h"
#include "power.h"

namespace fw::tensor {

namespace {

/* The remainder has the sign of the dividend. INT64_MIN / -1 would be a trap of the processor. */
struct Fmod {
	int64_t operator()(int64_t x, int64_t y) const { return y == 0 || y == -1 ? 0 : x % y; }
	float operator()(float x, float y) const { return std::fmod(x, y); }
	double operator()(double x, double y) const { return std::fmod(x, y); }
};

/* The remainder has the sign of the divisor, also where it is 0. */
struct Remainder {
	template <class C> C operator()(C x, C y) const
	{
		const C rest = Fmod()(x, y);
		if (rest != 0)
			return (rest < 0) != (y < 0) ? static_cast<C>(rest + y) : rest;
		if constexpr (std::is_same_v<C, int64_t>)
			return rest;
		else
			return std::copysign(rest, y);
	}
};

struct QuotientTowardZero {
	int64_t operator()(int64_t x, int64_t y) const
	{
		if (y == -1)
			return subtract<int64_t>(0, x);
		return y == 0 ? 0 : x / y;
	}
	template <class C> C operator()(C x, C y) const { return std::trunc(x / y); }
};

/* The quotient of floating numbers is that of the difference to the remainder, which divides without a rest. */
struct QuotientDown {
	int64_t operator()(int64_t x, int64_t y) const
	{
		const int64_t whole = QuotientTowardZero()(x, y), rest = Fmod()(x, y);
		return rest != 0 && (rest < 0) != (y < 0) ? whole - 1 : whole;
	}
	template <class C> C operator()(C x, C y) const
	{
		if (y == 0)
			return x / y;
		const C rest = std::fmod(x, y);
		C quotient = (x - rest) / y;
		if (rest != 0 && (rest < 0) != (y < 0))
			quotient -= 1;
		if (quotient == 0)
			return std::copysign(C(0), x / y);
		const C whole = std::floor(quotient);
		return quotient - whole > C(0.5) ? whole + 1 : whole;
	}
};

/* In double, so that the result is rounded once. */
struct Angle {
	template <class C> C operator()(C y, C x) const
	{
		return static_cast<C>(std::atan2(double(y), double(x)));
	}
};

/* struct PowerByScalar - products instead of pow() for the exponents of nearly all programs. */
struct PowerByScalar {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C exponent = scalar_as<C>(call, 0);
		if (exponent == 2)
			map<C>(call, first, count, [](C x) { return multiply(x, x); });
		else if (exponent == 3)
			map<C>(call, first, count, cube<C>);
		else
			map<C>(call, first, count, [=](C x) { return power(x, exponent); });
	}

private:
	template <class C> static C cube(C x)
	{
		if constexpr (std::is_same_v<C, int64_t>)
			return multiply(multiply(x, x), x);
		else
			return static_cast<C>(double(x) * double(x) * double(x));
	}

	template <class C, class Each>
	static void map(const Call &call, uint64_t first, uint64_t count, Each each)
	{
		run_unary<C>(call, first, count, [each](C *to, const C *a, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = each(a[i]);
		});
	}
};

constexpr Kernel QUOTIENT_KERNELS[] = {
	{UNPU_TENSOR_FMOD, check_pairs, elementwise_units, power_cost, nullptr,
	 run_arithmetic<Pairs<Fmod>>},
	{UNPU_TENSOR_REMAINDER, check_pairs, elementwise_units, power_cost, nullptr,
	 run_arithmetic<Pairs<Remainder>>},
	{UNPU_TENSOR_DIV_TRUNC, check_pairs, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Pairs<QuotientTowardZero>>},
	{UNPU_TENSOR_DIV_FLOOR, check_pairs, elementwise_units, power_cost, nullptr,
	 run_arithmetic<Pairs<QuotientDown>>},
	{UNPU_TENSOR_ATAN2, check_floating_pairs, elementwise_units, power_cost, nullptr,
	 run_floating<Pairs<Angle>>},
	{UNPU_TENSOR_POWS, check_one, elementwise_units, power_cost, nullptr,
	 run_arithmetic<PowerByScalar>},
};

} // namespace

const std::span<const Kernel> quotient_kernels = QUOTIENT_KERNELS;

} // namespace fw::tensor
