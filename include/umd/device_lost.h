// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "drv/device.h"

namespace umd {

/** device_failed() - sets the sentence of what a device answered; of one that is lost also why the
 * firmware cut this process off, if it did. Return: @status. */
base::Status device_failed(drv::Device &device, base::Status status);

/** circle_sentence() - which streams wait for each other, as the watchdog found; "" if it found none. */
std::string circle_sentence(drv::Device &device);

} // namespace umd
