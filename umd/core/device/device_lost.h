// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "drv/device.h"

namespace umd {

/** device_failed() - sets the sentence for a failure @status of a device. For a lost device it also says why
 * the firmware cut this process off, if it did.
 * @what: what could not be done; the sentence begins with it unless it is empty
 * Return: @status. */
base::Status device_failed(drv::Device &device, base::Status status, const std::string &what = {});

/** circle_sentence() - the streams that the watchdog found waiting for each other (deadlock), or "". */
std::string circle_sentence(drv::Device &device);

} // namespace umd
