// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event_loop.h"
#include "firmware_sim/device/sim_device.h"

namespace fwd {

/* Exit codes; --help and Documentation/process-mode.rst list them too. */
enum Exit {
	EXIT_GOOD = 0,	       /* all checks passed; or ended by a signal or with the parent */
	EXIT_CHECK_FAILED = 1, /* a check of the self-test failed */
	EXIT_USAGE = 2,	       /* bad command line */
	EXIT_SERVED = 3,       /* a live firmware already listens at the path */
	EXIT_SOCKET = 4,       /* the socket cannot be created */
	EXIT_DEVICE = 5,       /* a device, or another resource for serving, cannot be created */
};

/** struct Options - the parsed command line. */
struct Options {
	bool self_test = false; /* requested explicitly; also the default action */
	std::string path;	/* path of the listening socket; empty: none */
	int control_fd = -1;	/* descriptor on which a parent sends connections; -1: none */
	std::string group;	/* group whose members may connect; empty: only the owner may */
	uint32_t devices = 1;
	/* NUMA node of each device; the last entry applies to the rest */
	std::vector<int32_t> nodes;
	fw::Wishes wishes;
	fw::Quotas quotas; /* quotas of each client */
	/* Simultaneous clients of one user on all devices; 0: no limit. */
	uint32_t clients_of_user = 0;
	/* A connection that has not attached after this time is closed. */
	uint32_t attach_ms = 10000;
	std::shared_ptr<const base::FaultPlan> faults;
	/* plan of the order of commands; empty: the devices choose the order */
	std::shared_ptr<const base::SchedulePlan> schedule;
	std::string fault_rules; /* the fault rules as text, as given */
	std::string soc_name = "Ascend910B3";
	EventLoop::Wish loop = EventLoop::Wish::ANY;
	std::string log_level = "info";
	bool sandbox = false;	    /* drop unneeded system calls before serving */
	std::string trace;	    /* trace file, written at the end; empty: none */
	uint32_t trace_entries = 0; /* entries of each device's trace ring; 0: the default */

	bool serves() const { return !path.empty() || control_fd >= 0; }
};

/** parse_options() - parses the command line; prints help and errors.
 * Return: -1 to continue, or the exit code. */
int parse_options(int argc, char **argv, Options &options);

} // namespace fwd
