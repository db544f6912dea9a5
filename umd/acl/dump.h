// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acl/acl_base.h"

namespace umd {

/** begin_dumps() - starts what the file of aclInit and the environment ask for.
 * @text: of the file
 * Return: ACL_ERROR_INVALID_DUMP_CONFIG, with the sentence set. */
aclError begin_dumps(const std::string &text);

/** end_dumps() - stops everything, at the end of the library. */
void end_dumps();

} // namespace umd
