// SPDX-License-Identifier: MIT
/**
 * DOC: Listener of the meetings
 *
 * Any process can connect to a port, so this file limits what a stranger costs. The kernel keeps back a
 * connection that sends nothing for some seconds (TCP_DEFER_ACCEPT). Any other connection costs a descriptor
 * and some hundred bytes, for five seconds at most. There are at most STRANGERS_MOST of them; when one more
 * comes, the listener closes the oldest one. A rank names its meeting at once, and the name is a hash of the
 * secret. So a connection that has named a meeting is not closed in favour of one that has not.
 */
#include "meeting_listener.h"

#include <algorithm>
#include <cerrno>

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/calls/sockets.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"
#include "base/os/thread.h"
#include "umd/core/process/process.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/network/interfaces.h"
#include "umd/hccl/network/ports.h"
#include "words.h"

namespace umd {

using base::Fd;
using base::Status;

static constexpr uint64_t HANDSHAKE_NS = 5 * base::NS_PER_S;
/* STRANGERS_MOST: connections that have not named a meeting. The other limit is for those that have; it is
 * higher, because all ranks may connect at once. */
static constexpr size_t STRANGERS_MOST = 15;
static constexpr size_t KNOCKED_MOST = MAX_RANKS;
/* How many connections are accepted in a row, before the accepted ones are read. */
static constexpr int ACCEPT_AT_ONCE = 8;
static constexpr uint64_t FULL_NS = 50 * base::NS_PER_MS;

MeetingListener &MeetingListener::get()
{
	return Process::own<MeetingListener>();
}

MeetingListener::Hold &MeetingListener::Hold::operator=(Hold &&other) noexcept
{
	release();
	ids_.swap(other.ids_);
	return *this;
}

void MeetingListener::Hold::release()
{
	if (!ids_.empty())
		MeetingListener::get().leave(ids_);
	ids_.clear();
}

HcclResult MeetingListener::begin()
{
	if (thread_.joinable())
		return HCCL_SUCCESS;
	kick_ = Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	auto thread = kick_.valid() ? base::start_thread("unpu-hccl-door", [this] { serve(); })
				    : base::Result<std::thread>(Status::NO_RESOURCE);
	if (!thread)
		return refuse(HCCL_E_UNAVAIL,
			      "the system has no thread left for ranks of other machines, or the "
			      "process no descriptor; raise RLIMIT_NPROC or RLIMIT_NOFILE");
	thread_ = thread.take();
	return HCCL_SUCCESS;
}

void MeetingListener::kick()
{
	const uint64_t one = 1;
	(void)base::calls::write(kick_.get(), &one, sizeof(one));
}

HcclResult MeetingListener::listen_at(const TcpAddress &wanted, const PortChoice &ports, Hold &hold,
				      TcpAddress &address)
{
	BoundSocket fresh;
	std::lock_guard threads(thread_mutex_);
	{
		std::lock_guard lock(mutex_);
		for (auto &[id, bound] : sockets_) {
			if (bound.wanted != wanted)
				continue;
			bound.users++;
			hold.ids_.push_back(id);
			address = bound.address;
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
	sockets_.emplace(next_++, std::move(fresh));
	kick();
	return HCCL_SUCCESS;
}

static bool has_host(const TcpPlace &place, const TcpAddress &address)
{
	return std::any_of(place.at.begin(), place.at.end(), [&](const TcpAddress &each) {
		return each.family == address.family && each.bytes == address.bytes;
	});
}

HcclResult MeetingListener::open(const TcpPlace *allowed, TcpPlace &place, Hold &hold)
{
	PortChoice ports;
	std::vector<TcpAddress> chosen;
	const InterfaceSettings settings = read_interface_settings();
	place = {};
	TRY(choose_interfaces(settings, all_interfaces(), chosen));
	TRY(read_ports(ports));
	const bool is_named = !settings.ip.empty() || !settings.names.empty();
	if (allowed && !is_named)
		std::erase_if(chosen,
			      [&](const TcpAddress &each) { return !has_host(*allowed, each); });
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
	/* A process that can't open a TCP socket can still meet ranks of its own network, unless it was asked
	 * to listen. */
	const bool is_asked = is_named || !settings.family.empty() || !ports.ranges.empty();
	return is_asked ? result : HCCL_SUCCESS;
}

HcclResult MeetingListener::open_at(const TcpAddress &address, const std::string &origin,
				    Hold &hold)
{
	TcpAddress own = address;
	return listen_at(address, {{{address.port, address.port}}, origin}, hold, own);
}

void MeetingListener::expect(const Nonce &name, Wish wish, const Key &key, ListenerUser *user)
{
	std::lock_guard lock(mutex_);
	expected_[name] = {wish, key, user};
}

void MeetingListener::forget(const Nonce &name)
{
	std::lock_guard lock(mutex_);
	expected_.erase(name);
}

/* When the last listener closes, the thread ends. */
void MeetingListener::leave(const std::vector<uint32_t> &ids)
{
	std::lock_guard threads(thread_mutex_);
	{
		std::lock_guard lock(mutex_);
		for (const uint32_t id : ids) {
			const auto found = sockets_.find(id);
			if (found != sockets_.end() && --found->second.users == 0)
				sockets_.erase(found);
		}
		is_ending_ = sockets_.empty();
		kick();
		if (!is_ending_ || !thread_.joinable())
			return;
	}
	thread_.join();
	std::lock_guard lock(mutex_);
	is_ending_ = false;
	kick_ = Fd();
}

void MeetingListener::serve()
{
	while (serve_once()) {
	}
	strangers_.clear();
}

/* Return: false when the thread has to end. */
bool MeetingListener::serve_once()
{
	std::vector<pollfd> polls{{kick_.get(), POLLIN, 0}};
	std::vector<uint32_t> ids;
	const uint64_t now = base::now_ns();
	const bool is_full = now < full_until_ns_;
	{
		std::lock_guard lock(mutex_);
		if (is_ending_)
			return false;
		for (const auto &[id, bound] : sockets_) {
			polls.push_back(
				{bound.socket.get(), is_full ? short{0} : short{POLLIN}, 0});
			ids.push_back(id);
		}
	}
	for (const Stranger &stranger : strangers_)
		polls.push_back({stranger.socket.get(), POLLIN, 0});
	uint64_t until = strangers_.empty() ? base::NO_DEADLINE : strangers_.front().deadline_ns;
	if (is_full)
		until = std::min(until, full_until_ns_);
	(void)base::calls::poll(polls.data(), polls.size(), until);
	uint64_t kicks;
	if (polls[0].revents != 0)
		(void)base::calls::read(kick_.get(), &kicks, sizeof(kicks));
	strangers_.remove_if([this](Stranger &stranger) { return is_over(stranger); });
	for (size_t i = 0; i < ids.size(); i++) {
		for (int taken = 0; polls[i + 1].revents != 0 && taken < ACCEPT_AT_ONCE; taken++) {
			if (!accept_from(ids[i]))
				break;
		}
	}
	return true;
}

/* Whether the other side is in this network. Such ranks have to use the Unix socket, where the kernel says
 * which user they belong to. */
static bool is_own(const Fd &socket)
{
	sockaddr_storage here{};
	sockaddr_storage there{};
	socklen_t here_bytes = sizeof(here);
	socklen_t there_bytes = sizeof(there);
	if (getsockname(socket.get(), reinterpret_cast<sockaddr *>(&here), &here_bytes) != 0 ||
	    getpeername(socket.get(), reinterpret_cast<sockaddr *>(&there), &there_bytes) != 0)
		return true;
	return from_socket_address(reinterpret_cast<const sockaddr *>(&here)).bytes ==
	       from_socket_address(reinterpret_cast<const sockaddr *>(&there)).bytes;
}

/* Return: whether there was a connection. */
bool MeetingListener::accept_from(uint32_t id)
{
	Fd socket;
	{
		std::lock_guard lock(mutex_);
		const auto found = sockets_.find(id);
		if (found == sockets_.end())
			return false;
		socket = Fd(base::calls::accept(found->second.socket.get(),
						SOCK_CLOEXEC | SOCK_NONBLOCK));
	}
	if (!socket.valid()) {
		/* No descriptor is free, so the connection stays in the queue. poll() would return at once
		 * for it, again and again. */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
			full_until_ns_ = base::deadline_after(FULL_NS);
		return false;
	}
	if (is_own(socket))
		return true;
	make_room();
	Stranger &stranger = strangers_.emplace_back();
	stranger.socket = std::move(socket);
	stranger.handshake = Handshake::receive([this](Wish wish, const Nonce &name, Key &key) {
		return find_key(wish, name, key);
	});
	stranger.deadline_ns = base::deadline_after(HANDSHAKE_NS);
	/* The connection of a rank has data already, because the kernel reports only connections with
	 * data. */
	if (is_over(stranger))
		strangers_.pop_back();
	return true;
}

/* Closes the oldest connection of each kind that has too many. */
void MeetingListener::make_room()
{
	for (const bool has_knocked : {false, true}) {
		const auto fits = [has_knocked](const Stranger &each) {
			return each.handshake.has_knocked() == has_knocked;
		};
		const auto most =
			static_cast<ptrdiff_t>(has_knocked ? KNOCKED_MOST : STRANGERS_MOST);
		if (std::count_if(strangers_.begin(), strangers_.end(), fits) >= most)
			strangers_.erase(std::find_if(strangers_.begin(), strangers_.end(), fits));
	}
}

bool MeetingListener::find_key(Wish wish, const Nonce &name, Key &key)
{
	std::lock_guard lock(mutex_);
	const auto found = expected_.find(name);
	if (found == expected_.end() || found->second.wish != wish)
		return false;
	key = found->second.key;
	return true;
}

/* Return: whether the connection is no stranger any more: it has proved that it knows the key, or it was
 * closed. */
bool MeetingListener::is_over(Stranger &stranger)
{
	const Status status = stranger.handshake.advance(stranger.socket);
	if (status == Status::NOT_READY)
		return base::now_ns() >= stranger.deadline_ns;
	if (status != Status::OK)
		return true;
	std::lock_guard lock(mutex_);
	const auto found = expected_.find(stranger.handshake.name());
	if (found != expected_.end())
		found->second.user->adopt(std::move(stranger.socket), stranger.handshake.keys());
	return true;
}

} // namespace umd
