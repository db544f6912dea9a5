// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "drv/device.h"

namespace umd {

constexpr size_t KEY_DIGITS = 2 * sizeof(unpu_export_key);

/** write_key() - a key as KEY_DIGITS hexadecimal digits. */
std::string write_key(const unpu_export_key &key);

/** read_key() - the key that a program passes as text.
 * @kind: the kind of object that the key must name
 * Return: INVALID_ARGUMENT. */
base::Result<unpu_export_key> read_key(const char *text, unpu_export_kind kind);

/** find_key() - the key that a program passes as a number.
 * @kind: the kind of object that the key must name
 * Return: NOT_SHARED; NOT_SUPPORTED if no other process can share objects with this one. */
base::Result<unpu_export_key> find_key(drv::Device &device, uint64_t number, unpu_export_kind kind);

/** check_import() - whether this process can import the key.
 * Return: NOT_SUPPORTED for a key of another firmware, SAME_PROCESS for a key of this process. */
base::Status check_import(drv::Device &device, const unpu_export_key &key);

/** refuse_import() - sets the error message for a failed import, or a failed change of an export. */
base::Status refuse_import(base::Status status, const unpu_export_key &key);

/** process_id() - the id that the firmware sees for this process. */
uint32_t process_id(drv::Device &device);

} // namespace umd
