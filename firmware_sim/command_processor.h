// SPDX-License-Identifier: MIT
#pragma once

#include "client.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace fw {

/** struct Outcome - how a packet ended, or that it has not ended yet. */
struct Outcome {
	base::Status status = base::Status::OK;
	uint64_t address = 0;  /* of a fault */
	bool reported = false; /* the failure stands in a timeline already */
	bool blocked = false;  /* the owner will be woken */
};

/** blocked() - the outcome of a packet that somebody else will finish. */
inline Outcome blocked()
{
	Outcome outcome;
	outcome.blocked = true;
	return outcome;
}

/** validate_packet() - checks everything that can be checked without the context's memory, of a
 * packet without UNPU_PACKET_ARGUMENT. */
base::Status validate_packet(const unpu_packet &packet, const Semaphores::Users &semaphores);

/** is_short() - whether the packet is done before anybody could miss the one before it. */
bool is_short(const unpu_packet &packet);

/** struct MemoryRange - a range of device memory that a packet names. */
struct MemoryRange {
	uint64_t va;
	uint64_t bytes;
	uint32_t access;
};

/** using Places - where a packet's operands lie in this process; all nullptr: not known. */
using Places = std::array<std::byte *, 4>;

/** row_ranges() - what a ROW touches. Return: how many of @out were filled. */
unsigned row_ranges(const unpu_packet &packet, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS]);

/** struct Task - a packet of a ring or a node of a graph, with what is needed to run it. */
struct Task {
	Client &client;
	Waiter &owner; /* is woken when the outcome is blocked */
	const unpu_packet &packet;
	/* OPERATOR: a private copy of the descriptor, which has passed check_operator(). */
	const unpu_operator *op = nullptr;
	/* Receives the places of work that was done in place; good until the MMU's epoch changes. */
	Places *keep = nullptr;
};

/** execute() - runs a validated packet that ring and graph have in common. */
Outcome execute(const Task &task);

/** hand_over() - gives an engine a job that is filled in but for whose it is. @owner is woken when it
 * is done. */
Outcome hand_over(Client &client, Waiter &owner, std::unique_ptr<Job> job);

/** resolve_copy() - which copy a COPY_INDIRECT asks for. Return: MMU_FAULT, ACCESS_FAULT for a word of it. */
Outcome resolve_copy(Client &client, const unpu_operator &op, unpu_copy &copy);

/** resolve_random() - which RANDOM is asked for, whose blocks are taken from the counter then.
 * @concrete: an operator for run_random(); its count, parameters[4], is 0 when there is nothing to do
 * @ranges: what it touches
 * Return: MMU_FAULT, ACCESS_FAULT, BAD_OPERATOR; no blocks are taken then. */
Outcome resolve_random(Client &client, const unpu_operator &op, unpu_operator &concrete,
		       MemoryRange (&ranges)[2]);

/** transfer_file() - execute() of a FILE_READ or FILE_WRITE.
 * @jammed: a fault that a test asked for: the file never answers */
Outcome transfer_file(Client &client, Waiter &owner, const unpu_packet &packet,
		      bool jammed = false);

/** jam_engine() - a fault on purpose: an engine takes the packet and never comes back, or a file of it
 * never answers.
 * Return: false where nothing is done beside the command processor. */
bool jam_engine(Client &client, Waiter &owner, const unpu_packet &packet);

/** forgive_overflow() - notes an overflow in the client's status.
 * Return: whether @outcome is one that does not fail @packet. */
bool forgive_overflow(Client &client, const unpu_packet &packet, const Outcome &outcome);

/** apply_signal() - the packet's own signal, after its results.
 * Return: PEER_LOST when it is for a client that is gone. */
base::Status apply_signal(Client &client, const unpu_packet &packet);

} // namespace fw
