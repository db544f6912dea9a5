// SPDX-License-Identifier: MIT
/**
 * DOC: Addresses
 *
 * An address is sent to other machines, in root information and in messages. So it has a fixed layout.
 */
#include "address.h"

#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

namespace umd {

socklen_t to_socket_address(const TcpAddress &address, sockaddr_storage &out)
{
	out = {};
	if (address.family == AF_INET) {
		sockaddr_in four{};
		four.sin_family = AF_INET;
		four.sin_port = htons(address.port);
		memcpy(&four.sin_addr, address.bytes.data(), sizeof(four.sin_addr));
		memcpy(&out, &four, sizeof(four));
		return sizeof(four);
	}
	sockaddr_in6 six{};
	six.sin6_family = AF_INET6;
	six.sin6_port = htons(address.port);
	memcpy(&six.sin6_addr, address.bytes.data(), sizeof(six.sin6_addr));
	memcpy(&out, &six, sizeof(six));
	return sizeof(six);
}

TcpAddress from_socket_address(const sockaddr *from)
{
	TcpAddress address{};
	if (from->sa_family == AF_INET) {
		sockaddr_in four;
		memcpy(&four, from, sizeof(four));
		address.family = AF_INET;
		address.port = ntohs(four.sin_port);
		memcpy(address.bytes.data(), &four.sin_addr, sizeof(four.sin_addr));
	} else if (from->sa_family == AF_INET6) {
		sockaddr_in6 six;
		memcpy(&six, from, sizeof(six));
		address.family = AF_INET6;
		address.port = ntohs(six.sin6_port);
		memcpy(address.bytes.data(), &six.sin6_addr, sizeof(six.sin6_addr));
	}
	return address;
}

bool read_tcp_address(const std::string &text, TcpAddress &address)
{
	TcpAddress found{};
	for (const int family : {AF_INET, AF_INET6}) {
		found.family = static_cast<uint16_t>(family);
		if (inet_pton(family, text.c_str(), found.bytes.data()) != 1)
			continue;
		address = found;
		return true;
	}
	return false;
}

std::string ip_text(const TcpAddress &address)
{
	char text[INET6_ADDRSTRLEN] = "";
	if (address.family == 0)
		return "no address";
	(void)inet_ntop(address.family, address.bytes.data(), text, sizeof(text));
	return text;
}

std::string tcp_text(const TcpAddress &address)
{
	const std::string ip = ip_text(address);
	return address.family == AF_INET6 ? fmt::format("[{}]:{}", ip, address.port)
					  : fmt::format("{}:{}", ip, address.port);
}

} // namespace umd
