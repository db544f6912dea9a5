// SPDX-License-Identifier: MIT
/**
 * DOC: Closing descriptors from other processes
 *
 * Linger 0 makes close() of a socket drop its unsent data, so that it does not block. But a socket can be
 * inside the queue of another socket, and a file can belong to a FUSE file system that does not answer.
 * Nothing interrupts such a close, so each connection has its own thread for it.
 */
#include "closer.h"

#include <new>
#include <utility>

#include <sys/socket.h>

#include "base/os/thread.h"

namespace fw {

using base::Fd;
using base::Result;
using base::Status;

Result<std::shared_ptr<Closer>> Closer::create(std::shared_ptr<Account> user, bool in_any_case)
{
	std::shared_ptr<Closer> closer(new Closer(std::move(user)));
	if (in_any_case)
		closer->user_->charge_anyway(Resource::THREADS, 1, closer->thread_);
	else
		TRY(closer->user_->charge(Resource::THREADS, 1, closer->thread_));
	return closer;
}

static void close_now(Fd fd)
{
	const linger none{1, 0};
	(void)setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &none, sizeof(none));
}

void Closer::close_all()
{
	std::unique_lock lock(mutex_);
	while (!waiting_.empty()) {
		Fd fd = std::move(waiting_.front().fd);
		lock.unlock();
		close_now(std::move(fd));
		lock.lock();
		waiting_.pop_front();
	}
	running_ = false;
}

void Closer::close(Fd fd)
{
	if (!fd.valid())
		return;
	const std::lock_guard lock(mutex_);
	try {
		waiting_.push_back({std::move(fd), {}});
	} catch (const std::bad_alloc &) {
		return; /* The calling thread closes it. */
	}
	user_->charge_anyway(Resource::DESCRIPTORS, 1, waiting_.back().descriptor);
	if (running_)
		return;
	/* If no thread can start, the next call tries again. */
	auto thread = base::start_thread("unpu-close",
					 [self = shared_from_this()] { self->close_all(); });
	running_ = thread.ok();
	if (thread)
		thread->detach();
}

size_t Closer::waiting() const
{
	const std::lock_guard lock(mutex_);
	return waiting_.size();
}

} // namespace fw
