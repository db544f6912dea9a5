// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "uapi/operator.h"

namespace fw {

/*
 * find_overflow() - looks for elements of an operator's result that are infinite or not a number.
 * @op: dims, and dtype and strides of operand 0, as check_operator() wants them; or those of a view of a
 * tensor
 *	operator, whose type may be F64
 * @result: host address of element [0, 0, ...] of operand 0
 * @saturate: turns them into the largest finite value of their sign, and into zero
 *
 * Context: any thread; allocates nothing.
 * Return: whether such elements were found. Types that are not floating have none.
 */
bool find_overflow(const unpu_operator &op, std::byte *result, bool saturate);

} // namespace fw
