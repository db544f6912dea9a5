// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/os/calls/waits.h"
#include "base/os/shm.h"
#include "base/sync/event_count.h"

namespace fw {

/**
 * class Wakeup - the eventcount on which the thread of an idle device sleeps.
 *
 * Threads of this process call kick(). If clients are other processes, each client has its own eventfd.
 * So a hostile client can suppress only its own kicks, and the device learns which clients kicked and
 * polls only those. Each worker of user kernels has an eventfd too.
 */
class Wakeup {
public:
	/** init() - @processes: clients get descriptors. @fence: scope of the pair with kick(). */
	base::Status init(bool processes, base::FenceScope fence);

	/** add() - the eventfd by which @client kicks. Context: under the step token.
	 * Return: NO_RESOURCE. */
	base::Result<base::Fd> add(uint32_t client);
	void remove(uint32_t client);

	/** watch_kick() - from now on a write to @eventfd wakes the device, which sleeps in epoll from now on.
	 * Context: under the step token. Return: NO_RESOURCE. */
	base::Status watch_kick(const base::Fd &eventfd);

	/** kick() - wakes the device if it sleeps, from this process. Context: any thread. */
	void kick();

	/** kicks() - number of kicks so far. asleep() - whether the device sleeps. Context: any thread. */
	uint32_t kicks() const { return kicks_.events() + base::load_relaxed(theirs_); }
	bool asleep() const { return kicks_.is_asleep(); }

	/** unaware() - whether the device's thread sleeps, or is about to, and no thread of this process
	 * kicked since prepare().
	 * Context: under the step token, as prepare(). */
	bool unaware() const { return asleep() && kicks_.events() == ticket_; }

	/* Only the thread that sleeps calls the functions below. */

	/** prepare() - from now on a kick wakes the caller. The caller then executes a heavy fence,
	 * checks for work and calls wait(). Return: a ticket for wait(). */
	uint32_t prepare();

	/** wait() - sleeps until a kick that came after prepare(), or @deadline_ns. */
	void wait(uint32_t ticket, uint64_t deadline_ns);

	/** finish() - ends what prepare() began. */
	void finish() { kicks_.finish(); }

	/** collect() - collects kicks of clients without sleeping. */
	void collect() { poll(base::calls::NOW); }

	/** take_kicked() - takes the number of a client that kicked. The client may have detached since.
	 * Return: false when no more clients kicked. */
	bool take_kicked(uint32_t &client);

private:
	base::Status begin_epoll();
	base::Status watch(const base::Fd &fd, uint64_t id);
	void poll(uint64_t deadline_ns);

	base::FenceScope fence_ = base::FenceScope::NONE;
	base::EventCount kicks_;
	uint32_t ticket_ = 0; /* ticket of the last prepare() */
	/* number of kicks of clients; several kicks between two polls of epoll count as one */
	uint32_t theirs_ = 0;
	uint32_t uses_epoll_ = 0; /* epoll_ and own_ are valid */
	base::Fd epoll_;
	base::Fd own_;
	/* Only if clients are processes: */
	std::unordered_map<uint32_t, base::Fd> clients_;
	std::vector<uint32_t> kicked_;
};

} // namespace fw
