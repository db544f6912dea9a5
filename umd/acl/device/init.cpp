// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL initialisation
 *
 * aclInit and aclFinalize count their calls and call the functions that components registered. A lock
 * admits one thread at a time to these calls, callbacks included. A callback may call any function,
 * including these.
 */
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "acl/acl.h"
#include "base/sync/mutex.h"
#include "umd/acl/acl_words.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/dump/dump_calls.h"
#include "umd/acl/front.h"
#include "umd/acl/model/dataset.h"
#include "umd/acl/profile/profile_config.h"
#include "umd/core/capture/capture.h"
#include "umd/core/process/owned.h"
#include "umd/core/process/process.h"
#include "umd/core/process/thread_state.h"
#include "umd/core/task/own_function.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Process;
using umd::set_error;
using umd::ThreadState;

namespace {

/* A registered callback. Callbacks run in the order of their registration. */
template <class Function> struct Registration {
	aclRegisterCallbackType type;
	Function function;
	void *user_data;
};

template <class Function> using Registrations = std::vector<Registration<Function>>;

struct Registry {
	/* Held during the callbacks too, so that they run one at a time and in order. A callback of the
	 * program may wait for anything. */
	base::RecursiveMutex mutex{"Registry::mutex", base::HeldOver::WORK};
	Registrations<aclInitCallbackFunc> init GUARDED_BY(mutex);
	Registrations<aclFinalizeCallbackFunc> finalize GUARDED_BY(mutex);
};

Registry &registry()
{
	return umd::Process::own<Registry>();
}

Status check_registration(aclRegisterCallbackType type, bool has_function)
{
	TRY(Process::check_fork());
	int number = static_cast<int>(type);
	bool known = (number >= ACL_REG_TYPE_ACL_MODEL && number <= ACL_REG_TYPE_ACL_RETR) ||
		     number == ACL_REG_TYPE_OTHER;
	if (!known)
		return set_error(Status::INVALID_ENUM,
				 fmt::format("type is {}; it must be ACL_REG_TYPE_ACL_MODEL (0) to "
					     "ACL_REG_TYPE_ACL_RETR (7) or ACL_REG_TYPE_OTHER "
					     "(65535)",
					     number));
	if (!has_function)
		return null_argument("cbFunc");
	return Status::OK;
}

template <class Function>
aclError unregister(Registrations<Function> Registry::*list, aclRegisterCallbackType type,
		    Function function)
{
	TRY(check_registration(type, function != nullptr));
	std::lock_guard lock(registry().mutex);
	size_t gone = std::erase_if(registry().*list, [&](const Registration<Function> &entry) {
		return entry.type == type && entry.function == function;
	});
	if (gone > 0)
		return ACL_SUCCESS;
	return acl_return(set_error(
		Status::INVALID_ENUM,
		fmt::format("cbFunc {} is not registered with type {}; it was unregistered, or "
			    "registered with another type",
			    fmt::ptr(function), static_cast<int>(type))));
}

/* The API call returns the code of the failed callback unchanged. */
aclError pass_on(const char *call, aclRegisterCallbackType type, aclError code)
{
	(void)set_error(Status::CALLBACK_FAILED,
			fmt::format("{}: the callback registered with type {} returned {}", call,
				    static_cast<int>(type), code));
	ThreadState::mine().last_error = code;
	return code;
}

aclError tell_init(const Registration<aclInitCallbackFunc> &entry, const char *call)
{
	std::string config = Process::get().config_text();
	aclError code = entry.function(config.c_str(), config.size(), entry.user_data);
	return code == ACL_SUCCESS ? code : pass_on(call, entry.type, code);
}

/* Calls all callbacks, even after a failure. Return: the first failure. */
aclError tell_finalize() REQUIRES(registry().mutex)
{
	aclError first = ACL_SUCCESS;
	auto entries = registry().finalize;
	for (const auto &entry : entries) {
		aclError code = entry.function(entry.user_data);
		if (code != ACL_SUCCESS && first == ACL_SUCCESS)
			first = pass_on("aclFinalize", entry.type, code);
	}
	return first;
}

aclError finish(aclError told, Status status)
{
	return status == Status::OK ? told : acl_return(status);
}

/* Whether strict mode still has to list what the program did not free. */
constinit std::atomic<bool> lists_at_exit{false};

uint32_t open_captures()
{
	const std::lock_guard lock(umd::TaskSink::mutex);
	return static_cast<uint32_t>(umd::Capture::all().size());
}

/* Strict mode. */
void begin_list()
{
	static const bool is_begun = [] {
		auto &all = umd::check::OwnedObjects::get();
		all.count("dataset", umd::check::live_objects<umd::PlainTable<aclmdlDataset>>);
		all.count("capture that has not ended", open_captures);
		all.count("data buffer", umd::check::live_objects<umd::PlainTable<aclDataBuffer>>);
		return true;
	}();
	(void)is_begun;
	lists_at_exit.store(true);
}

void list_left(const char *call)
{
	if (umd::check::is_on()) [[unlikely]]
		umd::check::OwnedObjects::get().report(call, -1);
	lists_at_exit.store(false);
}

/* Runs behind the program's static destructors, which may still free something. Takes no lock that a thread of the
 * program may hold while it waits. A forked child has made none of the objects. */
[[gnu::destructor]] void list_at_exit()
{
	if (lists_at_exit.load() && Process::find<umd::check::OwnedObjects>())
		list_left("the end of the program, without aclFinalize");
}

} // namespace

