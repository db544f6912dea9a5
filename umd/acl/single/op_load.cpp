// SPDX-License-Identifier: MIT
/**
 * DOC: Files of single operators
 *
 * An operator is compiled when it is called, so a program may load files of operators, and needs none.
 */
#include <atomic>

#include <sys/stat.h>

#include "acl/acl.h"
#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"
#include "op_cache.h"
#include "umd/acl/front.h"
#include "umd/acl/offline/failure.h"
#include "umd/acl/offline/source.h"

using base::Status;
using umd::acl_return;
using umd::set_error;

namespace {

struct ModelDir {
	std::atomic<bool> is_set = false;
};

} // namespace

aclError aclopSetModelDir(const char *modelDir)
{
	TRY(umd::check_begun("aclopSetModelDir"));
	if (!modelDir)
		return acl_return(umd::null_argument("modelDir"));
	struct stat found = {};
	if (stat(modelDir, &found) != 0 || !S_ISDIR(found.st_mode))
		return REFUSE(ACL_ERROR_INVALID_FILE,
			      fmt::format("modelDir is {}, which is no folder", modelDir));
	if (!umd::Process::own<ModelDir>().is_set.exchange(true))
		return ACL_SUCCESS;
	return REFUSE(ACL_ERROR_REPEAT_INITIALIZE,
		      "a folder was given before; a process gives one folder of operators");
}

aclError aclopLoad(const void *model, size_t modelSize)
{
	TRY(umd::check_begun("aclopLoad"));
	umd::Source source;
	TRY_CODE(umd::open_source(model, modelSize, source));
	models::om::Face face;
	return umd::read_face(source, face);
}

aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum)
{
	if (maxOpNum == 0)
		return acl_return(
			set_error(Status::NULL_POINTER, "maxOpNum is 0; it must be 1 or more"));
	umd::OpCache::get().set_most(maxOpNum);
	return ACL_SUCCESS;
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag)
{
	if (flag == ACL_OP_COMPILE_DEFAULT || flag == ACL_OP_COMPILE_FUZZ)
		return ACL_SUCCESS;
	return acl_return(
		set_error(Status::INVALID_ENUM,
			  fmt::format("flag is {}; it must be 0 or 1", static_cast<int>(flag))));
}
