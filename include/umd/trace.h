// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace umd::trace {

/** begin() - records from now on; what was recorded before goes.
 * @entries: room in each thread's and each device's ring; 0 for the default
 * Return: NO_MEMORY with the sentence set. */
base::Status begin(uint32_t entries);

/** end() - records no more; what was recorded stays. */
void end();

/** write() - a file of what was recorded. @overwritten: out, entries that are gone; may be nullptr
 * Return: BAD_FILE with the sentence set. */
base::Status write(const std::string &path, uint64_t *overwritten);

/** begin_if_asked() - for UNPU_TRACE: begins, and sees to it that the process's end writes the file.
 * write_if_asked() - writes it now. */
void begin_if_asked();
void write_if_asked();

} // namespace umd::trace
