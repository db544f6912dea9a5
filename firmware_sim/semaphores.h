// SPDX-License-Identifier: MIT
#pragma once

#include "base/shm.h"
#include "runner.h"
#include "uapi/regs.h"

namespace fw {

/**
 * class Semaphores - one context's semaphores: the authoritative values, who is parked on them, and
 * their lines in the completion segment. Context: under the step token.
 */
class Semaphores {
public:
	/** init() - @device and @host are the firmware's views of the two arrays. */
	base::Status init(unpu_sem_device *device, const unpu_sem_host *host);

	static bool valid(uint32_t sem)
	{
		return sem != UNPU_SEM_NONE && sem < UNPU_MAX_SEMAPHORES;
	}
	/** user_valid() - valid, and not one of those the firmware itself signals. */
	static bool user_valid(uint32_t sem)
	{
		return sem >= UNPU_SEM_FIRST_FREE && sem < UNPU_MAX_SEMAPHORES;
	}

	uint64_t value(uint32_t sem) const { return shadow()[sem].value; }

	/** raise() - value = max(value, @value), published; wakes who waited for it. */
	void raise(uint32_t sem, uint64_t value);

	/** set() - value = @value, published; wakes who waited for it. */
	void set(uint32_t sem, uint64_t value);

	/** signal() - what a packet's signal does; @op is one of enum unpu_signal_op, not NONE. */
	void signal(uint32_t sem, uint8_t op, uint64_t value);

	/** pass() - Return: true when the wait's condition holds; the value is cleared if it says so. */
	bool pass(const unpu_sem_wait &wait);

	/** stamp() - stores the time stamp; the following raise() or set() makes it visible. */
	void stamp(uint32_t sem, uint64_t timestamp_ns);

	/** fail() - records a failure in the semaphore's line; the first one stays. */
	void fail(uint32_t sem, base::Status status, uint64_t cookie, uint64_t address);

	/** clear_status() - forgets the recorded failure. */
	void clear_status(uint32_t sem);

	/** park() - @waiter stands still until the condition of @wait holds; who came first is woken
	 * first. */
	void park(const unpu_sem_wait &wait, Waiter &waiter);

	/** unpark() - takes a waiter out without waking it. */
	void unpark(Waiter &waiter);

	uint64_t wakes() const { return wakes_; }
	uint64_t faults() const { return faults_; }

private:
	struct Shadow {
		uint64_t value;
		Waiter *waiters; /* in order of arrival */
		Waiter *last;
		uint32_t failures;
		uint32_t failed; /* status holds a failure nobody cleared */
	};

	Shadow *shadow() const { return memory_.as<Shadow>(); }
	void publish(uint32_t sem, Shadow &entry);
	void show(uint32_t sem, const Shadow &entry);
	void wake_parked(uint32_t sem, Shadow &entry);
	static bool wake_round(Shadow &entry);
	static void unlink(Shadow &entry, Waiter *before, Waiter &waiter);

	base::Mapping memory_; /* UNPU_MAX_SEMAPHORES shadows, touched on use */
	unpu_sem_device *device_ = nullptr;
	const unpu_sem_host *host_ = nullptr;
	uint64_t wakes_ = 0;  /* wake calls for host threads */
	uint64_t faults_ = 0; /* fail() calls */
};

} // namespace fw
