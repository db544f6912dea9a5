// SPDX-License-Identifier: MIT
#pragma once

#include <system_error>
#include <thread>
#include <utility>

#include <pthread.h>

#include "base/result.h"

namespace base {

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

} // namespace base
