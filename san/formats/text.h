// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/** text_report() - the report for people: a paragraph for each entry that no baseline has. */
std::string text_report(const Report &report);

/** summary_line() - the totals in one line, also when nothing was found. */
std::string summary_line(const Report &report);

/** problem_lines() - the problems of the traces themselves; empty if there are none. */
std::string problem_lines(const Report &report);

} // namespace san
