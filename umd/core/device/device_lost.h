// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "drv/device.h"

namespace umd {

/** device_failed() - sets the error message for a failure of a device. If the device is lost because the
 * firmware cut this process off, the message says why.
 * @what: what could not be done; the message begins with it unless it is empty
 * Return: @status. */
base::Status device_failed(drv::Device &device, base::Status status, const std::string &what = {});

/** circle_sentence() - a message about streams that the watchdog found in a deadlock, or "". */
std::string circle_sentence(drv::Device &device);

} // namespace umd
