// SPDX-License-Identifier: MIT
/**
 * DOC: Failures of models
 *
 * Models from files have codes of their own, and one problem of a file is told as one code.
 */
#include "failure.h"

#include <cstring>

#include "acl/error_codes/ge_error_codes.h"
#include "base/json/controls.h"
#include "models/om/om.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"

namespace umd {

aclError refuse_model(int64_t code, const char *name, std::string text)
{
	/* Names in a file may have letters that turn a terminal. */
	note_error(name, base::without_controls(std::move(text)));
	ThreadState::mine().last_error = static_cast<int>(code);
	return static_cast<aclError>(code);
}

static std::string all_texts(const models::Problems &problems)
{
	std::string text;
	for (const models::Problem &problem : problems.list())
		text += (text.empty() ? "" : "; ") + problem.text;
	return text;
}

aclError refuse_shape(const models::Problems &problems)
{
	return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
		      "the model can't run at these shapes: " + all_texts(problems));
}

aclError refuse_file(const models::Problems &problems)
{
	std::string text = all_texts(problems);
	const char *code = problems.empty() ? "" : problems.list()[0].code;
	const auto is = [&](const char *other) { return std::strcmp(code, other) == 0; };
	if (is(models::no_file))
		return REFUSE(ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID, std::move(text));
	if (is(models::om::not_ours))
		return REFUSE(ACL_ERROR_PARSE_MODEL, std::move(text));
	if (is(models::om::bad_size))
		return REFUSE(ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID, std::move(text));
	if (is(models::om::is_broken))
		return REFUSE(ACL_ERROR_DESERIALIZE_MODEL, std::move(text));
	return REFUSE(ACL_ERROR_DESERIALIZE_MODEL,
		      "the model of the file can't run, so atc has not made it: " + text);
}

} // namespace umd
