// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "umd/core/device/devices.h"

namespace umd::check {

/** tell_nearest() - what is at an address, or was, or is nearest, with sizes that the program asked for: text behind a
 * colon. Context: no lock of memory is held. */
std::string tell_nearest(uint64_t address, uint64_t bytes);

/** tell_no_start() - the same of memory of @device, at an @address where no allocation begins. */
std::string tell_no_start(const DeviceHold &device, uint64_t address);

/** check_end() - with UNPU_CHECK: whether the range ends behind what the program asked for, in the slack of its
 * allocation. @call, @name: of the argument, for the sentence
 * Return: OK; with `error` INVALID_ARGUMENT if it does. Context: is_on(). */
base::Status check_end(const char *call, const char *name, const void *address, uint64_t bytes);

} // namespace umd::check
