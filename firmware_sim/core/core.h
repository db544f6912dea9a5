// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <new>
#include <set>
#include <utility>

#include "base/chip/chip.h"
#include "base/os/numa.h"
#include "config.h"
#include "exchange.h"
#include "faults.h"
#include "firmware_sim/engine/background_work.h"
#include "firmware_sim/engine/busy_time.h"
#include "firmware_sim/engine/engine.h"
#include "firmware_sim/engine/frees.h"
#include "firmware_sim/engine/pieces.h"
#include "firmware_sim/kernels/operator_table.h"
#include "firmware_sim/schedule/runner.h"
#include "firmware_sim/schedule/semaphores.h"
#include "firmware_sim/schedule/token_work.h"
#include "firmware_sim/schedule/trace.h"
#include "firmware_sim/schedule/tuning.h"
#include "firmware_sim/schedule/watches.h"
#include "firmware_sim/storage/storage.h"
#include "firmware_sim/worker/workers.h"
#include "watchdog.h"

namespace fw {

/** class Timers - wait tasks with a time limit. */
class Timers {
public:
	void add(Waiter &waiter, uint64_t deadline_ns)
	{
		if (deadline_ns == base::NO_DEADLINE)
			return;
		waiter.deadline_ns = deadline_ns;
		if (spare_.empty()) {
			entries_.emplace(deadline_ns, &waiter);
			return;
		}
		spare_.value() = {deadline_ns, &waiter};
		entries_.insert(std::move(spare_));
	}

	void remove(Waiter &waiter)
	{
		if (waiter.deadline_ns == base::NO_DEADLINE)
			return;
		spare_ = entries_.extract({waiter.deadline_ns, &waiter});
		waiter.deadline_ns = base::NO_DEADLINE;
	}

	bool empty() const { return entries_.empty(); }
	uint64_t next_ns() const
	{
		return entries_.empty() ? base::NO_DEADLINE : entries_.begin()->first;
	}

	/* The most waiters that one expire() wakes. */
	static constexpr unsigned EXPIRE_MOST = 512;

	/** expire() - wakes waiters whose deadline is @now_ns or earlier; the next call wakes those that are
	 * left. A running job of a waiter continues on the engine without an owner. */
	void expire(uint64_t now_ns, Engines &engines)
	{
		unsigned left = EXPIRE_MOST;
		for (; left != 0 && !entries_.empty() && entries_.begin()->first <= now_ns;
		     left--) {
			Waiter &waiter = *entries_.begin()->second;
			if (waiter.parked_in)
				waiter.parked_in->unpark(waiter);
			if (waiter.is_in_engine)
				engines.disown(waiter);
			waiter.is_in_engine = false;
			remove(waiter);
			waiter.woken(base::Status::WAIT_TIMEOUT, 0, 0);
		}
		note_token_work("time limits", 0, EXPIRE_MOST - left);
	}

private:
	using Entries = std::set<std::pair<uint64_t, Waiter *>>;

	Entries entries_;
	Entries::node_type spare_; /* memory of the last entry that was removed, or none */
};

/** struct Counters - statistics of one client. Context: under the step token. */
struct Counters {
	uint64_t packets = 0; /* retired packets */
	uint64_t graph_nodes = 0;
	uint64_t doorbells = 0;
	uint64_t messages = 0; /* requests of the mailbox */
	uint64_t wakes = 0;    /* system calls that woke a host thread */
	uint64_t faults = 0;   /* packets and nodes that failed */
	/* Channels that asked for a doorbell at an empty ring (D1), and then found it still empty, or a packet. */
	uint64_t arms_won = 0;
	uint64_t arms_lost = 0;

