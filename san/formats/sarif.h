// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/**
 * sarif_report() - SARIF 2.1.0, as code hosts and editors read it.
 *
 * @root: folder of the sources. An entry whose call is not in a file below it has no place in the sources, and
 *	becomes a notification of the run instead of a result.
 */
std::string sarif_report(const Report &report, const std::string &root);

/** github_report() - a workflow command a line, which GitHub shows at the line of the source. @root: as above. */
std::string github_report(const Report &report, const std::string &root);

} // namespace san
