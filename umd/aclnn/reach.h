// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "uapi/tensor_limits.h"

namespace umd {

/* struct WireView - an operand of a descriptor. @is_written: no two elements may share memory */
struct WireView {
	uint64_t address;
	uint32_t dtype; /* enum unpu_dtype, unpu_tensor_dtype */
	bool is_written;
	std::span<const int64_t> dims;
	const int64_t *strides;
};

/* element_bits() - size of an element; 0 for a number that is no element type of the device. */
int64_t element_bits(uint32_t dtype);

/* find_shared() - checks that no two elements of a view that is written share memory. Return: as check_reach();
 * also an error message for a view of many dims whose strides are such that the answer would take too
 * long. */
const char *find_shared(std::span<const int64_t> dims, const int64_t *strides);

/* check_any_reach() - as check_reach(), for any view. */
const char *check_any_reach(const WireView &view, bool has_address);

/* is_usual() - whether a view is so small and so low in the address space that no limit is near, and has no
 * negative strides; and, for a view that is written, whether its dims are in the order of memory, so that no two
 * elements share memory. Most views are usual, and the test takes few instructions. */
inline bool is_usual(const WireView &view)
{
	constexpr unsigned NEAR_BITS = 28;
	uint64_t count = 1, span = 0, all = view.address >> 62 << NEAR_BITS;
	bool is_far = false, is_nested = true;
	for (size_t d = view.dims.size(); d-- > 0;) {
		/* a dim of size 0 gives a very large number */
		const uint64_t steps = static_cast<uint64_t>(view.dims[d]) - 1;
		if (steps == 0)
			continue;
		const auto stride = static_cast<uint64_t>(view.strides[d]);
		all |= steps | stride;
		is_nested &= stride > span;
		span += steps * stride;
		is_far |= __builtin_mul_overflow(count, steps + 1, &count);
	}
	is_far |= all >> NEAR_BITS != 0 || count > UNPU_TENSOR_MAX_ELEMENTS;
	return !is_far && (!view.is_written || is_nested);
}

/*
 * check_reach() - whether the firmware accepts an operand, by the limits of uapi/tensor_limits.h.
 * @has_address: false: the tensor has no memory yet, so only its extent is checked
 * Return: nullptr, or what is wrong: the end of a sentence about the tensor.
 */
inline const char *check_reach(const WireView &view, bool has_address = true)
{
	return is_usual(view) ? nullptr : check_any_reach(view, has_address);
}

/* check_operand() - as check_reach(), for an operand inside of a descriptor: a struct unpu_tensor_operand, followed by
 * its dims and strides. */
const char *check_operand(const uint64_t *words);

} // namespace umd
