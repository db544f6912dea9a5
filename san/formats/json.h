// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "san/report/report.h"

namespace san {

/** JSON_VERSION - the version of this format. A reader refuses other versions. */
constexpr int JSON_VERSION = 1;

/** json_report() - an object a line: a head, an object for each entry, and the totals. */
std::string json_report(const Report &report);

/** is_json_report() - whether a file begins like a JSON report, and not like a trace. */
bool is_json_report(std::string_view text);

/** read_json_report() - adds the entries and totals of a report in JSON. Return: what is wrong with it, or empty. */
std::string read_json_report(std::string_view text, const std::string &name, Report &report);

} // namespace san
