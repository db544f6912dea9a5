// SPDX-License-Identifier: MIT
#pragma once

#include "hal/device.h"

namespace hal {

/** open_embedded() - a device inside this process: sim:, sim:step and null:. */
base::Result<std::unique_ptr<Device>> open_embedded(const Options &options, uint32_t index);

} // namespace hal
