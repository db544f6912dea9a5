// SPDX-License-Identifier: MIT
/*
 * DOC: Functions of three operands, and of a list
 *
 * ADDCDIV, ADDCMUL, LERP: slot 0 is the result, slots 1 to 3 are the operands. LERP_SCALAR has a scalar in place of
 * slot 3. SUM: slot 1 is a list. Call::compute says in which type the arithmetic is done: F32, F64 or I64, which wraps.
 * The compiler makes vectors of the loops.
 */
#include "elementwise_views.h"

#include <cmath>
#include <optional>

#include "pairs.h"

namespace fw::tensor {

namespace {

struct AddQuotient {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C factor = static_cast<C>(call.scalar(0).real);
		run_ternary<C>(
			call, first, count,
			[factor](C *to, const C *self, const C *above, const C *below, size_t n) {
				for (size_t i = 0; i < n; i++)
					to[i] = self[i] + factor * (above[i] / below[i]);
			});
	}
};

struct AddProduct {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const C factor = scalar_as<C>(call, 0);
		run_ternary<C>(
			call, first, count,
			[factor](C *to, const C *self, const C *one, const C *other, size_t n) {
				for (size_t i = 0; i < n; i++)
					to[i] = add(self[i],
						    multiply(multiply(factor, one[i]), other[i]));
			});
	}
};

/* between() - a number on the line from @self to @end. Both ends are exact. */
float between(float self, float end, float weight)
{
	const float way = end - self;
	return std::abs(weight) < 0.5f ? self + weight * way : end - way * (1 - weight);
}

Finding run_lerp(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	run_ternary<float>(
		call, first, count,
		[](float *to, const float *self, const float *end, const float *weight, size_t n) {
			for (size_t i = 0; i < n; i++)
				to[i] = between(self[i], end[i], weight[i]);
		});
	return {};
}

Finding run_lerp_scalar(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const auto weight = static_cast<float>(call.scalar(0).real);
	run_binary<float>(call, first, count,
			  [weight](float *to, const float *self, const float *end, size_t n) {
				  for (size_t i = 0; i < n; i++)
					  to[i] = between(self[i], end[i], weight);
			  });
	return {};
}

/* The blocks of the result and of each member have the same order of elements, because only the result
 * decides it. */
struct AddAll {
	template <class C> static void run(const Call &call, uint64_t first, uint64_t count)
	{
		const std::span<const View> members = call.list(1);
		std::optional<Blocks> blocks[UNPU_TENSOR_MAX_OPERANDS];
		for (size_t k = 0; k < members.size(); k++) {
			const View *const views[] = {&call.view(0), &members[k]};
			blocks[k].emplace(views, 2);
		}
		for_blocks(*blocks[0], first, count, [&](uint64_t at, size_t n) {
			alignas(64) C sums[Blocks::SIZE], more[Blocks::SIZE];
			std::fill_n(sums, n, C());
			for (size_t k = 0; k < members.size(); k++) {
				const C *numbers = blocks[k]->read(1, at, n, more);
				for (size_t i = 0; i < n; i++)
					sums[i] = add(sums[i], numbers[i]);
			}
			C *to = blocks[0]->target(0, at, n, more);
			std::copy_n(sums, n, to);
			blocks[0]->write(0, at, n, to);
		});
	}
};

bool check_quotient(const Call &call)
{
	return is_floating(call.compute) && have_one_shape(call, 4);
}

bool check_product(const Call &call)
{
	return is_arithmetic(call.compute) && have_one_shape(call, 4);
}

bool check_lerp(const Call &call)
{
	return call.compute == UNPU_DTYPE_F32 &&
	       have_one_shape(call, call.kind == UNPU_TENSOR_LERP ? 4 : 3);
}

bool check_sum(const Call &call)
{
	if (!call.has(1) || !is_arithmetic(call.compute) || !have_one_shape(call, 1))
		return false;
	for (const View &member : call.list(1))
		if (!member.has_shape_of(call.view(0)) || element_bits(member.dtype) < 8)
			return false;
	return true;
}

uint64_t sum_cost(const Call &call)
{
	const auto views = static_cast<unsigned __int128>(call.list(1).size() + 1);
	return static_cast<uint64_t>(
		std::min(views * static_cast<uint64_t>(call.view(0).count()) * sizeof(float),
			 static_cast<unsigned __int128>(INT64_MAX)));
}

constexpr Kernel SEVERAL_KERNELS[] = {
	{UNPU_TENSOR_ADDCDIV, check_quotient, elementwise_units, elementwise_cost, nullptr,
	 run_floating<AddQuotient>},
	{UNPU_TENSOR_ADDCMUL, check_product, elementwise_units, elementwise_cost, nullptr,
	 run_arithmetic<AddProduct>},
	{UNPU_TENSOR_LERP, check_lerp, elementwise_units, elementwise_cost, nullptr, run_lerp},
	{UNPU_TENSOR_LERP_SCALAR, check_lerp, elementwise_units, elementwise_cost, nullptr,
	 run_lerp_scalar},
	{UNPU_TENSOR_SUM, check_sum, elementwise_units, sum_cost, nullptr, run_arithmetic<AddAll>},
};

} // namespace

const std::span<const Kernel> several_kernels = SEVERAL_KERNELS;

} // namespace fw::tensor
