// SPDX-License-Identifier: MIT
/**
 * DOC: Command processor
 *
 * Takes a packet that was copied into private memory, checks every field, translates every address
 * in the packet's own context and only then acts. Small work is done in place, long work is handed
 * to an engine while other channels keep moving.
 */
#include "command_processor.h"

#include <cstring>
#include <iterator>

#include "base/clock.h"
#include "base/copy.h"
#include "base/fill.h"
#include "base/futex.h"
#include "base/ordering.h"
#include "kernels/elementwise.h"
#include "kernels/operator_check.h"
#include "kernels/operator_table.h"
#include "pieces.h"
#include "uapi/graph.h"

namespace fw {

using base::Status;

/* Work below this is over within the time a line takes to cross cores. */
static constexpr uint64_t SHORT_BYTES = 4096;

static bool zero(const uint64_t *words, unsigned count)
{
	uint64_t any = 0;
	for (unsigned i = 0; i < count; i++)
		any |= words[i];
	return any == 0;
}

static bool signal_valid(const unpu_packet &packet, const Semaphores::Users &semaphores)
{
	switch (packet.signal_op) {
	case UNPU_SIGNAL_NONE:
		return packet.signal_sem == UNPU_SEM_NONE && packet.signal_value == 0;
	case UNPU_SIGNAL_RAISE:
	case UNPU_SIGNAL_SET:
		return semaphores.has(packet.signal_sem);
	case UNPU_SIGNAL_ADD:
	case UNPU_SIGNAL_OR:
	case UNPU_SIGNAL_AND:
		return semaphores.has(packet.signal_sem) && packet.signal_value <= UINT32_MAX;
	default:
		return false;
	}
}

static bool fill_valid(const unpu_fill &fill)
{
	bool width = fill.width == 1 || fill.width == 2 || fill.width == 4;
	return width && fill.bytes > 0 && fill.bytes % fill.width == 0 &&
	       fill.dst % fill.width == 0 && fill.reserved == 0;
}

static bool width_valid(uint64_t address, uint64_t value, uint32_t bytes)
{
	if (bytes == sizeof(uint32_t))
		return address % bytes == 0 && value <= UINT32_MAX;
	return bytes == sizeof(uint64_t) && address % bytes == 0;
}

static bool overflow_valid(const unpu_overflow &overflow)
{
	if (overflow.reserved0 || !zero(overflow.reserved, 2))
		return false;
	return overflow.action == UNPU_OVERFLOW_READ ||
	       (overflow.action == UNPU_OVERFLOW_CLEAR && overflow.dst == 0);
}

static bool row_valid(const unpu_packet &packet)
{
	const Operator &kind = operator_row(packet.variant & UNPU_ROW_KIND_MASK);
	bool both = packet.variant & UNPU_ROW_LEFT_ONE && packet.variant & UNPU_ROW_RIGHT_ONE;
	if (packet.variant & ~UNPU_ROW_MASK || both || packet.row.count == 0)
		return false;
	return kind.elementwise && kind.elementwise->row &&
	       (kind.has_scalar || packet.row.scalar == 0);
}

static bool graph_valid(const unpu_graph_ref &graph)
{
	uint32_t most = graph.args_va ? UNPU_GRAPH_MAX_ARGS : UNPU_GRAPH_PAGE_ARGS;
	return graph.args <= most && (graph.args > 0 || graph.args_va == 0) &&
	       zero(graph.reserved, 2);
}

static bool cond_valid(const unpu_cond &cond)
{
	bool kind = cond.kind == UNPU_COND_SWITCH ||
		    (cond.kind == UNPU_COND_IF && cond.count <= 2) ||
		    (cond.kind == UNPU_COND_WHILE && cond.count == 1);
	return kind && cond.count > 0 && cond.va % 8 == 0 && cond.reserved0 == 0 &&
	       cond.reserved == 0;
}

static bool activate_valid(const unpu_activate &activate)
{
	if (activate.flags & ~UNPU_ACTIVATE_LEAVES)
		return false;
	if (activate.compare == UNPU_COMPARE_ALWAYS)
		return activate.left == 0 && activate.right == 0 && activate.width == 0;
	return activate.compare <= UNPU_COMPARE_LE &&
	       (activate.width == 4 || activate.width == 8) &&
	       activate.left % activate.width == 0 && activate.right % activate.width == 0;
}

/* A device has files of up to 2^63 - 1 bytes. */
static bool transfer_valid(const unpu_packet &packet)
{
	const unpu_file_transfer &file = packet.file;
	uint64_t end = 0;
	return packet.variant != 0 && file.bytes > 0 &&
	       file.progress % sizeof(unpu_file_state) == 0 &&
	       !__builtin_add_overflow(file.offset, file.bytes, &end) && end <= INT64_MAX;
}

static bool payload_valid(const unpu_packet &packet)
{
	switch (packet.opcode) {
	case UNPU_OP_NOP:
	case UNPU_OP_STOP:
		return zero(packet.words, 4);
	case UNPU_OP_SEM_SIGNAL:
	case UNPU_OP_TIMESTAMP:
		return zero(packet.words, 4) && packet.signal_op != UNPU_SIGNAL_NONE;
	case UNPU_OP_COPY:
		return packet.copy.bytes > 0 && packet.copy.reserved == 0;
	case UNPU_OP_FILL:
		return fill_valid(packet.fill);
	case UNPU_OP_SEM_WAIT:
		return packet.wait.op <= UNPU_WAIT_MASK && packet.wait.reserved == 0 &&
		       !(packet.wait.flags & ~UNPU_WAIT_FLAGS_MASK);
	case UNPU_OP_OPERATOR:
		return packet.op.bytes == sizeof(unpu_operator) && packet.op.reserved0 == 0 &&
		       zero(packet.op.reserved, 2);
	case UNPU_OP_GRAPH:
		return graph_valid(packet.graph);
	case UNPU_OP_ROW:
		return row_valid(packet);
	case UNPU_OP_GRAPH_UPDATE:
		return packet.change.reserved0 == 0 && packet.change.reserved == 0;
	case UNPU_OP_COND:
		return cond_valid(packet.cond);
	case UNPU_OP_JUMP:
		return packet.jump.count > 0 && packet.jump.va % 4 == 0 &&
		       zero(packet.jump.reserved, 2);
	case UNPU_OP_ACTIVATE:
		return activate_valid(packet.activate);
	case UNPU_OP_HOST_CALL:
		return packet.call.token == 0 && packet.call.call != UNPU_CALL_FAULT &&
		       zero(packet.call.reserved, 2);
	case UNPU_OP_HOST_DONE:
		return packet.call.call == 0 && zero(packet.call.reserved, 2);
	case UNPU_OP_VALUE_WRITE:
		return packet.value_write.reserved0 == 0 && packet.value_write.reserved == 0 &&
		       width_valid(packet.value_write.address, packet.value_write.value,
				   packet.value_write.bytes);
	case UNPU_OP_VALUE_WAIT:
		return packet.value_wait.op <= UNPU_VALUE_NOR &&
		       width_valid(packet.value_wait.address, packet.value_wait.value,
				   packet.value_wait.bytes);
	case UNPU_OP_OVERFLOW:
		return overflow_valid(packet.overflow);
	case UNPU_OP_FILE_READ:
	case UNPU_OP_FILE_WRITE:
		return transfer_valid(packet);
	default:
		return false;
	}
}

static bool variant_valid(const unpu_packet &packet)
{
	switch (packet.opcode) {
	case UNPU_OP_ROW:
	case UNPU_OP_FILE_READ:
	case UNPU_OP_FILE_WRITE:
		return true;
	default:
		return packet.variant == 0;
	}
}

static bool known_opcode(uint8_t opcode)
{
	switch (opcode) {
#define FW_KNOWN_OPCODE(name, number) case number:
		UNPU_OPCODE_LIST(FW_KNOWN_OPCODE)
#undef FW_KNOWN_OPCODE
		return true;
	default:
		return false;
	}
}

static bool flags_valid(const unpu_packet &packet)
{
	constexpr uint8_t ANY = UNPU_PACKET_ALWAYS;
	constexpr uint8_t KNOWN = UNPU_PACKET_FLAGS_MASK & ~UNPU_PACKET_ARGUMENT;
	return (packet.flags & ~KNOWN) == 0 &&
	       ((packet.flags & ~ANY) == 0 || packet.opcode == UNPU_OP_OPERATOR);
}

Status validate_packet(const unpu_packet &packet, const Semaphores::Users &semaphores)
{
	if (!known_opcode(packet.opcode))
		return Status::BAD_OPCODE;
	if (!flags_valid(packet) || packet.reserved1[0] || packet.reserved1[1] ||
	    packet.reserved1[2] || !variant_valid(packet))
		return Status::BAD_PACKET;
	if (!signal_valid(packet, semaphores) || !payload_valid(packet))
		return Status::BAD_PACKET;
	if (packet.opcode == UNPU_OP_SEM_WAIT && !semaphores.has(packet.wait.sem))
		return Status::BAD_SEMAPHORE;
	return Status::OK;
}

bool is_short(const unpu_packet &packet)
{
	switch (packet.opcode) {
	case UNPU_OP_NOP:
	case UNPU_OP_SEM_SIGNAL:
	case UNPU_OP_TIMESTAMP:
	case UNPU_OP_HOST_DONE:
	case UNPU_OP_VALUE_WRITE:
		return true;
	case UNPU_OP_COPY:
		return packet.copy.bytes <= SHORT_BYTES;
	case UNPU_OP_FILL:
		return packet.fill.bytes <= SHORT_BYTES;
	case UNPU_OP_ROW:
		return packet.row.count <= SHORT_BYTES / sizeof(float);
	default:
		return false;
	}
}

using Range = MemoryRange;

static Outcome execute_work(const Task &task);

static std::unique_ptr<Job> make_job(const unpu_packet &packet, const unpu_operator *op,
				     const Places &operands, uint64_t bytes)
{
	auto job = std::make_unique<Job>();
	job->packet = packet;
	if (op)
		job->op = *op;
	job->operands = operands;
	job->bytes = bytes;
	return job;
}

/* The memory of @ranges stays mapped as long as the job. */
static void hold(Client &client, Job &job, const Range *ranges, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		job.held[i] = client.mmu.hold(ranges[i].va, ranges[i].bytes);
}

/* Long work where there are no engines. Other channels get turns between the pieces where the owner has
 * turns of its own. */
static Outcome run_long(const Task &task, std::unique_ptr<Job> job)
{
	Core &core = task.client.core;
	if (piece_units(*job) != 0 && task.owner.take_pieces(job))
		return blocked();
	Status status = run_pieces(*job, [&core] { core.beat(); });
	core.did_long_work(job->bytes);
	core.beat();
	core.wrote(job->packet, &job->op, job->operands);
	return {status, 0};
}

static Outcome run_job(const Task &task, const Range *ranges, unsigned count)
{
	Client &client = task.client;
	const unpu_packet &packet = task.packet;
	const unpu_operator *op = task.op;
	Places operands{};
	uint64_t longest = 0;
	for (unsigned i = 0; i < count; i++) {
		Translation found =
			client.mmu.translate(ranges[i].va, ranges[i].bytes, ranges[i].access);
		if (found.status != Status::OK)
			return {found.status, found.address};
		operands[i] = found.data;
		longest = std::max(longest, ranges[i].bytes);
	}
	if (op) {
		/* The reach starts below the operand's address when a stride is negative. */
		for (unsigned i = 0; i < count; i++)
			operands[i] += op->operands[i].address - ranges[i].va;
	}
	if (op && operator_row(op->kind).weight)
		longest *= operator_row(op->kind).weight(*op);
	client.core.meet(client, longest);
	/* A node that is done in place stays so, whoever else there is by then. */
	const bool long_in_place = longest >= LONG_BYTES && !client.core.engines.available();
	if (!long_in_place &&
	    (client.core.in_place(longest) || (!task.keep && client.core.lone_copy(packet)))) {
		if (task.keep)
			*task.keep = operands;
		Status status = execute_job(packet, op, operands);
		if (longest >= LONG_BYTES) {
			client.core.did_long_work(longest);
			client.core.beat();
		}
		client.core.wrote(packet, op, operands);
		return {status, 0};
	}
	auto job = make_job(packet, op, operands, longest);
	hold(client, *job, ranges, count);
	if (long_in_place)
		return run_long(task, std::move(job));
	return hand_over(client, task.owner, std::move(job));
}

Outcome hand_over(Client &client, Waiter &owner, std::unique_ptr<Job> job)
{
	job->owner = &owner;
	job->client = client.number;
	job->party = &client;
	owner.in_engine = true;
	if (client.execute_limit_ns)
		client.core.timers.add(owner, base::deadline_after(client.execute_limit_ns));
	client.core.engines.submit(std::move(job));
	return blocked();
}

bool jam_engine(Client &client, Waiter &owner, const unpu_packet &packet)
{
	if (packet.opcode == UNPU_OP_FILE_READ || packet.opcode == UNPU_OP_FILE_WRITE)
		return client.core.storage.has_thread() &&
		       transfer_file(client, owner, packet, true).blocked;
	if (!client.core.engines.available())
		return false;
	auto job = std::make_unique<Job>();
	job->packet = packet;
	job->owner = &owner;
	job->client = client.number;
	job->party = &client;
	job->work = [] {
		const uint32_t never = 0;
		for (;;)
			base::futex_wait(never, 0, base::NO_DEADLINE, false);
	};
	owner.in_engine = true;
	client.core.engines.submit(std::move(job));
	return true;
}

Outcome copy_indirect(const Task &task, const unpu_operator &op)
{
	unpu_packet copy = task.packet;
	copy.opcode = UNPU_OP_COPY;
	const Outcome outcome = resolve_copy(task.client, op, copy.copy);
	if (outcome.status != Status::OK || copy.copy.bytes == 0)
		return outcome;
	return execute_work({task.client, task.owner, copy});
}

Outcome draw_random(const Task &task, const unpu_operator &op)
{
	unpu_operator concrete;
	Range touched[2];
	const Outcome outcome = resolve_random(task.client, op, concrete, touched);
	if (outcome.status != Status::OK || concrete.parameters[4] == 0)
		return outcome;
	return run_job({task.client, task.owner, task.packet, &concrete}, touched, 2);
}

static Outcome run_operator_packet(const Task &task)
{
	const unpu_operator &op = *task.op;
	if (const Operator &row = operator_row(op.kind); row.run)
		return row.run(task, op);
	Range ranges[UNPU_OPERATOR_MAX_OPERANDS];
	for (unsigned i = 0; i < op.noperands; i++) {
		Reach reach = operand_reach(op, i);
		if (!reach.ok)
			return {Status::BAD_OPERATOR, op.operands[i].address};
		ranges[i] = {reach.first, reach.bytes, op.operands[i].access};
	}
	return run_job(task, ranges, op.noperands);
}

static Outcome wait_semaphore(Client &client, Waiter &owner, const unpu_sem_wait &wait)
{
	if (client.core.null())
		return {};
	Status status = client.semaphores.wait(wait, owner);
	if (status != Status::NOT_READY)
		return {status, 0};
	if (wait.timeout_ns)
		client.core.timers.add(owner, base::deadline_after(wait.timeout_ns));
	return blocked();
}

static Outcome write_value(Client &client, const unpu_value_write &write)
{
	if (client.core.null())
		return {};
	Translation word = client.mmu.translate(write.address, write.bytes, UNPU_ACCESS_WRITE);
	if (word.status != Status::OK)
		return {word.status, word.address};
	if (write.bytes == sizeof(uint32_t))
		base::store_release(*reinterpret_cast<uint32_t *>(word.data),
				    static_cast<uint32_t>(write.value));
	else
		base::store_release(*reinterpret_cast<uint64_t *>(word.data), write.value);
	client.core.watches.wrote({word.data, write.bytes});
	return {};
}

static Outcome wait_value(Client &client, Waiter &owner, const unpu_value_wait &wait)
{
	if (client.core.null())
		return {};
	Translation word = client.mmu.translate(wait.address, wait.bytes, UNPU_ACCESS_READ);
	if (word.status != Status::OK)
		return {word.status, word.address};
	if (value_met(word.data, wait))
		return {};
	client.core.watches.add(owner, client.mmu, wait, word.data);
	if (wait.timeout_ns)
		client.core.timers.add(owner, base::deadline_after(wait.timeout_ns));
	return blocked();
}

unsigned row_ranges(const unpu_packet &packet, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS])
{
	const uint64_t one = sizeof(float);
	const uint64_t all = packet.row.count * one;
	out[0] = {packet.row.out, all, UNPU_ACCESS_WRITE};
	out[1] = {packet.row.left, packet.variant & UNPU_ROW_LEFT_ONE ? one : all,
		  UNPU_ACCESS_READ};
	out[2] = {packet.row.right, packet.variant & UNPU_ROW_RIGHT_ONE ? one : all,
		  UNPU_ACCESS_READ};
	return 3;
}

