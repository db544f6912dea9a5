// SPDX-License-Identifier: MIT
#pragma once

#include "base/os/shm.h"
#include "base/sync/ordering.h"
#include "runner.h"
#include "share.h"
#include "trace.h"
#include "uapi/regs.h"

namespace fw {

/** struct Failure - what went wrong, and with which packet. */
struct Failure {
	base::Status status = base::Status::OK;
	uint64_t cookie = 0;
	uint64_t address = 0;
	uint64_t detail = 0; /* BAD_INDEX: the bad index */
};

/**
 * class Semaphores - the semaphores of one client: their authoritative values, their parked waiters,
 * and their lines in the completion segment. Context: under the step token.
 */
class Semaphores final : public Parking {
	struct Shadow {
		uint64_t value;
		Waiter *waiters; /* in order of arrival */
		Waiter *last;
		uint32_t failures;
		uint32_t parked;     /* number of waiters */
		uint32_t failed : 1; /* status holds a failure that was not cleared */
		uint32_t soft : 1;   /* that failure is an overflow */
		uint32_t share : 30; /* 1 + index into shares_; 0: not shared */
	};

public:
	/** ENTRY_BYTES - memory of the firmware's own table for each semaphore. */
	static constexpr size_t ENTRY_BYTES = sizeof(Shadow);

	/** class Users - the semaphores that the client may use: none that the firmware signals, and
	 * none past the quota. Context: any thread. */
	class Users {
	public:
		/** @quota: number of semaphores, in addition to those that the firmware signals; 0: all */
		explicit Users(uint32_t quota) : end_(UNPU_SEMAPHORES_END(quota)) {}
		bool has(uint32_t sem) const { return sem >= UNPU_SEM_FIRST_FREE && sem < end_; }
		/** end() - one more than the number of the last usable semaphore. */
		uint32_t end() const { return end_; }

	private:
		uint32_t end_;
	};

	/** MAX_WAITERS - most waiters parked on one semaphore: a signal checks each of them and may wake
	 * each. */
	static constexpr uint32_t MAX_WAITERS = 8192;

	/** @inbox: of the device; members of a group with the same inbox are on the same device
	 * @quota: see Users */
	Semaphores(Inbox &inbox, uint32_t quota) : inbox_(inbox), users_(quota) {}
	~Semaphores();

	/** init() - @device and @host are the firmware's views of the two arrays, @fence the scope of
	 * D2 with this client. */
	base::Status init(unpu_sem_device *device, const unpu_sem_host *host,
			  base::FenceScope fence);

	/** trace_to() - sets the trace into which signals are recorded. */
	void trace_to(const TraceOf &trace) { trace_ = trace; }

	const Users &users() const { return users_; }
	bool user_valid(uint32_t sem) const { return users_.has(sem); }

	uint64_t value(uint32_t sem) const { return shadow()[sem].value; }

	/** raise() - sets the value to max(value, @value), publishes it and wakes its waiters. */
	void raise(uint32_t sem, uint64_t value);

	/** set() - sets the value to @value, publishes it and wakes its waiters. */
	void set(uint32_t sem, uint64_t value);

	/** signal() - executes a packet's signal; @op is one of enum unpu_signal_op, not NONE.
	 * Return: PEER_LOST for a notify whose exporter is gone. */
	base::Status signal(uint32_t sem, uint8_t op, uint64_t value);

	/** wait() - Return: OK when the condition already holds, NOT_READY when @waiter is parked,
	 * NO_RESOURCE past MAX_WAITERS, PEER_LOST, BAD_SEMAPHORE for a wait that the semaphore's group
	 * does not allow. */
	base::Status wait(const unpu_sem_wait &wait, Waiter &waiter);

	/** is_awaited() - whether a thread of the host sleeps until @sem reaches a greater value. If several
	 * threads sleep, the smallest value counts. */
	bool is_awaited(uint32_t sem) const
	{
		if (!users_.has(sem))
			return false;
		const uint64_t sleepers = base::load_acquire(host_[sem].sleepers);
		return (sleepers & UNPU_SLEEPERS_COUNT_MASK) != 0 &&
		       sleepers >> UNPU_SLEEPERS_VALUE_SHIFT > value(sem);
	}

	/** stamp() - stores the time stamp; the following raise() or set() makes it visible. */
	void stamp(uint32_t sem, uint64_t timestamp_ns);

	/** fail() - records a failure in the semaphore's line; the first one stays, unless it is an
	 * OVERFLOW and this one is not. */
	void fail(uint32_t sem, const Failure &failure);

