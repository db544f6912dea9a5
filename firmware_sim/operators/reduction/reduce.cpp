// SPDX-License-Identifier: MIT
/*
 * DOC: REDUCE_SUM, MEAN and NORM
 *
 * Slot 0 is the result, slot 1 the operand; a dim in which the result has size 1 is reduced. F32 and F64 are
 * added in double, I64 wraps.
 */
#include <cmath>

#include "reduce.h"

namespace fw::tensor {

namespace {

template <class C> struct SumOf {
	using Number = C;
	using Sum = std::conditional_t<std::is_same_v<C, int64_t>, uint64_t, double>;
	bool is_mean = false;

	Sum start() const { return 0; }
	Sum add(Sum sum, C number) const { return sum + static_cast<Sum>(number); }
	Sum join(Sum a, Sum b) const { return a + b; }
	auto finish(Sum sum, [[maybe_unused]] int64_t elements) const
	{
		if constexpr (std::is_same_v<C, int64_t>)
			return static_cast<int64_t>(sum);
		else
			return is_mean ? sum / static_cast<double>(elements) : sum;
	}
};

/* The p-norm, and its limits for p = infinity, minus infinity and 0. */
template <class C> struct NormOf {
	using Number = C;
	using Sum = double;
	double p;

	Sum start() const { return p == -HUGE_VAL ? HUGE_VAL : 0; }
	Sum add(Sum sum, C number) const
	{
		const double size = std::fabs(static_cast<double>(number));
		if (p == 2)
			return sum + size * size;
		if (p == 1)
			return sum + size;
		if (p == 0)
			return sum + (size != 0);
		if (std::isinf(p))
			return join(sum, size);
		return sum + std::pow(size, p);
	}
	Sum join(Sum a, Sum b) const
	{
		if (!std::isinf(p))
			return a + b;
		if (std::isnan(a) || std::isnan(b))
			return NAN;
		return p > 0 ? std::max(a, b) : std::min(a, b);
	}
	double finish(Sum sum, int64_t) const
	{
		if (p == 2)
			return std::sqrt(sum);
		return p == 0 || p == 1 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
	}
};

Finding run_sum(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	if (call.compute == UNPU_DTYPE_I64)
		reduce(SumOf<int64_t>(), call, first, count);
	else if (call.compute == UNPU_DTYPE_F64)
		reduce(SumOf<double>(), call, first, count);
	else
		reduce(SumOf<float>(), call, first, count);
	return {};
}

Finding run_mean(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	if (call.compute == UNPU_DTYPE_F64)
		reduce(SumOf<double>{true}, call, first, count);
	else
		reduce(SumOf<float>{true}, call, first, count);
	return {};
}

Finding run_norm(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const double p = call.scalar(0).real;
	if (call.compute == UNPU_DTYPE_F64)
		reduce(NormOf<double>{p}, call, first, count);
	else
		reduce(NormOf<float>{p}, call, first, count);
	return {};
}

constexpr Kernel REDUCE_KERNELS[] = {
	{UNPU_TENSOR_REDUCE_SUM, check_reduced, reduce_units, reduce_cost, nullptr, run_sum},
	{UNPU_TENSOR_MEAN, check_floating_reduced, reduce_units, reduce_cost, nullptr, run_mean},
	{UNPU_TENSOR_NORM, check_floating_reduced, reduce_units, reduce_cost, nullptr, run_norm},
};

} // namespace

const std::span<const Kernel> reduce_kernels = REDUCE_KERNELS;

} // namespace fw::tensor
