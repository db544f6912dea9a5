// SPDX-License-Identifier: MIT
/**
 * DOC: Wakeup
 *
 * Inside one process a device sleeps on a futex, until it has a worker of user kernels. For workers, and for
 * clients in other processes, it sleeps in epoll: if all clients shared one futex word, a hostile client could
 * overwrite it and lose another client's kick. The same holds for one pipe, because a process with its write end
 * can open its read end. With one eventfd per client, a client can only lose its own kicks. The firmware never
 * reads an eventfd: epoll is edge-triggered, and each write is an edge. If a client fills its counter, its writes
 * fail, so its kicks are lost until it reads the counter.
 */
#include "wakeup.h"

#include <algorithm>

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace fw {

using base::Result;
using base::Status;

static constexpr uint64_t OWN = ~uint64_t{0};
static constexpr int EVENTS_AT_ONCE = 64;

static void add_to(const base::Fd &eventfd)
{
	uint64_t one = 1;
	ssize_t written = base::calls::write(eventfd.get(), &one, sizeof(one));
	/* 2^64 - 2 kicks, which fill the counter, take centuries. */
	(void)written;
}

Status Wakeup::init(bool processes, base::FenceScope fence)
{
	fence_ = fence;
	return processes ? begin_epoll() : Status::OK;
}

Status Wakeup::begin_epoll()
{
	if (uses_epoll_ != 0)
		return Status::OK;
	epoll_ = base::Fd(epoll_create1(EPOLL_CLOEXEC));
	own_ = base::Fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	if (!epoll_.valid() || !own_.valid())
		return Status::NO_RESOURCE;
	TRY(watch(own_, OWN));
	base::store_release(uses_epoll_, uint32_t{1});
	return Status::OK;
}

Status Wakeup::watch_kick(const base::Fd &eventfd)
{
	const bool is_first = uses_epoll_ == 0;
	TRY(begin_epoll());
	/* The device may sleep on the futex so far. */
	if (is_first && kicks_.notify(fence_))
		kicks_.wake();
	return watch(eventfd, OWN);
}

Status Wakeup::watch(const base::Fd &fd, uint64_t id)
{
	epoll_event event{};
	event.events = EPOLLIN | EPOLLET;
	event.data.u64 = id;
	return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0 ? Status::OK
									     : Status::NO_RESOURCE;
}

Result<base::Fd> Wakeup::add(uint32_t client)
{
	base::Fd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	base::Fd theirs = fd.duplicate();
	if (!fd.valid() || !theirs.valid())
		return Status::NO_RESOURCE;
	TRY(watch(fd, client));
	clients_[client] = std::move(fd);
	return theirs;
}

void Wakeup::remove(uint32_t client)
{
	auto found = clients_.find(client);
	if (found == clients_.end())
		return;
	/* Closing our descriptor does not remove it from epoll: the client still holds the same open
	 * file. */
	epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, found->second.get(), nullptr);
	clients_.erase(found);
}

void Wakeup::kick()
{
	if (!kicks_.notify(fence_))
		return;
	if (base::load_acquire(uses_epoll_) != 0)
		add_to(own_);
	else
		kicks_.wake();
}

uint32_t Wakeup::prepare()
{
	ticket_ = kicks_.prepare();
	return ticket_;
}

void Wakeup::wait(uint32_t ticket, uint64_t deadline_ns)
{
	if (base::load_acquire(uses_epoll_) == 0) {
		(void)kicks_.wait(ticket, deadline_ns);
		return;
	}
	if (kicks_.has_event(ticket))
		return;
	poll(deadline_ns);
}

void Wakeup::poll(uint64_t deadline_ns)
{
	epoll_event events[EVENTS_AT_ONCE];
	int count = base::calls::epoll_wait(epoll_.get(), events, EVENTS_AT_ONCE, deadline_ns);
	for (int i = 0; i < count; i++) {
		if (events[i].data.u64 == OWN)
			continue;
		kicked_.push_back(static_cast<uint32_t>(events[i].data.u64));
		base::store_relaxed(theirs_, theirs_ + 1);
	}
}

bool Wakeup::take_kicked(uint32_t &client)
{
	if (kicked_.empty())
		return false;
	client = kicked_.back();
	kicked_.pop_back();
	return true;
}

} // namespace fw
