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
	/* sim:step - the firmware runs only inside a host thread that waits for the device or steps it */
	STEP,
	NONE,	/* null: - packets complete without being executed */
	SPAWN,	/* sim+proc: - another process, which this one starts */
	SOCKET, /* unix:PATH - another process, which runs already */
};

/** enum class PagePolicy - the page size of device and pinned memory. */
enum class PagePolicy {
	AUTO, /* the call that allocates chooses */
	SMALL,
	THP,
	HUGETLB,
};

/** struct Options - a parsed device string. */
struct Options {
	Backend backend = Backend::THREAD;
	/* size of the device memory; 0: half of the host's memory, at most 64 GiB */
	uint64_t memory_bytes = 0;
	int32_t engines = -1;
	std::vector<int>
		/* CPUs of the engines, assigned round robin; empty: see base::Placement */
		engine_cpus;
	std::vector<int32_t>
		/* the NUMA node of each device's pages; the last entry is used for all further devices */
		nodes;
	int32_t poll_us = -1;
	/* how long a waiting thread polls; -1: chosen by the number of CPUs */
	int32_t spin_us = -1;
	int64_t watchdog_ms = -1;     /* how long a task may take on an engine; -1: 10 s */
	uint32_t patience_ms = 30000; /* how long a device may be silent before it is lost */
	uint32_t force_ms = 1000;     /* how long ready tasks may still run after an end by force */
	/* maximum size of an address window; 0: chosen by the memory size */
	uint64_t window_bytes = 0;
	PagePolicy pages = PagePolicy::AUTO;
	uint64_t prefault_bytes =
		uint64_t{256} /* how many bytes of each object are prefaulted in the background */
		<< 20;
	uint32_t devices = 1;
	CallerRuns caller_runs = CallerRuns::AUTO;
	bool inline_kernels = false; /* user kernels run in the program instead of a process */
	base::FaultPlans faults;     /* faults to inject */
	/* The order in which the device runs commands, from UNPU_SCHEDULE; nullptr: the device's usual order.
	 * open_device() sets it. */
	std::shared_ptr<const base::SchedulePlan> schedule;
	std::string path; /* path of the firmware's socket */
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
 * @why: receives an error message on failure
 * Return: INVALID_ARGUMENT for an unknown backend, word or number.
 */
base::Result<Options> parse_device_string(std::string_view text, std::string &why);

/**
 * complete_options() - asks a firmware in another process for the number of devices, their memory and the
 * chip's name. Does nothing for other backends.
 * @why: receives an error message on failure
 * Return: INVALID_DEVICE when no firmware answers, NO_PERMISSION, VERSION_MISMATCH.
 */
base::Status complete_options(Options &options, std::string &why);

/** environment() - an environment variable, or "". Only this function and has_variable() read the
 * environment. */
std::string environment(const char *name);

} // namespace hal
