// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>

#include "firmware_sim/operators/blocks.h"
#include "firmware_sim/operators/kernels.h"

namespace fw::tensor {

/* Kernel::units, cost_bytes of all element-wise kinds: slot 0 is the result. */
uint64_t elementwise_units(const Call &call);
uint64_t elementwise_cost(const Call &call);

/** have_one_shape() - Kernel::check of views: whether all of slots 0 .. @slots - 1 are there with the shape
 * of slot 0, and with whole bytes for an element. */
bool have_one_shape(const Call &call, unsigned slots);

/** is_floating(), is_arithmetic() - whether a kind can compute in the type: F32 and F64, or also I64. */
constexpr bool is_floating(uint32_t compute)
{
	return compute == UNPU_DTYPE_F32 || compute == UNPU_DTYPE_F64;
}
constexpr bool is_arithmetic(uint32_t compute)
{
	return is_floating(compute) || compute == UNPU_DTYPE_I64;
}

/** compute_gelu() - to[i] = gelu(a[i]). @is_tanh: true: the approximation with tanh; false: the exact
 * function with erf */
void compute_gelu(float *to, const float *a, size_t n, bool is_tanh);

/** compute_clamp() - to[i] = a[i] within @low .. @high. The upper bound wins where it is below the lower one. NaN stays
 * NaN, and a bound that is NaN gives NaN. */
void compute_clamp(float *to, const float *a, size_t n, float low, float high);

/** for_blocks() - calls @block(first, n) for the blocks of units @first .. @first + @count - 1. */
template <class Block>
void for_blocks(const Blocks &blocks, uint64_t first, uint64_t count, Block block)
{
	const uint64_t end = std::min(blocks.count(), (first + count) * Blocks::UNIT);
	for (uint64_t at = first * Blocks::UNIT; at < end; at += Blocks::SIZE)
		block(at, static_cast<size_t>(std::min<uint64_t>(Blocks::SIZE, end - at)));
}

/** run_unary() - slot 0 = @compute(slot 1). @compute: (C *to, const C *a, size_t n); @to may be @a. */
template <class C, class Compute>
void run_unary(const Call &call, uint64_t first, uint64_t count, Compute compute)
{
	const View *const views[] = {&call.view(0), &call.view(1)};
	const Blocks blocks(views, 2);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) C from[Blocks::SIZE], to[Blocks::SIZE];
		C *target = blocks.target(0, at, n, to);
		compute(target, blocks.read(1, at, n, from), n);
		blocks.write(0, at, n, target);
	});
}

/** run_binary() - slot 0 = @compute(slot 1, slot 2). @compute: (C *to, const C *a, const C *b, size_t n) */
template <class C, class Compute>
void run_binary(const Call &call, uint64_t first, uint64_t count, Compute compute)
{
	const View *const views[] = {&call.view(0), &call.view(1), &call.view(2)};
	const Blocks blocks(views, 3);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) C left[Blocks::SIZE], right[Blocks::SIZE], to[Blocks::SIZE];
		C *target = blocks.target(0, at, n, to);
		compute(target, blocks.read(1, at, n, left), blocks.read(2, at, n, right), n);
		blocks.write(0, at, n, target);
	});
}

/** run_ternary() - slot 0 = @compute(slot 1, slot 2, slot 3). @compute: (C *to, const C *a, const C *b, const C *c,
 * size_t n) */
template <class C, class Compute>
void run_ternary(const Call &call, uint64_t first, uint64_t count, Compute compute)
{
	const View *const views[] = {&call.view(0), &call.view(1), &call.view(2), &call.view(3)};
	const Blocks blocks(views, 4);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) C buffers[4][Blocks::SIZE];
		C *target = blocks.target(0, at, n, buffers[0]);
		const C *a = blocks.read(1, at, n, buffers[1]);
		const C *b = blocks.read(2, at, n, buffers[2]);
		compute(target, a, b, blocks.read(3, at, n, buffers[3]), n);
		blocks.write(0, at, n, target);
	});
}

} // namespace fw::tensor
