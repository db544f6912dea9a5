// SPDX-License-Identifier: MIT
/**
 * DOC: Waiting
 *
 * Host half of D2. A waiting thread first polls for a bounded time, because a wake-up costs far more than a
 * short task. Then it sleeps on a futex. The device makes a wake call only for a semaphore whose sleepers
 * word is not zero. On a stepped device the waiting thread executes the device's work itself. A program may
 * ask for waits that never sleep: such a wait polls until it ends, and runs the device meanwhile.
 */
#include <algorithm>

#include <sched.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/hot_path.h"
#include "base/os/cpu_offers.h"
#include "base/sync/sleeper.h"
#include "device.h"
#include "tuning.h"

namespace hal {

using base::Status;

/* class Pulse - checks the device's heartbeat while a thread waits. A sleeping device is kicked and then
 * beats again. Only the time in which the thread has checked counts as silence: a thread that was stopped, or
 * got no CPU, has not kicked the device. */
class Pulse {
public:
	explicit Pulse(Device &device) : device_(device) {}

	bool beats()
	{
		const uint64_t beat = base::load_relaxed(device_.bar().heartbeat);
		const uint64_t now = base::now_ns();
		const uint64_t since_look_ns =
			std::min(now - looked_ns_, 2 * tuning::ALIVE_CHECK_NS);
		looked_ns_ = now;
		/* A heartbeat of 0: the firmware does not implement it. */
		if (is_first_ || beat != beat_ || beat == 0) {
			is_first_ = false;
			beat_ = beat;
			silent_ns_ = 0;
			is_kicked_ = false;
			return true;
		}
		silent_ns_ += since_look_ns;
		/* A device that sleeps has no heartbeat until a thread kicks it: its silence before proves nothing. */
		if (is_kicked_ && silent_ns_ > device_.patience_ns())
			return false;
		if (silent_ns_ >= std::min(tuning::QUIET_NS, device_.patience_ns() / 2)) {
			device_.kick();
			is_kicked_ = true;
		}
		return true;
	}

private:
	Device &device_;
	bool is_first_ = true;
	uint64_t beat_ = 0;
	uint64_t looked_ns_ = 0;
	uint64_t silent_ns_ = 0; /* how long the thread has checked since the last beat */
	/* whether an earlier check has kicked the device since the last beat */
	bool is_kicked_ = false;
};

/* class StuckWaitProbe - tells the device's listener of a wait without a deadline that makes no progress. It reads no
 * clock before its first look, and a wait looks only when it has slept. */
class StuckWaitProbe {
public:
	StuckWaitProbe(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
		: device_(device), wait_{sem, value, 0, {}},
		  is_wanted_(deadline_ns == base::NO_DEADLINE && device.wait_listener())
	{
	}

	/* Call it after each sleep. */
	void look()
	{
		if (!is_wanted_)
			return;
		const uint64_t now = base::now_ns();
		if (now - looked_ns_ < tuning::ALIVE_CHECK_NS / 2)
			return;
		const uint64_t reached =
			base::load_relaxed(device_.completion().semaphores[wait_.sem].value);
		const bool is_first = wait_.since_ns == 0;
		looked_ns_ = now;
		if (is_first || reached != reached_)
			wait_ = {wait_.sem, wait_.value, now, {}};
		else
			device_.wait_listener()->look(wait_);
		reached_ = reached;
	}

private:
	Device &device_;
	StuckWait wait_;
	uint64_t looked_ns_ = 0;
	uint64_t reached_ = 0;
	const bool is_wanted_;
};

static bool reached(Device &device, uint32_t sem, uint64_t value)
{
	if (base::load_acquire(device.completion().semaphores[sem].value) < value) /* A3 */
		return false;
	Device::acquire_host_work();
	return true;
}

/* @some: the maximum number of polls. @polls: incremented once per poll */
static bool spin_some(Device &device, uint32_t sem, uint64_t value, unsigned some, unsigned &polls)
{
	for (unsigned i = 0; i < some; i++, polls++) {
		if (reached(device, sem, value))
			return true;
		base::cpu_relax();
	}
	return false;
}

/* Whether a thread that polls offers its CPU to others between polls. The CPUs may be too few for the threads of
 * several programs and of their devices, and a program can't move a device of another process itself. */
static bool yields(Device &device)
{
	return base::CpuOffers::are_useful() && device.waits().mode() == CallerRuns::OFF;
}

/* The number of polls between two offers while other threads accept them. More polls would only delay the
 * switch. */
static constexpr unsigned SHARED_POLLS = 4;

static thread_local constinit base::CpuOffers offers;

/* Polls for @spin_ns, and executes pieces of long work. Otherwise it would only poll, on a CPU that an engine could
 * use. After it has helped, it polls for tuning::HELPED_SPIN_NS: the other threads then execute the last pieces.
 * @polls: number of polls */
static bool spin_until(Device &device, uint32_t sem, uint64_t value, uint64_t spin_ns,
		       uint64_t deadline_ns, unsigned &polls)
{
	polls = 0;
	const bool may_yield = yields(device);
	uint64_t end_ns = base::deadline_after(spin_ns);
	for (;;) {
		const bool is_shared = may_yield && offers.are_taken();
		const unsigned some = is_shared ? SHARED_POLLS : tuning::POLLS_PER_CLOCK;
		if (spin_some(device, sem, value, some, polls))
			return true;
		if (device.stepper().help(sem, value, deadline_ns))
			end_ns = base::deadline_after(tuning::HELPED_SPIN_NS);
		const uint64_t now_ns = base::now_ns();
		if (now_ns >= std::min(end_ns, deadline_ns))
			return false;
		if (may_yield)
			offers.offer(now_ns);
	}
}

static Status sleep_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			  uint64_t slice_ns)
{
	const uint64_t &word = device.completion().semaphores[sem].value;
	base::Sleeper sleeper(device.client().semaphores[sem].sleepers, value);
	/* The device stores the value, then reads the sleepers. */
	base::heavy_fence(device.fence()); /* D2 */
	if (device.scheduled() && base::load_relaxed(device.completion().status.sleeping) != 0)
		device.kick();
	Status status = Status::OK;
	Pulse pulse(device);
	StuckWaitProbe stuck(device, sem, value, deadline_ns);
	while (!reached(device, sem, value)) {
		if (slice_ns == tuning::ALIVE_CHECK_NS && !pulse.beats())
			device.give_up();
		if (!device.alive()) {
			status = Status::DEVICE_LOST;
			break;
		}
		uint64_t slice_end = std::min(deadline_ns, base::deadline_after(slice_ns));
		if (base::sleep_below(word, value, slice_end))
			continue;
		if (slice_end < deadline_ns) {
			/* The device sleeps although work is open: it may have missed a kick. */
			if (base::load_relaxed(device.completion().status.sleeping) != 0)
				device.kick();
			stuck.look();
			continue;
		}
		if (!reached(device, sem, value))
			status = Status::TIMEOUT;
		break;
	}
	return status;
}

/* Whether the deadline has passed, by the coarse clock. A wait may run many turns and checks between them. */
static bool is_over(uint64_t deadline_ns)
{
	return deadline_ns != base::NO_DEADLINE && base::coarse_ns() >= deadline_ns;
}

static Status step_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
{
	StuckWaitProbe stuck(device, sem, value, deadline_ns);
	for (;;) {
		do {
			if (reached(device, sem, value))
				return Status::OK;
		} while ((device.stepper().step(deadline_ns) ||
			  device.stepper().step_others(deadline_ns)) &&
			 !is_over(deadline_ns));
		if (reached(device, sem, value))
			return Status::OK;
		uint64_t now = base::now_ns();
		if (now >= deadline_ns)
			return Status::TIMEOUT;
		uint64_t retry = std::min(deadline_ns, now + tuning::STEP_RETRY_NS);
		if (!device.alive())
			return Status::DEVICE_LOST;
		(void)sleep_until(device, sem, value, retry, tuning::STEP_RETRY_NS);
		stuck.look();
	}
}

/* Whether the caller runs on the CPU of the device's thread: polling there would delay the device. */
static bool shares_cpu(Device &device)
{
	uint32_t cpu = base::load_relaxed(device.completion().status.cpu);
	return cpu == static_cast<uint32_t>(sched_getcpu() + 1);
}

/* The number of open tasks that the caller waits for: a timeline's value counts its tasks. */
static uint64_t open_tasks(Device &device, uint32_t sem, uint64_t value)
{
	uint64_t now = base::load_relaxed(device.completion().semaphores[sem].value);
	return value > now ? value - now : 0;
}

/* struct Patience - how long a thread that runs the device polls after a turn without work. */
struct Patience {
	uint64_t idle_ns;  /* how long to poll while an engine or a host function works */
	uint64_t taken_ns; /* how long to poll while another caller holds the step token */
};

/* Runs turns of a device whose own thread does not run them now. Return: whether the value is reached. */
HOT_PATH static bool run_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			       const Patience &patience, bool many = false)
{
	uint64_t end_ns = 0;
	unsigned polls = 0;
	for (unsigned turns = 1;; turns++) {
		if (reached(device, sem, value))
			return true;
		Stepper::Turn turn = device.stepper().run_turn(many);
		if (turn == Stepper::Turn::LEFT)
			return false;
		if (turn == Stepper::Turn::WORKED) {
			/* Most waits end with the first turn, so the clock is read only from the second turn
			 * on. */
			if (turns > 1 && is_over(deadline_ns))
				return reached(device, sem, value);
			if (turns % tuning::TURNS_PER_CLOCK != 0) {
				end_ns = 0;
				continue;
			}
		}
		if (device.stepper().help(sem, value, deadline_ns)) {
			end_ns = base::deadline_after(tuning::HELPED_SPIN_NS);
			continue;
		}
		/* No progress: another caller holds the step token, or an engine works. Poll for a short
		 * time. */
		if (end_ns == 0)
			end_ns = base::deadline_after(turn == Stepper::Turn::TAKEN
							      ? patience.taken_ns
							      : patience.idle_ns);
		if (spin_some(device, sem, value, tuning::POLLS_PER_CLOCK, polls))
			return true;
		if (base::now_ns() >= std::min(end_ns, deadline_ns))
			return false;
	}
}

