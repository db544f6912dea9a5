// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "umd/core/device/device_state.h"

namespace umd {

/* Parts of the block, in bytes from its start. */
constexpr uint64_t KERNEL_SYNC_OFFSET = 0;
constexpr uint64_t KERNEL_OVERFLOW_OFFSET = 2048;

/** kernel_block() - the address of 4 KiB of device memory that kernels of all contexts may use as their
 * interface prescribes. The first call allocates it, zeroed; the device keeps it until it closes.
 * Return: NO_MEMORY, sets the error message. */
base::Result<uint64_t> kernel_block(OpenDevice &open);

} // namespace umd
