// SPDX-License-Identifier: MIT
/*
 * DOC: REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_ALL, REDUCE_ANY, VAR, STD and LOG_SUM_EXP
 *
 * Slot 0 is the result, slot 1 the operand; a dim in which the result has size 1 is reduced. Floating numbers are
 * multiplied, and deviations added, in double; I64 wraps. NaN is the greatest and the smallest number. Attribute 0 of
 * VAR and STD is subtracted from the number of elements, by which the squares are divided.
 */
#include <cmath>
#include <limits>

#include "reduce.h"

namespace fw::tensor {

namespace {

template <class C> struct GreatestOf {
	using Number = C;
	using Sum = C;

	Sum start() const
	{
		using Limits = std::numeric_limits<C>;
		return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
	}
	Sum add(Sum sum, C number) const
	{
		return ((number > sum) | (number != number)) ? number : sum;
	}
	Sum join(Sum a, Sum b) const { return add(a, b); }
	C finish(Sum sum, int64_t) const { return sum; }
};

template <class C> struct SmallestOf {
	using Number = C;
	using Sum = C;

	Sum start() const
	{
		using Limits = std::numeric_limits<C>;
		return Limits::has_infinity ? Limits::infinity() : Limits::max();
	}
	Sum add(Sum sum, C number) const
	{
		return ((number < sum) | (number != number)) ? number : sum;
	}
	Sum join(Sum a, Sum b) const { return add(a, b); }
	C finish(Sum sum, int64_t) const { return sum; }
};

template <class C> struct ProductOf {
	using Number = C;
	using Sum = std::conditional_t<std::is_same_v<C, int64_t>, uint64_t, double>;
	using Result = std::conditional_t<std::is_same_v<C, int64_t>, int64_t, double>;

	Sum start() const { return 1; }
	Sum add(Sum sum, C number) const { return sum * static_cast<Sum>(number); }
	Sum join(Sum a, Sum b) const { return a * b; }
	Result finish(Sum sum, int64_t) const { return static_cast<Result>(sum); }
};

template <class C> struct AllOf {
	using Number = C;
	using Sum = bool;

	Sum start() const { return true; }
	Sum add(Sum sum, C number) const { return sum & (number != 0); }
	Sum join(Sum a, Sum b) const { return a & b; }
	int64_t finish(Sum sum, int64_t) const { return sum; }
};

template <class C> struct AnyOf {
	using Number = C;
	using Sum = bool;

	Sum start() const { return false; }
	Sum add(Sum sum, C number) const { return sum | (number != 0); }
	Sum join(Sum a, Sum b) const { return a | b; }
	int64_t finish(Sum sum, int64_t) const { return sum; }
};

/* struct Deviations - how many numbers, their mean, and the sum of the squares of their distances to it. */
struct Deviations {
	double count = 0, mean = 0, squares = 0;
};

/* Welford's method: each number updates the mean. It never subtracts large squares from each other, which would
 * lose precision. */
template <class C> struct VarianceOf {
	using Number = C;
	using Sum = Deviations;
	int64_t correction;
	bool is_root;

	Sum start() const { return {}; }
	Sum add(Sum sum, C number) const
	{
		const double before = static_cast<double>(number) - sum.mean;
		sum.count++;
		sum.mean += before / sum.count;
		sum.squares += before * (static_cast<double>(number) - sum.mean);
		return sum;
	}
	Sum join(Sum a, Sum b) const
	{
		if (a.count == 0 || b.count == 0)
			return a.count == 0 ? b : a;
		const double count = a.count + b.count, distance = b.mean - a.mean;
		return {count, a.mean + distance * (b.count / count),
			a.squares + b.squares + distance * distance * (a.count * b.count / count)};
	}
	double finish(Sum sum, int64_t elements) const
	{
		const double divisor =
			static_cast<double>(elements) - static_cast<double>(correction);
		const double variance = sum.squares / std::max(divisor, 0.0);
		return is_root ? std::sqrt(variance) : variance;
	}
};

/* struct Exponentials - exp(@greatest) times @sum is the sum of the exponentials. */
struct Exponentials {
	double greatest = -HUGE_VAL, sum = 0;
};

template <class C> struct LogSumExpOf {
	using Number = C;
	using Sum = Exponentials;

	Sum start() const { return {}; }
	Sum add(Sum sum, C number) const { return join(sum, {static_cast<double>(number), 1}); }
	Sum join(Sum a, Sum b) const
	{
		if (b.greatest > a.greatest)
			std::swap(a, b);
		if (b.sum == 0)
			return a;
		const bool is_equal = b.greatest == a.greatest;
		a.sum += is_equal ? b.sum : b.sum * std::exp(b.greatest - a.greatest);
		return a;
	}
	double finish(Sum sum, int64_t) const { return sum.greatest + std::log(sum.sum); }
};

/* run_fold() - Kernel::run by the type of the arithmetic. */
template <template <class> class Operation, class... Parameters>
Finding run_fold(const Call &call, uint64_t first, uint64_t count, Parameters... parameters)
{
	if (call.compute == UNPU_DTYPE_F64)
		reduce(Operation<double>{parameters...}, call, first, count);
	else
		reduce(Operation<float>{parameters...}, call, first, count);
	return {};
}

template <template <class> class Operation>
Finding run_number(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	if (call.compute != UNPU_DTYPE_I64)
		return run_fold<Operation>(call, first, count);
	reduce(Operation<int64_t>{}, call, first, count);
	return {};
}

Finding run_log(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	return run_fold<LogSumExpOf>(call, first, count);
}

Finding run_variance(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	return run_fold<VarianceOf>(call, first, count, call.integer(0),
				    call.kind == UNPU_TENSOR_STD);
}

/* The variance divides for each element, and the other one computes an exponential. */
uint64_t slow_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(call.view(1).count()) * 64 +
			  reduce_cost(call));
}

bool check_slow(const Call &call)
{
	return check_floating_reduced(call) && reduced_elements(call) <= UNPU_TENSOR_MAX_FOLDED;
}

constexpr Kernel FOLD_KERNELS[] = {
	{UNPU_TENSOR_REDUCE_MAX, check_reduced, reduce_units, reduce_cost, nullptr,
	 run_number<GreatestOf>},
	{UNPU_TENSOR_REDUCE_MIN, check_reduced, reduce_units, reduce_cost, nullptr,
	 run_number<SmallestOf>},
	{UNPU_TENSOR_REDUCE_PROD, check_reduced, reduce_units, reduce_cost, nullptr,
	 run_number<ProductOf>},
	{UNPU_TENSOR_REDUCE_ALL, check_reduced, reduce_units, reduce_cost, nullptr,
	 run_number<AllOf>},
	{UNPU_TENSOR_REDUCE_ANY, check_reduced, reduce_units, reduce_cost, nullptr,
	 run_number<AnyOf>},
	{UNPU_TENSOR_VAR, check_slow, reduce_units, slow_cost, nullptr, run_variance},
	{UNPU_TENSOR_STD, check_slow, reduce_units, slow_cost, nullptr, run_variance},
	{UNPU_TENSOR_LOG_SUM_EXP, check_slow, reduce_units, slow_cost, nullptr, run_log},
};

} // namespace

const std::span<const Kernel> fold_kernels = FOLD_KERNELS;

} // namespace fw::tensor
