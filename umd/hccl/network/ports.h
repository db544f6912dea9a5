// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "address.h"
#include "base/os/shm.h"
#include "hccl/hccl_types.h"

namespace umd {

/** struct PortChoice - the ports at which a process may listen. */
struct PortChoice {
	std::vector<std::pair<uint16_t, uint16_t>> ranges; /* none: the kernel chooses */
	std::string origin;				   /* of the ranges, for sentences */
};

/** read_ports() - HCCL_HOST_SOCKET_PORT_RANGE, else HCCL_IF_BASE_PORT, else none. Return: HCCL_E_PARA. */
HcclResult read_ports(PortChoice &choice);

/** read_base_port() - HCCL_IF_BASE_PORT, else 60000. Return: HCCL_E_PARA. */
HcclResult read_base_port(uint16_t &port);

/** listen_on() - listens at a free port of the choice.
 * @address: receives the port
 * Return: HCCL_E_UNAVAIL with the ports and who has the first one; HCCL_E_PARA for an address of another machine. */
HcclResult listen_on(const PortChoice &choice, TcpAddress &address, base::Fd &socket);

} // namespace umd
