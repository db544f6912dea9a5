// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

#include <pthread.h>
#include <unistd.h>

#include "base/result.h"

namespace base {

/** thread_id() - the calling thread as the kernel numbers it; asked for once. */
inline uint32_t thread_id()
{
	static thread_local constinit uint32_t id = 0;
	if (id == 0) [[unlikely]]
		id = static_cast<uint32_t>(gettid());
	return id;
}

/** start_thread() - a named thread. The one place where the standard library's way of saying that
 * the kernel has no thread left, an exception, becomes a status.
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

/** struct AtThreadExit - what a thread does when it ends: a thread-local object of no constructor. */
struct AtThreadExit {
	/* @in_fork: the thread is the only one of a fork, and forgets what it keeps. */
	void (*run)(AtThreadExit &, bool in_fork) = nullptr;
	AtThreadExit *next = nullptr;
	bool wanted = false;
};

/** at_thread_exit() - @hook, of the calling thread, is run once when that ends; later calls until
 * then are free. A thread that ends with its process runs none.
 * Return: false where the system is out of keys; the hook is not run then. */
bool at_thread_exit(AtThreadExit &hook);

/** forget_thread_exit() - the calling thread, the only one of a fork, runs none of its hooks: locks that
 * they would take may be held by threads which the fork does not have. Each forgets what it keeps. */
void forget_thread_exit();

} // namespace base
