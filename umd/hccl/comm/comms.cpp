// SPDX-License-Identifier: MIT
/**
 * DOC: Communicators of a process
 *
 * The thread of this class polls the connections of all communicators, and checks whether the firmware of
 * their devices has ended. So a rank learns of failures, and reports its own, even while its program computes
 * or waits for a stream.
 */
#include "comms.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/process/error.h"
#include "umd/core/stream/stream.h"
#include "umd/core/watch/failure_note.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/meeting/meeting_coordinator.h"

namespace umd {

using base::Fd;
using base::Status;

/* Handles are multiples of this number, so that no handle can be mistaken for a small number or an
 * address. */
static constexpr uintptr_t HANDLE_STEP = 0x10000001;

/* Finds the communicator to which a task belongs. If none claims the task, takes the first failed
 * communicator of the device, or else its first communicator. */
static std::shared_ptr<Comm> comm_of(const Stream &stream, uint64_t index)
{
	std::shared_ptr<Comm> failed;
	std::shared_ptr<Comm> first;
	for (const std::shared_ptr<Comm> &comm : Comms::get().all()) {
		if (!comm->device().is(*stream.context->open))
			continue;
		if (comm->has_task(stream.id, index))
			return comm;
		if (!failed && comm->failure() != HCCL_SUCCESS)
			failed = comm;
		if (!first)
			first = comm;
	}
	return failed ? failed : first;
}

/* How long to wait for the communicator's own message. The device notices the end of a process by itself, and
 * may notice it before the communicator does. */
static constexpr uint64_t NEWS_NS = 300 * base::NS_PER_MS;

/* Makes the error message for a failed task of an operation; see FailureNotes. */
static std::string note_failure(const Stream &stream, uint64_t index, Status status)
{
	std::string text;
	const std::shared_ptr<Comm> comm = comm_of(stream, index);
	if (comm && status == Status::PEER_LOST)
		comm->await_failure(base::deadline_after(NEWS_NS));
	if (!comm || comm->failure(&text) != HCCL_SUCCESS)
		return text;
	if (status == Status::PEER_LOST)
		return comm->explain_loss();
	if (status != Status::WAIT_TIMEOUT)
		return text;
	return fmt::format("communicator {}: {}", comm->name(), comm->explain_timeout());
}

/* Explains why the operations of a device do not complete; see FailureNotes. */
static std::string note_wait(OpenDevice &open, bool &is_certain)
{
	std::string text;
	for (const std::shared_ptr<Comm> &comm : Comms::get().all()) {
		if (!comm->device().is(open) || comm->failure() != HCCL_SUCCESS)
			continue;
		const std::string why = comm->explain_wait(is_certain);
		if (is_certain)
			return why;
		if (!why.empty())
			text += fmt::format("{}communicator {}: {}", text.empty() ? "" : "; ",
					    comm->name(), why);
	}
	return text;
}

HcclResult Comms::begin_watch()
{
	if (thread_.joinable())
		return HCCL_SUCCESS;
	FailureNotes::get().set(note_failure, note_wait);
	{
		std::lock_guard lock(mutex_);
		kick_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
		if (!kick_.valid())
			return refuse(HCCL_E_UNAVAIL, "the process has no descriptor left for the "
						      "communicator; raise RLIMIT_NOFILE");
	}
	auto thread = base::start_thread("unpu-hccl", [this] { watch(); });
	if (!thread)
		return refuse(
			HCCL_E_UNAVAIL,
			"the system has no thread left for the communicator; raise RLIMIT_NPROC");
	thread_ = thread.take();
	return HCCL_SUCCESS;
}

void Comms::kick()
{
	const uint64_t one = 1;
	(void)base::calls::write(kick_.get(), &one, sizeof(one));
}

HcclResult Comms::add(const std::shared_ptr<Comm> &comm, HcclComm *handle)
{
	std::lock_guard threads(thread_mutex_);
	TRY(begin_watch());
	std::lock_guard lock(mutex_);
	const uintptr_t number = next_++ * HANDLE_STEP;
	comms_[number] = comm;
	watched_[number] = comm;
	kick();
	*handle = reinterpret_cast<HcclComm>(number);
	return HCCL_SUCCESS;
}

void Comms::end_watch()
{
	std::lock_guard threads(thread_mutex_);
	{
		std::lock_guard lock(mutex_);
		if (!comms_.empty() || !thread_.joinable())
			return;
		is_ending_ = true;
		kick();
	}
	thread_.join();
	std::lock_guard lock(mutex_);
	is_ending_ = false;
	kick_ = Fd();
}

void Comms::look_again()
{
	std::lock_guard lock(mutex_);
	if (kick_.valid())
		kick();
}

std::shared_ptr<Comm> Comms::find(HcclComm handle)
{
	{
		std::lock_guard lock(mutex_);
		const auto found = comms_.find(reinterpret_cast<uintptr_t>(handle));
		if (found != comms_.end())
			return found->second;
	}
	if (!handle)
		(void)refuse_null("comm");
	else if (Process::check_fork() == Status::OK)
		(void)refuse(HCCL_E_PARA,
			     fmt::format("comm {} is no communicator: it was destroyed, or is "
					 "something else",
					 fmt::ptr(handle)));
	return nullptr;
}

HcclResult Comms::find_named(const std::string &name, HcclComm *handle)
{
	std::lock_guard lock(mutex_);
	const Comm *best = nullptr;
	for (const auto &[number, comm] : comms_) {
		if (comm->name() != name || (best && best->rank() < comm->rank()))
			continue;
		best = comm.get();
		*handle = reinterpret_cast<HcclComm>(number);
	}
	if (best)
		return HCCL_SUCCESS;
	return refuse(HCCL_E_NOT_FOUND, fmt::format("no communicator of this process has the name "
						    "{}; HcclGetCommName tells that of each",
						    name));
}

std::vector<std::shared_ptr<Comm>> Comms::all()
{
	std::lock_guard lock(mutex_);
	std::vector<std::shared_ptr<Comm>> found;
	for (const auto &[number, comm] : comms_)
		found.push_back(comm);
	return found;
}

HcclResult Comms::destroy(HcclComm handle)
{
	const std::shared_ptr<Comm> comm = find(handle);
	if (!comm)
		return handle ? HCCL_E_PARA : HCCL_E_PTR;
	TRY(comm->begin_end());
	const auto number = reinterpret_cast<uintptr_t>(handle);
	{
		/* After this line no other thread reads the connection of the communicator. */
		std::lock_guard lock(mutex_);
		watched_.erase(number);
	}
	comm->end();
	{
		std::lock_guard lock(mutex_);
		comms_.erase(number);
		kick();
	}
	end_watch();
	Meetings::get().reap();
	return HCCL_SUCCESS;
}

void Comms::watch()
{
	while (watch_once()) {
	}
}

/* Return: false when the thread has to end. */
bool Comms::watch_once()
{
	std::vector<pollfd> polls{{kick_.get(), POLLIN, 0}};
	std::vector<uintptr_t> numbers;
	uint64_t deadline_ns = base::NO_DEADLINE;
	{
		std::lock_guard lock(mutex_);
		if (is_ending_)
			return false;
		for (const auto &[number, comm] : watched_) {
			polls.push_back({comm->socket(), comm->events(), 0});
			polls.push_back({comm->end_of_firmware(), POLLIN, 0});
			numbers.push_back(number);
			deadline_ns = std::min(
				{deadline_ns, comm->end_of_loss(), comm->end_of_launches()});
		}
	}
	(void)base::calls::poll(polls.data(), polls.size(), deadline_ns);
	uint64_t kicks;
	if (polls[0].revents != 0)
		(void)base::calls::read(kick_.get(), &kicks, sizeof(kicks));
	for (size_t i = 0; i < numbers.size(); i++) {
		const bool has_news = polls[1 + 2 * i].revents != 0;
		const bool is_lost = polls[2 + 2 * i].revents != 0;
		if (!has_news && !is_lost)
			continue;
		std::lock_guard lock(mutex_);
		const auto found = watched_.find(numbers[i]);
		if (found == watched_.end())
			continue;
		if (is_lost)
			found->second->lose_device();
		if (has_news && !found->second->hear())
			watched_.erase(found);
	}
	return true;
}

} // namespace umd