Status umd::check_begun(const char *call)
{
	TRY(Process::check_fork());
	if (!umd::check::is_on() || Process::get().init_count() > 0) [[likely]]
		return Status::OK;
	return umd::check::misuse(
		Status::NOT_INITIALISED,
		fmt::format("{} is called before aclInit, or after aclFinalize; it works here, and "
			    "other implementations may refuse it",
			    call));
}

aclError aclInit(const char *configPath)
{
	/* Check before the lock: in a forked child, a thread that does not exist there may hold it. */
	TRY(Process::check_fork());
	umd::set_words(umd::acl_words);
	std::lock_guard lock(registry().mutex);
	TRY(Process::get().init(configPath));
	aclError code = umd::begin_dumps(Process::get().config_text());
	if (code == ACL_SUCCESS)
		code = umd::begin_profile(Process::get().config_text());
	auto entries = registry().init;
	for (size_t i = 0; i < entries.size() && code == ACL_SUCCESS; i++)
		code = tell_init(entries[i], "aclInit");
	if (code == ACL_SUCCESS && umd::check::is_on()) [[unlikely]]
		begin_list();
	if (code != ACL_SUCCESS) {
		umd::end_dumps();
		umd::end_profile();
		Process::get().cancel_init();
	}
	return code;
}

aclError aclFinalize()
{
	if (Process::check_fork() != Status::OK)
		return acl_return(Status::NOT_INITIALISED);
	TRY(umd::check::refuse_end_in_function());
	std::lock_guard lock(registry().mutex);
	aclError told = Process::get().init_count() > 0 ? tell_finalize() : ACL_SUCCESS;
	list_left("aclFinalize");
	Status status = Process::get().finalize();
	umd::end_dumps();
	umd::end_profile();
	return finish(told, status);
}

aclError aclFinalizeReference(uint64_t *refCount)
{
	if (Process::check_fork() != Status::OK)
		return acl_return(Status::NOT_INITIALISED);
	std::lock_guard lock(registry().mutex);
	if (Process::get().init_count() == 1) {
		if (const Status status = umd::check::refuse_end_in_function();
		    status != Status::OK)
			return acl_return(status);
	}
	aclError told = Process::get().init_count() == 1 ? tell_finalize() : ACL_SUCCESS;
	if (Process::get().init_count() == 1)
		list_left("aclFinalizeReference");
	Status status = Process::get().finalize_reference(refCount);
	if (Process::get().init_count() == 0) {
		umd::end_dumps();
		umd::end_profile();
	}
	return finish(told, status);
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
				 void *userData)
{
	TRY(check_registration(type, cbFunc != nullptr));
	Registration<aclInitCallbackFunc> entry{type, cbFunc, userData};
	std::lock_guard lock(registry().mutex);
	if (Process::get().init_count() > 0) {
		TRY(tell_init(entry, "aclInitCallbackRegister"));
	}
	registry().init.push_back(entry);
	return ACL_SUCCESS;
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc)
{
	return unregister(&Registry::init, type, cbFunc);
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
				     void *userData)
{
	TRY(check_registration(type, cbFunc != nullptr));
	std::lock_guard lock(registry().mutex);
	registry().finalize.push_back({type, cbFunc, userData});
	return ACL_SUCCESS;
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc)
{
	return unregister(&Registry::finalize, type, cbFunc);
}
