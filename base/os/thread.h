// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/result.h"

namespace base {

/** thread_id() - the kernel's id of the calling thread, cached per thread. */
inline uint32_t thread_id()
{
	static thread_local constinit uint32_t id = 0;
	if (id == 0) [[unlikely]]
		id = static_cast<uint32_t>(gettid());
	return id;
}

/** start_thread() - starts a named thread. If the kernel has no thread left, std::thread throws; this
 * function converts the exception into a status.
 * @name: at most 15 characters
 * Return: NO_RESOURCE.
 */
template <class F> Result<std::thread> start_thread(const char *name, F body)
{
	try {
		std::thread thread(std::move(body));
		pthread_setname_np(thread.native_handle(), name);
		return thread;
	} catch (const std::system_error &) {
		return Status::NO_RESOURCE;
	}
}

/** nice_value() - the nice value of the calling thread. A lower value means a higher priority. */
inline int nice_value()
{
	return getpriority(PRIO_PROCESS, 0);
}

/** lower_priority() - gives the calling thread a nice value @more above @usual. A thread inherits the nice
 * value of the thread that has started it, whose priority may be low already. So @usual is the nice_value()
 * of a thread with the usual priority. A thread can't raise its priority again without a privilege. */
inline void lower_priority(int usual, int more)
{
	(void)setpriority(PRIO_PROCESS, 0, usual + more);
}

/** struct AtThreadExit - a hook that runs when its thread ends. A thread_local object without constructor. */
struct AtThreadExit {
	/* @in_fork: called in a forked child; the hook must take no locks and only drop its state. */
	void (*run)(AtThreadExit &, bool in_fork) = nullptr;
	AtThreadExit *next = nullptr;
	bool is_wanted = false;
};

/** at_thread_exit() - runs @hook once when the calling thread ends; further calls until then do nothing.
 * Hooks do not run at process exit.
 * Return: false if the system has no pthread key left; the hook is then not run. */
bool at_thread_exit(AtThreadExit &hook);

/** forget_thread_exit() - in a forked child, runs the hooks of the only thread now, with @in_fork set, so
 * that none runs when the thread ends. A normal run could deadlock on a lock that a thread of the parent
 * held during fork(). */
void forget_thread_exit();

} // namespace base
