// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace umd {

/* struct WireView - an operand of a descriptor. @is_written: each element needs a place of its own. */
struct WireView {
	uint64_t address;
	uint32_t dtype; /* enum unpu_dtype, unpu_tensor_dtype */
	bool is_written;
	std::span<const int64_t> dims;
	const int64_t *strides;
};

/* element_bits() - size of an element; 0 for a number that is no element type of the device. */
int64_t element_bits(uint32_t dtype);

/*
 * check_reach() - whether the firmware takes an operand, by the limits of uapi/tensor_limits.h.
 * @has_address: false: the tensor has no memory yet, so only its extent is checked
 * Return: nullptr, or what is wrong: the end of a sentence about the tensor.
 */
const char *check_reach(const WireView &view, bool has_address = true);

/* check_operand() - the same for an operand where it stands in a descriptor: a struct unpu_tensor_operand, and then
 * its dims and strides. */
const char *check_operand(const uint64_t *words);

} // namespace umd
