// SPDX-License-Identifier: MIT
/**
 * DOC: Firmware entry points
 *
 * What a host of the firmware may call: the embedded backend runs a device inside the program, the
 * firmware-sim process runs it for others. Everything else goes through the wire (include/uapi).
 */
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/faults.h"
#include "base/ordering.h"
#include "base/shm.h"
#include "base/trace_file.h"
#include "fw/account.h"

namespace fw {

/** class Exchange - what the devices of one firmware have in common: what clients share. */
class Exchange;

/** make_exchange() - a firmware's identity. Its devices name it in their Config. */
std::shared_ptr<Exchange> make_exchange();

/** instance() - tells a firmware from every other; never 0. */
uint64_t instance(const Exchange &exchange);

/** struct Quotas - what one client may have; 0: as much as there is. */
struct Quotas {
	uint64_t memory_bytes = 0; /* in segments of all kinds that it created */
	uint32_t channels = 0;
	uint32_t semaphores = 0;
	uint32_t graphs = 0;   /* loaded at once */
	uint32_t messages = 0; /* of the mailbox, in a second */
	uint32_t entries = 0;  /* Resource::ENTRIES */
	uint32_t descriptors = 0;
};

/* How long the watchdog lets a task take on an engine, besides the time that its size explains. */
constexpr uint64_t WATCHDOG_NS = 10 * base::NS_PER_S;

/** struct Config - how a device is built. */
struct Config {
	std::shared_ptr<Exchange> exchange; /* of the firmware; empty: the device is alone in it */
	uint32_t index = 0;		    /* device number, for the BAR */
	uint64_t memory_bytes = 0;	    /* device memory */
	uint32_t engines = 0;	      /* engine threads for long work; 0: everything in place */
	uint32_t idle_polls = 0;      /* empty polls of a channel before it is armed */
	std::vector<int> engine_cpus; /* where engines are to run, by turns; empty: see Placement */
	int32_t numa_node = -1;	      /* node the device's pages are wanted on; -1: any */
	uint32_t features = 0;	      /* UNPU_FEATURE_STEPPED, UNPU_FEATURE_NULL */
	uint32_t trace = 0;	      /* entries to record into from the start on; 0: none */
	const char *soc_name = "";    /* at most 31 characters */
	bool processes = false;	      /* clients are other processes, which kick by a descriptor */
	bool full_fences = false;     /* D1 and D2 without membarrier, though there is one */
	Quotas quotas;
	std::shared_ptr<const base::FaultPlan> faults; /* empty: none */
	uint64_t watchdog_ns = WATCHDOG_NS; /* how long a task may take on an engine; 0: any time */
	/* told what the watchdog found, a line for each thing; empty: nobody is */
	std::function<void(const std::string &text)> report;
};

/** struct Wishes - what somebody asked for; what is left open follows from the machine. */
struct Wishes {
	uint64_t memory_bytes = 0;    /* 0: half of the host's memory, at most 64 GiB */
	int32_t engines = -1;	      /* -1: as many as CPUs, at most 4; on one CPU none */
	std::vector<int> engine_cpus; /* see Config::engine_cpus */
	int32_t poll_us = -1;	      /* how long an idle channel is polled; -1: 50, on one CPU 0 */
	int64_t watchdog_ms = -1;     /* see Config::watchdog_ns; -1: 10 s */
};

/** configure() - memory, engines and idle polls of a device with a thread of its own. */
Config configure(const Wishes &wishes);

/** struct Attachment - what a new client maps. */
struct Attachment {
	uint32_t client = 0;
	base::Fd bar;	     /* struct unpu_bar, for reading */
	base::Fd completion; /* struct unpu_completion, for reading */
	base::Fd doorbell;   /* struct unpu_client, for writing */
	base::Fd kick;	     /* eventfd, for writing; Config::processes only */
	/* what D1 and D2 of this client use: what it offered, or NONE */
	base::FenceScope fence = base::FenceScope::NONE;
};

/** enum class Turn - what a turn() came to. */
enum class Turn {
	WORKED,	 /* something moved */
	NOTHING, /* nothing to do */
	TAKEN,	 /* another thread is in the device */
	LEFT,	 /* callers are not to run it */
};

/** enum class Callers - what run() leaves to threads that wait. */
enum class Callers : uint32_t {
	NOTHING,      /* it polls and sleeps */
	WHILE_ASLEEP, /* what they wait for while it sleeps: they are there, and it has to wake first */
	WHILE_SOON, /* all, until it finds work that nobody did in time */
	ALL,	    /* all; what nobody does in time it does */
};

/** struct SharedSegment - a segment on its way to the client that asked for it. */
struct SharedSegment {
	base::Fd fd;
	uint64_t bytes = 0;
	unpu_page_kind pages = UNPU_PAGE_4K;
};

/** struct GivenFile - a file that a client may name. */
struct GivenFile {
	uint32_t number = 0;
	bool uring = false; /* transfers go by io_uring */
};

/**
 * class Device - one simulated NPU.
 *
 * A device has no thread of its own: it moves while somebody is inside run() or step(). The step
 * token sees to it that there is one such thread at a time.
 */
class Device {
public:
	/** create() - builds a device. Return: NO_MEMORY when its segments can't be had. */
	static base::Result<std::unique_ptr<Device>> create(const Config &config);
	virtual ~Device() = default;

