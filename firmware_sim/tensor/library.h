// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/view.h"

namespace fw {

/** load_kernels() - loads libunpu_operators.so, which lies beside the library or program that has this code, or
 * in ../lib64. Once in a process; later calls return the same.
 * Return: whether it is there. Context: any thread; may block for as long as the file takes. */
bool load_kernels();

/** find_tensor_kernel() - the kernel of a kind; loads the library if needed.
 * Return: nullptr if there is none. */
const tensor::Kernel *find_tensor_kernel(uint32_t kind);

} // namespace fw
