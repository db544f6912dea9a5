// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of one operand
 *
 * Slot 0 is the result, slot 1 the operand. Call::compute says in which type the function is computed; the
 * result is rounded once. ABS, NEG, RELU, SIGN and LOGICAL_NOT exist for I64 and F64 as well, where they wrap.
 */
#include "elementwise_views.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/unary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/math-inl.h"

/* X(KIND, name, vector): the vectors d and x are in scope. */
#define FW_TENSOR_UNARY_LIST(X) \
	X(ABS, abs, hn::Abs(x)) \
	X(NEG, neg, hn::Neg(x)) \
	X(SILU, silu, hn::Mul(x, sigmoid_of(d, x))) \
	X(TANH, tanh, tanh_of(d, x)) \
	X(RELU, relu, keep_nan(x, hn::Max(x, hn::Zero(d)))) \
	X(SIGMOID, sigmoid, sigmoid_of(d, x)) \
	X(HARDSIGMOID, hardsigmoid, hardsigmoid_of(d, x)) \
	X(HARDSWISH, hardswish, hn::Mul(x, hardsigmoid_of(d, x))) \
	X(EXP, exp, exp_of(d, x)) \
	X(SIGN, sign, sign_of(d, x)) \
	X(SQRT, sqrt, hn::Sqrt(x)) \
	X(LOG, log, log_of(d, x)) \
	X(SIN, sin, sin_of(d, x)) \
	X(COS, cos, cos_of(d, x)) \
	X(LOGICAL_NOT, logical_not, hn::IfThenElseZero(hn::Eq(x, hn::Zero(d)), hn::Set(d, 1.0f)))

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* hardsigmoid_of() - x / 6 + 1 / 2, at least 0 and at most 1. */
template <class D, class V> HWY_INLINE V hardsigmoid_of(D d, V x)
{
	const V line = hn::Div(hn::Add(x, hn::Set(d, 3.0f)), hn::Set(d, 6.0f));
	return keep_nan(x, hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0f)));
}

template <class D, class V> HWY_INLINE V sign_of(D d, V x)
{
	const V signed_one = hn::CopySign(hn::Set(d, 1.0f), x);
	return keep_nan(x, hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, signed_one));
}

#define FW_TENSOR_BLOCK(kind, name, vector) \
	void name##_block(float *to, const float *a, size_t n) \
	{ \
		map_one(to, a, n, \
			[]([[maybe_unused]] auto d, auto x) HWY_ATTR { return vector; }); \
	}
FW_TENSOR_UNARY_LIST(FW_TENSOR_BLOCK)
#undef FW_TENSOR_BLOCK

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

/* The same for I64 and F64. Integers wrap: -INT64_MIN is INT64_MIN. */
template <class C> static C negate(C x)
{
	if constexpr (std::is_same_v<C, int64_t>)
		return static_cast<C>(-static_cast<uint64_t>(x));
	else
		return -x;
}

template <class C> static C sign(C x)
{
	if (x > 0)
		return 1;
	return x < 0 ? C(-1) : x;
}

template <class C> static C compute_one(uint32_t kind, C x)
{
	switch (kind) {
	case UNPU_TENSOR_ABS:
		if constexpr (std::is_same_v<C, double>)
			return std::fabs(x);
		return x < 0 ? negate(x) : x;
	case UNPU_TENSOR_NEG:
		return negate(x);
	case UNPU_TENSOR_RELU:
		return x <= 0 ? C(0) : x; /* -0 becomes 0 */
	case UNPU_TENSOR_LOGICAL_NOT:
		return x == 0 ? C(1) : C(0);
	default:
		return sign(x);
	}
}

template <class C> static void run_each(const Call &call, uint64_t first, uint64_t count)
{
	run_unary<C>(call, first, count, [&](C *to, const C *a, size_t n) {
		for (size_t i = 0; i < n; i++)
			to[i] = compute_one(call.kind, a[i]);
	});
}

static bool check_floats(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 && have_one_shape(call, 2);
}

static bool check_numbers(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

#define FW_TENSOR_RUN(kind, name, vector) \
	HWY_EXPORT(name##_block); \
	static Finding run_##name(const Call &call, uint64_t first, uint64_t count, std::byte *) \
	{ \
		if (call.compute == UNPU_DTYPE_I64) \
			run_each<int64_t>(call, first, count); \
		else if (call.compute == UNPU_DTYPE_F64) \
			run_each<double>(call, first, count); \
		else \
			run_unary<float>(call, first, count, HWY_DYNAMIC_DISPATCH(name##_block)); \
		return {}; \
	}
FW_TENSOR_UNARY_LIST(FW_TENSOR_RUN)
#undef FW_TENSOR_RUN

static constexpr bool has_all_types(uint32_t kind)
{
	return kind == UNPU_TENSOR_ABS || kind == UNPU_TENSOR_NEG || kind == UNPU_TENSOR_RELU ||
	       kind == UNPU_TENSOR_SIGN || kind == UNPU_TENSOR_LOGICAL_NOT;
}

#define FW_TENSOR_KERNEL(kind, name, vector) \
	{UNPU_TENSOR_##kind, \
	 has_all_types(UNPU_TENSOR_##kind) ? check_numbers : check_floats, \
	 elementwise_units, \
	 elementwise_cost, \
	 nullptr, \
	 run_##name},
static constexpr Kernel UNARY_KERNELS[] = {FW_TENSOR_UNARY_LIST(FW_TENSOR_KERNEL)};
#undef FW_TENSOR_KERNEL

const std::span<const Kernel> unary_kernels = UNARY_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
