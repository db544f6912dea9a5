// SPDX-License-Identifier: MIT
#pragma once

#include "arithmetic.h"
#include "elementwise_views.h"

namespace fw::tensor {

/** scalar_as() - attribute @at of a call that is computed in C: F32, F64 or I64. */
template <class C> C scalar_as(const Call &call, uint32_t at)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return call.scalar(at).integer;
	else
		return static_cast<C>(call.scalar(at).real);
}

/** struct Pairs - slot 0 = Each()(slot 1, slot 2), for run_arithmetic(). The compiler makes vectors of the loop. */
template <class Each> struct Pairs {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		run_binary<C>(call, first, count, [](C *to, const C *a, const C *b, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = static_cast<C>(Each()(a[i], b[i]));
		});
	}
};

/** check_pairs(), check_one() - Kernel::check of two operands and of one, for any arithmetic.
 * check_floating_pairs() - of two operands that are computed in F32 or F64. */
inline bool check_pairs(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 3);
}

inline bool check_one(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

inline bool check_floating_pairs(const Call &call)
{
	return is_floating(call.compute) && have_one_shape(call, 3);
}

/** power_cost() - Kernel::cost, in bytes that a copy moves in the same time. One pow() takes as long as 256, and so do
 * fmod() and atan2(). */
inline uint64_t power_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count()) * 256;
}

} // namespace fw::tensor
