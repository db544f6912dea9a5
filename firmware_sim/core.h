// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "base/numa.h"
#include "busy_time.h"
#include "engine.h"
#include "exchange.h"
#include "faults.h"
#include "fw/device.h"
#include "runner.h"
#include "semaphores.h"
#include "storage.h"
#include "trace.h"
#include "watchdog.h"
#include "watches.h"

namespace fw {

/** class Timers - wait tasks with a time limit. */
class Timers {
public:
	void add(Waiter &waiter, uint64_t deadline_ns)
	{
		if (deadline_ns == base::NO_DEADLINE)
			return;
		waiter.deadline_ns = deadline_ns;
		entries_.emplace(deadline_ns, &waiter);
	}

	void remove(Waiter &waiter)
	{
		if (waiter.deadline_ns == base::NO_DEADLINE)
			return;
		entries_.erase({waiter.deadline_ns, &waiter});
		waiter.deadline_ns = base::NO_DEADLINE;
	}

	bool empty() const { return entries_.empty(); }
	uint64_t next_ns() const
	{
		return entries_.empty() ? base::NO_DEADLINE : entries_.begin()->first;
	}

	/** expire() - wakes every waiter whose deadline is not after @now_ns; work that is on an engine
	 * is left to it. */
	void expire(uint64_t now_ns, Engines &engines)
	{
		while (!entries_.empty() && entries_.begin()->first <= now_ns) {
			Waiter &waiter = *entries_.begin()->second;
			if (waiter.parked_in)
				waiter.parked_in->unpark(waiter);
			if (waiter.in_engine)
				engines.disown(waiter);
			waiter.in_engine = false;
			remove(waiter);
			waiter.woken(base::Status::WAIT_TIMEOUT, 0);
		}
	}

private:
	std::set<std::pair<uint64_t, Waiter *>> entries_;
};

/** struct Counters - what a client has caused. Context: under the step token. */
struct Counters {
	uint64_t packets = 0; /* retired */
	uint64_t graph_nodes = 0;
	uint64_t doorbells = 0;
	uint64_t messages = 0; /* of the mailbox */
	uint64_t wakes = 0;    /* system calls that woke a host thread */
	uint64_t faults = 0;   /* packets and nodes that failed */

	void add(const Counters &other)
	{
		packets += other.packets;
		graph_nodes += other.graph_nodes;
		doorbells += other.doorbells;
		messages += other.messages;
		wakes += other.wakes;
		faults += other.faults;
	}
};

/* Work of this many bytes outlasts the wake of an engine thread by far; nothing longer is done in place
 * where there are engines. */
constexpr uint64_t LONG_BYTES = 1u << 20;
/* A copy of so much is worth the wake of an engine also where nobody else wants the device. */
constexpr uint64_t LONE_COPY_BYTES = 4u << 20;
/* The same while others wait: about what a round trip takes. */
constexpr uint64_t CROWDED_BYTES = 32u << 10;

/* So long after it was seen last a crowd may still be one: engines are at work for some of it. */
constexpr uint64_t CROWD_NS = 100 * base::NS_PER_MS;

/** struct Stop - ends what has threads, and leaves it where it is when one of them is stuck. */
struct Stop {
	template <class Threads> void operator()(Threads *threads) const
	{
		if (threads->stop())
			delete threads;
	}
};

/** struct Core - what all clients of a device share. Context: under the step token. */
struct Core {
	Core(const Config &configuration, std::function<void()> notify)
		: config(configuration),
		  faults(config.faults ? std::make_unique<Faults>(config.faults) : nullptr),
		  fence(widest_fence(configuration)),
		  exchange(config.exchange ? config.exchange : make_exchange()),
		  inbox(notify, [this] { did_long_work(0); }), watchdog(configuration.watchdog_ns),
		  storage_(new Storage(config.features & UNPU_FEATURE_STEPPED, notify,
				       [this] { placement.bind_thread(); })),
		  engines_(new Engines(configuration.engines, notify,
				       [this](uint32_t engine) { placement.bind_engine(engine); })),
		  upkeep_(new Engines(
			  configuration.engines ? 1 : 0, std::move(notify),
			  [this](uint32_t) { placement.bind_thread(); }, "unpu-upkeep")),
		  storage(*storage_), engines(*engines_), upkeep(*upkeep_), boot_ns(base::now_ns()),
		  memory(std::make_shared<Account>(Account::Amounts{config.memory_bytes}))
	{
		upkeep.let_in(true);
	}

