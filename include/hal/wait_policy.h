// SPDX-License-Identifier: MIT
/**
 * DOC: How threads wait
 *
 * A wait polls, sleeps, or moves the device itself; what the last ones came to decides which. The
 * words are hints that threads read and write without a lock: a lost update makes a wait slower.
 */
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/ordering.h"

namespace hal {

/** enum class CallerRuns - whether threads that wait move a device that has a thread of its own. */
enum class CallerRuns : uint8_t { OFF, AUTO, ON };

/** class WaitPolicy - of one device. Context: any thread. */
class WaitPolicy {
public:
	/* Waits for so few tasks, which ended within so many polls or so short a sleep, are better done by
	 * the caller. */
	static constexpr uint64_t FEW_TASKS = 4;
	static constexpr unsigned SHORT_POLLS = 256;
	static constexpr uint64_t SHORT_SLEEP_NS = 50000;
	/* A batch: the device's thread is wanted. */
	static constexpr uint64_t MANY_TASKS = 32;
	/* Short waits in a row before callers run, at first and at most. */
	static constexpr uint32_t STREAK = 16;
	static constexpr uint32_t STREAK_MOST = 4096;
	/* Waits in a row that polled in vain before polling is left out, and how often it is tried. */
	static constexpr uint32_t VAIN = 4;
	static constexpr uint32_t TRIED_EACH = 16;

	/** configure() - @adapts: the budget is nobody's wish and may be left out. */
	void configure(CallerRuns mode, uint64_t spin_ns, bool adapts)
	{
		mode_ = mode;
		spin_ns_ = spin_ns;
		adapts_ = adapts;
		running_ = mode == CallerRuns::ON;
	}

	CallerRuns mode() const { return mode_; }

	/** callers_run() - whether a wait begins by moving the device. */
	bool callers_run() const { return base::load_relaxed(running_) != 0; }

	uint64_t spin_ns() const { return spin_ns_; }

	/** budget_ns() - how long the next wait may poll: all of it or nothing, since a budget shorter
	 * than a wake keeps both sides asleep. */
	uint64_t budget_ns()
	{
		uint32_t vain = base::load_relaxed(vain_);
		if (vain < VAIN) [[likely]]
			return spin_ns_;
		base::store_relaxed(vain_, vain + 1);
		return (vain - VAIN) % TRIED_EACH == TRIED_EACH - 1 ? spin_ns_ : 0;
	}

	/** note_polled() - a wait for @tasks ended while it polled, after @polls.
	 * Return: whether callers are to run from now on. */
	bool note_polled(uint64_t tasks, unsigned polls)
	{
		store_changed(vain_, 0);
		return note_short(tasks <= FEW_TASKS && polls <= SHORT_POLLS);
	}

	/** note_slept() - a wait for @tasks slept and took @ns from its beginning.
	 * Return: as note_polled(). */
	bool note_slept(uint64_t tasks, uint64_t ns)
	{
		uint32_t vain = base::load_relaxed(vain_);
		if (adapts_ && ns < spin_ns_)
			store_changed(vain_, 0);
		else if (adapts_ && vain < VAIN)
			base::store_relaxed(vain_, vain + 1);
		return note_short(tasks <= FEW_TASKS && ns <= SHORT_SLEEP_NS);
	}

	/** note_run() - a caller ran what it waited for by itself. */
	void note_run()
	{
		uint32_t runs = base::load_relaxed(runs_) + 1;
		base::store_relaxed(runs_, runs);
		if (runs % STREAK_MOST == 0)
			base::store_relaxed(wanted_, STREAK);
	}

	/** pause_callers() - the device's thread does better for a while: callers run after another row
	 * of short waits. Does nothing where callers always run. Return: whether they ran. */
	bool pause_callers()
	{
		if (mode_ == CallerRuns::ON || !callers_run())
			return false;
		base::store_relaxed(running_, uint32_t{0});
		return true;
	}

	/** stop_callers() - what callers were to run was late: the next time takes twice as many short
	 * waits. */
	void stop_callers()
	{
		if (!pause_callers())
			return;
		uint32_t wanted = base::load_relaxed(wanted_) * 2;
		base::store_relaxed(wanted_, std::min(wanted, STREAK_MOST));
	}

private:
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

	/* A line that is not written stays with all who read it. */
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
	uint32_t wanted_ = STREAK;
	uint32_t vain_ = 0;
	uint32_t runs_ = 0;
};

} // namespace hal
