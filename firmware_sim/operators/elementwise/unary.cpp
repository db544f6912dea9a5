// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of one operand
 *
 * Slot 0 is the result, slot 1 the operand. Both are floating-point; the function is computed in F32 and
 * rounded once.
 */
#include "elementwise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/unary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "firmware_sim/operators/vector-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

struct Exp {
	template <class D, class V> HWY_INLINE V operator()(D d, V x) const
	{
		/* From here on exp(x) is infinite; Highway's function is only defined below. */
		const V top = hn::Set(d, 88.72284f);
		const V result = hn::Exp(d, hn::Min(x, top));
		const V infinite = hn::Set(d, HUGE_VALF);
		return hn::IfThenElse(hn::IsNaN(x), x,
				      hn::IfThenElse(hn::Gt(x, top), infinite, result));
	}
};

void exp_block(float *to, const float *a, size_t n)
{
	map_one(to, a, n, Exp());
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(exp_block);

static bool check_unary(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 && have_one_shape(call, 2);
}

static Finding run_exp(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	run_unary<float>(call, first, count, HWY_DYNAMIC_DISPATCH(exp_block));
	return {};
}

static constexpr Kernel KERNELS[] = {
	{UNPU_TENSOR_EXP, check_unary, elementwise_units, elementwise_cost, nullptr, run_exp},
};

const std::span<const Kernel> unary_kernels = KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