/* Waits while callers run the device. Return: whether the value is reached; if not, the device's own thread
 * runs the device again. */
HOT_PATH static bool wait_running(Device &device, uint32_t sem, uint64_t value,
				  uint64_t deadline_ns, bool spin)
{
	WaitPolicy &waits = device.waits();
	if (waits.mode() == CallerRuns::AUTO &&
	    open_tasks(device, sem, value) > tuning::MANY_TASKS) {
		waits.pause_callers();
		device.stepper().let_callers_run(false);
		return false;
	}
	const uint64_t spin_ns = spin ? waits.spin_ns() : 0;
	if (run_until(device, sem, value, deadline_ns, {spin_ns, spin_ns})) {
		waits.note_run();
		return true;
	}
	waits.stop_callers();
	device.stepper().let_callers_run(false);
	return false;
}

/* Runs turns while the device's thread sleeps: to wake it takes longer than a short task. A device thread
 * that sleeps so that the caller can run the device stays asleep until the caller has finished.
 * Return: whether the value is reached. */
static bool wait_asleep(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			bool spin)
{
	WaitPolicy &waits = device.waits();
	if (waits.mode() != CallerRuns::AUTO ||
	    base::load_relaxed(device.completion().status.sleeping) == 0)
		return false;
	uint64_t tasks = open_tasks(device, sem, value);
	bool many = tasks > tuning::FEW_TASKS;
	if (!run_until(device, sem, value, deadline_ns, {0, spin ? waits.spin_ns() : 0}, many))
		return false;
	if (waits.note_polled(tasks, 0))
		device.stepper().let_callers_run(true);
	return true;
}

