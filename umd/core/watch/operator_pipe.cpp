// SPDX-License-Identifier: MIT
/**
 * DOC: Pipes of operator records
 *
 * The writer thread is detached. If the reader never reads, that thread blocks; the thread that ends the
 * subscription and the exit of the process must not wait for it.
 */
#include "operator_pipe.h"

#include <algorithm>
#include <climits>
#include <csignal>

#include <fmt/format.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/os/thread.h"
#include "umd/core/process/error.h"
#include "umd/core/process/log.h"

namespace umd {

using base::Status;

/* Records per write(). A pipe takes PIPE_BUF bytes atomically, so the records of several OperatorPipes with
 * one descriptor do not mix. */
static constexpr size_t AT_ONCE = PIPE_BUF / sizeof(OperatorRecord);
static_assert(AT_ONCE > 0);

Status OperatorPipe::join()
{
	std::lock_guard lock(mutex_);
	if (closed_)
		return set_error(
			Status::INVALID_ENUM,
			"profSubscribeConfig: its descriptor was closed when the last model was "
			"unsubscribed; make another one with a new pipe");
	if (!running_) {
		auto thread = base::start_thread(
			"unpu-operators", [self = shared_from_this()] { self->write_all(); });
		if (!thread)
			return set_error(
				thread.status(),
				"no thread is left to write into the pipe; raise RLIMIT_NPROC");
		thread->detach();
		running_ = true;
	}
	producers_++;
	return Status::OK;
}

void OperatorPipe::leave()
{
	std::lock_guard lock(mutex_);
	if (--producers_ == 0)
		closed_ = true;
	changed_.ring();
}

void OperatorPipe::push(const std::vector<OperatorRecord> &records)
{
	std::lock_guard lock(mutex_);
	size_t room = MOST - std::min(MOST, waiting_.size());
	size_t taken = std::min(room, records.size());
	waiting_.insert(waiting_.end(), records.begin(),
			records.begin() + static_cast<std::ptrdiff_t>(taken));
	if (dropped_ == 0 && taken < records.size())
		log_line(fmt::format(
			"the pipe of descriptor {} is full, because the program does not "
			"read it; further records of operators are dropped",
			fd_));
	dropped_ += records.size() - taken;
	changed_.ring();
}

/* Waits for records. Return: false when the pipe is closed and none is left. */
bool OperatorPipe::take(std::vector<OperatorRecord> &records)
{
	std::unique_lock lock(mutex_);
	while (waiting_.empty() && !closed_)
		changed_.wait(lock, base::NO_DEADLINE);
	size_t count = std::min(waiting_.size(), AT_ONCE);
	auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
	records.assign(waiting_.begin(), end);
	waiting_.erase(waiting_.begin(), end);
	return count > 0;
}

void OperatorPipe::write_all()
{
	/* Signals are for the program's threads. With SIGPIPE blocked, write() fails when the reader is gone. */
	sigset_t every;
	sigfillset(&every);
	pthread_sigmask(SIG_BLOCK, &every, nullptr);
	std::vector<OperatorRecord> records;
	bool reader = true;
	while (take(records)) {
		reader = reader && base::calls::write_all(fd_, records.data(),
							  records.size() * sizeof(OperatorRecord));
	}
	base::calls::close(fd_);
}

} // namespace umd
