// SPDX-License-Identifier: MIT
/*
 * DOC: Executors
 *
 * The second phase is the same for every operator: it passes the descriptor to the runtime and frees
 * the executor, unless the executor is repeatable. It does so whether or not the launch succeeded.
 *
 * Free executors are never returned to the allocator. So an executor that is launched once too often can
 * be told from a live one by its tag: it is at the same address, but the tag differs. Each thread has a list
 * of free executors. It gives some to the other threads when the list is long, and all when the thread ends. That
 * needs no lock, because another thread may fork at any time and the child would inherit a locked lock.
 */
#include "executor.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include "base/os/thread.h"
#include "base/sync/ordering.h"
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
		return acl_error(launch_nothing(stream));
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

namespace {

/* struct FreeList - free executors of a thread. @puts: how many were added, less those taken */
struct FreeList {
	aclOpExecutor *first = nullptr;
	unsigned puts = 0;
};

/* How many executors a thread gives away at once. */
constexpr unsigned SHARE = 64;

thread_local constinit FreeList mine;
thread_local constinit base::AtThreadExit leaver;
constinit std::atomic<aclOpExecutor *> shared{nullptr};

/* share() - gives away the executors from @first to @last of a list. */
void share(aclOpExecutor *first, aclOpExecutor *last)
{
	last->next = shared.load();
	while (!shared.compare_exchange_weak(last->next, first))
		;
}

[[gnu::noinline]] void share_some()
{
	aclOpExecutor *const first = mine.first;
	aclOpExecutor *last = first;
	for (unsigned i = 1; i < SHARE; i++)
		last = last->next;
	mine.first = last->next;
	mine.puts -= SHARE;
	share(first, last);
}

void share_all(base::AtThreadExit &, bool)
{
	aclOpExecutor *last = mine.first;
	if (!last)
		return;
	while (last->next)
		last = last->next;
	share(mine.first, last);
	mine = {};
}

/* If the hook can't be set, the executors of the thread stay unused after its end; no other harm. */
[[gnu::noinline]] void watch_thread_end()
{
	leaver.run = share_all;
	(void)base::at_thread_exit(leaver);
}

uintptr_t tag_of(const aclOpExecutor *handle)
{
	return reinterpret_cast<uintptr_t>(handle) % alignof(aclOpExecutor);
}

aclnnStatus refuse_consumed(const char *caller)
{
	return refuse(std::string(caller) +
		      ": executor was launched or destroyed; only one that "
		      "aclSetAclOpExecutorRepeatable made repeatable can be launched again");
}

} // namespace

aclOpExecutor *take_executor()
{
	if (!mine.first) [[unlikely]] {
		if (!leaver.run)
			watch_thread_end();
		mine = {shared.exchange(nullptr), 0};
	}
	aclOpExecutor *const executor = mine.first;
	if (!executor) [[unlikely]]
		return new (std::nothrow) aclOpExecutor();
	mine.first = executor->next;
	mine.puts -= mine.puts != 0;
	executor->kind = 0;
	executor->addresses.clear();
	executor->row = nullptr;
	executor->missing_data = nullptr;
	executor->is_empty = false;
	executor->is_repeatable = false;
	return executor;
}

aclOpExecutor *publish_executor(aclOpExecutor &executor)
{
	executor.last_tag = static_cast<uint8_t>(executor.last_tag % UINT8_MAX + 1);
	base::store_relaxed(executor.tag, executor.last_tag);
	return reinterpret_cast<aclOpExecutor *>(reinterpret_cast<uintptr_t>(&executor) +
						 executor.last_tag);
}

void put_executor(aclOpExecutor &executor)
{
	if (!leaver.run) [[unlikely]]
		watch_thread_end();
	if (executor.description) [[unlikely]]
		executor.description.reset();
	executor.next = mine.first;
	mine.first = &executor;
	if (++mine.puts == 2 * SHARE) [[unlikely]]
		share_some();
}

aclOpExecutor *find_executor(const char *caller, aclOpExecutor *handle)
{
	const uintptr_t tag = tag_of(handle);
	auto *executor =
		reinterpret_cast<aclOpExecutor *>(reinterpret_cast<uintptr_t>(handle) - tag);
	if (tag != 0 && base::load_relaxed(executor->tag) == tag) [[likely]]
		return executor;
	(void)refuse_consumed(caller);
	return nullptr;
}

/* claim() - takes an executor from the program. Return: false if another thread has just done so. */
static bool claim(aclOpExecutor &executor, const aclOpExecutor *handle)
{
	const auto tag = static_cast<uint8_t>(tag_of(handle));
	return base::compare_exchange(executor.tag, tag, uint8_t{0});
}

aclnnStatus launch(const char *caller, aclOpExecutor *handle, aclrtStream stream)
{
	if (!handle)
		return refuse_missing((std::string(caller) + ": executor").c_str());
	aclOpExecutor *const executor = find_executor(caller, handle);
	if (!executor) [[unlikely]]
		return wrong_parameter;
	if (executor->is_repeatable)
		return submit(caller, *executor, stream);
	if (!claim(*executor, handle)) [[unlikely]]
		return refuse_consumed(caller);
	const aclnnStatus status = submit(caller, *executor, stream);
	put_executor(*executor);
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
	found->is_repeatable = true;
	return OK;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
	if (!executor)
		return umd::refuse_missing("executor");
	aclOpExecutor *const found = umd::find_executor("aclDestroyAclOpExecutor", executor);
	if (!found)
		return umd::wrong_parameter;
	if (!umd::claim(*found, executor))
		return umd::refuse_consumed("aclDestroyAclOpExecutor");
	umd::put_executor(*found);
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