static bool wait_polling(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
{
	WaitPolicy &waits = device.waits();
	const uint64_t poll_ns = waits.next_poll_ns();
	if (poll_ns == 0)
		return false;
	/* A sleeping device thread does not matter: the scheduler wakes it on an idle CPU. A thread that offers its CPU
	 * lets the device have it. */
	bool asleep = base::load_relaxed(device.completion().status.sleeping) != 0;
	if (!asleep && !yields(device) && shares_cpu(device)) {
		device.stepper().leave_cpu(static_cast<uint32_t>(sched_getcpu()));
		return false;
	}
	unsigned polls;
	uint64_t tasks = open_tasks(device, sem, value);
	if (!spin_until(device, sem, value, poll_ns, deadline_ns, polls))
		return false;
	if (waits.note_polled(tasks, polls))
		device.stepper().let_callers_run(true);
	return true;
}

/* class Crowd - whether other threads want the CPU of a thread that polls. The kernel takes a CPU from a thread that
 * does not sleep only if another thread wants it and no other CPU is idle. */
class Crowd {
public:
	/* Whether the kernel has taken the CPU from this thread since the first call. */
	bool is_here(uint64_t now_ns)
	{
		if (now_ns < look_ns_)
			return false;
		rusage used{};
		getrusage(RUSAGE_THREAD, &used);
		if (look_ns_ == 0)
			taken_ = used.ru_nivcsw;
		look_ns_ = now_ns + tuning::POLITE_LOOK_NS;
		return used.ru_nivcsw != taken_;
	}

	/* Makes the next waits of the process go to sleep without this check. Each of them would poll for a
	 * while only to find the same crowd. */
	static void note() { base::store_relaxed(left_, NEXT_WAITS); }

	/* Whether a wait has found a crowd lately. */
	static bool was_here()
	{
		const uint32_t left = base::load_relaxed(left_);
		if (left > 0)
			base::store_relaxed(left_, left - 1);
		return left > 0;
	}

private:
	static constexpr uint32_t NEXT_WAITS = 16;

	static inline uint32_t left_ = 0; /* how many of the next waits skip the check */
	/* how often the kernel had taken the CPU from the thread at the first call */
	long taken_ = 0;
	uint64_t look_ns_ = 0;
};

/* Runs a turn of the device if its own thread sleeps. */
static void run_asleep(Device &device)
{
	if (device.waits().mode() == CallerRuns::AUTO &&
	    base::load_relaxed(device.completion().status.sleeping) != 0)
		(void)device.stepper().run_turn();
}

/* Return: in addition, NOT_READY if the thread should sleep from now on. */
static Status poll_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			 WaitWay way)
{
	Crowd crowd;
	Pulse pulse(device);
	StuckWaitProbe stuck(device, sem, value, deadline_ns);
	unsigned polls = 0;
	for (uint64_t look_ns = base::deadline_after(tuning::ALIVE_CHECK_NS);;) {
		if (spin_some(device, sem, value, tuning::POLLS_PER_CLOCK, polls))
			return Status::OK;
		run_asleep(device);
		(void)device.stepper().help(sem, value, deadline_ns);
		const uint64_t now = base::now_ns();
		if (now >= deadline_ns)
			return reached(device, sem, value) ? Status::OK : Status::TIMEOUT;
		if (now >= look_ns) {
			look_ns = now + tuning::ALIVE_CHECK_NS;
			if (!pulse.beats())
				device.give_up();
			if (!device.alive())
				return Status::DEVICE_LOST;
			if (base::load_relaxed(device.completion().status.sleeping) != 0)
				device.kick();
			stuck.look();
		}
		if (way == WaitWay::POLITE && crowd.is_here(now)) {
			Crowd::note();
			return Status::NOT_READY;
		}
		if (way == WaitWay::YIELD || shares_cpu(device))
			sched_yield();
	}
}

