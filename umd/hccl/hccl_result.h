// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"
#include "hccl/hccl_types.h"

namespace umd {

/** refuse() - stores an error message for aclGetRecentErrMsg(). Return: @code, so that a caller can return
 * the result. */
HcclResult refuse(HcclResult code, std::string text);

/** refuse_null() - refuses a required pointer that is NULL. */
HcclResult refuse_null(const char *name);

/** hccl_result() - the result for a status of the runtime. The runtime has set the error message. */
HcclResult hccl_result(base::Status status);

/** result_name() - the name of a result. result_text() - its meaning. */
const char *result_name(HcclResult code);
const char *result_text(HcclResult code);

} // namespace umd
