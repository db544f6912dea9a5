// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/faults.h"
#include "base/result.h"
#include "base/schedule.h"
#include "wait_policy.h"

namespace hal {

/** enum class Backend - where the firmware runs. */
enum class Backend {
	THREAD, /* sim: a thread of this program */
	STEP,	/* sim:step - runs only inside a host thread that waits or steps it */
	NONE,	/* null: - packets complete without being executed */
	SPAWN,	/* sim+proc: - another process, which this one starts */
	SOCKET, /* unix:PATH - another process, which runs already */
};

/** enum class PagePolicy - the page size of device and pinned memory. */
enum class PagePolicy {
	AUTO, /* as the allocating call asks */
	SMALL,
	THP,
	HUGETLB,
};

/** struct Options - a parsed device string. */
struct Options {
	Backend backend = Backend::THREAD;
	uint64_t memory_bytes = 0; /* 0: half of the host's memory, at most 64 GiB */
	int32_t engines = -1;	   /* -1: by the number of CPUs */
	std::vector<int>
		engine_cpus; /* CPUs of the engines, round robin; empty: see base::Placement */
	std::vector<int32_t>
		nodes;	      /* NUMA node for each device's pages; the last counts for the rest */
	int32_t poll_us = -1; /* how long an idle device polls; -1: by the number of CPUs */
	int32_t spin_us = -1; /* how long a waiter spins; -1: by the number of CPUs */
	int64_t watchdog_ms = -1;     /* how long a task may take on an engine; -1: 10 s */
	uint32_t patience_ms = 30000; /* how long a device may be silent before it is lost */
	uint32_t force_ms = 1000;     /* how long an end by force lets tasks run */
	uint64_t window_bytes = 0;    /* largest size of an address window; 0: by the memory size */
	PagePolicy pages = PagePolicy::AUTO;
	uint64_t prefault_bytes = uint64_t{256}
				  << 20; /* per object, prefaulted in the background */
	uint32_t devices = 1;
	CallerRuns caller_runs = CallerRuns::AUTO;
	bool inline_kernels = false; /* user kernels run in the program instead of a process */
	base::FaultPlans faults;     /* faults to inject */
	/* In which order the device runs commands; nullptr: its own. Of UNPU_SCHEDULE, set by open_device(). */
	std::shared_ptr<const base::SchedulePlan> schedule;
	std::string path; /* of the socket */
	std::string soc_name = "Ascend910B3";

	/** node() - the requested NUMA node for the pages of device @index; -1: any. */
	int32_t node(uint32_t index) const
	{
		if (nodes.empty())
			return -1;
		return nodes[index < nodes.size() ? index : nodes.size() - 1];
	}
};

/**
 * parse_device_string() - reads "sim:", "sim:step", "sim+proc:", "sim:memory=1G,engines=2", "unix:PATH" ...
 * @text: NULL-terminated or not; empty means "sim:"
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_ARGUMENT for an unknown backend, word or number.
 */
base::Result<Options> parse_device_string(std::string_view text, std::string &why);

/**
 * complete_options() - asks a firmware in another process for the number of devices, their memory and the
 * chip's name. Does nothing for other backends.
 * @why: receives a sentence when the result is not OK
 * Return: INVALID_DEVICE when no firmware answers, NO_PERMISSION, VERSION_MISMATCH.
 */
base::Status complete_options(Options &options, std::string &why);

/** environment() - an environment variable, or "". The one place that reads the environment. */
std::string environment(const char *name);

} // namespace hal
