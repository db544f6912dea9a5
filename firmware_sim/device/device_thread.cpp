// SPDX-License-Identifier: MIT
/**
 * DOC: Thread of a device
 *
 * run() is a state machine; enum Phase has its states, and Documentation/scheduling.rst a figure of them. The
 * thread takes the step token for one burst at a time, so that attach, detach and a stepping host thread can
 * take it in between. It sleeps (D1) when every channel is armed. While waiting host threads move the device
 * themselves, it dozes: it naps, and polls now and then for work that they left behind.
 */
#include "firmware.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <sys/prctl.h>

#include "base/clock.h"
#include "base/os/cpu_offers.h"
#include "base/sync/ordering.h"
#include "firmware_sim/schedule/tuning.h"

namespace fw {

/* The device of this thread, while the thread takes turns. After the turns the thread also moves the other
 * devices that were given to it. */
static thread_local Firmware *mover = nullptr;

/* The device whose thread this is. */
static thread_local const Firmware *own_device = nullptr;

/* Movers knows the devices of this firmware, but not those of another one, nor what threads their programs
 * have. So a polling device thread offers its CPU to all threads: after each look while others take the
 * offer, otherwise after OFFER_LOOKS looks. */
static constexpr unsigned OFFER_LOOKS = 64;

static thread_local constinit base::CpuOffers cpu_offers;
static thread_local unsigned offer_looks = 0;

/* Whether the thread should offer its CPU now. @is_daemon: in a daemon; an embedded device has callers in its
 * own process, which know the CPU of its thread */
static bool is_offer_due(bool is_daemon)
{
	if (!is_daemon || !base::CpuOffers::are_useful())
		return false;
	return cpu_offers.are_taken() || ++offer_looks % OFFER_LOOKS == 0;
}

bool Firmware::is_own_thread() const
{
	return own_device == this;
}

/* Takes turns until no work is left, another thread wants the token, or a limit is reached. */
Firmware::Step Firmware::burst()
{
	Step last = Step::WORKED;
	unsigned turns = 0;
	unsigned empty = 0;
	uint64_t start_ns = base::now_ns();
	const uint64_t bytes = core_.done_bytes;
	mover = core_.config.processes ? this : nullptr;
	bool has_worked = false;
	yields_ = false;
	rests_ = false;
	while (turns < tuning::BURST_STEPS && last != Step::IDLE &&
	       core_.done_bytes - bytes < tuning::BURST_BYTES &&
	       !(turns && (token_wanted_.load() || dozes()))) {
		last = step_and_beat(tuning::LONE_TURNS);
		turns++;
		if (last == Step::WORKED) {
			found_nothing_ = 0;
			vain_looks_ = 0;
			has_worked = true;
			continue;
		}
		empty++;
		if (last == Step::IDLE && expects_more())
			last = Step::POLLED;
		if (last != Step::POLLED)
			continue;
		if (gives_way_) [[unlikely]]
			break;
		/* Pauses once each time that all rings were found empty. */
		if (++found_nothing_ >= core_.queue.size()) {
			found_nothing_ = 0;
			(void)poll_clients();
			if (movers_.has_given() && movers_.move()) {
				has_worked = true;
				continue;
			}
			base::cpu_relax();
			if (movers_.is_crowded() || is_offer_due(core_.config.processes)) {
				yields_ = true;
				break;
			}
		}
	}
	mover = nullptr;
	const uint64_t now_ns = base::now_ns();
	if (has_worked)
		worked_ns_ = now_ns;
	else if (yields_ && (movers_.is_crowded() || cpu_offers.are_taken()))
		rests_ = core_.engines.has_jobs() || now_ns - worked_ns_ > polling_ns();
	core_.busy.add(now_ns - start_ns, turns, empty);
	return last;
}

void Firmware::run()
{
	own_device = this;
	core_.placement.bind_thread();
	/* By default the kernel may end a nap up to 50 microseconds late, to combine it with other timers. A
	 * long sleep has no time limit, so an idle device does not cost more with this setting. If the kernel
	 * refuses it, naps are longer. */
	(void)prctl(PR_SET_TIMERSLACK, 1);
	if (explorer_)
		return explore();
	for (Phase phase = active_phase(); phase != Phase::END;)
		phase = run_phase(phase);
}

/* Runs one phase of the device's thread. Return: the next one. */
Firmware::Phase Firmware::run_phase(Phase phase)
{
	switch (phase) {
	case Phase::BURST:
		return move();
	case Phase::DOZE:
		return doze();
	case Phase::STEP_ASIDE:
		return step_aside();
	case Phase::REST:
		rest();
		return Phase::SLEEP;
	case Phase::SLEEP:
		if (movers_.has_given())
			movers_.part(core_.config.index);
		sleep();
		break;
	case Phase::END:
		break;
	}
	return active_phase();
}

Firmware::Phase Firmware::active_phase()
{
	if (stopping_.load())
		return Phase::END;
	/* Between two movers the thread takes one burst, which finds the work that the first mover has
	 * left. */
	if (is_given_.load()) [[unlikely]] {
		if (!dozes())
			take_back();
	} else if (wanted_by_.load() != Movers::NOBODY) [[unlikely]] {
		give();
	}
	return dozes() ? Phase::DOZE : Phase::BURST;
}

Firmware::Phase Firmware::move()
{
	Step last;
	{
		std::lock_guard token(token_);
		announce_cpu();
		last = burst();
	}
	if (last == Step::IDLE)
		return Phase::SLEEP;
	if (last == Step::POLLED && std::exchange(gives_way_, false)) {
		const bool callers = callers_.load() != Callers::NOTHING;
		return is_again_soon_ && callers ? Phase::STEP_ASIDE : Phase::REST;
	}
	if (rests_)
		return Phase::REST;
	if (yields_)
		cpu_offers.offer(base::now_ns());
	else if (token_wanted_.load() != 0)
		std::this_thread::yield();
	return active_phase();
}

/* The run queue is empty, but a channel waits for another device or process. Return: whether to look for its signal
 * once more before the device sleeps. */
bool Firmware::expects_more()
{
	if (!core_.inbox.expects() || core_.engines.has_jobs())
		return false;
	if (++vain_looks_ < core_.config.idle_polls)
		return true;
	vain_looks_ = 0;
	core_.inbox.end_expecting();
	return false;
}

/* How long a device that yields its CPU polls. It measures time and does not count looks. The time of the
 * threads that get the CPU counts, too, because a thread that sleeps gets the CPU back sooner than one that
 * yields. */
uint64_t Firmware::polling_ns() const
{
	return uint64_t{core_.config.idle_polls} * (base::NS_PER_S / 1000000) /
	       tuning::POLLS_PER_US;
}

/* Takes turns on the thread of another device. While engines work for it, its own thread sleeps and wakes as usual. */
bool Firmware::move_here()
{
	unsigned turns = 0;
	while (turns < tuning::MOVED_TURNS && turn(true) == Turn::WORKED)
		turns++;
	if (turns != 0 && has_long_work_.load()) {
		alone_until_ns_ = base::coarse_ns() + tuning::MOVED_ALONE_NS;
		move_alone();
	}
	return turns != 0;
}

void Firmware::move_alone()
{
	leave_to_callers(Callers::NOTHING);
}

/* Counts a signal. Return: whether many signals have come recently. */
bool Firmware::note_signals()
{
	const uint64_t now_ns = base::coarse_ns();
	if (now_ns < alone_until_ns_.load())
		return false;
	if (now_ns - signals_ns_.load() > tuning::MOVER_SIGNALS_NS) {
		signals_ns_ = now_ns;
		signals_ = 0;
	}
	return ++signals_ >= tuning::MOVER_SIGNALS;
}

/* Lets the thread of another device, which has asked for it, move this device. */
void Firmware::give()
{
	const uint32_t other = wanted_by_.exchange(Movers::NOBODY);
	signals_ = 0;
	movers_.give(core_.config.index, *this, other);
	is_given_ = true;
	callers_ = Callers::WHILE_SOON;
}

void Firmware::take_back()
{
	movers_.end(core_.config.index);
	wanted_by_ = Movers::NOBODY;
	is_given_ = false;
}

/* A kick by the thread of another device. Return: whether that thread moves this device, and so need not wake its
 * thread. */
bool Firmware::is_moved_by_kicker()
{
	base::light_fence(core_.fence); /* K2 */
	if (is_given_.load() && dozes()) {
		movers_.keep(core_.config.index, mover->core_.config.index);
		return true;
	}
	if (!movers_.is_crowded() || explorer_ || !note_signals())
		return false;
	/* The caller holds locks of a group here, so it only leaves a request: the device's own thread gives
	 * the device away. */
	const uint32_t own = core_.config.index;
	const uint32_t other = mover->core_.config.index;
	(own > other ? *this : *mover).wanted_by_ = std::min(own, other);
	return false;
}

void Firmware::announce_cpu()
{
	if (cpu_.wants_to_move()) {
		/* Clients must not find the old CPU meanwhile. */
		for (Client *client : watched_)
			client->set_cpu(0);
		cpu_.move();
		cpu_.settle();
	} else if (!cpu_.settle()) {
		return;
	}
	for (Client *client : watched_)
		client->set_cpu(shown_cpu());
	/* The device's thread no longer runs on the CPU of the last kick, so it may poll again. */
	if (cpu_.number() != base::load_relaxed(kicked_on_))
		gives_way_ = false;
}

bool Firmware::dozes() const
{
	return callers_.load() >= Callers::WHILE_SOON;
}

/* Sleeps for at most @ns without arming the channels: a submitting thread does not ring a doorbell.
 * @announced: mark the clients' status as sleeping, so that a waiting thread may move the device itself */
void Firmware::nap(uint64_t ns, bool announced)
{
	uint32_t ticket;
	uint64_t deadline_ns;
	{
		std::lock_guard token(token_);
		core_.beat();
		ticket = wakeup_.prepare();
		for (Client *client : watched_)
			client->set_sleeping(client->sleeping() || announced);
		base::heavy_fence(core_.fence); /* D1 */
		look_again();
		deadline_ns = std::min(base::deadline_after(ns), core_.next_ns());
		sleeps_until_ns_ = 0;
		if (core_.reaps() || stopping_.load() || !(announced || dozes()))
			deadline_ns = 0;
	}
	if (deadline_ns != 0)
		wakeup_.wait(ticket, deadline_ns);
	std::lock_guard token(token_);
	wakeup_.finish();
	for (Client *client : watched_)
		client->set_sleeping(client->sleeping() && !announced);
	if (core_.config.processes)
		watch_kicked();
}

/* Takes one round of turns over the run queue.
 * Return: whether there was work. */
bool Firmware::sweep()
{
	std::lock_guard token(token_);
	bool found = false;
	for (unsigned left = 2 * core_.queue.size() + 2; left != 0; left--)
		found = step_and_beat() == Step::WORKED || found;
	return found;
}

/* Stops polling: arms each channel at its next empty turn. */
void Firmware::rest()
{
	std::lock_guard token(token_);
	is_patient_ = false;
	unsigned left = tuning::BURST_STEPS;
	while (left != 0 && token_wanted_.load() == 0 && step_and_beat() != Step::IDLE)
		left--;
	is_patient_ = true;
}

/* Leaves the CPU of the last kick.
 * Return: whether the thread now runs on another CPU. */
bool Firmware::moved_away()
{
	uint32_t here = cpu_here();
	if (here == base::load_relaxed(kicked_on_))
		cpu_.leave(here - 1);
	std::lock_guard token(token_);
	announce_cpu();
	return cpu_.number() != base::load_relaxed(kicked_on_);
}

/* No other CPU is free. If the channels were armed now, each packet would wake this thread and preempt
 * the submitting thread. So the device's thread naps and polls as long as it finds work. Waiting
 * threads need not wait for the nap: they may move the device themselves. */
Firmware::Phase Firmware::step_aside()
{
	bool found;
	do {
		nap(tuning::DOZE_NS, true);
		if (moved_away())
			return active_phase();
		for (found = false; !stopping_.load() && sweep();)
			found = true;
	} while (found && !dozes());
	return dozes() ? active_phase() : Phase::REST;
}

/* Waiting host threads move the device; the device's thread polls now and then for work that they left. If
 * they took turns since its last nap, the work that it finds has just been submitted, and it leaves the next
 * work to them. If they took no turns, it sleeps after two naps without work; otherwise it takes the device
 * back (WHILE_SOON becomes WHILE_ASLEEP). A device that another thread moves gets no kicks. So its own thread
 * never sleeps, because that other thread may be busy for long. It takes the device back by itself (K2). */
Firmware::Phase Firmware::doze()
{
	const uint64_t usual_ns = is_given_.load() ? tuning::MOVED_DOZE_NS : tuning::DOZE_NS;
	nap(is_rested_ ? tuning::RESTED_DOZE_NS : usual_ns);
	is_rested_ = false;
	bool found = sweep();
	uint64_t before = turns_seen_;
	{
		std::lock_guard token(token_);
		turns_seen_ = turns_;
	}
	const unsigned empty = std::exchange(empty_naps_, 0) + 1;
	if (turns_seen_ != before || !dozes())
		return active_phase();
	const bool is_given = is_given_.load();
	if (!found) {
		if (empty < tuning::EMPTY_NAPS) {
			empty_naps_ = empty;
			return active_phase();
		}
		is_rested_ = !is_given;
		if (!is_given)
			return Phase::REST;
	}
	Callers some = Callers::WHILE_SOON;
	const Callers less = is_given ? Callers::NOTHING : Callers::WHILE_ASLEEP;
	if (callers_.compare_exchange_strong(some, less))
		return active_phase();
	while (sweep() && !stopping_.load()) {
	}
	return active_phase();
}

void Firmware::sleep()
{
	uint32_t ticket;
	uint64_t deadline_ns;
	{
		std::lock_guard token(token_);
		core_.beat();
		ticket = wakeup_.prepare();
		for (Client *client : watched_)
			client->set_sleeping(true);
		base::heavy_fence(core_.fence); /* D1 */
		look_again();
		bool work = housekeeping() || !core_.queue.empty() || stopping_.load();
		deadline_ns = work ? 0 : core_.next_ns();
		sleeps_until_ns_ = deadline_ns; /* K1 */
		if (core_.trace.on() && deadline_ns != 0)
			core_.trace.put(UNPU_TRACE_SLEEP, 0, 0, 0, 0, 0);
	}
	if (deadline_ns != 0)
		wakeup_.wait(ticket, deadline_ns);
	std::lock_guard token(token_);
	if (core_.trace.on() && deadline_ns != 0)
		core_.trace.put(UNPU_TRACE_AWAKE, 0, 0, 0, 0, 0);
	wakeup_.finish();
	wake_up(deadline_ns != 0);
}

/* The kernel may have put the device's thread on the CPU of the thread that kicked it. Polling there
 * would keep that thread, which produces the next work, off the CPU. So the device does the pending
 * work and then sleeps instead of polling. */
void Firmware::give_way()
{
	uint32_t here = cpu_here();
	/* A device that does not poll sleeps anyway. */
	if (core_.config.idle_polls == 0 || base::load_relaxed(kicked_on_) != here)
		return;
	/* A device that yields while it polls does not disturb the other thread. */
	if (movers_.is_crowded() || cpu_offers.are_taken())
		return;
	uint64_t now_ns = base::coarse_ns();
	is_again_soon_ = now_ns - shared_ns_ < tuning::SHARED_SOON_NS;
	if (is_again_soon_)
		cpu_.leave(here - 1);
	shared_ns_ = now_ns;
	gives_way_ = true;
}

void Firmware::wake_up(bool slept)
{
	if (core_.config.processes && slept) {
		/* These clients still have the sleeping mark set, so they kick. Watch only those that
		 * did. */
		watched_.clear();
		note_watched();
		watch_kicked();
	} else {
		for (Client *client : watched_)
			client->set_sleeping(false);
	}
	if (slept) {
		cpu_.stay();
		give_way();
	}
}

void Firmware::stop()
{
	stopping_.store(true);
	kick();
}

void Firmware::kick()
{
	if (mover && mover != this && is_moved_by_kicker())
		return;
	base::store_relaxed(kicked_on_, cpu_here());
	wakeup_.kick();
}

} // namespace fw
