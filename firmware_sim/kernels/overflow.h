// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "uapi/operator.h"

namespace fw {

/*
 * find_overflow() - looks for elements of an operator's result that are infinite or not a number.
 * @op: passed check_operator()
 * @result: host address of element [0, 0, ...] of operand 0
 * @saturate: turns them into the largest finite value of their sign, and into zero
 *
 * Context: any thread; allocates nothing.
 * Return: whether there were any. Types that are not floating have none.
 */
bool find_overflow(const unpu_operator &op, std::byte *result, bool saturate);

} // namespace fw
