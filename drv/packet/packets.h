// SPDX-License-Identifier: MIT
#pragma once

#include "base/status.h"
#include "uapi/operator.h"
#include "uapi/packet.h"

namespace drv {

/* Packet encoders: one function for each opcode. Fields that a function does not name are zero. */

inline unpu_packet packet(unpu_opcode opcode, uint64_t cookie)
{
	unpu_packet packet{};
	packet.opcode = static_cast<uint8_t>(opcode);
	packet.cookie = cookie;
	return packet;
}

inline unpu_packet nop_packet(uint64_t cookie)
{
	return packet(UNPU_OP_NOP, cookie);
}

inline unpu_packet copy_packet(uint64_t cookie, uint64_t dst, uint64_t src, uint64_t bytes)
{
	unpu_packet p = packet(UNPU_OP_COPY, cookie);
	p.copy.dst = dst;
	p.copy.src = src;
	p.copy.bytes = bytes;
	return p;
}

inline unpu_packet fill_packet(uint64_t cookie, uint64_t dst, uint64_t bytes, uint32_t pattern,
			       uint32_t width)
{
	unpu_packet p = packet(UNPU_OP_FILL, cookie);
	p.fill.dst = dst;
	p.fill.bytes = bytes;
	p.fill.pattern = pattern;
	p.fill.width = width;
	return p;
}

inline unpu_packet wait_packet(uint64_t cookie, const unpu_sem_wait &wait)
{
	unpu_packet p = packet(UNPU_OP_SEM_WAIT, cookie);
	p.wait = wait;
	return p;
}

inline unpu_packet wait_packet(uint64_t cookie, uint32_t sem, uint64_t value, uint64_t timeout_ns)
{
	return wait_packet(cookie, {sem, UNPU_WAIT_GE, value, timeout_ns, 0, 0});
}

/** event_wait_packet() - wait_packet() for a semaphore that another process may have to signal.
 * @outlives: true: the wait also succeeds when that process has ended. false: the wait fails then. */
inline unpu_packet event_wait_packet(uint64_t cookie, uint32_t sem, uint64_t value,
				     uint64_t timeout_ns, bool outlives)
{
	const uint32_t flags = outlives ? UNPU_WAIT_OUTLIVE : 0;
	return wait_packet(cookie, {sem, UNPU_WAIT_GE, value, timeout_ns, flags, 0});
}

/** order_packet() - makes later packets of the channel wait until @sem reaches @value, or until the work that
 * would signal it is dropped. */
inline unpu_packet order_packet(uint64_t cookie, uint32_t sem, uint64_t value)
{
	return wait_packet(cookie, {sem, UNPU_WAIT_GE, value, 0, UNPU_WAIT_ORDER, 0});
}

inline unpu_packet signal_packet(uint64_t cookie, uint32_t sem, unpu_signal_op op, uint64_t value)
{
	unpu_packet p = packet(UNPU_OP_SEM_SIGNAL, cookie);
	p.signal_sem = sem;
	p.signal_op = static_cast<uint8_t>(op);
	p.signal_value = value;
	return p;
}

inline unpu_packet timestamp_packet(uint64_t cookie, uint32_t sem, uint64_t value)
{
	unpu_packet p = signal_packet(cookie, sem, UNPU_SIGNAL_RAISE, value);
	p.opcode = UNPU_OP_TIMESTAMP;
	return p;
}

inline unpu_packet operator_packet(uint64_t cookie, uint64_t offset)
{
	unpu_packet p = packet(UNPU_OP_OPERATOR, cookie);
	p.op.offset = offset;
	p.op.bytes = sizeof(unpu_operator);
	return p;
}

/** tensor_packet() - a tensor operator with a descriptor of @bytes bytes.
 * @kind: enum unpu_tensor_kind */
inline unpu_packet tensor_packet(uint64_t cookie, uint32_t kind, uint64_t bytes)
{
	unpu_packet p = packet(UNPU_OP_TENSOR, cookie);
	p.variant = static_cast<uint16_t>(kind);
	p.tensor.bytes = static_cast<uint32_t>(bytes);
	return p;
}

/** kernel_packet() - a launch of a user kernel with a descriptor of @bytes bytes (uapi/kernel.h). */
inline unpu_packet kernel_packet(uint64_t cookie, uint64_t bytes)
{
	unpu_packet p = packet(UNPU_OP_KERNEL, cookie);
	p.tensor.bytes = static_cast<uint32_t>(bytes);
	return p;
}

/** row_packet() - encodes an operator on contiguous floats as a ROW packet. Return: false if @op is not such
 * an operator. */
bool row_packet(uint64_t cookie, const unpu_operator &op, unpu_packet &packet);

/** row_operator() - decodes a ROW packet into its operator. */
unpu_operator row_operator(const unpu_packet &packet);

inline unpu_packet graph_packet(uint64_t cookie, uint32_t graph, uint32_t args = 0,
				uint64_t args_va = 0)
{
	unpu_packet p = packet(UNPU_OP_GRAPH, cookie);
	p.graph.graph = graph;
	p.graph.args = args;
	p.graph.args_va = args_va;
	return p;
}

inline unpu_packet graph_update_packet(uint64_t cookie, uint32_t graph, uint64_t va, uint64_t bytes)
{
	unpu_packet p = packet(UNPU_OP_GRAPH_UPDATE, cookie);
	/* Runs even after a failure: later packets rely on the update. */
	p.flags = UNPU_PACKET_ALWAYS;
	p.change.graph = graph;
	p.change.va = va;
	p.change.bytes = bytes;
	return p;
}

inline unpu_packet host_call_packet(uint64_t cookie, uint64_t call)
{
	unpu_packet p = packet(UNPU_OP_HOST_CALL, cookie);
	p.call.call = call;
	return p;
}

inline unpu_packet overflow_packet(uint64_t cookie, unpu_overflow_action action, uint64_t dst)
{
	unpu_packet p = packet(UNPU_OP_OVERFLOW, cookie);
	p.overflow.action = action;
	p.overflow.dst = dst;
	return p;
}

inline unpu_packet host_done_packet(uint64_t cookie, uint64_t token,
				    base::Status status = base::Status::OK)
{
	unpu_packet p = packet(UNPU_OP_HOST_DONE, cookie);
	p.call.token = token;
	p.call.status = static_cast<uint32_t>(status);
	return p;
}

inline unpu_packet file_packet(uint64_t cookie, bool write, uint32_t file,
			       const unpu_file_transfer &transfer)
{
	unpu_packet p = packet(write ? UNPU_OP_FILE_WRITE : UNPU_OP_FILE_READ, cookie);
	p.variant = static_cast<uint16_t>(file);
	p.file = transfer;
	return p;
}

inline unpu_packet value_write_packet(uint64_t cookie, uint64_t address, uint64_t value,
				      uint32_t bytes)
{
	unpu_packet p = packet(UNPU_OP_VALUE_WRITE, cookie);
	p.value_write.address = address;
	p.value_write.value = value;
	p.value_write.bytes = bytes;
	return p;
}

inline unpu_packet value_wait_packet(uint64_t cookie, const unpu_value_wait &wait)
{
	unpu_packet p = packet(UNPU_OP_VALUE_WAIT, cookie);
	p.value_wait = wait;
	return p;
}

} // namespace drv
