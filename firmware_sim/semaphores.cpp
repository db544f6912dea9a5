// SPDX-License-Identifier: MIT
/**
 * DOC: Semaphores
 *
 * Device half of uapi/semaphore.h: R3 (results before value) and D2 (value, fence, look for
 * sleepers). A parked channel hangs on its semaphore's list and costs nothing until the value moves.
 */
#include "semaphores.h"

#include "base/futex.h"
#include "base/ordering.h"

namespace fw {

using base::Status;

Status Semaphores::init(unpu_sem_device *device, const unpu_sem_host *host)
{
	auto memory = base::map_private_zeroed(sizeof(Shadow) * UNPU_MAX_SEMAPHORES);
	if (!memory)
		return memory.status();
	memory_ = memory.take();
	device_ = device;
	host_ = host;
	return Status::OK;
}

void Semaphores::publish(uint32_t sem, Shadow &entry)
{
	base::store_release(device_[sem].value, entry.value); /* R3 */
	base::light_fence();				      /* D2 */
	if (base::load_relaxed(host_[sem].waiters) != 0) {
		auto *word = reinterpret_cast<const uint32_t *>(&device_[sem].value);
		base::futex_wake_all(*word, true);
		wakes_++;
	}
	if (entry.waiters)
		wake_parked(entry);
}

void Semaphores::wake_parked(Shadow &entry)
{
	Waiter *list = entry.waiters;
	entry.waiters = nullptr;
	while (list) {
		Waiter *waiter = list;
		list = list->next_waiter;
		if (entry.value >= waiter->wanted) {
			waiter->parked_in = nullptr;
			waiter->woken(Status::OK, 0);
			continue;
		}
		waiter->next_waiter = entry.waiters;
		entry.waiters = waiter;
	}
}

void Semaphores::raise(uint32_t sem, uint64_t value)
{
	Shadow &entry = shadow()[sem];
	if (value > entry.value)
		entry.value = value;
	publish(sem, entry);
}

void Semaphores::set(uint32_t sem, uint64_t value)
{
	Shadow &entry = shadow()[sem];
	entry.value = value;
	publish(sem, entry);
}

void Semaphores::stamp(uint32_t sem, uint64_t timestamp_ns)
{
	base::store_relaxed(device_[sem].timestamp_ns, timestamp_ns);
}

void Semaphores::fail(uint32_t sem, Status status, uint64_t cookie, uint64_t address)
{
	unpu_sem_device &line = device_[sem];
	Shadow &entry = shadow()[sem];
	faults_++;
	base::store_relaxed(line.failures, ++entry.failures);
	if (entry.failed)
		return;
	entry.failed = 1;
	base::store_relaxed(line.fault_cookie, cookie);
	base::store_relaxed(line.fault_address, address);
	base::store_release(line.status, static_cast<uint32_t>(status));
}

void Semaphores::clear_status(uint32_t sem)
{
	shadow()[sem].failed = 0;
	base::store_release(device_[sem].status, uint32_t{0});
}

void Semaphores::park(uint32_t sem, uint64_t wanted, Waiter &waiter)
{
	Shadow &entry = shadow()[sem];
	waiter.parked_in = this;
	waiter.sem = sem;
	waiter.wanted = wanted;
	waiter.next_waiter = entry.waiters;
	entry.waiters = &waiter;
}

void Semaphores::unpark(Waiter &waiter)
{
	if (waiter.parked_in != this)
		return;
	Waiter **link = &shadow()[waiter.sem].waiters;
	while (*link && *link != &waiter)
		link = &(*link)->next_waiter;
	if (*link)
		*link = waiter.next_waiter;
	waiter.parked_in = nullptr;
}

} // namespace fw
