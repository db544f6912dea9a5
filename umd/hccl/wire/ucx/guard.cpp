// SPDX-License-Identifier: MIT
/**
 * DOC: Guard of sockets
 *
 * UCX 1.13 notices a cut cable only on sockets that it has connected itself, and only while it sends nothing.
 * The reason: it sets keepalive only for these sockets, and the kernel sends no probes while it retransmits
 * data, for a quarter of an hour. TCP_USER_TIMEOUT would end that. But it would also end a connection to a
 * process that a debugger has stopped, once the buffers of that process are full. So keepalive guards idle
 * sockets, and check_sockets() examines sockets with data.
 *
 * UCX has no function that returns its sockets. So this file searches all sockets of the process for those
 * whose address and port are in a worker's address.
 */
#include "guard.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace {

/* A silent side is lost after three seconds: one second until the first probe, and two for two probes. */
constexpr int IDLE_S = 1;
constexpr int INTERVAL_S = 1;
constexpr int PROBES = 2;
/* The same limit for data. The kernel has retransmitted them several times by then. */
constexpr uint32_t ANSWER_MS = 2500;
constexpr uint8_t REPEATS = 3;

using Ask = int (*)(int, sockaddr *, socklen_t *);

bool has(const WorkerAddress &address, const void *part, size_t bytes)
{
	return address.find(std::string(static_cast<const char *>(part), bytes)) !=
	       std::string::npos;
}

/* Whether one end of a socket is part of a worker's address. */
bool is_in(int fd, Ask ask, const WorkerAddress &address)
{
	sockaddr_storage place{};
	socklen_t size = sizeof(place);
	if (ask(fd, reinterpret_cast<sockaddr *>(&place), &size) != 0)
		return false;
	if (place.ss_family == AF_INET) {
		const auto &it = reinterpret_cast<const sockaddr_in &>(place);
		return has(address, &it.sin_port, sizeof(it.sin_port)) &&
		       has(address, &it.sin_addr, sizeof(it.sin_addr));
	}
	if (place.ss_family == AF_INET6) {
		const auto &it = reinterpret_cast<const sockaddr_in6 &>(place);
		return has(address, &it.sin6_port, sizeof(it.sin6_port)) &&
		       has(address, &it.sin6_addr, sizeof(it.sin6_addr));
	}
	return false;
}

int get(int fd, int level, int name)
{
	int value = -1;
	socklen_t size = sizeof(value);
	return getsockopt(fd, level, name, &value, &size) == 0 ? value : -1;
}

void set(int fd, int level, int name, int value)
{
	(void)setsockopt(fd, level, name, &value, sizeof(value));
}

std::vector<int> sockets_of(const WorkerAddress &own, const std::vector<WorkerAddress> &others)
{
	std::vector<int> sockets;
	std::error_code error;
	std::filesystem::directory_iterator at("/proc/self/fd", error);
	for (; !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
		const int fd = atoi(at->path().filename().c_str());
		if (get(fd, SOL_SOCKET, SO_PROTOCOL) != IPPROTO_TCP)
			continue;
		const bool is_connected =
			std::any_of(others.begin(), others.end(), [fd](const WorkerAddress &other) {
				return is_in(fd, getpeername, other);
			});
		if (is_connected || is_in(fd, getsockname, own))
			sockets.push_back(fd);
	}
	return sockets;
}

/* The connections, without the listening socket: UCX aborts the process when it gets two events for a
 * listening socket that was shut down. */
std::vector<int> connections_of(const WorkerAddress &own, const std::vector<WorkerAddress> &others)
{
	std::vector<int> sockets = sockets_of(own, others);
	std::erase_if(sockets, [](int fd) { return get(fd, SOL_SOCKET, SO_ACCEPTCONN) != 0; });
	return sockets;
}

} // namespace

void guard_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others)
{
	for (int fd : sockets_of(own, others)) {
		set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
		set(fd, IPPROTO_TCP, TCP_KEEPIDLE, IDLE_S);
		set(fd, IPPROTO_TCP, TCP_KEEPINTVL, INTERVAL_S);
		set(fd, IPPROTO_TCP, TCP_KEEPCNT, PROBES);
	}
}

void end_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others)
{
	for (int fd : connections_of(own, others))
		(void)shutdown(fd, SHUT_RDWR);
}

SocketCheck check_sockets(const WorkerAddress &own, const std::vector<WorkerAddress> &others)
{
	SocketCheck check{};
	for (int fd : connections_of(own, others)) {
		tcp_info info{};
		socklen_t size = sizeof(info);
		if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
		    info.tcpi_unacked == 0)
			continue;
		check.has_unanswered = true;
		if (info.tcpi_retransmits < REPEATS || info.tcpi_last_ack_recv < ANSWER_MS)
			continue;
		check.has_ended = true;
		(void)shutdown(fd, SHUT_RDWR);
	}
	return check;
}
