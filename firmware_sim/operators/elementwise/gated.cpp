// SPDX-License-Identifier: MIT
/*
 * DOC: Gated units
 *
 * The operand has two halves along one dim: one goes through an activation and is multiplied by the other.
 * SWIGLU: slot 0 is the result, slot 1 the operand. GEGLU: slot 0 is the result, slot 1 a second result, which
 * gets the activation, and slot 2 the operand. All are computed in F32; each result is rounded once.
 */
#include "elementwise_views.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/elementwise/gated.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/math-inl.h"

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

void swiglu_block(float *to, const float *a, const float *b, size_t n)
{
	map_two(to, a, b, n, [](auto d, auto x, auto gate) HWY_ATTR {
		return hn::Mul(hn::Mul(x, sigmoid_of(d, x)), gate);
	});
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(swiglu_block);

/* Whether @whole has the shape of @half, but twice its size along @dim. */
static bool is_double(const View &whole, const View &half, int64_t dim)
{
	if (dim < 0 || dim >= whole.ndim || whole.ndim != half.ndim)
		return false;
	View expected = half;
	if (__builtin_mul_overflow(half.dims[dim], int64_t{2}, &expected.dims[dim]))
		return false;
	return element_bits(whole.dtype) >= 8 && whole.has_shape_of(expected);
}

/* half() - the first or the second half of @whole along @dim. */
static View half(const View &whole, int64_t dim, bool is_second)
{
	View view = whole;
	view.dims[dim] /= 2;
	if (is_second)
		view.data += view.dims[dim] * whole.strides[dim] *
			     static_cast<int64_t>(element_bits(whole.dtype) / 8);
	if (view.dims[dim] == 1)
		view.strides[dim] = 0;
	return view;
}

static bool check_swiglu(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 && have_one_shape(call, 1) && call.has(1) &&
	       is_double(call.view(1), call.view(0), call.integer(0));
}

static Finding run_swiglu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View left = half(call.view(1), call.integer(0), false);
	const View right = half(call.view(1), call.integer(0), true);
	const View *const views[] = {&call.view(0), &left, &right};
	const Blocks blocks(views, 3);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) float a[Blocks::SIZE], b[Blocks::SIZE], to[Blocks::SIZE];
		float *target = blocks.target(0, at, n, to);
		HWY_DYNAMIC_DISPATCH(swiglu_block)
		(target, blocks.read(1, at, n, a), blocks.read(2, at, n, b), n);
		blocks.write(0, at, n, target);
	});
	return {};
}

static bool check_geglu(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 && have_one_shape(call, 2) && call.has(2) &&
	       is_double(call.view(2), call.view(0), call.integer(0)) &&
	       (call.integer(1) == 0 || call.integer(1) == 1) &&
	       (call.integer(2) == 0 || call.integer(2) == 1);
}

static Finding run_geglu(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const bool is_tanh = call.integer(1) == 1, is_left = call.integer(2) == 1;
	const View active = half(call.view(2), call.integer(0), !is_left);
	const View gate = half(call.view(2), call.integer(0), is_left);
	const View *const views[] = {&call.view(0), &call.view(1), &active, &gate};
	const Blocks blocks(views, 4);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) float a[Blocks::SIZE], b[Blocks::SIZE], activated[Blocks::SIZE];
		compute_gelu(activated, blocks.read(2, at, n, a), n, is_tanh);
		const float *factors = blocks.read(3, at, n, b);
		alignas(64) float to[Blocks::SIZE];
		for (size_t i = 0; i < n; i++)
			to[i] = activated[i] * factors[i];
		blocks.write(1, at, n, activated);
		blocks.write(0, at, n, to);
	});
	return {};
}

static uint64_t geglu_cost(const Call &call)
{
	return 2 * elementwise_cost(call);
}

static constexpr Kernel GATED_KERNELS[] = {
	{UNPU_TENSOR_SWIGLU, check_swiglu, elementwise_units, elementwise_cost, nullptr,
	 run_swiglu},
	{UNPU_TENSOR_GEGLU, check_geglu, elementwise_units, geglu_cost, nullptr, run_geglu},
};

const std::span<const Kernel> gated_kernels = GATED_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