	void add(const Counters &other)
	{
		packets += other.packets;
		graph_nodes += other.graph_nodes;
		doorbells += other.doorbells;
		messages += other.messages;
		wakes += other.wakes;
		faults += other.faults;
		arms_won += other.arms_won;
		arms_lost += other.arms_lost;
	}
};

/** struct Stop - deleter that stops the threads first. If a thread is stuck, it leaks the object,
 * because that thread may still access it. */
struct Stop {
	template <class Threads> void operator()(Threads *threads) const
	{
		if (threads->stop())
			delete threads;
	}
};

/** struct Drain - deleter for threads whose work always ends: it waits for that. */
struct Drain {
	template <class Threads> void operator()(Threads *threads) const
	{
		threads->stop();
		delete threads;
	}
};

/** struct Core - state that all clients of a device share. Context: under the step token. */
struct Core {
	/** @notify: wakes the device. @watch_kick: see Workers */
	Core(const Config &configuration, std::function<void()> notify,
	     std::function<base::Status(const base::Fd &)> watch_kick)
		: config(configuration),
		  faults(config.faults ? std::make_unique<Faults>(config.faults) : nullptr),
		  fence(widest_fence(configuration)),
		  exchange(config.exchange ? config.exchange : make_exchange()),
		  inbox(notify, [this] { did_long_work(0); }),
		  watchdog(configuration.watchdog_ns, configuration.report),
		  storage_(new Storage(config.features & UNPU_FEATURE_STEPPED
					       ? StorageKind::IN_PLACE
					       : StorageKind::THREADS,
				       notify, [this] { placement.bind_thread(); })),
		  engines_(new Engines(configuration.engines, notify,
				       [this](uint32_t engine) { placement.bind_engine(engine); })),
		  workers(notify, std::move(watch_kick), config.inline_kernels,
			  base::chip_named(config.soc_name).cube_cores),
		  background_(new BackgroundWork(configuration.engines != 0, std::move(notify),
						 [this] { placement.bind_thread(); })),
		  storage(*storage_), engines(*engines_), background(*background_),
		  boot_ns(base::now_ns()),
		  memory(std::make_shared<Account>(Account::Amounts{config.memory_bytes}))
	{
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

	/** enum class Load - who waits while the thread that moves the device does work itself. */
	enum class Load : uint8_t {
		ALONE,	/* nobody but the client of that work, for its end */
		BUSY,	/* other channels of that client too */
		SHARED, /* other clients, or that thread itself, which does not wait for the work */
	};

	Load load() const
	{
		if (is_shared || is_brief)
			return Load::SHARED;
		return queue.quiet() ? Load::ALONE : Load::BUSY;
	}

	/** in_place_bytes() - work on this many bytes or more goes to an engine. While several clients
	 * have work, the limit is low, so that no client waits long for the work of another. */
	uint64_t in_place_bytes() const
	{
		return load() == Load::SHARED ? tuning::SHARED_BYTES : tuning::LONG_BYTES;
	}

	/** in_place() - whether the command processor does work on @bytes bytes itself. */
	bool in_place(uint64_t bytes) const
	{
		return bytes < in_place_bytes() || !engines.available();
	}

	/** awaits_time() - whether a timer, a watched word or the watchdog needs the device later,
	 * without a doorbell. */
	bool awaits_time() const { return next_ns() != base::NO_DEADLINE; }

	/* A busy device does its housekeeping once in this many steps. */

	/** look_due() - whether housekeeping is due. */
	bool look_due() const { return steps - looked >= tuning::HOUSEKEEPING_STEPS; }

	/** did_long_work() - notes long work in place and makes housekeeping due, so that mailbox
	 * requests do not wait for more such work. */
	void did_long_work(uint64_t bytes)
	{
		done_bytes += bytes;
		looked = steps - tuning::HOUSEKEEPING_STEPS;
	}

	/** beat() - increments the heartbeat, by which waiting threads see that the device runs: after
	 * each turn, and after each piece of long work. */
	void beat()
	{
		if (heartbeat)
			base::store_relaxed(*heartbeat, *heartbeat + 1);
	}

	/** next_ns() - the earliest deadline of timers, watched words and watchdog. */
	uint64_t next_ns() const
	{
		return std::min({timers.next_ns(), watches.next_ns(), watchdog.next_ns()});
	}

	/** watch() - notes that the device polls the doorbells of @count clients; @some is one of their
	 * client queues. With more than one the device is shared, and it stays so for tuning::SHARED_NS. */
	void watch(const ClientQueue *some, size_t count)
	{
		watched = some;
		if (count > 1)
			share();
		else if (is_shared && base::coarse_ns() - shared_ns > tuning::SHARED_NS)
			set_shared(false);
	}

	/** note_work() - @client_queue has work on @bytes bytes. If the watched one is another one, the device
	 * is shared: a client that filled its ring and sleeps is not watched but still has work. */
	void note_work(const ClientQueue &client_queue, uint64_t bytes)
	{
		if (bytes >= tuning::SHARED_BYTES && watched && watched != &client_queue)
			share();
	}

	void share()
	{
		shared_ns = base::coarse_ns();
		set_shared(true);
	}

	void set_shared(bool shared)
	{
		is_shared = shared;
		engines.let_in(is_shared);
	}

	/** free_segments() - frees memory that no client uses any more. Freeing much memory takes the kernel
	 * long, so the upkeep thread does that. */
	void free_segments(std::vector<std::shared_ptr<Segment>> dead);

	/* The calling thread frees less than this itself. */
	static constexpr uint64_t FREE_LATER_BYTES = 256u << 10;

	/** free_later() - calls @free with @dead, which has @bytes of memory, on the upkeep thread. If
	 * @bytes is small or the thread is not available, the calling thread destroys @dead. */
	template <class Dead, class Free>
	void free_later(Dead dead, uint64_t bytes, Free free) noexcept
	{
		if (bytes < FREE_LATER_BYTES || !background.available())
			return;
		try {
			auto grave = std::make_shared<Dead>(std::move(dead));
			frees.add(
				background, [grave, free] { free(*grave); }, bytes);
		} catch (const std::bad_alloc &) {
			/* No memory to note it: the calling thread destroys @dead. */
		}
	}

	/** wrote() - a packet's work was done: wakes waiters on the words that it wrote. */
	void wrote(const unpu_packet &packet, const unpu_operator *op,
		   const std::array<std::byte *, 4> &operands)
	{
		if (watches.empty()) [[likely]]
			return;
		if (packet.opcode == UNPU_OP_TENSOR || (op && operator_row(op->kind).is_scattered))
			watches.look();
		else
			watches.wrote(written_by(packet, op, operands));
	}

	/* The most jobs of each kind that one reap() ends. */
	static constexpr unsigned REAP_MOST = 512;

	/** reap() - wakes the owners of finished jobs and transfers. If some are left, the next call wakes
	 * them. */
	void reap()
	{
		reap_transfers();
		unsigned left = REAP_MOST;
		for (std::unique_ptr<Job> job; left != 0 && (job = engines.take_finished());
		     left--) {
			wrote(job->packet, &job->op, job->operands);
			if (trace.on()) [[unlikely]]
				trace.put_job(job->start_ns, job->end_ns, job->packet.cookie,
					      job->engine, job->client);
			wake_owner(*job);
		}
		while (auto job = background.finished() ? background.take_finished() : nullptr)
			wake_owner(*job);
		reap_kernels();
		note_token_work("ends of jobs", 0, REAP_MOST - left);
		/* The rest comes with the next step. */
		if (reaps())
			did_long_work(0);
	}

	void reap_kernels();
	void end_kernel(KernelJob &job);

	/** poll_kernels() - called after a launch was given to a worker. The device polls for its end for a
	 * while, and then asks for a kick. */
	void poll_kernels() { queue.push(kernel_poll_); }

	static void wake_owner(const Job &job)
	{
		if (!job.owner)
			return;
		job.owner->is_in_engine = false;
		job.owner->woken(job.status, job.fault.address, job.fault.detail);
	}

	/** reaps() - whether reap() has something to do; a hint. */
	bool reaps() const
	{
		return engines.finished() || storage.finished() || background.finished() ||
		       workers.finished();
	}

	void reap_transfers()
	{
		unsigned left = REAP_MOST;
		for (std::unique_ptr<Transfer> transfer;
		     left != 0 && storage.finished() && (transfer = storage.take_finished());
		     left--) {
			if (!transfer->is_write && !watches.empty())
				watches.wrote({transfer->data, transfer->moved});
			bool failed = transfer->status != base::Status::OK;
			transfer->owner->is_in_storage = false;
			transfer->owner->transfer = nullptr;
			transfer->owner->woken(transfer->status,
					       failed ? transfer->va + transfer->moved : 0, 0);
		}
	}

	const Config config;
	/* Without engines, work on this many bytes or more is done in pieces, each of them in a turn. */
	const uint64_t long_bytes =
		config.schedule ? tuning::EXPLORED_BYTES + 1 : tuning::LONG_BYTES;
	const uint64_t piece_bytes = config.schedule ? tuning::EXPLORED_BYTES : PIECE_BYTES;
	const std::unique_ptr<Faults> faults; /* nullptr: there are no fault rules */
	const base::Placement placement = place(config);
	const base::FenceScope fence; /* scope of fences that reach every client of the device */
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

public:
	Workers workers;

private:
	/* Polls for ends of launches. */
	struct KernelPoll final : Runner {
		explicit KernelPoll(Core &of) : core(of) { client_queue = &own; }
		Progress advance() override;
		Rest rest() override { return core.workers.arm() ? Rest::LEAVES : Rest::STAYS; }
		Core &core;
		ClientQueue own;
	};
	KernelPoll kernel_poll_{*this};

public:
	Frees frees; /* must outlive the jobs of the upkeep */

private:
	const std::unique_ptr<BackgroundWork, Drain> background_;

public:
	Storage &storage;
	Engines &engines;
	BackgroundWork &background;
	const uint64_t boot_ns;
	const std::shared_ptr<Account> memory; /* account of the device's memory */
	/* The part of it that clients have left or given up and that is not free yet: the upkeep has not
	 * freed it, or running work uses it. */
	const std::shared_ptr<Account> returning = std::make_shared<Account>(Account::Amounts{});
	uint64_t segments_by_pages[3] = {0, 0, 0};
	/* number of segments for which the pool of huge pages had no pages */
	uint64_t huge_refused = 0;
	uint32_t deferred = 0; /* clients whose requests wait for engines or disks */
	/* number of clients that have ended and still have objects to destroy */
	uint32_t leaving = 0;
	Counters gone;		/* sums of clients that have detached */
	BusyTime busy;		/* busy time of the command processor */
	bool is_shared = false; /* several clients had work within the last tuning::SHARED_NS */
	uint64_t shared_ns = 0; /* when several clients last had work at once */
	const ClientQueue *watched =
		nullptr; /* client queue of a client whose doorbells are polled */
	/* for a stepped device: deadline of the step */
	uint64_t step_deadline_ns = base::NO_DEADLINE;
	unsigned steps = 0;
	unsigned looked = 0;	       /* value of @steps at the last housekeeping */
	uint64_t done_bytes = 0;       /* bytes of long work done in place, approximately */
	uint64_t *heartbeat = nullptr; /* heartbeat word in the BAR */
	/* the thread that moves the device does not wait for the end of the work */
	bool is_brief = false;
};

} // namespace fw
