// SPDX-License-Identifier: MIT
/**
 * DOC: Tasks
 *
 * A task is what a stream runs, a capture records, and a node of a graph contains.
 */
#include "task.h"

#include <utility>

#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "uapi/regs.h"

namespace umd {

static TaskKind kind_of(const unpu_packet &packet, const unpu_operator *op)
{
	const OpcodeRow &row = opcode_row(packet);
	if (row.payload != Payload::OPERATOR)
		return row.kind;
	if (op->kind == UNPU_OPERATOR_RANDOM)
		return TaskKind::OTHER;
	return op->kind == UNPU_OPERATOR_COPY || op->kind == UNPU_OPERATOR_COPY_INDIRECT ||
			       op->kind == UNPU_OPERATOR_COPY_LIST
		       ? TaskKind::COPY
		       : row.kind;
}

GraphTask graph_task(const unpu_packet &packet, const unpu_operator *op)
{
	GraphTask task;
	task.kind = kind_of(packet, op);
	task.packet = packet;
	task.op = op;
	return task;
}

GraphTask work_task(TaskKind kind, uint16_t call, std::shared_ptr<const HostWork> work)
{
	GraphTask task;
	task.kind = kind;
	task.packet = drv::host_call_packet(drv::cookie_call(call), 0);
	task.host.work = std::move(work);
	return task;
}

GraphTask record_task(uint64_t cookie, uint64_t event, bool stamped)
{
	GraphTask task;
	task.kind = TaskKind::RECORD;
	task.packet = drv::packet(stamped ? UNPU_OP_TIMESTAMP : UNPU_OP_SEM_SIGNAL, cookie);
	task.event = event;
	return task;
}

GraphTask wait_task(uint64_t cookie, uint64_t event)
{
	GraphTask task;
	task.kind = TaskKind::WAIT;
	task.packet = drv::wait_packet(cookie, UNPU_SEM_NONE, 0, 0);
	task.event = event;
	return task;
}

} // namespace umd
