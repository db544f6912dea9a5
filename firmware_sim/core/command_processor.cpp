// SPDX-License-Identifier: MIT
/**
 * DOC: Command processor
 *
 * The caller has copied the packet into private memory. The command processor checks every field,
 * translates every address in the client's own page table, and only then acts. It does short work in place
 * and gives long work to an engine, so that other channels get their turns meanwhile.
 */
#include "command_processor.h"

#include <cstring>
#include <iterator>

#include "base/clock.h"
#include "base/hot_path.h"
#include "base/os/mapped.h"
#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "firmware_sim/engine/pieces.h"
#include "firmware_sim/kernels/operator_check.h"
#include "firmware_sim/kernels/operator_table.h"

namespace fw {

using base::Status;

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

Status validate_packet(const unpu_packet &packet, const Semaphores::Users &semaphores)
{
	const Opcode &row = opcode_row(packet.opcode);
	if (!row.is_valid)
		return Status::BAD_OPCODE;
	if (packet.flags & ~row.flags || packet.reserved1[0] || packet.reserved1[1] ||
	    packet.reserved1[2] || (packet.variant && !row.has_variant))
		return Status::BAD_PACKET;
	if (!signal_valid(packet, semaphores) || !row.is_valid(packet))
		return Status::BAD_PACKET;
	/* Only a payload that waits for a semaphore can take one from an argument. */
	if (row.argument == Argument::WAIT && !semaphores.has(packet.wait.sem))
		return Status::BAD_SEMAPHORE;
	return Status::OK;
}

bool is_short(const unpu_packet &packet)
{
	const Opcode &row = opcode_row(packet.opcode);
	return row.is_short && row.is_short(packet);
}

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

/* Keeps the memory of @ranges mapped until the job is destroyed. */
static void hold(ClientContext &client, Job &job, const MemoryRange *ranges, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		job.held[i] = client.mmu.hold(ranges[i].va, ranges[i].bytes);
}

/* Long work of a device without engines. A channel does one piece in each of its turns, so that others get
 * theirs between the pieces; a graph does all pieces at once. */
static Outcome run_long(const Task &task, std::unique_ptr<Job> job)
{
	Core &core = task.client.core;
	if (cut_of(*job).units != 0 && task.owner.take_pieces(job))
		return blocked();
	Status status = run_pieces(*job, [&core] { core.beat(); });
	core.did_long_work(job->bytes);
	core.beat();
	core.wrote(job->packet, &job->op, job->operands);
	return {status, 0};
}

/* The client may unmap its own memory meanwhile. */
static Outcome execute_in_clients(const Task &task, const Places &operands)
{
	const base::UnmapGuard guard;
	const Status status = execute_job(task.packet, task.op, operands);
	if (status == Status::OK && is_lost(guard, operands))
		return {Status::MMU_FAULT, guard.lost_at()};
	return {status, 0};
}

static Outcome run_job(const Task &task, const MemoryRange *ranges, unsigned count)
{
	ClientContext &client = task.client;
	const unpu_packet &packet = task.packet;
	const unpu_operator *op = task.op;
	Places operands{};
	uint64_t longest = 0;
	/* A translation of the client's own memory changes it. */
	const uint64_t epoch = client.mmu.epoch();
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
	client.core.note_work(client.client_queue, longest);
	/* A graph caches the addresses of a node that was done in place, and then always does it in place. So
	 * a node is not done in place just because only one client has work at the moment. */
	const bool long_in_place =
		longest >= client.core.long_bytes && !client.core.engines.available();
	if (!long_in_place &&
	    (client.core.in_place(longest) ||
	     (!task.keep && longest < opcode_row(packet.opcode).work->lone_bytes &&
	      client.core.load() == Core::Load::ALONE))) {
		if (task.keep)
			*task.keep = operands;
		Outcome outcome;
		if (client.mmu.epoch() == epoch) [[likely]]
			outcome.status = execute_job(packet, op, operands);
		else
			outcome = execute_in_clients(task, operands);
		if (longest >= tuning::LONG_BYTES) {
			client.core.did_long_work(longest);
			client.core.beat();
		}
		client.core.wrote(packet, op, operands);
		return outcome;
	}
	auto job = make_job(packet, op, operands, longest);
	hold(client, *job, ranges, count);
	if (const auto capture = opcode_row(packet.opcode).work->capture)
		capture(*job);
	if (long_in_place)
		return run_long(task, std::move(job));
	return hand_over(client, task.owner, std::move(job));
}

Outcome hand_over(ClientContext &client, Waiter &owner, std::unique_ptr<Job> job)
{
	job->owner = &owner;
	job->client = client.number;
	job->client_queue = &client.client_queue;
	owner.is_in_engine = true;
	if (client.execute_limit_ns)
		client.core.timers.add(owner, base::deadline_after(client.execute_limit_ns));
	client.core.engines.submit(std::move(job));
	return blocked();
}

bool jam(const Task &task)
{
	ClientContext &client = task.client;
	if (const Opcode &row = opcode_row(task.packet.opcode); row.jam)
		return row.jam(task);
	if (!client.core.engines.available())
		return false;
	auto job = std::make_unique<Job>();
	job->packet = task.packet;
	job->owner = &task.owner;
	job->client = client.number;
	job->client_queue = &client.client_queue;
	job->work = [] {
		const uint32_t never = 0;
		for (;;)
			base::futex_wait(never, 0, base::NO_DEADLINE, false);
	};
	task.owner.is_in_engine = true;
	client.core.engines.submit(std::move(job));
	return true;
}

bool inject_fault(ClientContext &client, Waiter &owner, unpu_packet &packet, uint32_t stream,
		  int64_t in, FaultEffect &effect, Outcome &outcome)
{
	using Action = base::FaultRule::Action;
	const InjectedFault fault = client.core.faults->task(packet, client.number, stream, in);
	switch (fault.action) {
	case Action::FAIL:
		outcome.status = fault.status;
		return true;
	case Action::COOKIE:
		packet.cookie = ~packet.cookie;
		outcome.status = fault.status;
		return true;
	case Action::TWICE:
		effect.signals_twice = true;
		return false;
	case Action::JAM:
		effect.is_hung = !jam({client, owner, packet});
		outcome = blocked();
		return true;
	case Action::DELAY:
		effect.is_delayed = true;
		client.core.timers.add(owner, base::deadline_after(fault.delay_ns));
		outcome = blocked();
		return true;
	case Action::HANG:
		effect.is_hung = true;
		outcome = blocked();
		return true;
	case Action::WILD:
	case Action::TORN:
		spoil(packet, fault.action);
		return false;
	case Action::DROP:
		effect.is_lost = true;
		return false;
	default:
		return false;
	}
}

Outcome copy_indirect(const Task &task, const unpu_operator &op)
{
	unpu_packet copy = task.packet;
	copy.opcode = UNPU_OP_COPY;
	const Outcome outcome = resolve_copy(task.client, op, copy.copy);
	if (outcome.status != Status::OK || copy.copy.bytes == 0)
		return outcome;
	return run_copy({task.client, task.owner, copy});
}

Outcome draw_random(const Task &task, const unpu_operator &op)
{
	unpu_operator concrete;
	MemoryRange touched[2];
	const Outcome outcome = resolve_random(task.client, op, concrete, touched);
	if (outcome.status != Status::OK || concrete.parameters[4] == 0)
		return outcome;
	return run_job({task.client, task.owner, task.packet, &concrete}, touched, 2);
}

/* Most packets are short, and their memory was used just before: the MMU need not look it up. */
[[gnu::always_inline]] static inline bool run_short(const Task &task, const Work &work)
{
	const Mmu &mmu = task.client.mmu;
	Ranges ranges;
	Places places{};
	const unsigned count = work.ranges(task.packet, nullptr, ranges);
	for (unsigned i = 0; i < count; i++) {
		places[i] = mmu.known(ranges[i].va, ranges[i].bytes, ranges[i].access);
		if (!places[i])
			return false;
	}
	const base::NoteOrder order;
	(void)work.execute(task.packet, nullptr, places);
	if (task.keep)
		*task.keep = places;
	task.client.core.wrote(task.packet, nullptr, places);
	return true;
}

/* Inlined into a function for each opcode, where @work is a constant. */
[[gnu::always_inline]] static inline Outcome run_work(const Task &task, const Work &work,
						      bool is_short)
{
	if (task.client.core.null())
		return {};
	if (is_short && run_short(task, work)) [[likely]]
		return {};
	Ranges ranges;
	return run_job(task, ranges, work.ranges(task.packet, nullptr, ranges));
}

Outcome run_copy(const Task &task)
{
	return run_work(task, copy_work, is_short_copy(task.packet));
}

HOT_PATH Outcome run_fill(const Task &task)
{
	return run_work(task, fill_work, is_short_fill(task.packet));
}

Outcome run_row(const Task &task)
{
	return run_work(task, row_work, is_short_row(task.packet));
}

Outcome run_operator(const Task &task)
{
	if (task.client.core.null())
		return {};
	if (const Operator &row = operator_row(task.op->kind); row.run)
		return row.run(task, *task.op);
	Ranges ranges;
	const unsigned count = operator_work.ranges(task.packet, task.op, ranges);
	if (count == 0)
		return {Status::BAD_OPERATOR, task.op->operands[0].address};
	return run_job(task, ranges, count);
}

Outcome run_nothing(const Task &)
{
	return {};
}

Outcome refuse_in_ring(const Task &)
{
	return {Status::BAD_PACKET, 0};
}

Outcome wait_semaphore(const Task &task)
{
	ClientContext &client = task.client;
	const unpu_sem_wait &wait = task.packet.wait;
	if (client.core.null())
		return {};
	Status status = client.semaphores.wait(wait, task.owner);
	if (status != Status::NOT_READY)
		return {status, 0};
	if (wait.timeout_ns)
		client.core.timers.add(task.owner, base::deadline_after(wait.timeout_ns));
	return blocked();
}

Outcome store_time(const Task &task)
{
	ClientContext &client = task.client;
	client.semaphores.stamp(task.packet.signal_sem, base::now_ns() - client.core.boot_ns);
	return {};
}

Outcome write_value(const Task &task)
{
	ClientContext &client = task.client;
	const unpu_value_write &write = task.packet.value_write;
	if (client.core.null())
		return {};
	const base::UnmapGuard guard;
	Translation word = client.mmu.translate(write.address, write.bytes, UNPU_ACCESS_WRITE);
	if (word.status != Status::OK)
		return {word.status, word.address};
	if (write.bytes == sizeof(uint32_t))
		base::store_release(*reinterpret_cast<uint32_t *>(word.data),
				    static_cast<uint32_t>(write.value));
	else
		base::store_release(*reinterpret_cast<uint64_t *>(word.data), write.value);
	if (guard.has_lost(word.data))
		return {Status::MMU_FAULT, write.address};
	client.core.watches.wrote({word.data, write.bytes});
	return {};
}

Outcome wait_value(const Task &task)
{
	ClientContext &client = task.client;
	const unpu_value_wait &wait = task.packet.value_wait;
	if (client.core.null())
		return {};
	const base::UnmapGuard guard;
	Translation word = client.mmu.translate(wait.address, wait.bytes, UNPU_ACCESS_READ);
	if (word.status != Status::OK)
		return {word.status, word.address};
	const bool is_met = value_met(word.data, wait);
	if (guard.has_lost(word.data))
		return {Status::MMU_FAULT, wait.address};
	if (is_met)
		return {};
	client.core.watches.add(task.owner, client.mmu, wait, word.data);
	if (wait.timeout_ns)
		client.core.timers.add(task.owner, base::deadline_after(wait.timeout_ns));
	return blocked();
}

Outcome access_overflow(const Task &task)
{
	ClientContext &client = task.client;
	const unpu_overflow &overflow = task.packet.overflow;
	if (overflow.action == UNPU_OVERFLOW_CLEAR) {
		client.has_overflowed = false;
		return {};
	}
	unpu_overflow_status status{};
	status.overflowed = client.has_overflowed;
	Translation to = client.mmu.translate(overflow.dst, sizeof(status), UNPU_ACCESS_WRITE);
	if (to.status == Status::OK)
		memcpy(to.data, &status, sizeof(status));
	return {to.status, to.address};
}

bool forgive_overflow(ClientContext &client, const unpu_packet &packet, const Outcome &outcome)
{
	if (outcome.status != Status::OVERFLOW)
		return false;
	client.has_overflowed = true;
	return !(packet.flags & UNPU_PACKET_OVERFLOW_FAILS);
}

Outcome post_host_call(const Task &task)
{
	Status status =
		task.client.calls.post(task.packet.call.call, task.packet.cookie, task.owner);
	if (status == Status::OK)
		return blocked();
	return {status, 0};
}

Outcome finish_host_call(const Task &task)
{
	const auto status = static_cast<Status>(task.packet.call.status);
	return {task.client.calls.finish(task.packet.call.token, status), 0};
}

/* The host sends no other answer, so the task that waits for this one fails with it. */
void fail_host_call(ClientContext &client, const unpu_packet &packet, Status status)
{
	(void)client.calls.finish(packet.call.token, status);
}

Status apply_signal(ClientContext &client, const unpu_packet &packet)
{
	if (packet.signal_op == UNPU_SIGNAL_NONE)
		return Status::OK;
	return client.semaphores.signal(packet.signal_sem, packet.signal_op, packet.signal_value);
}

} // namespace fw
