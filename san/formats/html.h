// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/**
 * html_report() - a self-contained page. It has for each entry the two calls, and a drawing of what happened
 * on both streams around them.
 */
std::string html_report(const Report &report);

} // namespace san
