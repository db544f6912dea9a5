// SPDX-License-Identifier: MIT
/*
 * DOC: More functions of one operand
 *
 * Slot 0 is the result, slot 1 the operand. Call::compute says in which type the function is computed: F32, in vectors,
 * or F64. Functions that round, compare or count bits exist for I64 as well, where integers have no fraction.
 */
#include "elementwise_views.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/functions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/functions-inl.h"

/* X(KIND, name, vector, real): the vectors d and x, and the double y, are in scope. */
#define FW_TENSOR_FUNCTION_LIST(X) \
	X(FLOOR, floor, hn::Floor(x), std::floor(y)) \
	X(CEIL, ceil, hn::Ceil(x), std::ceil(y)) \
	X(ROUND, round, hn::Round(x), std::nearbyint(y)) \
	X(TRUNC, trunc, hn::Trunc(x), std::trunc(y)) \
	X(SQUARE, square, hn::Mul(x, x), y *y) \
	X(IS_NAN, is_nan, one_where(d, hn::IsNaN(x)), std::isnan(y)) \
	X(IS_INF, is_inf, one_where(d, hn::IsInf(x)), std::isinf(y)) \
	X(IS_FINITE, is_finite, one_where(d, hn::IsFinite(x)), std::isfinite(y)) \
	X(RECIPROCAL, reciprocal, hn::Div(hn::Set(d, 1.0f), x), 1 / y) \
	X(RSQRT, rsqrt, hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x)), 1 / std::sqrt(y)) \
	X(ERF, erf, erf_of(d, x), std::erf(y)) \
	X(ERFC, erfc, erfc_of(d, x), std::erfc(y)) \
	X(EXP2, exp2, exp2_of(d, x), std::exp2(y)) \
	X(EXPM1, expm1, expm1_of(d, x), std::expm1(y)) \
	X(LOG1P, log1p, log1p_of(d, x), std::log1p(y)) \
	X(LOG2, log2, log2_of(d, x), std::log2(y)) \
	X(LOG10, log10, log10_of(d, x), std::log10(y)) \
	X(TAN, tan, \
	  each_of(d, x, [](float each) { return static_cast<float>(std::tan(double(each))); }), \
	  std::tan(y)) \
	X(ASIN, asin, asin_of(d, x), std::asin(y)) \
	X(ACOS, acos, acos_of(d, x), std::acos(y)) \
	X(ATAN, atan, keep_nan(x, hn::Atan(d, x)), std::atan(y)) \
	X(SINH, sinh, sinh_of(d, x), std::sinh(y)) \
	X(COSH, cosh, cosh_of(d, x), std::cosh(y)) \
	X(ASINH, asinh, asinh_of(d, x), std::asinh(y)) \
	X(ACOSH, acosh, acosh_of(d, x), std::acosh(y)) \
	X(ATANH, atanh, atanh_of(d, x), std::atanh(y))

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

template <class D, class M> HWY_INLINE hn::Vec<D> one_where(D d, M mask)
{
	return hn::IfThenElseZero(mask, hn::Set(d, 1.0f));
}

#define FW_TENSOR_BLOCK(kind, name, vector, real) \
	void name##_function_block(float *to, const float *a, size_t n) \
	{ \
		map_one(to, a, n, \
			[]([[maybe_unused]] auto d, auto x) HWY_ATTR { return vector; }); \
	}
FW_TENSOR_FUNCTION_LIST(FW_TENSOR_BLOCK)
#undef FW_TENSOR_BLOCK

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "arithmetic.h"

namespace fw::tensor {

namespace {

/* The functions that exist for integers. */
int64_t compute_integer(uint32_t kind, int64_t x)
{
	switch (kind) {
	case UNPU_TENSOR_SQUARE:
		return multiply(x, x);
	case UNPU_TENSOR_IS_FINITE:
		return 1;
	case UNPU_TENSOR_IS_NAN:
	case UNPU_TENSOR_IS_INF:
		return 0;
	default:
		return x;
	}
}

constexpr bool has_integers(uint32_t kind)
{
	return kind == UNPU_TENSOR_FLOOR || kind == UNPU_TENSOR_CEIL || kind == UNPU_TENSOR_ROUND ||
	       kind == UNPU_TENSOR_TRUNC || kind == UNPU_TENSOR_SQUARE ||
	       kind == UNPU_TENSOR_IS_NAN || kind == UNPU_TENSOR_IS_INF ||
	       kind == UNPU_TENSOR_IS_FINITE;
}

void run_integers(const Call &call, uint64_t first, uint64_t count)
{
	run_unary<int64_t>(call, first, count, [&](int64_t *to, const int64_t *a, size_t n) {
		for (size_t i = 0; i < n; i++)
			to[i] = compute_integer(call.kind, a[i]);
	});
}

bool check_floats(const Call &call)
{
	return is_floating(call.compute) && have_one_shape(call, 2);
}

bool check_numbers(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 2);
}

/* One function takes as long as a copy of as many bytes, in F32. */
uint64_t function_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count()) * 32;
}

#define FW_TENSOR_RUN(kind, name, vector, real) \
	HWY_EXPORT(name##_function_block); \
	void run_##name##_of_double(const Call &call, uint64_t first, uint64_t count) \
	{ \
		run_unary<double>(call, first, count, [](double *to, const double *a, size_t n) { \
			for (size_t i = 0; i < n; i++) { \
				const double y = a[i]; \
				to[i] = real; \
			} \
		}); \
	} \
	Finding run_##name(const Call &call, uint64_t first, uint64_t count, std::byte *) \
	{ \
		if (call.compute == UNPU_DTYPE_I64) \
			run_integers(call, first, count); \
		else if (call.compute == UNPU_DTYPE_F64) \
			run_##name##_of_double(call, first, count); \
		else \
			run_unary<float>(call, first, count, \
					 HWY_DYNAMIC_DISPATCH(name##_function_block)); \
		return {}; \
	}
FW_TENSOR_FUNCTION_LIST(FW_TENSOR_RUN)
#undef FW_TENSOR_RUN

/* The bits of a truth value are one bit. */
Finding run_not(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const int64_t mask = call.view(1).dtype == UNPU_DTYPE_BOOL ? 1 : -1;
	run_unary<int64_t>(call, first, count, [mask](int64_t *to, const int64_t *a, size_t n) {
		for (size_t i = 0; i < n; i++)
			to[i] = a[i] ^ mask;
	});
	return {};
}

bool check_bits(const Call &call)
{
	return call.compute == UNPU_DTYPE_I64 && have_one_shape(call, 2);
}

#define FW_TENSOR_KERNEL(kind, name, vector, real) \
	{UNPU_TENSOR_##kind, \
	 has_integers(UNPU_TENSOR_##kind) ? check_numbers : check_floats, \
	 elementwise_units, \
	 has_integers(UNPU_TENSOR_##kind) ? elementwise_cost : function_cost, \
	 nullptr, \
	 run_##name},
constexpr Kernel FUNCTION_KERNELS[] = {
	FW_TENSOR_FUNCTION_LIST(FW_TENSOR_KERNEL) //
	{UNPU_TENSOR_BITWISE_NOT, check_bits, elementwise_units, elementwise_cost, nullptr,
	 run_not},
};
#undef FW_TENSOR_KERNEL

} // namespace

const std::span<const Kernel> function_kernels = FUNCTION_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
