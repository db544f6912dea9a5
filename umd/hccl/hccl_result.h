// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
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

/** struct CodeOf - TRY in a function of the interface returns a HcclResult. */
template <> struct base::CodeOf<HcclResult> {
	static HcclResult make(Status status) { return umd::hccl_result(status); }
};
