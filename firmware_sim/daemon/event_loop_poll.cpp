// SPDX-License-Identifier: MIT
/**
 * DOC: Event loop over poll
 *
 * For systems that forbid io_uring: the loop waits until a descriptor is ready, then makes the system
 * call itself.
 */
#include <algorithm>
#include <cerrno>
#include <vector>

#include <fcntl.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "event_loop.h"

namespace fwd {

using base::Result;
using base::Status;

namespace {

class PollLoop final : public EventLoop {
public:
	const char *name() const override { return "poll"; }
	void start(Operation &operation) override;
	void cancel(Operation &operation) override;
	Status turn() override;

private:
	uint64_t deadline_ns() const;
	void end(Operation &operation, int result);

	std::vector<Operation *> operations_;
};

void PollLoop::start(Operation &operation)
{
	/* A connection may be closed before it is accepted; accept() must not block then. */
	if (operation.kind == Operation::Kind::ACCEPT)
		fcntl(operation.fd, F_SETFL, fcntl(operation.fd, F_GETFL) | O_NONBLOCK);
	operation.is_pending = true;
	operation.is_cancelled = false;
	operations_.push_back(&operation);
}

void PollLoop::cancel(Operation &operation)
{
	if (operation.is_pending)
		operation.is_cancelled = true;
}

uint64_t PollLoop::deadline_ns() const
{
	uint64_t next = base::NO_DEADLINE;
	for (const Operation *operation : operations_) {
		if (operation->is_cancelled)
			return base::calls::NOW;
		if (operation->kind == Operation::Kind::TIMER)
			next = std::min(next, operation->deadline_ns);
	}
	return next;
}

/* Makes the system call for a ready descriptor. -EAGAIN: another reader was faster. */
static int perform(const Operation &operation)
{
	ssize_t rc = 0;
	if (operation.kind == Operation::Kind::ACCEPT)
		rc = base::calls::accept(operation.fd, SOCK_CLOEXEC);
	else if (operation.kind == Operation::Kind::RECEIVE)
		rc = base::calls::recvmsg(operation.fd, *operation.message, MSG_CMSG_CLOEXEC,
					  base::calls::NOW);
	return rc < 0 ? -errno : static_cast<int>(rc);
}

void PollLoop::end(Operation &operation, int result)
{
	if (result == -EAGAIN)
		return;
	std::erase(operations_, &operation);
	operation.is_pending = false;
	auto done = operation.done;
	done(result);
}

Status PollLoop::turn()
{
	std::vector<Operation *> waiting = operations_;
	std::vector<pollfd> entries;
	for (const Operation *operation : waiting) {
		/* poll() ignores negative descriptors. */
		bool timer = operation->kind == Operation::Kind::TIMER;
		entries.push_back({timer ? -1 : operation->fd, POLLIN, 0});
	}
	if (base::calls::poll(entries.data(), entries.size(), deadline_ns()) < 0)
		return Status::INTERNAL;
	uint64_t now = base::now_ns();
	for (size_t i = 0; i < waiting.size(); i++) {
		Operation *operation = waiting[i];
		if (operation->is_cancelled)
			end(*operation, -ECANCELED);
		else if (operation->kind == Operation::Kind::TIMER && operation->deadline_ns <= now)
			end(*operation, 0);
		else if (entries[i].revents)
			end(*operation, perform(*operation));
	}
	return Status::OK;
}

} // namespace

Result<std::unique_ptr<EventLoop>> create_poll_loop()
{
	return std::unique_ptr<EventLoop>(std::make_unique<PollLoop>());
}

} // namespace fwd
