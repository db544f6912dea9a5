// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "san/report/report.h"

namespace san {

/** source_path() - @file relative to @root; empty if the file is not below @root. Links are not followed. */
std::string source_path(const std::string &file, const std::string &root);

/** source_below() - the innermost frame of a stack with a line in a file below @root; nullptr without one. */
const Frame *source_below(const Stack &stack, const std::string &root);

} // namespace san