	/** set_output() - stores the number of bytes that kernels of a timeline have printed. */
	void set_output(uint32_t sem, uint64_t bytes)
	{
		base::store_relaxed(device_[sem].output, bytes);
	}

	/** clear_status() - clears the recorded failure. */
	void clear_status(uint32_t sem);

	/** unpark() - removes a waiter without waking it. */
	void unpark(Waiter &waiter) override;
	Wait describe(const Waiter &waiter) const override
	{
		return {waiter.sem, 0, waiter.wanted, value(waiter.sem)};
	}

	uint64_t wakes() const { return wakes_; }
	uint64_t faults() const { return faults_; }
	/** fail_waiters() - notes that the work which would signal @sem was dropped. Its waiters stay parked,
	 * whatever the value becomes, until unpark(), a time limit or end(). Waits for order alone
	 * (UNPU_WAIT_ORDER) are not affected. */
	void fail_waiters(uint32_t sem);

	/** The functions below are for Group; see share.h. */
	Inbox &inbox() const { return inbox_; }
	bool shared(uint32_t sem) const { return shadow()[sem].share != 0; }
	/** timeline_valid() - whether a channel may have @sem as its timeline. A channel signals its timeline
	 * alone. So a semaphore that is shared has to be a mirror: other clients do not signal it, and
	 * only its own client waits for it. */
	bool timeline_valid(uint32_t sem) const;
	uint32_t groups() const { return groups_; }
	/** prepare_shares() - reserves memory, so that the next @count bind() calls allocate none. */
	void prepare_shares(uint32_t count);
	/** struct Membership - the membership of a semaphore in a group. */
	struct Membership {
		std::shared_ptr<Group> group;
		uint32_t member = 0; /* member number */
		uint32_t lane = 0;
		bool is_home = false; /* it is the exporter's semaphore, which holds the value */
	};
	/** bind(), unbind() - adds @sem to a group, or removes it; waiters at unbind() get PEER_LOST. */
	void bind(uint32_t sem, Membership membership);
	void unbind(uint32_t sem);
	/** follow() - takes over a value that another member has changed. */
	void follow(uint32_t sem, uint64_t value, bool raised);
	/** lose() - the values from @first to @last will never be signalled, because their signaller has
	 * left. */
	void lose(uint32_t sem, uint64_t first, uint64_t last);
	/** end() - @sem will never be signalled again; wakes its waiters with PEER_LOST. */
	void end(uint32_t sem);
	/** leave() - leaves the group of @sem. Return: INVALID_HANDLE when it has none. */
	base::Status leave(uint32_t sem);
	/** leave_some() - leaves groups until none is left or the work of this turn is done.
	 * @left: the work that is left in this turn; the function subtracts from it. Return: whether none is
	 * left. */
	bool leave_some(unsigned &left);

private:
	struct Share : Membership {
		uint32_t sem = 0;
		bool has_ended = false;
		uint64_t lost_first = 0;
		uint64_t lost_last = 0;
	};

	Shadow *shadow() const { return memory_.as<Shadow>(); }
	Share &share(const Shadow &entry) { return shares_[entry.share - 1]; }
	void publish(uint32_t sem, Shadow &entry, bool raised);
	void propagate(uint32_t sem, Shadow &entry, bool raised);
	void show(uint32_t sem, const Shadow &entry);
	bool pass(const unpu_sem_wait &wait);
	void park(const unpu_sem_wait &wait, Waiter &waiter);
	base::Status wait_here(const unpu_sem_wait &wait, Waiter &waiter);
	base::Status wait_shared(const unpu_sem_wait &wait, Waiter &waiter);
	base::Status signal_here(uint32_t sem, uint8_t op, uint64_t value);
	template <class Which> void lose_waiters(Shadow &entry, const Which &which);
	void wake_parked(uint32_t sem, Shadow &entry);
	static bool wake_round(Shadow &entry);
	static void unlink(Shadow &entry, Waiter &waiter);

	Inbox &inbox_;
	const Users users_;
	base::Mapping memory_; /* users_.end() shadows, touched on use */
	unpu_sem_device *device_ = nullptr;
	const unpu_sem_host *host_ = nullptr;
	base::FenceScope fence_ = base::FenceScope::NONE;
	TraceOf trace_{};
	uint64_t wakes_ = 0;  /* wake calls for host threads */
	uint64_t faults_ = 0; /* fail() calls */
	std::vector<Share> shares_;
	std::vector<uint32_t> free_shares_;
	uint32_t groups_ = 0; /* semaphores that are in a group */
};

} // namespace fw
