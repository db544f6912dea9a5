// SPDX-License-Identifier: MIT
/**
 * DOC: Semaphores
 *
 * Device half of uapi/semaphore.h: R3 (results before value) and D2 (store the value, fence, then read
 * the host's count of sleepers). A parked channel is linked into its semaphore's list and costs nothing
 * until the value changes.
 */
#include "semaphores.h"

#include <algorithm>
#include <climits>

#include "base/assert.h"
#include "base/hot_path.h"
#include "base/sync/sleeper.h"

namespace fw {

using base::Status;

/* The wait_op of a waiter that no value wakes: see fail_waiters(). */
static constexpr uint8_t WAIT_NEVER = UINT8_MAX;

/* A wake call costs as much as this many looks at a waiter. */
static constexpr size_t WAKE_LOOKS = 16;

static bool fulfilled(uint32_t op, uint64_t value, uint64_t wanted)
{
	switch (op) {
	case WAIT_NEVER:
		return false;
	case UNPU_WAIT_LT:
		return value < wanted;
	case UNPU_WAIT_EQ:
		return value == wanted;
	case UNPU_WAIT_GT:
		return value > wanted;
	case UNPU_WAIT_MASK:
		return (value & wanted) == wanted;
	default:
		return value >= wanted;
	}
}

Status Semaphores::init(unpu_sem_device *device, const unpu_sem_host *host, base::FenceScope fence)
{
	memory_ = TRY(base::map_private_zeroed(sizeof(Shadow) * users_.end()));
	device_ = device;
	host_ = host;
	fence_ = fence;
	return Status::OK;
}

HOT_PATH void Semaphores::show(uint32_t sem, const Shadow &entry)
{
	if (trace_.trace->on()) [[unlikely]]
		trace_.put(UNPU_TRACE_SIGNAL, sem, entry.value);
	if (base::publish_value(device_[sem], host_[sem], entry.value, fence_)) {
		base::wake_sleepers(device_[sem]);
		inbox_.count_looks(WAKE_LOOKS);
		wakes_++;
		if (trace_.trace->on())
			trace_.put(UNPU_TRACE_WAKE_CALL, sem, entry.value);
	}
}

HOT_PATH void Semaphores::publish(uint32_t sem, Shadow &entry, bool raised)
{
	show(sem, entry);
	/* One branch tests both: most semaphores have neither waiters nor a group. */
	if (reinterpret_cast<uintptr_t>(entry.waiters) | entry.share)
		propagate(sem, entry, raised);
}

void Semaphores::propagate(uint32_t sem, Shadow &entry, bool raised)
{
	if (entry.share) {
		const Share &own = share(entry);
		own.group->propagate(*this, own.member, own.lane, entry.value, raised);
	}
	if (entry.waiters)
		wake_parked(sem, entry);
}

void Semaphores::unlink(Shadow &entry, Waiter &waiter)
{
	unpu_assert(entry.parked != 0 && waiter.parked_in);
	Waiter *before = waiter.previous_waiter;
	Waiter *after = waiter.next_waiter;
	(before ? before->next_waiter : entry.waiters) = after;
	(after ? after->previous_waiter : entry.last) = before;
	waiter.parked_in = nullptr;
	entry.parked--;
}

/* Return: true when a waiter cleared the value, so the other waiters must be checked again. */
bool Semaphores::wake_round(Shadow &entry)
{
	for (Waiter *waiter = entry.waiters; waiter;) {
		Waiter *next = waiter->next_waiter;
		if (!fulfilled(waiter->wait_op, entry.value, waiter->wanted)) {
			waiter = next;
			continue;
		}
		unlink(entry, *waiter);
		bool clears = waiter->clears && entry.value != 0;
		if (clears)
			entry.value = 0;
		waiter->woken(Status::OK, 0, 0);
		if (clears)
			return true;
		waiter = next;
	}
	return false;
}

void Semaphores::wake_parked(uint32_t sem, Shadow &entry)
{
	/* One round checks each waiter once. */
	do
		inbox_.count_looks(entry.parked);
	while (wake_round(entry) && (show(sem, entry), true));
}

void Semaphores::raise(uint32_t sem, uint64_t value)
{
	Shadow &entry = shadow()[sem];
	if (value > entry.value)
		entry.value = value;
	publish(sem, entry, true);
}

void Semaphores::set(uint32_t sem, uint64_t value)
{
	Shadow &entry = shadow()[sem];
	entry.value = value;
	publish(sem, entry, false);
}

Status Semaphores::signal_here(uint32_t sem, uint8_t op, uint64_t value)
{
	const Shadow &entry = shadow()[sem];
	switch (op) {
	case UNPU_SIGNAL_RAISE:
		raise(sem, value);
		break;
	case UNPU_SIGNAL_SET:
		set(sem, value);
		break;
	case UNPU_SIGNAL_ADD:
		set(sem, static_cast<uint32_t>(entry.value + value));
		break;
	case UNPU_SIGNAL_OR:
		set(sem, static_cast<uint32_t>(entry.value | value));
		break;
	case UNPU_SIGNAL_AND:
		set(sem, static_cast<uint32_t>(entry.value & value));
		break;
	}
	return Status::OK;
}

Status Semaphores::signal(uint32_t sem, uint8_t op, uint64_t value)
{
	const Shadow &entry = shadow()[sem];
	if (entry.share) [[unlikely]] {
		const Share &own = share(entry);
		if (own.group->kind() == UNPU_EXPORT_NOTIFY && !own.is_home)
			return own.group->signal(*this, op, value);
	}
	return signal_here(sem, op, value);
}

Status Semaphores::wait_here(const unpu_sem_wait &wait, Waiter &waiter)
{
	if (pass(wait))
		return Status::OK;
	if (shadow()[wait.sem].parked == MAX_WAITERS) [[unlikely]]
		return Status::NO_RESOURCE;
	park(wait, waiter);
	return Status::NOT_READY;
}

Status Semaphores::wait_shared(const unpu_sem_wait &wait, Waiter &waiter)
{
	const Shadow &entry = shadow()[wait.sem];
	const Share &own = share(entry);
	if (own.group->kind() == UNPU_EXPORT_NOTIFY)
		return own.is_home ? wait_here(wait, waiter) : own.group->wait(*this, wait, waiter);
	if (wait.flags & UNPU_WAIT_CLEAR)
		return Status::BAD_SEMAPHORE;
	bool lost = wait.value >= own.lost_first && wait.value <= own.lost_last;
	if (wait.op == UNPU_WAIT_GE && own.lost_last != 0 && lost)
		return Status::PEER_LOST;
	if (own.has_ended && !fulfilled(wait.op, entry.value, wait.value))
		return Status::PEER_LOST;
	return wait_here(wait, waiter);
}

Status Semaphores::wait(const unpu_sem_wait &wait, Waiter &waiter)
{
	if (!shadow()[wait.sem].share) [[likely]]
		return wait_here(wait, waiter);
	const Status status = wait_shared(wait, waiter);
	if (status == Status::NOT_READY)
		inbox_.expect();
	return status == Status::PEER_LOST && wait.flags & UNPU_WAIT_OUTLIVE ? Status::OK : status;
}

bool Semaphores::pass(const unpu_sem_wait &wait)
{
	const Shadow &entry = shadow()[wait.sem];
	if (!fulfilled(wait.op, entry.value, wait.value))
		return false;
	if (wait.flags & UNPU_WAIT_CLEAR && entry.value != 0)
		set(wait.sem, 0);
	return true;
}

void Semaphores::stamp(uint32_t sem, uint64_t timestamp_ns)
{
	base::store_relaxed(device_[sem].timestamp_ns, timestamp_ns);
}

void Semaphores::fail(uint32_t sem, const Failure &failure)
{
	unpu_sem_device &line = device_[sem];
	Shadow &entry = shadow()[sem];
	faults_++;
	base::store_relaxed(line.failures, ++entry.failures);
	bool soft = failure.status == Status::OVERFLOW;
	if (entry.failed && (soft || !entry.soft))
		return;
	entry.failed = 1;
	entry.soft = soft;
	base::store_relaxed(line.fault_cookie, failure.cookie);
	base::store_relaxed(line.fault_address, failure.address);
	base::store_relaxed(line.fault_detail, failure.detail);
	base::store_release(line.status, static_cast<uint32_t>(failure.status));
}

void Semaphores::clear_status(uint32_t sem)
{
	shadow()[sem].failed = 0;
	base::store_release(device_[sem].status, uint32_t{0});
}

void Semaphores::park(const unpu_sem_wait &wait, Waiter &waiter)
{
	Shadow &entry = shadow()[wait.sem];
	unpu_assert(!waiter.parked_in);
	waiter.parked_in = this;
	waiter.sem = wait.sem;
	waiter.wanted = wait.value;
	waiter.wait_op = static_cast<uint8_t>(wait.op);
	waiter.clears = wait.flags & UNPU_WAIT_CLEAR;
	waiter.orders = wait.flags & UNPU_WAIT_ORDER;
	waiter.outlives = wait.flags & UNPU_WAIT_OUTLIVE;
	waiter.next_waiter = nullptr;
	waiter.previous_waiter = entry.last;
	entry.parked++;
	(entry.waiters ? entry.last->next_waiter : entry.waiters) = &waiter;
	entry.last = &waiter;
}

void Semaphores::unpark(Waiter &waiter)
{
	if (waiter.parked_in != this)
		return;
	unlink(shadow()[waiter.sem], waiter);
}

Semaphores::~Semaphores()
{
	unsigned all = UINT_MAX;
	(void)leave_some(all);
}

bool Semaphores::timeline_valid(uint32_t sem) const
{
	if (!user_valid(sem))
		return false;
	const uint32_t index = shadow()[sem].share;
	return index == 0 || shares_[index - 1].group->kind() == UNPU_EXPORT_MIRROR;
}

void Semaphores::prepare_shares(uint32_t count)
{
	while (free_shares_.size() < count) {
		shares_.emplace_back();
		/* Reserve room for all shares, so that unbind() allocates no memory. */
		free_shares_.reserve(shares_.capacity());
		free_shares_.push_back(static_cast<uint32_t>(shares_.size() - 1));
	}
}

void Semaphores::bind(uint32_t sem, Membership membership)
{
	uint32_t index = free_shares_.back();
	free_shares_.pop_back();
	if (membership.group->kind() == UNPU_EXPORT_EVENT)
		clear_status(sem);
	shares_[index] = {std::move(membership), sem, false, 0, 0};
	shadow()[sem].share = index + 1;
	groups_++;
}

void Semaphores::unbind(uint32_t sem)
{
	Shadow &entry = shadow()[sem];
	uint32_t index = entry.share - 1;
	end(sem);
	entry.share = 0;
	shares_[index] = Share{};
	free_shares_.push_back(index);
	groups_--;
}

void Semaphores::follow(uint32_t sem, uint64_t value, bool raised)
{
	Shadow &entry = shadow()[sem];
	if (!raised || value > entry.value)
		entry.value = value;
	show(sem, entry);
	wake_parked(sem, entry);
}

template <class Which> void Semaphores::lose_waiters(Shadow &entry, const Which &which)
{
	inbox_.count_looks(entry.parked);
	for (Waiter *waiter = entry.waiters; waiter;) {
		Waiter *next = waiter->next_waiter;
		if (which(*waiter)) {
			unlink(entry, *waiter);
			waiter->woken(waiter->outlives ? Status::OK : Status::PEER_LOST, 0, 0);
		}
		waiter = next;
	}
}

void Semaphores::lose(uint32_t sem, uint64_t first, uint64_t last)
{
	Shadow &entry = shadow()[sem];
	Share &own = share(entry);
	own.lost_first = first;
	own.lost_last = last;
	unpu_sem_device &line = device_[sem];
	base::store_relaxed(line.fault_cookie, first);
	base::store_relaxed(line.fault_address, last);
	base::store_release(line.status, static_cast<uint32_t>(Status::PEER_LOST));
	lose_waiters(entry, [&](const Waiter &waiter) {
		return waiter.wait_op == UNPU_WAIT_GE && waiter.wanted >= first &&
		       waiter.wanted <= last;
	});
	follow(sem, last, true);
}

void Semaphores::end(uint32_t sem)
{
	Shadow &entry = shadow()[sem];
	share(entry).has_ended = true;
	lose_waiters(entry, [](const Waiter &) { return true; });
}

Status Semaphores::leave(uint32_t sem)
{
	if (!user_valid(sem) || !shared(sem))
		return Status::INVALID_HANDLE;
	const Membership own = share(shadow()[sem]);
	own.group->leave(own.member);
	return Status::OK;
}

/* One membership costs as much as this many waiters that are unparked. */
static constexpr unsigned LEAVE_COST = 4;

bool Semaphores::leave_some(unsigned &left)
{
	for (; !shares_.empty(); shares_.pop_back()) {
		if (!shares_.back().group)
			continue;
		if (left == 0)
			return false;
		const uint64_t looks = inbox_.looks();
		(void)leave(shares_.back().sem);
		left -= static_cast<unsigned>(
			std::min<uint64_t>(left, LEAVE_COST + inbox_.looks() - looks));
	}
	free_shares_.clear();
	return true;
}

void Semaphores::fail_waiters(uint32_t sem)
{
	/* The waiters stay in the list: end() walks it to end the waits of other clients when this one
	 * detaches. */
	for (Waiter *waiter = shadow()[sem].waiters; waiter; waiter = waiter->next_waiter) {
		if (!waiter->orders)
			waiter->wait_op = WAIT_NEVER;
	}
}

} // namespace fw
