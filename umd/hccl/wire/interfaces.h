// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace umd {

/** struct Interface - a network interface that is up. */
struct Interface {
	std::string name;
	std::vector<std::string> addresses;
};

/** choose_interfaces() - which of @all the wire uses: the one with the address @ip, else those that @names asks for,
 * else the best kind that there is: others, docker's, loopback.
 * @ip: HCCL_IF_IP, or ""
 * @names: HCCL_SOCKET_IFNAME, or "": names or their beginnings, separated by commas; "=" in front: whole names;
 *	"^" in front: all others
 * Return: names separated by commas. */
std::string choose_interfaces(const std::vector<Interface> &all, const std::string &ip,
			      const std::string &names);

/** chosen_interfaces() - choose_interfaces() of this machine and environment. */
std::string chosen_interfaces();

} // namespace umd
