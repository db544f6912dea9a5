// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/**
 * html_report() - one page that needs nothing else: for each entry its calls, and a drawing of what happened on
 * both streams around it.
 */
std::string html_report(const Report &report);

} // namespace san
