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
 * @kind: what it has to name
 * Return: INVALID_ARGUMENT. */
base::Result<unpu_export_key> read_key(const char *text, unpu_export_kind kind);

/** find_key() - the key that a program passes as a number.
 * @kind: what it has to name
 * Return: NOT_SHARED; NOT_SUPPORTED where no other process can share anything. */
base::Result<unpu_export_key> find_key(drv::Device &device, uint64_t number, unpu_export_kind kind);

/** check_import() - whether a key can be imported here at all.
 * Return: NOT_SUPPORTED for one that another firmware made, SAME_PROCESS. */
base::Status check_import(drv::Device &device, const unpu_export_key &key);

/** refuse_import() - the sentence for @status of an import or of a change to an export. */
base::Status refuse_import(base::Status status, const unpu_export_key &key);

/** process_id() - this process, as the firmware sees it. */
uint32_t process_id(drv::Device &device);

} // namespace umd
