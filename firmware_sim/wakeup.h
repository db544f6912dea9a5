// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ordering.h"
#include "base/shm.h"

namespace fw {

/**
 * class Wakeup - what a device without work sleeps on.
 *
 * Threads of this process kick by kick(). Where clients are other processes each has an eventfd of
 * its own: a client that keeps or steals kicks keeps and steals those of nobody else, and the device
 * learns who kicked, so that it looks at nobody else.
 */
class Wakeup {
public:
	/** init() - @processes: clients get descriptors. @fence: scope of the pair with kick(). */
	base::Status init(bool processes, base::FenceScope fence);

	/** add() - a descriptor that @client kicks by adding to it. Context: under the step token.
	 * Return: NO_RESOURCE. */
	base::Result<base::Fd> add(uint32_t client);
	void remove(uint32_t client);

	/** kick() - wakes the device if it sleeps, from this process. Context: any thread. */
	void kick();

	/** kicks() - how many there were. asleep() - whether the device sleeps. Context: any thread. */
	uint32_t kicks() const { return base::load_relaxed(kicks_) + base::load_relaxed(theirs_); }
	bool asleep() const { return base::load_relaxed(asleep_) != 0; }

	/** unaware() - whether a thread sleeps, or is about to, and was not kicked since prepare().
	 * Context: under the lock that prepare() is called under. */
	bool unaware() const { return asleep() && base::load_relaxed(kicks_) == ticket_; }

	/* The rest is for the thread that sleeps. */

	/** prepare() - from now on kicks wake: the caller passes a heavy fence, looks for work and calls
	 * wait(). Return: a ticket for wait(). */
	uint32_t prepare();

	/** wait() - sleeps until a kick that came after prepare(), or @deadline_ns. */
	void wait(uint32_t ticket, uint64_t deadline_ns);

	/** finish() - ends what prepare() began. */
	void finish() { base::store_relaxed(asleep_, uint32_t{0}); }

	/** collect() - looks for kicks of clients without sleeping. */
	void collect() { poll(0); }

	/** take_kicked() - a client that kicked; it may have gone since. Return: false when there is none
	 * left. */
	bool take_kicked(uint32_t &client);

private:
	base::Status watch(const base::Fd &fd, uint64_t id);
	void poll(uint64_t timeout_ns);

	base::FenceScope fence_ = base::FenceScope::NONE;
	uint32_t kicks_ = 0;
	uint32_t asleep_ = 0;
	uint32_t ticket_ = 0; /* kicks_ at the last prepare() */
	uint32_t theirs_ = 0; /* kicks of clients; those that came together count once */
	base::Fd epoll_;      /* the rest with processes only */
	base::Fd own_;
	std::unordered_map<uint32_t, base::Fd> clients_;
	std::vector<uint32_t> kicked_;
};

} // namespace fw
