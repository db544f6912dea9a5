// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "uapi/operator.h"

namespace fw {

/*
 * copy_strided() - executes COPY on the calling thread: the elements of operand 1 become those of
 * operand 0, bit by bit.
 * @op: passed check_operator()
 * @base: host addresses of the first element of each operand
 *
 * Context: any thread. The result is unspecified if source and target overlap partially.
 */
void copy_strided(const unpu_operator &op, const std::array<std::byte *, 4> &base);

} // namespace fw
