// SPDX-License-Identifier: MIT
/*
 * DOC: Activations with attributes, and MISH
 *
 * Slot 0 is the result, slot 1 the operand. Both are floating-point; the function is computed in F32 and
 * rounded once.
 */
#include "elementwise_views.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/activation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/math-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

void gelu_erf_block(float *to, const float *a, size_t n)
{
	map_one(to, a, n, [](auto d, auto x) HWY_ATTR { return gelu_of(d, x); });
}

void gelu_tanh_block(float *to, const float *a, size_t n)
{
	map_one(to, a, n, [](auto d, auto x) HWY_ATTR { return gelu_tanh_of(d, x); });
}

/* ELU - above 0: @up * x; else @down * (exp(x * @input) - 1). */
void elu_block(float *to, const float *a, size_t n, float up, float down, float input)
{
	map_one(to, a, n, [=](auto d, auto x) HWY_ATTR {
		const auto curve = exp_minus_one_of(d, hn::Mul(x, hn::Set(d, input)));
		return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), hn::Mul(x, hn::Set(d, up)),
				      hn::Mul(curve, hn::Set(d, down)));
	});
}

/* SOFTPLUS - ln(1 + exp(z)) / beta with z = beta * x, as max(z, 0) + ln(1 + exp(-|z|)). */
void softplus_block(float *to, const float *a, size_t n, float beta, float threshold)
{
	map_one(to, a, n, [=](auto d, auto x) HWY_ATTR {
		const auto z = hn::Mul(x, hn::Set(d, beta));
		const auto rest = hn::Log1p(d, exp_of(d, hn::Neg(hn::Abs(z))));
		const auto sum = hn::Add(hn::Max(z, hn::Zero(d)), rest);
		const auto curve = hn::Div(sum, hn::Set(d, beta));
		return keep_nan(x, hn::IfThenElse(hn::Gt(z, hn::Set(d, threshold)), x, curve));
	});
}

void leaky_relu_block(float *to, const float *a, size_t n, float slope)
{
	map_one(to, a, n, [=](auto d, auto x) HWY_ATTR {
		return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, hn::Set(d, slope)));
	});
}

/* MISH - x * tanh(ln(1 + exp(x))): with e = exp(-|x|) the tangent is a quotient without a difference. */
void mish_block(float *to, const float *a, size_t n)
{
	map_one(to, a, n, [](auto d, auto x) HWY_ATTR {
		const auto e = exp_of(d, hn::Neg(hn::Abs(x)));
		const auto two = hn::Set(d, 2.0f), square = hn::Mul(e, e);
		const auto is_above = hn::Ge(x, hn::Zero(d));
		const auto small = hn::MulAdd(two, e, square),
			   large = hn::MulAdd(two, e, hn::Set(d, 1.0f));
		const auto above = hn::IfThenElse(is_above, large, small);
		const auto below =
			hn::Add(above, hn::IfThenElse(is_above, hn::Mul(two, square), two));
		return hn::Mul(x, hn::Div(above, below));
	});
}

/* Bounds that are NaN give NaN, and NaN stays NaN. */
void clamp_block(float *to, const float *a, size_t n, float low, float high)
{
	map_one(to, a, n, [=](auto d, auto x) HWY_ATTR {
		const auto least = hn::Set(d, low), most = hn::Set(d, high);
		const auto is_nan = hn::IsNaN(x);
		x = hn::IfThenElse(hn::Or(hn::Ge(x, least), is_nan), x, least);
		return hn::IfThenElse(hn::Or(hn::Le(x, most), is_nan), x, most);
	});
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(gelu_erf_block);
HWY_EXPORT(gelu_tanh_block);
HWY_EXPORT(elu_block);
HWY_EXPORT(softplus_block);
HWY_EXPORT(leaky_relu_block);
HWY_EXPORT(mish_block);
HWY_EXPORT(clamp_block);

void compute_gelu(float *to, const float *a, size_t n, bool is_tanh)
{
	if (is_tanh)
		HWY_DYNAMIC_DISPATCH(gelu_tanh_block)(to, a, n);
	else
		HWY_DYNAMIC_DISPATCH(gelu_erf_block)(to, a, n);
}

void compute_clamp(float *to, const float *a, size_t n, float low, float high)
{
	HWY_DYNAMIC_DISPATCH(clamp_block)(to, a, n, low, high);
}

static bool check_activation(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 && have_one_shape(call, 2);
}

static bool check_gelu(const Call &call)
{
	return check_activation(call) && (call.integer(0) == 0 || call.integer(0) == 1);
}

static Finding run_gelu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const bool is_tanh = call.integer(0) == 1;
	run_unary<float>(call, first, count, [is_tanh](float *to, const float *a, size_t n) {
		compute_gelu(to, a, n, is_tanh);
	});
	return {};
}

static Finding run_elu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const double alpha = call.scalar(0).real;
	const double scale = call.scalar(1).real;
	const auto up = static_cast<float>(scale);
	const auto down = static_cast<float>(alpha * scale);
	const auto input = static_cast<float>(call.scalar(2).real);
	run_unary<float>(call, first, count, [=](float *to, const float *a, size_t n) {
		HWY_DYNAMIC_DISPATCH(elu_block)(to, a, n, up, down, input);
	});
	return {};
}

static Finding run_softplus(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const auto beta = static_cast<float>(call.scalar(0).real);
	const auto threshold = static_cast<float>(call.scalar(1).real);
	run_unary<float>(call, first, count, [=](float *to, const float *a, size_t n) {
		HWY_DYNAMIC_DISPATCH(softplus_block)(to, a, n, beta, threshold);
	});
	return {};
}

static Finding run_leaky_relu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const auto slope = static_cast<float>(call.scalar(0).real);
	run_unary<float>(call, first, count, [=](float *to, const float *a, size_t n) {
		HWY_DYNAMIC_DISPATCH(leaky_relu_block)(to, a, n, slope);
	});
	return {};
}

static Finding run_mish(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	run_unary<float>(call, first, count, [](float *to, const float *a, size_t n) {
		HWY_DYNAMIC_DISPATCH(mish_block)(to, a, n);
	});
	return {};
}

static constexpr Kernel ACTIVATION_KERNELS[] = {
	{UNPU_TENSOR_MISH, check_activation, elementwise_units, elementwise_cost, nullptr,
	 run_mish},
	{UNPU_TENSOR_GELU, check_gelu, elementwise_units, elementwise_cost, nullptr, run_gelu},
	{UNPU_TENSOR_ELU, check_activation, elementwise_units, elementwise_cost, nullptr, run_elu},
	{UNPU_TENSOR_SOFTPLUS, check_activation, elementwise_units, elementwise_cost, nullptr,
	 run_softplus},
	{UNPU_TENSOR_LEAKY_RELU, check_activation, elementwise_units, elementwise_cost, nullptr,
	 run_leaky_relu},
};

const std::span<const Kernel> activation_kernels = ACTIVATION_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
