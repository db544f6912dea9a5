// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace umd::trace {

/** begin() - deletes earlier records and starts to record.
 * @entries: room in each thread's and each device's ring; 0 for the default
 * Return: NO_MEMORY sets the error message. */
base::Status begin(uint32_t entries);

/** end() - stops recording and keeps the records. */
void end();

/** write() - writes the records to a file. @overwritten: out, number of lost entries; may be nullptr
 * Return: BAD_FILE sets the error message. */
base::Status write(const std::string &path, uint64_t *overwritten);

/** begin_if_asked() - if UNPU_TRACE is set, begins, and registers the write of the file at the process's end.
 * write_if_asked() - writes the file now. */
void begin_if_asked();
void write_if_asked();

} // namespace umd::trace