static Outcome run_row_packet(const Task &task)
{
	Range ranges[UNPU_OPERATOR_MAX_OPERANDS];
	const unsigned count = row_ranges(task.packet, ranges);
	return run_job(task, ranges, count);
}

/* Most packets are short and about memory that was used just before: nothing has to be looked up. */
static bool execute_short(Client &client, const unpu_packet &packet, Places *keep)
{
	const Mmu &mmu = client.mmu;
	Places places{};
	if (packet.opcode == UNPU_OP_FILL) {
		places[0] = mmu.known(packet.fill.dst, packet.fill.bytes, UNPU_ACCESS_WRITE);
		if (!places[0])
			return false;
	} else {
		places[0] = mmu.known(packet.copy.dst, packet.copy.bytes, UNPU_ACCESS_WRITE);
		places[1] = mmu.known(packet.copy.src, packet.copy.bytes, UNPU_ACCESS_READ);
		if (!places[0] || !places[1])
			return false;
	}
	(void)execute_job(packet, nullptr, places);
	if (keep)
		*keep = places;
	client.core.wrote(packet, nullptr, places);
	return true;
}

static Outcome execute_work(const Task &task)
{
	const unpu_packet &packet = task.packet;
	if (task.client.core.null())
		return {};
	bool plain = packet.opcode == UNPU_OP_COPY || packet.opcode == UNPU_OP_FILL;
	if (plain && is_short(packet) && execute_short(task.client, packet, task.keep)) [[likely]]
		return {};
	if (packet.opcode == UNPU_OP_OPERATOR)
		return run_operator_packet(task);
	if (packet.opcode == UNPU_OP_ROW)
		return run_row_packet(task);
	if (packet.opcode == UNPU_OP_FILL) {
		Range target{packet.fill.dst, packet.fill.bytes, UNPU_ACCESS_WRITE};
		return run_job(task, &target, 1);
	}
	Range ranges[2] = {{packet.copy.dst, packet.copy.bytes, UNPU_ACCESS_WRITE},
			   {packet.copy.src, packet.copy.bytes, UNPU_ACCESS_READ}};
	return run_job(task, ranges, 2);
}

