// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_base_rt.h"

namespace models {
class Problems;
}

namespace umd {

/** refuse_model() - @code: one of the interface, for which there is no status @name: its name, for the log
 * Return: @code, with the sentence set. */
aclError refuse_model(int64_t code, const char *name, std::string text);

/** refuse_file() - what the library of models says of a file. */
aclError refuse_file(const models::Problems &problems);

/** refuse_shape() - what it says of a shape that a program gives. Return: ACL_ERROR_GE_PARAM_INVALID. */
aclError refuse_shape(const models::Problems &problems);

} // namespace umd

#define REFUSE(code, text) ::umd::refuse_model(code, #code, text)

/* TRY_CODE - returns from the function what @expression returns, unless that is ACL_SUCCESS. */
#define TRY_CODE(expression) \
	do { \
		if (const aclError code_ = (expression); code_ != ACL_SUCCESS) \
			return code_; \
	} while (false)