	/** attach() - admits a client.
	 * @pid: its process, which the client status names; who may import what others share is asked by it
	 * @fence: the widest scope that it can take part in
	 * @user: is charged what the client takes; nullptr: no account is
	 * Context: any thread; waits for the token.
	 * Return: NO_RESOURCE past the limit, QUOTA past that of @user, NOT_SUPPORTED where the kernel is too old to share with
	 * other processes safely. */
	virtual base::Result<Attachment> attach(uint32_t pid,
						base::FenceScope fence = base::process_scope(),
						std::shared_ptr<Account> user = nullptr) = 0;

	/** detach() - drops a client and everything it owned. Context: any thread; waits for the token
	 * and for engine work of the client. */
	virtual void detach(uint32_t client) = 0;

	/** take_segment() - the descriptor of a segment whose creation the mailbox just confirmed.
	 * Context: any thread; waits for the token.
	 * Return: INVALID_HANDLE when there is none to take. */
	virtual base::Result<SharedSegment> take_segment(uint32_t client, uint64_t segment) = 0;

	/** give_file() - transfers of a client may name a file from now on.
	 * @file: as the client opened it. @direct: the same with O_DIRECT, or invalid
	 * Context: any thread; waits for the token.
	 * Return: its number; BAD_FILE, NO_RESOURCE, QUOTA, INVALID_HANDLE without such a client. */
	virtual base::Result<GivenFile> give_file(uint32_t client, base::Fd file, base::Fd direct,
						  bool always_direct) = 0;

	/** run() - moves the device until stop(); sleeps when there is nothing to do. */
	virtual void run() = 0;

	/** stop() - makes run() return. Context: any thread. */
	virtual void stop() = 0;

	/** kick() - wakes a sleeping run(). Context: any thread of this process. */
	virtual void kick() = 0;

	/** step() - processes at most one packet or message if the token is free.
	 * Return: true when something moved. */
	virtual bool step() = 0;

	/** turn() - a bounded turn of a thread that waits: up to one packet or message, and no waiting
	 * for more. Wakes run() if it sleeps and there is more to do.
	 * @many: up to some packets of one channel, where no other one has any
	 * Return: what it came to; LEFT where run() has the device to itself. */
	virtual Turn turn(bool many = false) = 0;

	/** run_at_once() - moves a device whose run() sleeps, from a thread that has just submitted
	 * something small, instead of kick(). Now and then only: run() is to have what comes in rows.
	 * Context: any thread.
	 * Return: true when all is done, or run() has been woken for the rest; false: the caller kicks. */
	virtual bool run_at_once() = 0;

	/** help() - does pieces of the engines' work until @word is @value or more, @deadline_ns has passed
	 * or there is none. Wakes run() when a job has ended. Context: any thread.
	 * Return: whether it did any. */
	virtual bool help(const uint64_t &word, uint64_t value, uint64_t deadline_ns) = 0;

	/** leave_to_callers() - how far run() keeps out of the device and leaves it to threads that
	 * call turn(). Context: any thread; wakes run() when it is to do more than before. */
	virtual void leave_to_callers(Callers callers) = 0;

	/** leave_cpu() - run() moves to another CPU than @cpu, now and then at most: who waits for it
	 * is there. Context: any thread. */
	virtual void leave_cpu(uint32_t cpu) = 0;

	/** snapshot() - what the device, its clients and their channels are doing, as JSON
	 * (Documentation/tools.rst). Context: any thread; waits for the token. */
	virtual std::string snapshot() = 0;

	/** record() - records what the device does (uapi/trace.h), from an empty ring on.
	 * @entries: room in the ring; 0 stops and keeps what there is
	 * Context: any thread; waits for the token. Return: NO_MEMORY. */
	virtual base::Status record(uint32_t entries) = 0;

	/** recorded() - what was recorded so far, for base::write_trace().
	 * Context: any thread; waits for the token. */
	virtual base::DeviceTrace recorded() = 0;

	/** next_deadline_ns() - when the next wait task expires; base::NO_DEADLINE if none does. */
	virtual uint64_t next_deadline_ns() = 0;
};

} // namespace fw
