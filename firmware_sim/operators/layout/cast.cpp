// SPDX-License-Identifier: MIT
/*
 * DOC: CAST
 *
 * Slot 0 = slot 1, of one shape and any types. Equal types are copied bit by bit. Other conversions go through the type
 * of arithmetic that holds the source's value, so each rounds, saturates or wraps once.
 */
#include "firmware_sim/operators/elementwise/elementwise_views.h"
#include "layout.h"

namespace fw::tensor {

namespace {

bool is_float(uint32_t dtype)
{
	return dtype == UNPU_DTYPE_F32 || dtype == UNPU_DTYPE_F16 || dtype == UNPU_DTYPE_BF16 ||
	       dtype == UNPU_DTYPE_F64;
}

bool check_cast(const Call &call)
{
	return have_one_shape(call, 2);
}

void copy_bits(const Call &call, uint64_t first, uint64_t count)
{
	const View *const views[] = {&call.view(0), &call.view(1)};
	const Blocks blocks(views, 2);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) std::byte packed[Blocks::SIZE * sizeof(Bits)];
		blocks.gather(1, at, n, packed);
		blocks.scatter(0, at, n, packed);
	});
}

template <class C> void convert(const Call &call, uint64_t first, uint64_t count)
{
	const View *const views[] = {&call.view(0), &call.view(1)};
	const Blocks blocks(views, 2);
	for_blocks(blocks, first, count, [&](uint64_t at, size_t n) {
		alignas(64) C numbers[Blocks::SIZE];
		blocks.write(0, at, n, blocks.read(1, at, n, numbers));
	});
}

Finding run_cast(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const uint32_t to = call.view(0).dtype, from = call.view(1).dtype;
	if (to == from)
		copy_bits(call, first, count);
	else if (!is_float(from))
		convert<int64_t>(call, first, count);
	else if (from == UNPU_DTYPE_F64)
		convert<double>(call, first, count);
	else
		convert<float>(call, first, count);
	return {};
}

constexpr Kernel CAST_KERNELS[] = {
	{UNPU_TENSOR_CAST, check_cast, elementwise_units, elementwise_cost, nullptr, run_cast},
};

} // namespace

const std::span<const Kernel> cast_kernels = CAST_KERNELS;

} // namespace fw::tensor
