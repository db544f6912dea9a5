// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acl/acl_base.h"

namespace umd {

/** begin_profile() - starts the profiling that the configuration file of aclInit asks for.
 * @text: the text of the file
 * Return: on failure ACL_ERROR_INVALID_PROFILING_CONFIG, or why profiling can't start, sets the error
 * message. */
aclError begin_profile(const std::string &text);

/** end_profile() - ends that profiling and writes its file; aclFinalize() calls it. */
void end_profile();

} // namespace umd
