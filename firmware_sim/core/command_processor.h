// SPDX-License-Identifier: MIT
#pragma once

#include "client_context.h"
#include "firmware_sim/engine/opcode.h"

namespace fw {

/** validate_packet() - checks everything that can be checked without the context's memory, of a
 * packet without UNPU_PACKET_ARGUMENT. */
base::Status validate_packet(const unpu_packet &packet, const Semaphores::Users &semaphores);

/** is_short() - whether the packet ends so soon that the completion of the one before it can wait. */
bool is_short(const unpu_packet &packet);

/** execute() - runs a validated packet: Opcode::run. */
inline Outcome execute(const Task &task)
{
	return opcode_row(task.packet.opcode).run(task);
}

/** hand_over() - fills in whose job it is and gives it to an engine. The engine's end wakes @owner. */
Outcome hand_over(ClientContext &client, Waiter &owner, std::unique_ptr<Job> job);

/** resolve_copy() - which copy a COPY_INDIRECT asks for. Return: MMU_FAULT, ACCESS_FAULT for a word of it. */
Outcome resolve_copy(ClientContext &client, const unpu_operator &op, unpu_copy &copy);

/** resolve_random() - which RANDOM is asked for, whose blocks are taken from the counter then.
 * @concrete: an operator for run_random(); its count, parameters[4], is 0 when there is nothing to do
 * @ranges: what it touches
 * Return: MMU_FAULT, ACCESS_FAULT, BAD_OPERATOR; no blocks are taken then. */
Outcome resolve_random(ClientContext &client, const unpu_operator &op, unpu_operator &concrete,
		       MemoryRange (&ranges)[2]);

/** jam() - the fault JAM: an engine takes the packet and never comes back, or a file of it never
 * answers.
 * Return: false if no other thread would run the packet. */
bool jam(const Task &task);

/** inject_fault() - looks for a rule that strikes a task which has not begun, and does what it says.
 * @packet: the task's own copy, which may change
 * @stream, @in: as for Faults::task()
 * @effect: what its owner has to do later
 * Return: true when @outcome is all that becomes of the task in this turn. */
bool inject_fault(ClientContext &client, Waiter &owner, unpu_packet &packet, uint32_t stream,
		  int64_t in, FaultEffect &effect, Outcome &outcome);

/** forgive_overflow() - notes an overflow in the client's status.
 * Return: whether @outcome is one that does not fail @packet. */
bool forgive_overflow(ClientContext &client, const unpu_packet &packet, const Outcome &outcome);

/** apply_signal() - the packet's own signal, after its results.
 * Return: PEER_LOST when it is for a client that is gone. */
base::Status apply_signal(ClientContext &client, const unpu_packet &packet);

/* Opcode::run, by what they do. */
Outcome run_nothing(const Task &task);
Outcome run_copy(const Task &task);
Outcome run_fill(const Task &task);
Outcome run_row(const Task &task);
Outcome run_operator(const Task &task);
Outcome run_tensor(const Task &task);
Outcome run_kernel(const Task &task);
Outcome refuse_in_ring(const Task &task); /* BAD_PACKET: a ring may not have it */
Outcome wait_semaphore(const Task &task);
Outcome store_time(const Task &task);
Outcome write_value(const Task &task);
Outcome wait_value(const Task &task);
Outcome access_overflow(const Task &task);
Outcome post_host_call(const Task &task);
Outcome finish_host_call(const Task &task);
Outcome launch_graph(const Task &task);
Outcome update_graph(const Task &task);
Outcome stop_channel(const Task &task);
Outcome transfer_file(const Task &task);

/* Opcode::fail, Opcode::jam */
void fail_host_call(ClientContext &client, const unpu_packet &packet, base::Status status);
bool jam_file(const Task &task);

} // namespace fw
