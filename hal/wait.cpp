// SPDX-License-Identifier: MIT
/**
 * DOC: Waiting
 *
 * Host half of D2. A wait polls for a bounded time, since a wake costs far more than a short task,
 * and then sleeps in the kernel. The device makes a wake call only for a semaphore whose waiters
 * word is not zero. On a stepped device the waiting thread moves the device itself.
 */
#include <algorithm>

#include <sched.h>

#include "base/clock.h"
#include "base/futex.h"
#include "hal/device.h"

namespace hal {

using base::Status;

static constexpr unsigned POLLS_PER_CLOCK = 32;
/* How long a thread that can't step sleeps before it looks again whether it can. */
static constexpr uint64_t STEP_RETRY_NS = base::NS_PER_MS / 2;
/* How long a thread that waits for its work sleeps before it asks whether the device lives. */
static constexpr uint64_t ALIVE_CHECK_NS = base::NS_PER_S / 2;

static bool reached(Device &device, uint32_t sem, uint64_t value)
{
	if (base::load_acquire(device.completion().semaphores[sem].value) < value) /* A3 */
		return false;
	device.acquire_host_work();
	return true;
}

static bool spin_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
{
	for (;;) {
		for (unsigned i = 0; i < POLLS_PER_CLOCK; i++) {
			if (reached(device, sem, value))
				return true;
			base::cpu_relax();
		}
		if (base::now_ns() >= deadline_ns)
			return false;
	}
}

/* Sleeps until the value moves, the deadline passes or somebody wakes us for nothing. */
static bool sleep_once(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
{
	const uint64_t &word = device.completion().semaphores[sem].value;
	uint64_t seen = base::load_acquire(word);
	if (seen >= value)
		return true;
	const auto *low = reinterpret_cast<const uint32_t *>(&word);
	return base::futex_wait(*low, static_cast<uint32_t>(seen), deadline_ns, true);
}

static Status sleep_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			  uint64_t slice_ns)
{
	uint32_t &waiters = device.client().semaphores[sem].waiters;
	base::fetch_add(waiters, uint32_t{1});
	base::heavy_fence(device.fence()); /* D2 */
	Status status = Status::OK;
	while (!reached(device, sem, value)) {
		if (!device.alive()) {
			status = Status::DEVICE_LOST;
			break;
		}
		uint64_t slice_end = std::min(deadline_ns, base::deadline_after(slice_ns));
		if (sleep_once(device, sem, value, slice_end))
			continue;
		if (slice_end < deadline_ns) {
			/* A device that sleeps for so long may have missed its kick. */
			if (base::load_relaxed(device.completion().status.sleeping) != 0)
				device.kick();
			continue;
		}
		if (!reached(device, sem, value))
			status = Status::TIMEOUT;
		break;
	}
	base::fetch_add(waiters, uint32_t(-1));
	return status;
}

static Status step_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns)
{
	for (;;) {
		do {
			if (reached(device, sem, value))
				return Status::OK;
		} while (device.assist() || device.assist_others());
		if (reached(device, sem, value))
			return Status::OK;
		uint64_t now = base::now_ns();
		if (now >= deadline_ns)
			return Status::TIMEOUT;
		uint64_t retry = std::min(deadline_ns, now + STEP_RETRY_NS);
		if (!device.alive())
			return Status::DEVICE_LOST;
		(void)sleep_until(device, sem, value, retry, STEP_RETRY_NS);
	}
}

/* Spinning on the device's own CPU keeps it from doing what we wait for. */
static bool shares_cpu(Device &device)
{
	uint32_t cpu = base::load_relaxed(device.completion().status.cpu);
	return cpu == static_cast<uint32_t>(sched_getcpu() + 1);
}

static Status wait_until(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns,
			 bool spin)
{
	if (device.stepped())
		return step_until(device, sem, value, deadline_ns);
	if (spin && device.spin_ns() > 0 && !shares_cpu(device)) {
		uint64_t spin_end = base::deadline_after(device.spin_ns());
		if (spin_until(device, sem, value, std::min(spin_end, deadline_ns)))
			return Status::OK;
	}
	if (trace::on())
		trace::put(UNPU_TRACE_WAIT_SLEEP, device.attachment(), 0, sem, value);
	return sleep_until(device, sem, value, deadline_ns, ALIVE_CHECK_NS);
}

Status wait_semaphore(Device &device, uint32_t sem, uint64_t value, uint64_t deadline_ns, bool spin)
{
	if (reached(device, sem, value))
		return Status::OK;
	bool traced = trace::on();
	if (traced)
		trace::put(UNPU_TRACE_WAIT_BEGIN, device.attachment(), 0, sem, value);
	Status status = wait_until(device, sem, value, deadline_ns, spin);
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
