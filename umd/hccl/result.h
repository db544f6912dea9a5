// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/status.h"
#include "hccl/hccl_types.h"

namespace umd {

/** refuse() - keeps a sentence for aclGetRecentErrMsg(). Return: @code, so that it can end a function. */
HcclResult refuse(HcclResult code, std::string text);

/** refuse_null() - the failure for a required pointer that is NULL. */
HcclResult refuse_null(const char *name);

/** hccl_result() - the result that stands for a status of the runtime, which has set the sentence. */
HcclResult hccl_result(base::Status status);

/** result_name() - the enumerator of a result. result_text() - what it means. */
const char *result_name(HcclResult code);
const char *result_text(HcclResult code);

} // namespace umd
