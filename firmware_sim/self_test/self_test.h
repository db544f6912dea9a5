// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "firmware_sim/device/sim_device.h"

namespace self_test {

/* Device memory that the checks need at least. */
constexpr uint64_t MEMORY_MIN_BYTES = uint64_t{32} << 20;

/* run() - boots a device of @config and checks it from outside; a line for each check on standard
 * output. Return: whether all checks hold. */
bool run(const fw::Config &config);

} // namespace self_test
