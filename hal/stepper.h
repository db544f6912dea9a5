// SPDX-License-Identifier: MIT
/**
 * DOC: Stepper
 *
 * A device whose firmware is in this process can also be run by the threads that wait for it. The stepper of
 * a device says what such a thread may do. The base class is the stepper of a device in another process: no
 * caller can run it.
 */
#pragma once

#include <cstdint>

namespace hal {

/** class Stepper - runs a device on the calling thread. Context: any thread, no lock held. */
class Stepper {
public:
	virtual ~Stepper() = default;

	/** step() - runs one step of a stepped device.
	 * @deadline_ns: until when the step waits for the end of a user kernel. After that the kernel
	 * continues on its own thread.
	 * Return: false if there was no work, or if another thread has the step token. */
	virtual bool step(uint64_t deadline_ns)
	{
		(void)deadline_ns;
		return false;
	}

	/** step_others() - step() for the other stepped devices of this process: this device may wait for a
	 * signal from one of them. */
	virtual bool step_others(uint64_t deadline_ns)
	{
		(void)deadline_ns;
		return false;
	}

	/** enum class Turn - what run_turn() has done. */
	enum class Turn { WORKED, NOTHING, TAKEN, LEFT };

	/** run_turn() - runs a bounded step of a device that has its own thread.
	 * @many: the caller waits for several tasks
	 * Return: TAKEN if another thread holds the step token or wants it, LEFT if callers must not run the
	 * device. */
	virtual Turn run_turn(bool many = false)
	{
		(void)many;
		return Turn::LEFT;
	}

	/** run_at_once() - runs a device whose thread sleeps, until it has no work, for a bounded number of
	 * steps. Return: true if no kick is needed. */
	virtual bool run_at_once() { return false; }

	/** help() - executes pieces of long work, until semaphore @sem reaches @value, the deadline passes, a job
	 * has ended or no piece is left. A job that has ended is retired, or the device's thread is woken for it.
	 * Return: whether it executed any. */
	virtual bool help(uint32_t sem, uint64_t value, uint64_t deadline_ns)
	{
		(void)sem;
		(void)value;
		(void)deadline_ns;
		return false;
	}

	/** let_callers_run() - true: waiting threads run the device, and the device's own thread sleeps.
	 * false: the device's own thread runs the device again. */
	virtual void let_callers_run(bool) {}

	/** leave_cpu() - asks the device's thread to migrate away from @cpu, where the caller wants to
	 * poll. */
	virtual void leave_cpu(uint32_t) {}
};

} // namespace hal
