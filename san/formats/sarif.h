// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/**
 * sarif_report() - the report as SARIF 2.1.0, which code hosts and editors read.
 *
 * @root: folder of the sources. An entry whose call is not in a file below it has no place in the sources,
 * and
 *	becomes a notification of the run instead of a result.
 */
std::string sarif_report(const Report &report, const std::string &root);

/** github_report() - the report as workflow commands, one on each line. GitHub shows each of them at its
 * source line. @root: as above. */
std::string github_report(const Report &report, const std::string &root);

} // namespace san
