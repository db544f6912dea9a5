// SPDX-License-Identifier: MIT
/**
 * DOC: Interrupted threads
 *
 * A timer signals one thread all the time. The handler does nothing and has no SA_RESTART, so system calls that wait
 * end with EINTR.
 */
#pragma once

#include <atomic>
#include <csignal>
#include <ctime>

#include <gtest/gtest.h>
#include <unistd.h>

namespace test {

/** class Interrupted - while it lives, a signal arrives every 50 us at the thread that made it. */
class Interrupted {
public:
	Interrupted()
	{
		struct sigaction action {};
		action.sa_handler = [](int) { handled_.fetch_add(1); };
		handled_ = 0;
		EXPECT_EQ(sigaction(SIGUSR1, &action, &before_), 0);
		sigevent event{};
		event.sigev_notify = SIGEV_THREAD_ID;
		event.sigev_signo = SIGUSR1;
		event._sigev_un._tid = gettid();
		constexpr itimerspec EACH{{0, 50000}, {0, 50000}};
		EXPECT_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer_), 0);
		EXPECT_EQ(timer_settime(timer_, 0, &EACH, nullptr), 0);
	}
	~Interrupted()
	{
		timer_delete(timer_);
		sigaction(SIGUSR1, &before_, nullptr);
	}
	Interrupted(const Interrupted &) = delete;
	Interrupted &operator=(const Interrupted &) = delete;

	/** times() - how many signals were handled. */
	unsigned times() const { return handled_; }

private:
	static inline std::atomic<unsigned> handled_;
	struct sigaction before_ {};
	timer_t timer_{};
};

} // namespace test