	static base::Placement place(const Config &config)
	{
		const base::NumaMachine machine = base::NumaMachine::read();
		const base::NumaAllowed allowed = base::NumaAllowed::now();
		base::Placement placement =
			base::choose_placement(machine, allowed, config.numa_node);
		base::place_engines(machine, allowed,
				    {config.engines, config.index, config.engine_cpus}, placement);
		return placement;
	}

	static base::FenceScope widest_fence(const Config &config)
	{
		if (config.full_fences)
			return base::FenceScope::NONE;
		if (!config.processes)
			return base::process_scope();
		return base::join_machine_fences() ? base::FenceScope::MACHINE
						   : base::FenceScope::NONE;
	}

	bool null() const { return config.features & UNPU_FEATURE_NULL; }

	/** in_place_bytes() - work of so many bytes and more goes to an engine. While several clients have
	 * work nobody is to wait for long for somebody else's. */
	uint64_t in_place_bytes() const { return crowded || brief ? CROWDED_BYTES : LONG_BYTES; }

	/** in_place() - whether work on @bytes bytes is not for an engine. */
	bool in_place(uint64_t bytes) const
	{
		return bytes < in_place_bytes() || !engines.available();
	}

	/** lone_copy() - whether a copy is better done in place though it is long: nobody else wants the
	 * device, and what it moves may be in the caches of who copied last. */
	bool lone_copy(const unpu_packet &packet) const
	{
		return packet.opcode == UNPU_OP_COPY && packet.copy.bytes < LONE_COPY_BYTES &&
		       !crowded && !brief && queue.quiet();
	}

	/** awaits_time() - whether something has to be looked at later, though nobody asks for it. */
	bool awaits_time() const { return next_ns() != base::NO_DEADLINE; }

	/* A busy device looks beside its queue each time after so many steps. */
	static constexpr unsigned HOUSEKEEPING_STEPS = 64;

	/** look_due() - whether it is time for that. */
	bool look_due() const { return steps - looked >= HOUSEKEEPING_STEPS; }

	/** did_long_work() - in place. Requests do not wait for more of it. */
	void did_long_work(uint64_t bytes)
	{
		done_bytes += bytes;
		looked = steps - HOUSEKEEPING_STEPS;
	}

	/** beat() - tells threads that wait that the device moves: after each turn, and after each piece of
	 * work that is longer than a turn. */
	void beat()
	{
		if (heartbeat)
			base::store_relaxed(*heartbeat, *heartbeat + 1);
	}

	/** next_ns() - when something has to be looked at, at the latest. */
	uint64_t next_ns() const
	{
		return std::min({timers.next_ns(), watches.next_ns(), watchdog.next_ns()});
	}

	/** watch() - whose doorbells are looked at: @some of @count clients. They are a crowd, and so is
	 * whoever had work lately together with another one. */
	void watch(const Client *some, size_t count)
	{
		watched = some;
		if (count > 1)
			crowd();
		else if (crowded && base::coarse_ns() - crowded_ns > CROWD_NS)
			engines.let_in(crowded = false);
	}

	/** meet() - @client has work on @bytes bytes. One that has filled its ring and sleeps is not watched,
	 * and may be the other one of two all the same. */
	void meet(const Client &client, uint64_t bytes)
	{
		if (bytes >= CROWDED_BYTES && watched && watched != &client)
			crowd();
	}

	void crowd()
	{
		crowded_ns = base::coarse_ns();
		crowded = true;
		engines.let_in(true);
	}

	/** bury() - frees memory that no client uses any more, on the upkeep thread when there is much of it:
	 * that takes the kernel longer than others should wait. */
	void bury(std::vector<std::shared_ptr<Segment>> dead);

