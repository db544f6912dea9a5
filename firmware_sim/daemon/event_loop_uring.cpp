// SPDX-License-Identifier: MIT
/**
 * DOC: Event loop over io_uring
 *
 * Each operation is one entry of the submission queue, and its end one of the completion queue: a turn
 * of the loop is one system call for any number of operations.
 */
#include <cerrno>
#include <cstring>

#include <liburing.h>
#include <poll.h>

#include "base/clock.h"
#include "event_loop.h"

namespace fwd {

using base::Result;
using base::Status;

namespace {

constexpr unsigned ENTRIES = 256;

class UringLoop final : public EventLoop {
public:
	~UringLoop() override
	{
		if (made_)
			io_uring_queue_exit(&ring_);
	}

	int init();

	const char *name() const override { return "io_uring"; }
	void start(Operation &operation) override;
	void cancel(Operation &operation) override;
	Status turn() override;

private:
	io_uring_sqe *entry();
	void end(const io_uring_cqe &completion);

	io_uring ring_{};
	bool made_ = false;
};

int UringLoop::init()
{
	int rc = io_uring_queue_init(ENTRIES, &ring_, 0);
	if (rc < 0)
		return rc;
	made_ = true;
	io_uring_probe *probe = io_uring_get_probe_ring(&ring_);
	if (!probe)
		return -ENOSYS;
	bool all = true;
	for (int needed : {IORING_OP_ACCEPT, IORING_OP_RECVMSG, IORING_OP_POLL_ADD,
			   IORING_OP_TIMEOUT, IORING_OP_ASYNC_CANCEL})
		all = all && io_uring_opcode_supported(probe, needed);
	io_uring_free_probe(probe);
	/* Require NODROP: a full completion queue must not lose completions. */
	return all && ring_.features & IORING_FEAT_NODROP ? 0 : -ENOSYS;
}

io_uring_sqe *UringLoop::entry()
{
	io_uring_sqe *sqe;
	while (!(sqe = io_uring_get_sqe(&ring_)))
		io_uring_submit(&ring_);
	return sqe;
}

void UringLoop::start(Operation &operation)
{
	io_uring_sqe *sqe = entry();
	switch (operation.kind) {
	case Operation::Kind::ACCEPT:
		io_uring_prep_accept(sqe, operation.fd, nullptr, nullptr, SOCK_CLOEXEC);
		break;
	case Operation::Kind::RECEIVE:
		io_uring_prep_recvmsg(sqe, operation.fd, operation.message, MSG_CMSG_CLOEXEC);
		break;
	case Operation::Kind::READABLE:
		io_uring_prep_poll_add(sqe, operation.fd, POLLIN);
		break;
	case Operation::Kind::TIMER: {
		timespec when = base::to_timespec(operation.deadline_ns);
		operation.when = {when.tv_sec, when.tv_nsec};
		io_uring_prep_timeout(sqe, &operation.when, 0, IORING_TIMEOUT_ABS);
		break;
	}
	}
	operation.is_pending = true;
	operation.is_cancelled = false;
	io_uring_sqe_set_data(sqe, &operation);
}

void UringLoop::cancel(Operation &operation)
{
	if (!operation.is_pending || operation.is_cancelled)
		return;
	operation.is_cancelled = true;
	io_uring_sqe *sqe = entry();
	io_uring_prep_cancel(sqe, &operation, 0);
	io_uring_sqe_set_data(sqe, nullptr);
}

void UringLoop::end(const io_uring_cqe &completion)
{
	auto *operation = static_cast<Operation *>(io_uring_cqe_get_data(&completion));
	if (!operation)
		return; /* completion of a cancel request */
	int result = completion.res;
	if (operation->kind == Operation::Kind::TIMER && result == -ETIME)
		result = 0;
	operation->is_pending = false;
	auto done = operation->done;
	done(result);
}

Status UringLoop::turn()
{
	int rc = io_uring_submit_and_wait(&ring_, 1);
	if (rc < 0 && rc != -EINTR && rc != -EBUSY && rc != -EAGAIN)
		return Status::INTERNAL;
	io_uring_cqe *next = nullptr;
	while (io_uring_peek_cqe(&ring_, &next) == 0 && next) {
		io_uring_cqe completion = *next;
		io_uring_cqe_seen(&ring_, next);
		end(completion);
		next = nullptr;
	}
	return Status::OK;
}

} // namespace

Result<std::unique_ptr<EventLoop>> create_uring_loop(std::string &why_not)
{
	auto loop = std::make_unique<UringLoop>();
	int rc = loop->init();
	if (rc < 0) {
		why_not = strerror(-rc);
		return Status::NOT_SUPPORTED;
	}
	return std::unique_ptr<EventLoop>(std::move(loop));
}

} // namespace fwd
