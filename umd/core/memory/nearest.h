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

/** tell_unusable() - why tasks of device @here can't use the byte at @address: "it is byte 0 of the allocation of 64
 * bytes ..., which is memory of device 0, ..."; "" if they can. Context: no lock of memory is held. */
std::string tell_unusable(uint64_t address, int32_t here);

/** check_use() - with UNPU_CHECK: checks that a task of device @here may use the range: it is in memory that is
 * live, of this device or of one whose memory it may access, and ends as check_end() wants it.
 * Return: OK; with `error` INVALID_ARGUMENT. Context: is_on(); no lock of memory is held. */
base::Status check_use(const char *call, const char *name, uint64_t address, uint64_t bytes,
		       int32_t here);

} // namespace umd::check
