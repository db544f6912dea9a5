// SPDX-License-Identifier: MIT
/**
 * DOC: Choice of ports
 *
 * A process that meets others over TCP listens at one port of each of its addresses. The kernel chooses any
 * free port, unless the environment limits the choice.
 */
#include "ports.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <dirent.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "base/number.h"
#include "hal/options.h"
#include "umd/hccl/hccl_result.h"

namespace umd {

using base::Fd;

static constexpr const char *RANGE = "HCCL_HOST_SOCKET_PORT_RANGE";
static constexpr const char *BASE = "HCCL_IF_BASE_PORT";
static constexpr uint16_t BASE_USUAL = 60000;
static constexpr uint16_t BASE_LEAST = 1024;
static constexpr uint16_t BASE_COUNT = 16;
static constexpr uint16_t BASE_MOST = 65535 - BASE_COUNT + 1;

static bool read_range(const std::string &text, std::pair<uint16_t, uint16_t> &range)
{
	const size_t at = text.find('-');
	return base::read_number(text.substr(0, at), range.first) &&
	       base::read_number(at == text.npos ? text : text.substr(at + 1), range.second) &&
	       range.first != 0 && range.first <= range.second;
}

static bool read_ranges(const std::string &text, PortChoice &choice)
{
	std::stringstream words(text);
	for (std::string word; std::getline(words, word, ',');) {
		if (!read_range(word, choice.ranges.emplace_back()))
			return false;
	}
	return text.back() != ',';
}

HcclResult read_base_port(uint16_t &port)
{
	const std::string text = hal::environment(BASE);
	port = BASE_USUAL;
	if (text.empty() ||
	    (base::read_number(text, port) && port >= BASE_LEAST && port <= BASE_MOST))
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA, fmt::format("{} is \"{}\"; it must be a number from {} to {}",
					       BASE, text, BASE_LEAST, BASE_MOST));
}

HcclResult read_ports(PortChoice &choice)
{
	const std::string text = hal::environment(RANGE);
	choice = {};
	if (text == "auto")
		return HCCL_SUCCESS;
	if (!text.empty()) {
		choice.origin = fmt::format("{}={}", RANGE, text);
		if (read_ranges(text, choice))
			return HCCL_SUCCESS;
		return refuse(HCCL_E_PARA,
			      fmt::format("{} is \"{}\"; it must be auto, or ports and ranges such "
					  "as 60000-60015 with commas, from 1 to 65535",
					  RANGE, text));
	}
	const std::string base = hal::environment(BASE);
	if (base.empty())
		return HCCL_SUCCESS;
	uint16_t port;
	TRY(read_base_port(port));
	choice.origin = fmt::format("{}={}", BASE, base);
	choice.ranges.emplace_back(port, port + BASE_COUNT - 1);
	return HCCL_SUCCESS;
}

/* The inode of the socket that listens at a port; "" if the kernel does not show it. */
static std::string listener_of(const char *table, uint16_t port)
{
	constexpr int LISTENING = 10;
	std::ifstream file(table);
	std::string line;
	(void)std::getline(file, line);
	while (std::getline(file, line)) {
		std::stringstream words(line);
		std::string slot, local, remote, state, queues, timer, again, user, wait, inode;
		words >> slot >> local >> remote >> state >> queues >> timer >> again >> user >>
			wait >> inode;
		uint16_t found = 0;
		int found_state = 0;
		if (base::read_number(local.substr(local.find(':') + 1), found, 16) &&
		    base::read_number(state, found_state, 16) && found == port &&
		    found_state == LISTENING)
			return inode;
	}
	return "";
}

static bool has_socket(const std::string &pid, const std::string &inode)
{
	const std::string folder = "/proc/" + pid + "/fd";
	DIR *files = opendir(folder.c_str());
	bool is_there = false;
	for (const dirent *each = files ? readdir(files) : nullptr; each && !is_there;
	     each = readdir(files)) {
		char target[64] = "";
		(void)!readlinkat(dirfd(files), each->d_name, target, sizeof(target) - 1);
		is_there = "socket:[" + inode + "]" == target;
	}
	if (files)
		(void)closedir(files);
	return is_there;
}

