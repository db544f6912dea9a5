// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event_loop.h"
#include "fw/device.h"

namespace fwd {

/* How the program ends; --help and Documentation/process-mode.rst say so too. */
enum Exit {
	EXIT_GOOD = 0,	       /* every check held; a signal, or the end of the parent */
	EXIT_CHECK_FAILED = 1, /* of the self-test */
	EXIT_USAGE = 2,	       /* the command line */
	EXIT_SERVED = 3,       /* a live firmware listens at the path */
	EXIT_SOCKET = 4,       /* the socket can't be made */
	EXIT_DEVICE = 5,       /* a device, or what else it takes to serve, can't be had */
};

/** struct Options - a command line. */
struct Options {
	bool self_test = false; /* said; it is what happens if nothing is */
	std::string path;	/* of the socket to listen at; empty: none */
	int control_fd = -1;	/* where a parent sends connections; -1: none */
	std::string group;	/* whose members may connect; empty: the owner alone */
	uint32_t devices = 1;
	std::vector<int32_t> nodes; /* by device; the last one counts for the rest */
	fw::Wishes wishes;
	fw::Quotas quotas;	      /* of each client */
	uint32_t clients_of_user = 0; /* at once, on all devices together; 0: any number */
	uint32_t attach_ms = 10000;   /* a connection that has not attached by then ends */
	std::shared_ptr<const base::FaultPlan> faults;
	std::string fault_rules; /* the same as they were given */
	std::string soc_name = "Ascend910B3";
	EventLoop::Wish loop = EventLoop::Wish::ANY;
	std::string log_level = "info";
	bool sandbox = false;	    /* gives up system calls once it serves */
	std::string trace;	    /* the file of a trace, written at the end; empty: none */
	uint32_t trace_entries = 0; /* room in each device's ring; 0: the default */

	bool serves() const { return !path.empty() || control_fd >= 0; }
};

/** parse_options() - reads the command line; prints help and what is wrong.
 * Return: -1 to go on, or the exit code. */
int parse_options(int argc, char **argv, Options &options);

} // namespace fwd
