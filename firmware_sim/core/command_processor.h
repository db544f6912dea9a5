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

/** hand_over() - fills in the owner of a job, and gives the job to an engine. When the engine has ended the
 * job, it wakes @owner. */
Outcome hand_over(ClientContext &client, Waiter &owner, std::unique_ptr<Job> job);

/** resolve_copy() - reads the words of a COPY_INDIRECT, and makes the copy that it asks for. Return:
 * MMU_FAULT, ACCESS_FAULT for one of the words. */
Outcome resolve_copy(ClientContext &client, const unpu_operator &op, unpu_copy &copy);

/** resolve_random() - reads the parameters of a RANDOM, and takes its blocks of random numbers from the
 * counter.
 * @concrete: an operator for run_random(); its count, parameters[4], is 0 when there is nothing to do
 * @ranges: the memory that it accesses
 * Return: MMU_FAULT, ACCESS_FAULT, BAD_OPERATOR; no blocks are taken then. */
Outcome resolve_random(ClientContext &client, const unpu_operator &op, unpu_operator &concrete,
		       MemoryRange (&ranges)[2]);

/** jam() - injects the fault JAM: an engine takes the packet and never ends it, or a file of the packet never
 * answers.
 * Return: false if no other thread would run the packet. */
bool jam(const Task &task);

/** inject_fault() - looks for a fault rule that applies to a task which has not begun, and injects the fault.
 * @packet: the task's own copy, which may change @stream, @in: as in Faults::task()
 * @effect: what the owner of the task has to do later
 * Return: true if the task ends or waits with @outcome in this turn. */
bool inject_fault(ClientContext &client, Waiter &owner, unpu_packet &packet, uint32_t stream,
		  int64_t in, FaultEffect &effect, Outcome &outcome);

/** forgive_overflow() - records an overflow in the status of the client.
 * Return: whether @outcome is an overflow that does not make @packet fail. */
bool forgive_overflow(ClientContext &client, const unpu_packet &packet, const Outcome &outcome);

/** apply_signal() - executes the packet's own signal. Call it after the results are stored.
 * Return: PEER_LOST if the signal is for a client that has left. */
base::Status apply_signal(ClientContext &client, const unpu_packet &packet);

/* Functions for Opcode::run; the names tell what they do. */
Outcome run_nothing(const Task &task);
Outcome run_copy(const Task &task);
Outcome run_fill(const Task &task);
Outcome run_row(const Task &task);
Outcome run_operator(const Task &task);
Outcome run_tensor(const Task &task);
Outcome run_kernel(const Task &task);
/* returns BAD_PACKET, because a ring must not contain this packet */
Outcome refuse_in_ring(const Task &task);
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

/* Functions for Opcode::fail and Opcode::jam */
void fail_host_call(ClientContext &client, const unpu_packet &packet, base::Status status);
bool jam_file(const Task &task);

} // namespace fw
