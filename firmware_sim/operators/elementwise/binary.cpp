// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of two operands
 *
 * Slot 0 is the result, slots 1 and 2 are the operands. Call::compute says in which type the arithmetic is
 * done: F32, F64 or I64, which wraps.
 */
#include "elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/binary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/vector-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

void sub_block(float *to, const float *a, const float *b, size_t n, float alpha)
{
	map_two(to, a, b, n, [alpha](auto d, auto x, auto y) HWY_ATTR {
		return hn::Sub(x, hn::Mul(hn::Set(d, alpha), y));
	});
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(sub_block);

static bool check_arithmetic(const Call &call)
{
	return (call.compute == UNPU_DTYPE_F32 || call.compute == UNPU_DTYPE_F64 ||
		call.compute == UNPU_DTYPE_I64) &&
	       have_one_shape(call, 3);
}

static Finding run_sub(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const Scalar alpha = call.scalar(0);
	if (call.compute == UNPU_DTYPE_F32) {
		const auto factor = static_cast<float>(alpha.real);
		run_binary<float>(call, first, count,
				  [factor](float *to, const float *a, const float *b, size_t n) {
					  HWY_DYNAMIC_DISPATCH(sub_block)(to, a, b, n, factor);
				  });
	} else if (call.compute == UNPU_DTYPE_F64) {
		run_binary<double>(call, first, count,
				   [&](double *to, const double *a, const double *b, size_t n) {
					   for (size_t i = 0; i < n; i++)
						   to[i] = a[i] - alpha.real * b[i];
				   });
	} else {
		const auto factor = static_cast<uint64_t>(alpha.integer);
		run_binary<int64_t>(
			call, first, count,
			[factor](int64_t *to, const int64_t *a, const int64_t *b, size_t n) {
				for (size_t i = 0; i < n; i++)
					to[i] = static_cast<int64_t>(
						static_cast<uint64_t>(a[i]) -
						factor * static_cast<uint64_t>(b[i]));
			});
	}
	return {};
}

static constexpr Kernel KERNELS[] = {
	{UNPU_TENSOR_SUB, check_arithmetic, elementwise_units, elementwise_cost, nullptr, run_sub},
};

const std::span<const Kernel> binary_kernels = KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
