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
	TcpAddress address{}; /* without a port */
};

/** struct InterfaceSettings - HCCL_IF_IP, HCCL_SOCKET_IFNAME and HCCL_SOCKET_FAMILY; "" where unset. */
struct InterfaceSettings {
	std::string ip;
	std::string names;
	std::string family;
};

/** choose_interfaces() - the addresses at which a process listens: those of one class, at most four.
 * @all: addresses that the machine has
 * @chosen: receives them; may stay empty if nothing is set
 * Return: HCCL_E_PARA where a setting is malformed, or fits no address. */
HcclResult choose_interfaces(const InterfaceSettings &settings, const std::vector<Interface> &all,
			     std::vector<TcpAddress> &chosen);

/** all_interfaces() - the addresses that this process sees, of interfaces that are up. */
std::vector<Interface> all_interfaces();

/** interface_names() - the names of the interfaces that have one of these addresses, separated by commas. */
std::string interface_names(const std::vector<Interface> &all,
			    const std::vector<TcpAddress> &addresses);

/** read_interface_settings() - of the environment. */
InterfaceSettings read_interface_settings();

/** this_network() - a number for the machine and the network namespace: processes with the same one reach each
 * other by Unix sockets. this_machine() - the kernel's name for its present run. */
uint64_t this_network();
std::string this_machine();

} // namespace umd
