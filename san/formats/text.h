// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/** text_report() - for people: a paragraph for each entry that no baseline has. */
std::string text_report(const Report &report);

/** summary_line() - the totals in one line, also when nothing was found. */
std::string summary_line(const Report &report);

/** problem_lines() - what was wrong with the traces themselves; empty when nothing was. */
std::string problem_lines(const Report &report);

} // namespace san