/* Whether the wait goes on polling after the time at which other waits go to sleep. On a device that runs a
 * plan, all waits sleep. */
static bool polls_on(Device &device, WaitWay way)
{
	if (device.scheduled())
		return false;
	return way == WaitWay::SPIN || way == WaitWay::YIELD ||
	       (way == WaitWay::POLITE && device.waits().adapts() && !Crowd::was_here());
}

/* Return: as poll_until(). */
static Status wait_awake(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			 WaitWay way)
{
	const Status status = poll_until(device, sem, value, deadline_ns, way);
	if (status != Status::NOT_READY && device.waits().mode() == CallerRuns::ON)
		device.stepper().let_callers_run(true);
	return status;
}

HOT_PATH static Status wait_until(Device &device, uint32_t sem, uint64_t value,
				  uint64_t deadline_ns, WaitWay way)
{
	if (device.stepped())
		return step_until(device, sem, value, deadline_ns);
	const bool spin = way != WaitWay::SLEEP;
	WaitPolicy &waits = device.waits();
	if (waits.callers_run() && wait_running(device, sem, value, deadline_ns, spin))
		return Status::OK;
	if (wait_asleep(device, sem, value, deadline_ns, spin))
		return Status::OK;
	if (spin && wait_polling(device, sem, value, deadline_ns))
		return Status::OK;
	Status status = Status::NOT_READY;
	if (polls_on(device, way)) [[unlikely]]
		status = wait_awake(device, sem, value, deadline_ns, way);
	if (status != Status::NOT_READY)
		return status;
	uint64_t tasks = open_tasks(device, sem, value);
	uint64_t start_ns = base::now_ns();
	if (trace::on())
		trace::put(UNPU_TRACE_WAIT_SLEEP, device.attachment(), 0, sem, value);
	/* The device's thread may sleep to let callers run the device. This caller sleeps now, so kick it. */
	if (waits.mode() == CallerRuns::AUTO &&
	    base::load_relaxed(device.completion().status.sleeping) != 0)
		device.kick();
	status = sleep_until(device, sem, value, deadline_ns, tuning::ALIVE_CHECK_NS);
	if (waits.note_slept(tasks, base::now_ns() - start_ns) || waits.mode() == CallerRuns::ON)
		device.stepper().let_callers_run(true);
	return status;
}

HOT_PATH Status wait_semaphore(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			       WaitWay way)
{
	if (reached(device, sem, value))
		return Status::OK;
	bool traced = trace::on();
	if (traced)
		trace::put(UNPU_TRACE_WAIT_BEGIN, device.attachment(), 0, sem, value);
	Status status = wait_until(device, sem, value, deadline_ns, way);
	device.waited();
	if (traced)
		trace::put(UNPU_TRACE_WAIT_END, device.attachment(), static_cast<uint64_t>(status),
			   sem, value);
	return status;
}

Status wait_passively(Device &device, uint32_t sem, uint64_t value)
{
	return sleep_until(device, sem, value, base::NO_DEADLINE, base::NO_DEADLINE);
}

} // namespace hal
