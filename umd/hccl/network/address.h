// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <sys/socket.h>

namespace umd {

/** struct TcpAddress - where a process listens; the same bytes on all machines. */
struct TcpAddress {
	uint16_t family; /* AF_INET, AF_INET6; 0: none */
	uint16_t port;
	uint32_t reserved;
	std::array<uint8_t, 16> bytes; /* of the address, in the order of the network */

	bool operator==(const TcpAddress &) const = default;
};

/** struct TcpPlace - all addresses of one process. Those after the first empty one are empty. */
struct TcpPlace {
	std::array<TcpAddress, 4> at;
};

/** to_socket_address() - Return: its length. */
socklen_t to_socket_address(const TcpAddress &address, sockaddr_storage &out);

/** from_socket_address() - Return: an empty address for another family. */
TcpAddress from_socket_address(const sockaddr *from);

/** read_tcp_address() - an IPv4 or IPv6 address as text, without a port. Return: whether it is one. */
bool read_tcp_address(const std::string &text, TcpAddress &address);

/** ip_text() - without the port. tcp_text() - with it. */
std::string ip_text(const TcpAddress &address);
std::string tcp_text(const TcpAddress &address);

} // namespace umd
