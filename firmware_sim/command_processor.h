// SPDX-License-Identifier: MIT
#pragma once

#include "client.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace fw {

/** struct Outcome - how a packet ended, or that it has not ended yet. */
struct Outcome {
	base::Status status = base::Status::OK;
	uint64_t address = 0; /* of a fault */
	bool blocked = false; /* the owner will be woken */
};

/** validate_packet() - checks everything that can be checked without the context's memory. */
base::Status validate_packet(const unpu_packet &packet);

/** is_short() - whether the packet is done before anybody could miss the one before it. */
bool is_short(const unpu_packet &packet);

/** execute_packet() - runs a validated packet that ring and graph have in common.
 * @op: private copy of the descriptor, for OPERATOR.
 * @owner: who is woken when the outcome is blocked.
 */
Outcome execute_packet(Client &client, Waiter &owner, const unpu_packet &packet,
		       const unpu_operator *op);

/** apply_signal() - the packet's own signal, after its results. */
void apply_signal(Client &client, const unpu_packet &packet);

} // namespace fw
