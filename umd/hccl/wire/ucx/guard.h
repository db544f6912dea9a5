// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/** using WorkerAddress - what UCX gives for a worker; the places of its sockets are in it. */
using WorkerAddress = std::string;

/** guard_sockets() - has the kernel probe the other sides of the TCP sockets of a worker while they are idle. What a
 * guarded socket accepts is guarded too.
 * @own: the worker's address
 * @others: of the workers that it has connected to */
void guard_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);

/** end_sockets() - ends all connections of a worker. */
void end_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);

/** struct SocketCheck - what check_sockets() has found. */
struct SocketCheck {
	bool has_unanswered; /* data are under way */
	bool has_ended;	     /* a socket whose other side does not answer */
};

/** check_sockets() - ends those sockets of a worker whose other side has not answered data for seconds. A process that
 * is stopped does answer: its kernel does. */
SocketCheck check_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);
