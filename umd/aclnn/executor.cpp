// SPDX-License-Identifier: MIT
/*
 * DOC: Executors
 *
 * The second phase is the same for every operator: it passes the descriptor to the runtime and frees the executor,
 * unless the executor is repeatable. It does so whether or not the launch succeeded.
 *
 * Executors are objects of a table of handles, so a stale handle is recognised if a program launches an executor
 * once too often. A free executor keeps the memory of its descriptor: a program that runs for some time allocates
 * none.
 */
#include "executor.h"

#include <cerrno>
#include <cstring>
#include <string>

#include "asked.h"
#include "base/os/calls/files.h"
#include "objects.h"
#include "umd/acl/acl_error.h"
#include "umd/core/stream/stream.h"
#include "umd/core/task/launch.h"

namespace umd {

namespace {

aclnnStatus submit(OperatorNumber number, const aclOpExecutor &executor, aclrtStream stream)
{
	if (number != executor.number)
		return refuse(std::string(operator_name(number)) + ": executor is one of " +
			      operator_name(executor.number));
	if (executor.is_empty)
		return acl_error(launch_nothing(stream));
	if (executor.missing_data) {
		(void)refuse(std::string(operator_name(number)) + ": " + executor.missing_data +
			     " has no memory: its data is NULL");
		return missing_parameter;
	}
	if (executor.kind != 0 && executor.description) [[unlikely]]
		return acl_error(launch_watched_tensor(stream, executor.number, executor.kind,
						       executor.words, executor.description));
	if (executor.kind != 0)
		return acl_error(
			launch_tensor(stream, executor.number, executor.kind, executor.words));
	if (executor.description) [[unlikely]]
		return acl_error(
			launch_watched(stream, executor.number, executor.op, executor.description));
	return acl_error(launch_operator(stream, executor.number, executor.op));
}

aclnnStatus refuse_consumed(const char *caller)
{
	return refuse(std::string(caller) +
		      ": executor was launched or destroyed; only one that "
		      "aclSetAclOpExecutorRepeatable made repeatable can be launched again");
}

} // namespace

aclnnStatus refuse_unsupported(const char *name, const char *why)
{
	return acl_error(set_error(base::Status::NOT_SUPPORTED,
				   std::string(name) + " is not supported: " + why));
}

aclOpExecutor *make_executor()
{
	aclOpExecutor *const executor = executors().create();
	if (!executor) {
		(void)set_error(base::Status::NO_MEMORY,
				"no memory for an executor; free some of the host's");
		return nullptr;
	}
	executor->kind = 0;
	executor->addresses.clear();
	executor->row = nullptr;
	executor->missing_data = nullptr;
	executor->is_empty = false;
	executor->unusual = 0;
	return executor;
}

void free_executor(aclOpExecutor &executor)
{
	if (executor.description) [[unlikely]]
		executor.description.reset();
	executors().recycle(executor);
}

aclOpExecutor *find_executor(const char *caller, const aclOpExecutor *handle)
{
	aclOpExecutor *const executor = executors().get(handle);
	if (!executor) [[unlikely]]
		(void)refuse_consumed(caller);
	return executor;
}

/* As launch(), in strict mode. */
[[gnu::noinline, gnu::cold]] static aclnnStatus launch_checked(OperatorNumber number,
							       aclOpExecutor &executor,
							       const aclOpExecutor *handle,
							       aclrtStream stream)
{
	const bool is_kept = executor.unusual & aclOpExecutor::REPEATABLE;
	if (!is_kept && !Executors::retire(executor, handle))
		return refuse_consumed(operator_name(number));
	const bool is_right = check_operands(executor, stream) == base::Status::OK;
	const aclnnStatus status = is_right ? submit(number, executor, stream) : wrong_parameter;
	if (!is_kept)
		free_executor(executor);
	return status;
}

aclnnStatus launch(OperatorNumber number, aclOpExecutor *handle, aclrtStream stream)
{
	if (!handle)
		return refuse_missing((std::string(operator_name(number)) + ": executor").c_str());
	aclOpExecutor *const executor = find_executor(operator_name(number), handle);
	if (!executor) [[unlikely]]
		return wrong_parameter;
	if (executor->unusual != 0) {
		if (executor->unusual & aclOpExecutor::CHECKED) [[unlikely]]
			return launch_checked(number, *executor, handle, stream);
		return submit(number, *executor, stream);
	}
	if (!Executors::retire(*executor, handle)) [[unlikely]]
		return refuse_consumed(operator_name(number));
	const aclnnStatus status = submit(number, *executor, stream);
	free_executor(*executor);
	return status;
}

} // namespace umd

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
	if (!executor)
		return umd::refuse_missing("executor");
	aclOpExecutor *const found = umd::find_executor("aclSetAclOpExecutorRepeatable", executor);
	if (!found)
		return umd::wrong_parameter;
	found->unusual |= aclOpExecutor::REPEATABLE;
	return OK;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
	if (!executor)
		return umd::refuse_missing("executor");
	aclOpExecutor *const found = umd::find_executor("aclDestroyAclOpExecutor", executor);
	if (!found)
		return umd::wrong_parameter;
	if (!umd::Executors::retire(*found, executor))
		return umd::refuse_consumed("aclDestroyAclOpExecutor");
	umd::free_executor(*found);
	return OK;
}

aclnnStatus aclnnInit(const char *configPath)
{
	if (!configPath || !*configPath)
		return OK;
	const int file = base::calls::open(configPath, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return umd::acl_error(umd::set_error(base::Status::BAD_FILE,
						     std::string(configPath) +
							     " can't be read: " + strerror(errno)));
	base::calls::close(file);
	return OK;
}

aclnnStatus aclnnFinalize(void)
{
	return OK;
}
