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
Firmware::BurstEnd Firmware::burst()
{
	Step last = Step::WORKED;
	unsigned turns = 0;
	unsigned empty = 0;
	uint64_t start_ns = base::now_ns();
	const uint64_t bytes = core_.done_bytes;
	mover = core_.config.processes ? this : nullptr;
	bool has_worked = false;
	BurstEnd end = BurstEnd::MORE;
	while (turns < tuning::BURST_STEPS && last != Step::IDLE &&
	       core_.done_bytes - bytes < tuning::BURST_BYTES &&
	       !(turns && (token_wanted_.load() || dozes()))) {
		last = step_and_beat(tuning::LONE_TURNS);
		turns++;
		if (last == Step::WORKED) {
			looks_.note_work();
			has_worked = true;
			continue;
		}
		empty++;
		if (last == Step::IDLE && expects_more())
			last = Step::POLLED;
		if (last != Step::POLLED)
			continue;
		if (cpu_.gives_way()) [[unlikely]] {
			end = BurstEnd::GIVES_WAY;
			break;
		}
		/* Pauses once each time that all rings were found empty. */
		if (looks_.note_empty(core_.queue.size())) {
			(void)poll_clients();
			if (movers_.has_given() && movers_.move()) {
				has_worked = true;
				continue;
			}
			base::cpu_relax();
			if (movers_.is_crowded() || is_offer_due(core_.config.processes)) {
				end = BurstEnd::YIELDS;
				break;
			}
		}
	}
	mover = nullptr;
	const uint64_t now_ns = base::now_ns();
	looks_.note_burst(has_worked, now_ns);
	if (last == Step::IDLE)
		end = BurstEnd::IDLE;
	else if (!has_worked && end == BurstEnd::YIELDS &&
		 (movers_.is_crowded() || cpu_offers.are_taken()) &&
		 (core_.engines.has_jobs() || looks_.is_over(now_ns)))
		end = BurstEnd::RESTS;
	core_.busy.add(now_ns - start_ns, turns, empty);
	return end;
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
	if (handover_.is_given()) [[unlikely]] {
		if (!dozes())
			handover_.take_back();
	} else if (handover_.is_wanted()) [[unlikely]] {
		give();
	}
	return dozes() ? Phase::DOZE : Phase::BURST;
}

Firmware::Phase Firmware::move()
{
	BurstEnd end;
	{
		std::lock_guard token(token_);
		announce_cpu();
		end = burst();
	}
	switch (end) {
	case BurstEnd::IDLE:
		return Phase::SLEEP;
	case BurstEnd::GIVES_WAY:
		return cpu_.take_way() == Way::SLEEPS_AGAIN && callers_.load() != Callers::NOTHING
			       ? Phase::STEP_ASIDE
			       : Phase::REST;
	case BurstEnd::RESTS:
		return Phase::REST;
	case BurstEnd::YIELDS:
		cpu_offers.offer(base::now_ns());
		break;
	case BurstEnd::MORE:
		if (token_wanted_.load() != 0)
			std::this_thread::yield();
	}
	return active_phase();
}

/* The run queue is empty, but a channel waits for another device or process. Return: whether to look for its signal
 * once more before the device sleeps. */
bool Firmware::expects_more()
{
	if (!core_.inbox.expects() || core_.engines.has_jobs())
		return false;
	if (looks_.is_worth_another())
		return true;
	core_.inbox.end_expecting();
	return false;
}

/* Takes turns on the thread of another device. While engines work for it, its own thread sleeps and wakes as usual. */
bool Firmware::move_here()
{
	unsigned turns = 0;
	while (turns < tuning::MOVED_TURNS && turn(true) == Turn::WORKED)
		turns++;
	if (turns != 0 && handover_.must_be_alone())
		move_alone();
	return turns != 0;
}

void Firmware::move_alone()
{
	leave_to_callers(Callers::NOTHING);
}

/* Lets the thread of another device, which has asked for it, move this device. */
void Firmware::give()
{
	handover_.give();
	callers_ = Callers::WHILE_SOON;
}

/* A kick by the thread of another device. Return: whether that thread moves this device, and so need not wake its
 * thread. */
bool Firmware::is_moved_by_kicker()
{
	base::light_fence(core_.fence); /* K2 */
	if (handover_.is_given() && dozes()) {
		movers_.keep(core_.config.index, mover->core_.config.index);
		return true;
	}
	if (!movers_.is_crowded() || explorer_ || !handover_.note_signal())
		return false;
	/* The caller holds locks of a group here, so it only leaves a request: the device's own thread gives
	 * the device away. */
	const uint32_t own = core_.config.index;
	const uint32_t other = mover->core_.config.index;
	(own > other ? *this : *mover).handover_.want(std::min(own, other));
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
	unsigned left = tuning::BURST_STEPS;
	while (left != 0 && token_wanted_.load() == 0 && step_and_beat(1, false) != Step::IDLE)
		left--;
}

/* Leaves the CPU of the last kick.
 * Return: whether the thread now runs on another CPU. */
bool Firmware::moved_away()
{
	const uint32_t here = cpu_here();
	if (cpu_.is_kicked_on(here))
		cpu_.leave(here - 1);
	std::lock_guard token(token_);
	announce_cpu();
	return !cpu_.is_kicked_on(cpu_.number());
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
	const bool is_given = handover_.is_given();
	nap(naps_.next_ns(is_given));
	const bool found = sweep();
	bool has_callers;
	{
		std::lock_guard token(token_);
		has_callers = naps_.note_turns(turns_);
	}
	if (has_callers || found || !dozes())
		naps_.note_use();
	if (has_callers || !dozes())
		return active_phase();
	if (!found) {
		if (!naps_.note_empty())
			return active_phase();
		if (!is_given) {
			naps_.note_rest();
			return Phase::REST;
		}
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
		/* A device that does not poll sleeps anyway, and one that yields while it polls does not disturb the
		 * thread that kicked. */
		if (core_.config.idle_polls != 0 && !movers_.is_crowded() &&
		    !cpu_offers.are_taken())
			cpu_.give_way();
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
	cpu_.note_kick(cpu_here());
	wakeup_.kick();
}

} // namespace fw
