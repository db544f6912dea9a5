// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of an operand and scalars
 *
 * Slot 0 is the result, slot 1 the operand; FILL has no operand. Call::compute says in which type the
 * arithmetic is done: F32, F64 or I64, which wraps. The compiler makes vectors of these loops.
 */
#include "elementwise_views.h"

#include <cmath>
#include <limits>

#include "pairs.h"

namespace fw::tensor {

template <class C> static bool is_nan(C x)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return false;
	else
		return std::isnan(x);
}

/* map() - to[i] = @each(a[i]) for the elements of some units. */
template <class C, class Each>
static void map(const Call &call, uint64_t first, uint64_t count, Each each)
{
	run_unary<C>(call, first, count, [each](C *to, const C *a, size_t n) {
		for (size_t i = 0; i < n; i++)
			to[i] = each(a[i]);
	});
}

struct GreaterThan {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map<C>(call, first, count,
		       [limit = scalar_as<C>(call, 0)](C x) { return x > limit ? C(1) : C(0); });
	}
};

/* The upper bound wins where it is below the lower one. NaN stays NaN, and a bound that is NaN gives NaN. */
struct Clamp {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		using Limits = std::numeric_limits<C>;
		const bool has_ends = Limits::has_infinity;
		C low = has_ends ? -Limits::infinity() : Limits::lowest();
		C high = has_ends ? Limits::infinity() : Limits::max();
		if (call.has_attribute(0))
			low = scalar_as<C>(call, 0);
		if (call.has_attribute(1))
			high = scalar_as<C>(call, 1);
		if (is_nan(low) || is_nan(high))
			low = high = Limits::quiet_NaN();
		run_unary<C>(call, first, count, [=](C *to, const C *a, size_t n) {
			if constexpr (std::is_same_v<C, float>)
				compute_clamp(to, a, n, low, high);
			else
				for (size_t i = 0; i < n; i++)
					to[i] = clamp(a[i], low, high);
		});
	}

	/* Comparisons with NaN are false. */
	template <class C> static C clamp(C x, C low, C high)
	{
		x = x >= low || is_nan(x) ? x : low;
		return x <= high || is_nan(x) ? x : high;
	}
};

/* NaN stays NaN. */
struct Threshold {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C limit = scalar_as<C>(call, 0), other = scalar_as<C>(call, 1);
		map<C>(call, first, count, [=](C x) { return x <= limit ? other : x; });
	}
};

struct Multiply {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map<C>(call, first, count,
		       [factor = scalar_as<C>(call, 0)](C x) { return multiply(x, factor); });
	}
};

/* The product of the scalars is rounded once to the type of the arithmetic. */
template <class C> static C product(const Call &call)
{
	const Scalar other = call.scalar(0), alpha = call.scalar(1);
	if constexpr (std::is_same_v<C, int64_t>)
		return multiply(other.integer, alpha.integer);
	else
		return static_cast<C>(other.real * alpha.real);
}

struct Increase {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map<C>(call, first, count, [more = product<C>(call)](C x) { return add(x, more); });
	}
};

struct Decrease {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map<C>(call, first, count,
		       [less = product<C>(call)](C x) { return subtract(x, less); });
	}
};

struct Divide {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		map<C>(call, first, count,
		       [divisor = scalar_as<C>(call, 0)](C x) { return x / divisor; });
	}
};

struct Fill {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const View *const views[] = {&call.view(0)};
		const Blocks blocks(views, 1);
		alignas(64) C numbers[Blocks::SIZE];
		std::fill(std::begin(numbers), std::end(numbers), scalar_as<C>(call, 0));
		for_blocks(blocks, first, count,
			   [&](uint64_t at, size_t n) { blocks.write(0, at, n, numbers); });
	}
};

static bool check_map(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

static bool check_floating(const Call &call)
{
	return is_floating(call.compute) && have_one_shape(call, 2);
}

static bool check_fill(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 1);
}

static constexpr Kernel SCALAR_KERNELS[] = {
	{UNPU_TENSOR_GT_SCALAR, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<GreaterThan>},
	{UNPU_TENSOR_CLAMP, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Clamp>},
	{UNPU_TENSOR_THRESHOLD, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Threshold>},
	{UNPU_TENSOR_MULS, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Multiply>},
	{UNPU_TENSOR_ADDS, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Increase>},
	{UNPU_TENSOR_SUBS, check_map, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Decrease>},
	{UNPU_TENSOR_DIVS, check_floating, elementwise_units, elementwise_cost, nullptr,
	 run_floating<Divide>},
	{UNPU_TENSOR_FILL, check_fill, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<Fill>},
};

const std::span<const Kernel> scalar_kernels = SCALAR_KERNELS;

} // namespace fw::tensor
