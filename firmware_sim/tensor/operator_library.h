// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "firmware_sim/operators/view.h"

namespace fw {

/** load_kernels() - loads libunpu_operators.so of the toolkit that has this code. Once in a process; later calls
 * return the same.
 * Return: whether it is there. Context: any thread; may block for as long as the file takes. */
bool load_kernels();

/** lack_of_kernels() - why load_kernels() fails, or would, with the file that is looked for; "" if it does not.
 * @loads: load it now; else it is looked whether the file can be read */
std::string lack_of_kernels(bool loads);

/** find_tensor_kernel() - the kernel of a kind; loads the library if needed.
 * Return: nullptr if there is none. */
const tensor::Kernel *find_tensor_kernel(uint32_t kind);

} // namespace fw
