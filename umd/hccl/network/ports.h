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
	std::vector<std::pair<uint16_t, uint16_t>> ranges; /* empty: the kernel chooses */
	/* where the ranges come from, for error messages */
	std::string origin;
};

/** read_ports() - reads HCCL_HOST_SOCKET_PORT_RANGE, or else HCCL_IF_BASE_PORT. If neither is set, there are
 * no ranges. Return: HCCL_E_PARA. */
HcclResult read_ports(PortChoice &choice);

/** read_base_port() - reads HCCL_IF_BASE_PORT; 60000 if it is not set. Return: HCCL_E_PARA. */
HcclResult read_base_port(uint16_t &port);

/** listen_on() - listens at a free port of the choice.
 * @address: receives the port
 * Return: HCCL_E_UNAVAIL if no port is free; the error message lists the ports and the process that has the
 * first one. HCCL_E_PARA if the address belongs to another machine. */
HcclResult listen_on(const PortChoice &choice, TcpAddress &address, base::Fd &socket);

} // namespace umd
