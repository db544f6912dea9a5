// SPDX-License-Identifier: MIT
#pragma once

#include "view.h"

/** unpu_find_kernel() - the kernel of a kind; nullptr if there is none. The firmware finds the function by
 * its name. */
extern "C" [[gnu::visibility("default")]] const fw::tensor::Kernel *unpu_find_kernel(uint32_t kind);
