// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/clock.h"
#include "base/faults.h"
#include "base/schedule.h"

namespace fw {

/** class Exchange - the exports of all clients of one firmware; shared by its devices. */
class Exchange;

/** make_exchange() - creates the exchange of a firmware, for the Config of each of its devices. */
std::shared_ptr<Exchange> make_exchange();

/** instance() - the unique number of the firmware; never 0. */
uint64_t instance(const Exchange &exchange);

/** struct Quotas - the limits for one client; 0: no limit. */
struct Quotas {
	uint64_t memory_bytes = 0; /* bytes in segments of all kinds that the client has created */
	uint32_t channels = 0;
	uint32_t semaphores = 0;
	uint32_t graphs = 0;   /* loaded graphs */
	uint32_t messages = 0; /* mailbox requests per second */
	uint32_t entries = 0;  /* see Resource::ENTRIES */
	uint32_t descriptors = 0;

	/** semaphore_limit() - @semaphores if it is set; otherwise as many as fit into a sixteenth of
	 * @memory_bytes. 0: no limit. */
	uint32_t semaphore_limit() const;

	/** control_bytes() - memory of the control segments and of the firmware's table of semaphores. It
	 * counts as memory of the client. */
	uint64_t control_bytes() const;

	/** are_possible() - whether control_bytes() take at most half of @memory_bytes. */
	bool are_possible() const;
};

/* The watchdog's time limit of a task on an engine, in addition to the time for its size. */
constexpr uint64_t WATCHDOG_NS = 10 * base::NS_PER_S;

/** struct Config - the configuration of a device. */
struct Config {
	/* exchange of the firmware; empty: the firmware has only this device */
	std::shared_ptr<Exchange> exchange;
	uint32_t index = 0;	   /* device number, for the BAR */
	uint64_t memory_bytes = 0; /* device memory */
	uint32_t engines = 0;	 /* engine threads for long work; 0: the device's thread does it */
	uint32_t idle_polls = 0; /* empty polls of a channel before it is armed */
	std::vector<int> engine_cpus; /* CPUs of the engines, round robin; empty: see Placement */
	int32_t numa_node = -1;	      /* requested node for the device's pages; -1: any */
	uint32_t features = 0;	      /* UNPU_FEATURE_STEPPED, UNPU_FEATURE_NULL */
	uint32_t trace = 0; /* capacity of the trace ring, recording from the start; 0: off */
	const char *soc_name = ""; /* at most 31 characters */
	bool processes = false;	   /* clients are other processes, which kick through an eventfd */
	/* clients are trusted threads of this process: MAP of segment 0 */
	bool reaches_clients = false;
	bool inline_kernels = false; /* user kernels run in this process, which trusts them */
	bool full_fences = false;    /* use full fences for D1 and D2 even if membarrier works */
	Quotas quotas;
	std::shared_ptr<const base::FaultPlan> faults; /* fault rules; empty: none */
	/* plan of the order of commands, see explore(); empty: none */
	std::shared_ptr<const base::SchedulePlan> schedule;
	uint64_t watchdog_ns = WATCHDOG_NS; /* time limit of a task on an engine; 0: none */
	/* called with one line for each finding of the watchdog or the explorer; may be empty */
	std::function<void(const std::string &text)> report;
	/* called with one line about a client of @user that was refused or has failed; may be empty. Context:
	 * under the step token */
	std::function<void(uid_t user, const std::string &text)> note;
	/* what bounds the entries and the descriptors of a client, for sentences */
	std::string entry_limit = "firmware-sim --quota-entries";
	std::string descriptor_limit = "firmware-sim --quota-descriptors";
	uint32_t clients_of_user = 0; /* the most clients of one user on all devices; 0: no limit */
};

/** struct Wishes - the user's settings; defaults depend on the machine. */
struct Wishes {
	uint64_t memory_bytes = 0;    /* 0: half of the host's memory, at most 64 GiB */
	int32_t engines = -1;	      /* -1: as many as CPUs, at most 4; on one CPU none */
	std::vector<int> engine_cpus; /* see Config::engine_cpus */
	int32_t poll_us = -1;	      /* how long an idle channel is polled; -1: 50, on one CPU 0 */
	int64_t watchdog_ms = -1;     /* see Config::watchdog_ns; -1: 10 s */
};

/** configure() - chooses memory, engines and idle polls of a device that has its own thread. */
Config configure(const Wishes &wishes);

/** explore() - changes @config so that the device runs its commands in the order of @plan: on one thread, one
 * at a time. */
void explore(Config &config, std::shared_ptr<const base::SchedulePlan> plan);

} // namespace fw
