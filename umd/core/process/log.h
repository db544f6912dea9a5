// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace umd {

/**
 * log_line() - adds a line to the log: to the end of the file that UNPU_LOG_FILE names, else to
 * stderr. The caller has checked that this kind of line is enabled.
 * @line: without the newline
 * Context: any thread; may block on the file. Lines of threads and processes do not mix.
 */
void log_line(std::string line);

} // namespace umd
