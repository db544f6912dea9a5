// SPDX-License-Identifier: MIT
#pragma once

#include "arithmetic.h"
#include "elementwise_views.h"

namespace fw::tensor {

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

/** check_pairs(), check_one() - Kernel::check of two operands and of one, for any arithmetic. */
inline bool check_pairs(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 3);
}

inline bool check_one(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

} // namespace fw::tensor
