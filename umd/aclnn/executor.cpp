// SPDX-License-Identifier: MIT
/*
 * DOC: Executors
 *
 * The second phase is the same for every operator: it passes the descriptor to the runtime and destroys
 * the executor, unless the executor is repeatable. It does so whether or not the launch succeeded.
 */
#include "executor.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "objects.h"
#include "umd/acl/acl_error.h"
#include "umd/core/stream/launch.h"

namespace umd {

namespace {

aclnnStatus submit(const char *caller, const aclOpExecutor &executor, aclrtStream stream)
{
	if (std::strcmp(caller, executor.caller) != 0)
		return refuse(std::string(caller) + ": executor is one of " + executor.caller);
	if (executor.is_empty)
		return OK;
	if (executor.missing_data) {
		(void)refuse(std::string(caller) + ": " + executor.missing_data +
			     " has no memory: its data is NULL");
		return missing_parameter;
	}
	if (executor.kind != 0 && executor.description) [[unlikely]]
		return acl_error(launch_watched_tensor(stream, executor.kind, executor.words,
						       executor.description));
	if (executor.kind != 0)
		return acl_error(launch_tensor(stream, executor.kind, executor.words));
	if (executor.description) [[unlikely]]
		return acl_error(launch_watched(stream, executor.op, executor.description));
	return acl_error(launch_operator(stream, executor.op));
}

} // namespace

aclnnStatus launch(const char *caller, aclOpExecutor *executor, aclrtStream stream)
{
	if (!executor)
		return refuse_missing((std::string(caller) + ": executor").c_str());
	const aclnnStatus status = submit(caller, *executor, stream);
	if (!executor->is_repeatable)
		delete executor;
	return status;
}

} // namespace umd

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
	if (!executor)
		return umd::refuse_missing("executor");
	executor->is_repeatable = true;
	return OK;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
	if (!executor)
		return umd::refuse_missing("executor");
	delete executor;
	return OK;
}

aclnnStatus aclnnInit(const char *configPath)
{
	if (!configPath || !*configPath)
		return OK;
	FILE *file = std::fopen(configPath, "re");
	if (!file)
		return umd::acl_error(umd::set_error(base::Status::BAD_FILE,
						     std::string(configPath) + " can't be read"));
	std::fclose(file);
	return OK;
}

aclnnStatus aclnnFinalize(void)
{
	return OK;
}
