// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "address.h"
#include "hccl/hccl_types.h"

namespace umd {

/** struct Interface - an address of this machine. */
struct Interface {
	std::string name;
	TcpAddress address{}; /* port is 0 */
};

/** struct InterfaceSettings - HCCL_IF_IP, HCCL_SOCKET_IFNAME and HCCL_SOCKET_FAMILY; "" where unset. */
struct InterfaceSettings {
	std::string ip;
	std::string names;
	std::string family;
};

/** choose_interfaces() - chooses the addresses at which a process listens: at most four, all of one class
 * (see interfaces.cpp).
 * @all: the addresses of the machine
 * @chosen: receives the addresses; may stay empty if nothing is set
 * Return: HCCL_E_PARA if a setting is malformed, or matches no address. */
HcclResult choose_interfaces(const InterfaceSettings &settings, const std::vector<Interface> &all,
			     std::vector<TcpAddress> &chosen);

/** all_interfaces() - the addresses that this process sees, of interfaces that are up. */
std::vector<Interface> all_interfaces();

/** interface_names() - the names of the interfaces that have one of these addresses, separated by commas. */
std::string interface_names(const std::vector<Interface> &all,
			    const std::vector<TcpAddress> &addresses);

/** read_interface_settings() - reads the settings from the environment. */
InterfaceSettings read_interface_settings();

/** this_network() - a number that identifies the machine and its network namespace. Processes with the same
 * number can reach each other by Unix sockets. this_machine() - the kernel's boot id. */
uint64_t this_network();
std::string this_machine();

} // namespace umd
