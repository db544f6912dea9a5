// SPDX-License-Identifier: MIT
/**
 * DOC: How threads wait
 *
 * A waiting thread polls, sleeps, or runs the device itself; Documentation/synchronization.rst has a figure of
 * its states. The policy chooses by the results of the last waits. Threads read and write its words without a
 * lock. The words are hints: a lost update only makes a wait slower.
 */
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/sync/ordering.h"
#include "tuning.h"

namespace hal {

/** enum class CallerRuns - whether waiting threads run a device that has its own thread. */
enum class CallerRuns : uint8_t { OFF, AUTO, ON };

/** enum class WaitWay - how a thread waits for the device. */
enum class WaitWay : uint8_t {
	BRIEF, /* polls for a bounded time, then sleeps */
	SLEEP, /* sleeps at once */
	SPIN,  /* polls until the wait ends */
	/* polls until the wait ends, and offers its CPU to other threads between two polls */
	YIELD,
	/* as SPIN while a CPU is idle, else as SLEEP; as BRIEF if the device string has spin_us */
	POLITE,
};

/** class WaitPolicy - the wait policy of one device. Context: any thread. */
class WaitPolicy {
public:
	/** configure() - @adapts: the user did not set the polling budget, so waits may skip polling. */
	void configure(CallerRuns mode, uint64_t spin_ns, bool adapts)
	{
		mode_ = mode;
		spin_ns_ = spin_ns;
		adapts_ = adapts;
		running_ = mode == CallerRuns::ON;
	}

	CallerRuns mode() const { return mode_; }

	/** adapts() - whether the user did not set how long waits poll, so that the library chooses. */
	bool adapts() const { return adapts_; }

	/** callers_run() - whether a wait begins by running the device. */
	bool callers_run() const { return base::load_relaxed(running_) != 0; }

	uint64_t spin_ns() const { return spin_ns_; }

	/** next_poll_ns() - how long the next wait may poll: spin_ns() or 0. A time shorter than a wake-up would
	 * only waste CPU time: both sides would still sleep. The budget grows with each wait that may not poll. */
	uint64_t next_poll_ns()
	{
		uint32_t budget = base::load_relaxed(budget_);
		if (budget < tuning::POLL_COST) [[unlikely]] {
			base::store_relaxed(budget_, ++budget);
			if (budget < tuning::POLL_COST)
				return 0;
		}
		return spin_ns_;
	}

	/** note_polled() - records a wait for @tasks that ended while polling, after @polls.
	 * Return: true if callers run the device from now on. */
	bool note_polled(uint64_t tasks, unsigned polls)
	{
		store_changed(budget_, tuning::BUDGET_MOST);
		return note_short(tasks <= tuning::FEW_TASKS && polls <= tuning::SHORT_POLLS);
	}

	/** note_slept() - records a wait for @tasks that slept and took @ns in total.
	 * Return: as note_polled(). */
	bool note_slept(uint64_t tasks, uint64_t ns)
	{
		if (adapts_)
			note_polling(ns < spin_ns_);
		return note_short(tasks <= tuning::FEW_TASKS && ns <= tuning::SHORT_SLEEP_NS);
	}

	/** note_run() - records a wait in which the caller ran the device. */
	void note_run()
	{
		uint32_t runs = base::load_relaxed(runs_) + 1;
		base::store_relaxed(runs_, runs);
		if (runs % tuning::STREAK_MOST == 0)
			base::store_relaxed(wanted_, tuning::STREAK);
	}

	/** pause_callers() - lets the device's own thread run again, until the next streak of short waits.
	 * Does nothing in mode ON. Return: whether callers ran the device until now. */
	bool pause_callers()
	{
		if (mode_ == CallerRuns::ON || !callers_run())
			return false;
		base::store_relaxed(running_, uint32_t{0});
		return true;
	}

	/** stop_callers() - pause_callers() after a wait that callers could not finish in time. Doubles the
	 * streak that the next start needs. */
	void stop_callers()
	{
		if (!pause_callers())
			return;
		uint32_t wanted = base::load_relaxed(wanted_) * 2;
		base::store_relaxed(wanted_, std::min(wanted, tuning::STREAK_MOST));
	}

private:
	/* @is_met: whether a wait that polls meets the end of such a wait. */
	void note_polling(bool is_met)
	{
		const uint32_t budget = base::load_relaxed(budget_);
		if (is_met)
			store_changed(budget_, tuning::BUDGET_MOST);
		else if (budget >= tuning::POLL_COST)
			base::store_relaxed(budget_, budget - tuning::POLL_COST);
	}

	bool note_short(bool is_short)
	{
		if (mode_ != CallerRuns::AUTO || callers_run())
			return false;
		uint32_t streak = is_short ? base::load_relaxed(streak_) + 1 : 0;
		bool enough = streak >= base::load_relaxed(wanted_);
		store_changed(streak_, enough ? 0 : streak);
		if (enough)
			base::store_relaxed(running_, uint32_t{1});
		return enough;
	}

	/* Skips a store of the same value: a store would invalidate the cache line of all readers. */
	static void store_changed(uint32_t &word, uint32_t value)
	{
		if (base::load_relaxed(word) != value)
			base::store_relaxed(word, value);
	}

	CallerRuns mode_ = CallerRuns::OFF;
	bool adapts_ = false;
	uint64_t spin_ns_ = 0;
	uint32_t running_ = 0;
	uint32_t streak_ = 0;
	uint32_t wanted_ = tuning::STREAK;
	uint32_t budget_ = tuning::BUDGET_MOST; /* for polls that may be in vain */
	uint32_t runs_ = 0;
};

} // namespace hal
