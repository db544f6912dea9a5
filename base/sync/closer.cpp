// SPDX-License-Identifier: MIT
/**
 * DOC: Closing descriptors from other processes
 *
 * close() of the last descriptor of a file may block, for example for a lingering socket or a FUSE file
 * system that does not answer. One thread closes all such descriptors. It ends when its queue is empty.
 */
#include "closer.h"

#include <deque>
#include <mutex>
#include <utility>

#include <sys/socket.h>

#include "base/no_destructor.h"
#include "base/os/thread.h"

namespace base {

namespace {

/* struct Closer - never freed, because its thread may be blocked in close() at process exit. */
struct Closer {
	std::mutex mutex;
	std::deque<Fd> waiting; /* the first one is being closed, if the thread runs */
	bool running = false;
};

Closer &closer()
{
	static NoDestructor<Closer> all;
	return *all;
}

/* The firmware never asks a client for a socket. If a client sends one, linger 0 makes close() drop the
 * unsent data, so that it does not block. */
void close_now(Fd fd)
{
	const linger none{1, 0};
	(void)setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &none, sizeof(none));
}

void close_all(Closer &all)
{
	std::unique_lock lock(all.mutex);
	while (!all.waiting.empty()) {
		Fd fd = std::move(all.waiting.front());
		lock.unlock();
		close_now(std::move(fd));
		lock.lock();
		all.waiting.pop_front();
	}
	all.running = false;
}

} // namespace

void close_apart(Fd fd)
{
	if (!fd.valid())
		return;
	Closer &all = closer();
	const std::lock_guard lock(all.mutex);
	all.waiting.push_back(std::move(fd));
	if (all.running)
		return;
	/* If no thread can start, the next call tries again. */
	auto thread = start_thread("unpu-close", [&all] { close_all(all); });
	all.running = thread.ok();
	if (thread)
		thread->detach();
}

size_t closes_waiting()
{
	Closer &all = closer();
	const std::lock_guard lock(all.mutex);
	return all.waiting.size();
}

} // namespace base
