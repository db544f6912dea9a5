// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"

namespace hal {
class Device;
} // namespace hal

namespace drv {

/** used_up_quota() - which quotas of entries and descriptors are used up, with their options. A program is not
 * told of these at its start, so the call asks the firmware.
 * Return: an empty text if neither is, or if the firmware does not answer. */
std::string used_up_quota(hal::Device &device);

/** quota_sentence() - what @status says, for people; for QUOTA with used_up_quota(). */
std::string quota_sentence(hal::Device &device, base::Status status);

} // namespace drv