	/* Less than this is freed at once. */
	static constexpr uint64_t FREE_LATER_BYTES = 256u << 10;

	/** free_later() - calls @free with @dead, which has @bytes of memory, on the upkeep thread. Where that is not
	 * worth it or can't be had, @dead just ends here. */
	template <class Dead, class Free>
	void free_later(Dead dead, uint64_t bytes, Free free) noexcept
	{
		if (bytes < FREE_LATER_BYTES || !upkeep.available())
			return;
		try {
			auto job = std::make_unique<Job>();
			auto grave = std::make_shared<Dead>(std::move(dead));
			job->work = [grave, free] { free(*grave); };
			job->party = this;
			job->bytes = bytes;
			upkeep.submit(std::move(job));
		} catch (const std::bad_alloc &) {
			/* It ends here. */
		}
	}

	/** wrote() - work of a packet was done: who waits for a word that it wrote may go on. */
	void wrote(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands)
	{
		if (watches.empty()) [[likely]]
			return;
		if (op && op->kind == UNPU_OPERATOR_COPY_LIST)
			watches.look();
		else
			watches.wrote(written_by(packet, op, operands));
	}

	/** reap() - wakes the owners of finished jobs and transfers. */
	void reap()
	{
		reap_transfers();
		while (auto job = engines.take_finished()) {
			wrote(job->packet, &job->op, job->operands);
			if (trace.on()) [[unlikely]]
				trace.job(*job);
			wake_owner(*job);
		}
		while (auto job = upkeep.finished() ? upkeep.take_finished() : nullptr)
			wake_owner(*job);
	}

	static void wake_owner(const Job &job)
	{
		if (!job.owner)
			return;
		job.owner->in_engine = false;
		job.owner->woken(job.status, 0);
	}

	/** reaps() - whether reap() has something to do; a hint. */
	bool reaps() const { return engines.finished() || storage.finished() || upkeep.finished(); }

	void reap_transfers()
	{
		while (auto transfer = storage.finished() ? storage.take_finished() : nullptr) {
			if (!transfer->write && !watches.empty())
				watches.wrote({transfer->data, transfer->moved});
			bool failed = transfer->status != base::Status::OK;
			transfer->owner->in_storage = false;
			transfer->owner->woken(transfer->status,
					       failed ? transfer->va + transfer->moved : 0);
		}
	}

	const Config config;
	const std::unique_ptr<Faults> faults; /* nullptr: none */
	const base::Placement placement = place(config);
	const base::FenceScope fence; /* reaches every client that has one */
	const std::shared_ptr<Exchange> exchange;
	Inbox inbox;
	Trace trace;
	RunQueue queue;
	Timers timers;
	Watches watches;
	Watchdog watchdog;

private:
	const std::unique_ptr<Storage, Stop> storage_;
	const std::unique_ptr<Engines, Stop> engines_;
	const std::unique_ptr<Engines, Stop> upkeep_;

public:
	Storage &storage;
	Engines &engines;
	/* One thread of low priority that reads and frees for the firmware: clients' jobs do not wait for it. */
	Engines &upkeep;
	const uint64_t boot_ns;
	const std::shared_ptr<Account> memory; /* of the device */
	uint64_t segments_by_pages[3] = {0, 0, 0};
	uint64_t huge_refused = 0;	 /* segments that the pool had no pages for */
	uint32_t deferred = 0;		 /* clients whose requests wait for engines or disks */
	Counters gone;			 /* of clients that have detached */
	BusyTime busy;			 /* the command processor's */
	bool crowded = false;		 /* several clients had work not long ago */
	uint64_t crowded_ns = 0;	 /* when it was seen last */
	const Client *watched = nullptr; /* one whose doorbells are looked at, if any */
	unsigned steps = 0;
	unsigned looked = 0;	       /* steps when the device looked around last */
	uint64_t done_bytes = 0;       /* of long work that was done in place, about */
	uint64_t *heartbeat = nullptr; /* in the BAR */
	bool brief = false;	       /* whoever moves the device does not wait for it */
};

} // namespace fw