static Outcome work_overflow(Client &client, const unpu_overflow &overflow)
{
	if (overflow.action == UNPU_OVERFLOW_CLEAR) {
		client.overflowed = false;
		return {};
	}
	unpu_overflow_status status{};
	status.overflowed = client.overflowed;
	Translation to = client.mmu.translate(overflow.dst, sizeof(status), UNPU_ACCESS_WRITE);
	if (to.status == Status::OK)
		memcpy(to.data, &status, sizeof(status));
	return {to.status, to.address};
}

bool forgive_overflow(Client &client, const unpu_packet &packet, const Outcome &outcome)
{
	if (outcome.status != Status::OVERFLOW)
		return false;
	client.overflowed = true;
	return !(packet.flags & UNPU_PACKET_OVERFLOW_FAILS);
}

Outcome execute(const Task &task)
{
	Client &client = task.client;
	Waiter &owner = task.owner;
	const unpu_packet &packet = task.packet;
	switch (packet.opcode) {
	case UNPU_OP_COPY:
	case UNPU_OP_FILL:
	case UNPU_OP_OPERATOR:
	case UNPU_OP_ROW:
		return execute_work(task);
	case UNPU_OP_SEM_WAIT:
		return wait_semaphore(client, owner, packet.wait);
	case UNPU_OP_VALUE_WRITE:
		return write_value(client, packet.value_write);
	case UNPU_OP_VALUE_WAIT:
		return wait_value(client, owner, packet.value_wait);
	case UNPU_OP_OVERFLOW:
		return work_overflow(client, packet.overflow);
	case UNPU_OP_FILE_READ:
	case UNPU_OP_FILE_WRITE:
		return transfer_file(client, owner, packet);
	case UNPU_OP_TIMESTAMP:
		client.semaphores.stamp(packet.signal_sem, base::now_ns() - client.core.boot_ns);
		return {};
	case UNPU_OP_HOST_CALL: {
		Status status = client.post_call(packet.call.call, packet.cookie, owner);
		if (status == Status::OK)
			return blocked();
		return {status, 0};
	}
	default:
		return {};
	}
}

Status apply_signal(Client &client, const unpu_packet &packet)
{
	if (packet.signal_op == UNPU_SIGNAL_NONE)
		return Status::OK;
	return client.semaphores.signal(packet.signal_sem, packet.signal_op, packet.signal_value);
}

} // namespace fw
