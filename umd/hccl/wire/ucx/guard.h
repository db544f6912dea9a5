// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

/** using WorkerAddress - the address that UCX reports for a worker. It contains the addresses and ports of
 * the worker's sockets. */
using WorkerAddress = std::string;

/** guard_sockets() - makes the kernel probe the other sides of a worker's TCP sockets while they are idle. A
 * connection that a guarded socket accepts is guarded, too.
 * @own: the worker's address
 * @others: the addresses of the workers to which it is connected */
void guard_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);

/** end_sockets() - ends all connections of a worker. */
void end_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);

/** struct SocketCheck - what check_sockets() has found. */
struct SocketCheck {
	bool has_unanswered; /* a socket has unacknowledged data */
	bool has_ended;	     /* a socket was shut down because its other side does not answer */
};

/** check_sockets() - shuts down the sockets of a worker whose other side has not acknowledged data for
 * seconds. A stopped process is not affected, because its kernel still acknowledges data. */
SocketCheck check_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others);