/* Return: "process 4711 (python3)"; "" where /proc does not tell. */
static std::string holder_of(uint16_t port)
{
	std::string inode = listener_of("/proc/net/tcp", port);
	if (inode.empty())
		inode = listener_of("/proc/net/tcp6", port);
	DIR *processes = inode.empty() ? nullptr : opendir("/proc");
	std::string found;
	for (const dirent *each = processes ? readdir(processes) : nullptr; each && found.empty();
	     each = readdir(processes)) {
		const std::string pid = each->d_name;
		if (pid.find_first_not_of("0123456789") != pid.npos || !has_socket(pid, inode))
			continue;
		std::string name;
		std::getline(std::ifstream("/proc/" + pid + "/comm"), name);
		found = fmt::format("process {} ({})", pid, name);
	}
	if (processes)
		(void)closedir(processes);
	return found;
}

/* How long the kernel keeps a connection that sends nothing before it reports the connection. */
static constexpr int SILENCE_S = 5;
/* Most connections that the kernel keeps so, or that are not accepted yet. */
static constexpr int BACKLOG = 1024;

/* Return: 0, or an errno value. */
static int try_port(const TcpAddress &address, Fd &socket)
{
	sockaddr_storage where;
	const socklen_t bytes = to_socket_address(address, where);
	const int one = 1;
	socket = Fd(::socket(address.family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	if (!socket.valid())
		return errno;
	/* Connections of an earlier process in the state TIME_WAIT do not make the port busy. */
	(void)setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (address.family == AF_INET6)
		(void)setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	/* With this option a connection that sends nothing costs no descriptor. */
	(void)setsockopt(socket.get(), IPPROTO_TCP, TCP_DEFER_ACCEPT, &SILENCE_S,
			 sizeof(SILENCE_S));
	if (bind(socket.get(), reinterpret_cast<const sockaddr *>(&where), bytes) != 0 ||
	    listen(socket.get(), BACKLOG) != 0)
		return errno;
	return 0;
}

static HcclResult refuse_port(const PortChoice &choice, const TcpAddress &address, int error)
{
	const uint16_t first = choice.ranges.empty() ? 0 : choice.ranges[0].first;
	if (error == EADDRNOTAVAIL)
		return refuse(HCCL_E_PARA, fmt::format("{} is no address of this machine ({})",
						       ip_text(address), choice.origin));
	if (error != EADDRINUSE || first == 0)
		return refuse(HCCL_E_UNAVAIL,
			      fmt::format("the system refuses to listen at {}{}: {}",
					  ip_text(address), first == 0 ? "" : ", " + choice.origin,
					  strerror(error)));
	const std::string holder = holder_of(first);
	return refuse(
		HCCL_E_UNAVAIL,
		fmt::format("no port of {} is free at {}{}; end the other programs, or allow "
			    "other ports",
			    choice.origin, ip_text(address),
			    holder.empty() ? "" : fmt::format(": {} has port {}", holder, first)));
}

HcclResult listen_on(const PortChoice &choice, TcpAddress &address, Fd &socket)
{
	int error = 0;
	address.port = 0;
	if (choice.ranges.empty()) {
		error = try_port(address, socket);
		if (error != 0)
			return refuse_port(choice, address, error);
		sockaddr_storage where{};
		socklen_t bytes = sizeof(where);
		(void)getsockname(socket.get(), reinterpret_cast<sockaddr *>(&where), &bytes);
		address = from_socket_address(reinterpret_cast<const sockaddr *>(&where));
		return HCCL_SUCCESS;
	}
	for (const auto &[first, last] : choice.ranges) {
		for (uint32_t port = first; port <= last; port++) {
			address.port = static_cast<uint16_t>(port);
			error = try_port(address, socket);
			if (error == 0)
				return HCCL_SUCCESS;
			if (error != EADDRINUSE && error != EACCES)
				return refuse_port(choice, address, error);
		}
	}
	return refuse_port(choice, address, error);
}

} // namespace umd
