// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "umd/core/device/devices.h"

namespace umd::check {

/** tell_nearest() - describes the allocation that is or was at an address, or the nearest one. The text is
 * for the end of an error message, after a colon; sizes are those that the program asked for. Context: no
 * lock of memory is held. */
std::string tell_nearest(uint64_t address, uint64_t bytes);

/** tell_no_start() - the same for an @address of @device at which no allocation begins. */
std::string tell_no_start(const DeviceHold &device, uint64_t address);

/** check_end() - with UNPU_CHECK: checks whether the range ends beyond the size that the program asked for,
 * in the slack of its allocation. @call, @name: the call and its argument, for the error message
 * Return: OK; with `error` INVALID_ARGUMENT if it does. Context: is_on(). */
base::Status check_end(const char *call, const char *name, const void *address, uint64_t bytes);

} // namespace umd::check
