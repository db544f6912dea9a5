// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/status.h"
#include "uapi/operator.h"

namespace fw {

/*
 * struct Reach - the bytes an operand touches.
 * @first: lowest device address touched
 * @bytes: length from @first to the end of the highest element
 * @is_ok: false when the arithmetic leaves the address space; the rest is then zero
 */
struct Reach {
	uint64_t first;
	uint64_t bytes;
	bool is_ok;
};

/*
 * operand_reach() - the range that operand @i of @op accesses, from dims and strides alone. The caller
 * must have checked that the dtype is known, @i < 4 and ndim <= 8 with positive dims; no other field is
 * trusted.
 * Context: any thread.
 */
Reach operand_reach(const unpu_operator &op, unsigned i);

/*
 * check_operator() - checks all of a descriptor that can be checked without its memory. A descriptor
 * that passes can be run wherever the reaches of its operands are mapped.
 * Context: any thread.
 * Return: OK or BAD_OPERATOR.
 */
base::Status check_operator(const unpu_operator &op);

/* copy_list() - converts the descriptor of a COPY_LIST to an unpu_copy_list. Context: any thread. */
unpu_copy_list copy_list(const unpu_operator &op);

} // namespace fw
