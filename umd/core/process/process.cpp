// SPDX-License-Identifier: MIT
/**
 * DOC: Process
 *
 * The list of singletons, and how a fork resets it. init.cpp has the initialisation and its end.
 */
#include "process.h"

#include <mutex>
#include <utility>

#include <pthread.h>

#include "base/os/thread.h"
#include "error.h"
#include "mode.h"
#include "thread_state.h"

namespace umd {

using base::Status;

/* Protects the list. A forking thread takes it, so that the child gets a consistent list. No other lock is
 * taken under it. */
static constinit base::Mutex slots_mutex{"Process slots"};

/* Whether the process has initialised the library or opened a device, and whether it is a fork of one that had. */
static constinit uint32_t is_used = 0; /* atomic */
static constinit bool is_refused = false;

namespace {
void *first_slot GUARDED_BY(slots_mutex) = nullptr;
}

void *Process::keep(Slot &slot, void *made)
{
	static constinit bool is_registered = false;
	std::lock_guard lock(slots_mutex);
	if (!is_registered)
		pthread_atfork([]() ACQUIRE(slots_mutex) { slots_mutex.lock(); },
			       []() RELEASE(slots_mutex) { slots_mutex.unlock(); }, renew_in_fork);
	is_registered = true;
	if (!slot.object) {
		slot.next = static_cast<Slot *>(std::exchange(first_slot, &slot));
		base::store_release(slot.object, made);
	}
	return slot.object;
}

/* A forked child has none of the device's threads. If the parent had any, the child can't use devices. If the
 * parent made only queries, for example for the number of devices, the child may use devices. The child leaks
 * the parent's singletons, so their handles are unknown to it. */
void Process::renew_in_fork() RELEASE(slots_mutex)
{
	for (auto *slot = static_cast<Slot *>(std::exchange(first_slot, nullptr)); slot;) {
		slot->object = nullptr;
		slot = std::exchange(slot->next, nullptr);
	}
	slots_mutex.unlock();
	base::forget_thread_exit();
	if (base::load_relaxed(is_used) == 0)
		return;
	is_refused = true;
	ThreadState::mine() = ThreadState{};
	leave_traces_in_fork();
	share_errors(false);
}

void Process::begin_checks()
{
	static const bool is_begun = [] {
		check::begin_if_asked();
		(void)check::hang_limit_s();
		return true;
	}();
	(void)is_begun;
}

Status Process::check_fork()
{
	begin_checks();
	if (!is_refused)
		return Status::OK;
	return set_error(Status::NOT_INITIALISED,
			 "this process is a fork of one that had initialised the library; the "
			 "device belongs "
			 "to its parent. Start programs that need a device with exec");
}

Status Process::begin_use()
{
	TRY(check_fork());
	static const bool is_begun = [] {
		base::store_relaxed(is_used, uint32_t{1});
		/* Makes the first singleton, so that keep() registers the fork handler. */
		(void)get();
		begin_traces();
		return true;
	}();
	(void)is_begun;
	return Status::OK;
}

} // namespace umd
