// SPDX-License-Identifier: MIT
/**
 * DOC: Thread of a device that explores
 *
 * The thread chooses and runs commands until it has no reason to run another one. Then it sleeps; it does not poll. A
 * thread of the host wakes it by a doorbell, or by a kick when that host thread is about to sleep on a semaphore.
 */
#include <algorithm>
#include <mutex>
#include <new>
#include <thread>

#include "base/clock.h"
#include "base/sync/ordering.h"
#include "firmware.h"
#include "firmware_sim/schedule/tuning.h"

namespace fw {

void Firmware::explore()
{
	while (!stopping_.load()) {
		if (explore_some())
			explore_rest();
		else
			std::this_thread::yield();
	}
}

/* Runs commands. Return: false: another thread wants the token. */
bool Firmware::explore_some()
{
	const std::lock_guard token(token_);
	announce_cpu();
	explorer_->tick(clients_, base::now_ns());
	while (!stopping_.load() && token_wanted_.load() == 0) {
		core_.beat();
		core_.steps++;
		(void)look_around();
		try {
			const Choice *next = explorer_->choose(clients_);
			if (!next)
				return true;
			Runner &runner = *next->runner;
			core_.queue.remove(runner);
			if (runner.advance_one(next->line) != Progress::BLOCKED)
				core_.queue.push(runner);
			runner.settle();
		} catch (const std::bad_alloc &) {
			cut_off(explorer_->running());
		}
	}
	return false;
}

void Firmware::explore_rest()
{
	uint32_t ticket;
	uint64_t deadline_ns = 0;
	{
		const std::lock_guard token(token_);
		core_.beat();
		ticket = wakeup_.prepare();
		explorer_->invite(clients_);
		for (Client *client : watched_)
			client->set_sleeping(true);
		base::heavy_fence(core_.fence); /* D1 */
		look_again();
		if (!housekeeping() && !explorer_->has_news(clients_) && !stopping_.load()) {
			explorer_->rest(clients_);
			deadline_ns = std::min(core_.next_ns(), explorer_->deadline_ns());
		}
		sleeps_until_ns_ = deadline_ns; /* K1 */
	}
	if (deadline_ns != 0)
		wakeup_.wait(ticket, deadline_ns);
	const std::lock_guard token(token_);
	wakeup_.finish();
	wake_up(deadline_ns != 0);
}

} // namespace fw
