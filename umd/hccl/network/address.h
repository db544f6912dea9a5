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
	std::array<uint8_t, 16> bytes; /* address bytes, in network order */

	bool operator==(const TcpAddress &) const = default;
};

/** struct TcpPlace - all addresses of one process. Those after the first empty one are empty. */
struct TcpPlace {
	std::array<TcpAddress, 4> at;
};

/** to_socket_address() - converts an address for the socket calls. Return: the length of @out. */
socklen_t to_socket_address(const TcpAddress &address, sockaddr_storage &out);

/** from_socket_address() - the inverse. Return: an empty address if the family is neither IPv4 nor IPv6. */
TcpAddress from_socket_address(const sockaddr *from);

/** read_tcp_address() - parses an IPv4 or IPv6 address without a port. Return: whether @text is one. */
bool read_tcp_address(const std::string &text, TcpAddress &address);

/** ip_text() - the address as text, without the port. tcp_text() - with the port. */
std::string ip_text(const TcpAddress &address);
std::string tcp_text(const TcpAddress &address);

} // namespace umd
