// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "uapi/operator.h"

namespace fw {

/*
 * run_operator() - executes an element-wise operator on the calling thread, from start to end.
 * @op: passed check_operator()
 * @base: host address of the element that operands[i].address names; unused entries are ignored. The
 * whole reach of each operand around it must be mapped with the operand's access.
 *
 * Context: any thread; allocates nothing, takes no lock and uses a few kilobytes of stack. The output
 * may be the very same view as an input of the same size of element; the output is unspecified if they
 * overlap partially.
 */
void run_operator(const unpu_operator &op, const std::array<std::byte *, 4> &base);

} // namespace fw
