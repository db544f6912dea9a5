// SPDX-License-Identifier: MIT
/**
 * DOC: Thread of a device
 *
 * run() is step() in a loop that goes to sleep (D1) when every channel is armed; it owns the step token
 * in bursts, so that attach, detach and a stepping host thread get in. While threads that wait move the
 * device themselves, it dozes: it looks now and then whether something was left lying.
 */
#include "firmware.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/ordering.h"

namespace fw {

static constexpr unsigned BURST_STEPS = 1024;
/* A burst ends after long work on so many bytes. */
static constexpr uint64_t BURST_BYTES = uint64_t{16} << 20;
/* Turns in a row of a runner while no other one has anything. */
static constexpr unsigned LONE_TURNS = 8;
/* Work that was left to callers is looked for after so long, and not any more once nobody came. */
static constexpr uint64_t DOZE_NS = 100000;
/* After a kick: who kicked is about to come, or will not. */
static constexpr uint64_t RESTED_DOZE_NS = 20000;
/* Who wakes the device so soon again on one CPU does better on two. */
static constexpr uint64_t SHARED_SOON_NS = 10 * base::NS_PER_MS;

static void relax(unsigned pauses)
{
	for (; pauses != 0; pauses--)
		base::cpu_relax();
}

/* Turns until there is nothing to do, or somebody else wants the token. */
Firmware::Step Firmware::burst()
{
	Step last = Step::WORKED;
	unsigned turns = 0;
	unsigned empty = 0;
	uint64_t start_ns = base::now_ns();
	const uint64_t bytes = core_.done_bytes;
	while (turns < BURST_STEPS && last != Step::IDLE &&
	       core_.done_bytes - bytes < BURST_BYTES &&
	       !(turns && (token_wanted_.load() || dozes()))) {
		unsigned before = core_.steps;
		last = step_and_beat(LONE_TURNS);
		turns++;
		if (last == Step::WORKED) {
			pace_.worked(core_.steps - before);
			continue;
		}
		empty++;
		if (last != Step::POLLED)
			continue;
		if (gives_way_) [[unlikely]]
			break;
		relax(pace_.found_nothing(core_.queue.size()));
	}
	core_.busy.add(base::now_ns() - start_ns, turns, empty);
	return last;
}

void Firmware::run()
{
	core_.placement.bind_thread();
	while (!stopping_.load()) {
		Step last = Step::WORKED;
		if (dozes()) {
			doze();
			continue;
		}
		{
			std::lock_guard token(token_);
			announce_cpu();
			last = burst();
		}
		if (last == Step::IDLE)
			sleep();
		else if (last == Step::POLLED && std::exchange(gives_way_, false))
			make_room();
		else if (token_wanted_.load())
			std::this_thread::yield();
	}
}

void Firmware::announce_cpu()
{
	if (!cpu_.settle())
		return;
	for (Client *client : watched_)
		client->set_cpu(cpu_.number());
	/* It has gone from there. */
	if (cpu_.number() != base::load_relaxed(kicked_on_))
		gives_way_ = false;
}

bool Firmware::dozes() const
{
	return callers_.load() >= Callers::WHILE_SOON;
}

/* Sleeps without having armed channels: who submits does not kick, and this does not last.
 * @announced: who waits is told, and may run what there is */
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
}

/* Does what lies there, one round of the queue. Return: whether there was anything. */
bool Firmware::sweep()
{
	std::lock_guard token(token_);
	bool found = false;
	for (unsigned left = 2 * core_.queue.size() + 2; left != 0; left--)
		found = step_and_beat() == Step::WORKED || found;
	return found;
}

/* Each channel is armed at its next empty turn; then the device sleeps and is kicked. */
void Firmware::rest()
{
	{
		std::lock_guard token(token_);
		patient_ = false;
		unsigned left = BURST_STEPS;
		while (left != 0 && token_wanted_.load() == 0 && step_and_beat() != Step::IDLE)
			left--;
		patient_ = true;
	}
	sleep();
}

/* From where the last kick came. */
bool Firmware::moved_away()
{
	uint32_t here = cpu_here();
	if (here == base::load_relaxed(kicked_on_))
		cpu_.leave(here - 1);
	std::lock_guard token(token_);
	announce_cpu();
	return cpu_.number() != base::load_relaxed(kicked_on_);
}

/* No CPU is free: each packet that comes now would wake this thread, in the place of who submits. It
 * looks now and then, as long as there is something; who waits has not to wait for that. */
void Firmware::step_aside()
{
	bool found;
	do {
		nap(DOZE_NS, true);
		if (moved_away())
			return;
		for (found = false; !stopping_.load() && sweep();)
			found = true;
	} while (found && !dozes());
	if (!dozes())
		rest();
}

void Firmware::make_room()
{
	if (again_soon_ && callers_.load() != Callers::NOTHING)
		step_aside();
	else
		rest();
}

/* Threads that wait move the device; this one looks now and then whether something was left lying.
 * While they come, what it finds is what one of them has just submitted. */
void Firmware::doze()
{
	nap(rested_ ? RESTED_DOZE_NS : DOZE_NS);
	rested_ = false;
	bool found = sweep();
	uint64_t before = turns_seen_;
	{
		std::lock_guard token(token_);
		turns_seen_ = turns_;
	}
	if (turns_seen_ != before || !dozes())
		return;
	if (!found) {
		rest();
		rested_ = true;
		return;
	}
	Callers some = Callers::WHILE_SOON;
	if (callers_.compare_exchange_strong(some, Callers::WHILE_ASLEEP))
		return;
	while (sweep() && !stopping_.load()) {
	}
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

/* A thread that woke the device may have lost its CPU to it: the device does what there is, and sleeps
 * rather than to poll in the place of that thread, where the next work comes from. */
void Firmware::give_way()
{
	uint32_t here = cpu_here();
	/* One that does not poll sleeps by itself. */
	if (core_.config.idle_polls == 0 || base::load_relaxed(kicked_on_) != here)
		return;
	uint64_t now_ns = base::coarse_ns();
	again_soon_ = now_ns - shared_ns_ < SHARED_SOON_NS;
	if (again_soon_)
		cpu_.leave(here - 1);
	shared_ns_ = now_ns;
	gives_way_ = true;
}

void Firmware::wake_up(bool slept)
{
	if (core_.config.processes && slept) {
		/* They know that they have to kick. */
		watched_.clear();
		note_watched();
		watch_kicked();
		return;
	}
	for (Client *client : watched_)
		client->set_sleeping(false);
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
	base::store_relaxed(kicked_on_, cpu_here());
	wakeup_.kick();
}

} // namespace fw
