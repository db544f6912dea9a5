// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acl/acl_base.h"

namespace umd {

/** begin_dumps() - starts the dumps that the configuration file of aclInit and the environment ask for.
 * @text: the text of the file
 * Return: on failure ACL_ERROR_INVALID_DUMP_CONFIG, and sets the error message. */
aclError begin_dumps(const std::string &text);

/** faults_not_dumped() - refuses a call because dumps of faults were not started. Return:
 * ACL_ERROR_DUMP_NOT_RUN; the error message tells how to start them. */
aclError faults_not_dumped(const char *call);

/** end_dumps() - stops all dumps; aclFinalize() calls it. */
void end_dumps();

} // namespace umd
