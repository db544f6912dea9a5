// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "kernels/abi/image.h"

namespace cpu {

/** run() - runs all blocks on the calling thread. A kernel that fails ends the process with SIGABRT. */
void run(const unpu_kernel_entry &entry, uint32_t blocks, uint64_t tiling_key,
	 const unsigned char *args);

} // namespace cpu
