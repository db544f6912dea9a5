// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "firmware_sim/operators/view.h"

namespace fw {

/** load_kernels() - loads libunpu_operators.so from the toolkit that contains this code. Only the first call
 * in a process loads it; later calls return the same result.
 * Return: whether the library is loaded. Context: any thread; may block for as long as the file takes. */
bool load_kernels();

/** lack_of_kernels() - why load_kernels() fails or would fail, with the path of the library; "" if it
 * succeeds.
 * @loads: true: call load_kernels() now; false: only check whether the file can be read */
std::string lack_of_kernels(bool loads);

/** find_tensor_kernel() - the kernel of a kind; loads the library if needed.
 * Return: nullptr if there is none. */
const tensor::Kernel *find_tensor_kernel(uint32_t kind);

} // namespace fw
