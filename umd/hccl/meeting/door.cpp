// SPDX-License-Identifier: MIT
/**
 * DOC: Door of the meetings
 *
 * Strangers may connect to a port. Each one costs a descriptor and some hundred bytes for five seconds at most, and
 * there are 4 * MAX_RANKS at most: one more drives out the oldest one, as a rank speaks at once.
 */
#include "door.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "host.h"
#include "umd/core/process/process.h"
#include "umd/hccl/network/interfaces.h"
#include "umd/hccl/network/ports.h"
#include "umd/hccl/result.h"

namespace umd {

using base::Fd;
using base::Status;

static constexpr uint64_t HELLO_NS = 5 * base::NS_PER_S;
static constexpr uint64_t FULL_NS = 50 * base::NS_PER_MS;

MeetingDoor &MeetingDoor::get()
{
	return Process::own<MeetingDoor>();
}

MeetingDoor::Hold &MeetingDoor::Hold::operator=(Hold &&other) noexcept
{
	release();
	ids_.swap(other.ids_);
	return *this;
}

void MeetingDoor::Hold::release()
{
	if (!ids_.empty())
		MeetingDoor::get().leave(ids_);
	ids_.clear();
}

HcclResult MeetingDoor::begin()
{
	if (thread_.joinable())
		return HCCL_SUCCESS;
	kick_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	auto thread = kick_.valid() ? base::start_thread("unpu-hccl-door", [this] { serve(); })
				    : base::Result<std::thread>(Status::NO_RESOURCE);
	if (!thread)
		return refuse(HCCL_E_UNAVAIL,
			      "the system has no thread left for ranks of other machines");
	thread_ = thread.take();
	return HCCL_SUCCESS;
}

void MeetingDoor::kick()
{
	const uint64_t one = 1;
	(void)base::calls::write(kick_.get(), &one, sizeof(one));
}

HcclResult MeetingDoor::listen_at(const TcpAddress &wanted, const PortChoice &ports, Hold &hold,
				  TcpAddress &address)
{
	Listener fresh;
	std::lock_guard threads(thread_mutex_);
	{
		std::lock_guard lock(mutex_);
		for (auto &[id, listener] : listeners_) {
			if (listener.wanted != wanted)
				continue;
			listener.users++;
			hold.ids_.push_back(id);
			address = listener.address;
			return HCCL_SUCCESS;
		}
	}
	fresh.wanted = fresh.address = wanted;
	TRY(listen_on(ports, fresh.address, fresh.socket));
	TRY(begin());
	address = fresh.address;
	fresh.users = 1;
	std::lock_guard lock(mutex_);
	hold.ids_.push_back(next_);
	listeners_.emplace(next_++, std::move(fresh));
	kick();
	return HCCL_SUCCESS;
}

HcclResult MeetingDoor::open(TcpPlace &place, Hold &hold)
{
	PortChoice ports;
	std::vector<TcpAddress> chosen;
	const InterfaceSettings settings = read_interface_settings();
	place = {};
	TRY(choose_interfaces(settings, all_interfaces(), chosen));
	TRY(read_ports(ports));
	size_t count = 0;
	HcclResult result = HCCL_SUCCESS;
	for (const TcpAddress &address : chosen) {
		const HcclResult one = listen_at(address, ports, hold, place.at[count]);
		if (one == HCCL_SUCCESS)
			count++;
		else
			result = one;
	}
	if (count != 0)
		return HCCL_SUCCESS;
	place = {};
	/* A process that may have no socket still meets others of its network. */
	const bool is_asked = !settings.ip.empty() || !settings.names.empty() ||
			      !settings.family.empty() || !ports.ranges.empty();
	return is_asked ? result : HCCL_SUCCESS;
}

HcclResult MeetingDoor::open_at(const TcpAddress &address, const std::string &origin, Hold &hold)
{
	TcpAddress own = address;
	return listen_at(address, {{{address.port, address.port}}, origin}, hold, own);
}

void MeetingDoor::expect(const Nonce &nonce, MeetingHost *host)
{
	std::lock_guard lock(mutex_);
	hosts_[nonce] = host;
}

void MeetingDoor::forget(const Nonce &nonce)
{
	std::lock_guard lock(mutex_);
	hosts_.erase(nonce);
}

/* The last one ends the thread. */
void MeetingDoor::leave(const std::vector<uint32_t> &ids)
{
	std::lock_guard threads(thread_mutex_);
	{
		std::lock_guard lock(mutex_);
		for (const uint32_t id : ids) {
			const auto found = listeners_.find(id);
			if (found != listeners_.end() && --found->second.users == 0)
				listeners_.erase(found);
		}
		is_ending_ = listeners_.empty();
		kick();
		if (!is_ending_ || !thread_.joinable())
			return;
	}
	thread_.join();
	std::lock_guard lock(mutex_);
	is_ending_ = false;
	kick_ = Fd();
}

void MeetingDoor::serve()
{
	while (serve_once()) {
	}
	strangers_.clear();
}

/* Return: false when the thread has to end. */
bool MeetingDoor::serve_once()
{
	std::vector<pollfd> polls{{kick_.get(), POLLIN, 0}};
	std::vector<uint32_t> ids;
	const uint64_t now = base::now_ns();
	const bool is_full = now < full_until_ns_;
	{
		std::lock_guard lock(mutex_);
		if (is_ending_)
			return false;
		for (const auto &[id, listener] : listeners_) {
			polls.push_back(
				{listener.socket.get(), is_full ? short{0} : short{POLLIN}, 0});
			ids.push_back(id);
		}
	}
	for (const Stranger &stranger : strangers_)
		polls.push_back({stranger.line.socket().get(), POLLIN, 0});
	uint64_t until = strangers_.empty() ? base::NO_DEADLINE : strangers_.front().deadline_ns;
	if (is_full)
		until = std::min(until, full_until_ns_);
	(void)base::calls::poll(polls.data(), polls.size(), until);
	uint64_t kicks;
	if (polls[0].revents != 0)
		(void)base::calls::read(kick_.get(), &kicks, sizeof(kicks));
	const auto letter = std::make_unique_for_overwrite<Letter>();
	strangers_.remove_if([&](Stranger &stranger) { return is_over(stranger, *letter); });
	for (size_t i = 0; i < ids.size(); i++) {
		if (polls[i + 1].revents != 0)
			accept_from(ids[i]);
	}
	return true;
}

void MeetingDoor::accept_from(uint32_t id)
{
	Fd socket;
	{
		std::lock_guard lock(mutex_);
		const auto found = listeners_.find(id);
		if (found != listeners_.end())
			socket = Fd(base::calls::accept(found->second.socket.get(),
							SOCK_CLOEXEC | SOCK_NONBLOCK));
	}
	if (!socket.valid()) {
		/* Without a descriptor the connection stays in the queue, and poll() would return at once. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			full_until_ns_ = base::deadline_after(FULL_NS);
		return;
	}
	if (strangers_.size() >= 4 * MAX_RANKS)
		strangers_.pop_front();
	Stranger &stranger = strangers_.emplace_back();
	stranger.line.open(std::move(socket), Line::Kind::STREAM);
	stranger.line.expect_only(LetterKind::HELLO);
	stranger.deadline_ns = base::deadline_after(HELLO_NS);
}

/* Return: whether it is none any more: a rank now, or cut off. */
bool MeetingDoor::is_over(Stranger &stranger, Letter &letter)
{
	const Status status = stranger.line.receive(letter, 0);
	if (status == Status::NOT_READY)
		return base::now_ns() >= stranger.deadline_ns;
	if (status != Status::OK)
		return true;
	std::lock_guard lock(mutex_);
	const auto host = hosts_.find(letter.body.hello.nonce);
	if (host != hosts_.end())
		host->second->adopt(stranger.line.release(), letter.body.hello);
	return true;
}

} // namespace umd
