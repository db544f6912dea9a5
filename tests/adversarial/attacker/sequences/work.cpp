// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of packets
 */
#include "drv/packet/packets.h"
#include "sequences.h"

namespace attacker {

namespace {

constexpr uint64_t MOST_BYTES = 1 << 20;

unpu_packet a_packet(Actor &actor, Memory &memory)
{
	uint64_t bytes = 0;
	const uint64_t va = actor.range(memory, bytes, MOST_BYTES);
	switch (actor.below(7)) {
	case 0:
		return drv::copy_packet(1, va, memory.va, std::min(bytes, memory.bytes));
	case 1:
		return drv::timestamp_packet(1, actor.semaphore(), actor.below(8));
	case 2:
		return drv::value_write_packet(1, va, actor.below(8), 8);
	case 3:
		return drv::overflow_packet(1, UNPU_OVERFLOW_CLEAR, 0);
	case 4: {
		unpu_packet row = drv::packet(UNPU_OP_ROW, 1);
		row.variant = UNPU_OPERATOR_ADD;
		row.row = {va, memory.va, memory.va, static_cast<uint32_t>(bytes / 4), 0x3f800000};
		return row;
	}
	case 5:
		return drv::signal_packet(1, actor.semaphore(),
					  static_cast<unpu_signal_op>(1 + actor.below(5)),
					  actor.below(8));
	default:
		return drv::fill_packet(1, va, bytes, 7, 4);
	}
}

unpu_operator an_operator(Actor &actor, const Memory &memory)
{
	unpu_operator op{};
	uint64_t bytes = 0;
	const uint64_t va = actor.range(memory, bytes, MOST_BYTES);
	const auto elements = static_cast<int64_t>(bytes / 4);
	const uint64_t half = std::max<int64_t>(elements / 2, 1);
	if (actor.one_in(3)) {
		op.kind = UNPU_OPERATOR_RANDOM;
		op.compute = UNPU_DTYPE_F32;
		op.noperands = 2;
		op.parameters[0] = UNPU_RANDOM_UNIFORM;
		op.parameters[2] = 0x3f800000;
		op.parameters[3] = actor.below(100);
		op.parameters[4] = half;
		op.operands[0] = {va, UNPU_DTYPE_F32, UNPU_ACCESS_WRITE, {}};
		op.operands[1] = {
			memory.va, UNPU_DTYPE_I64, UNPU_ACCESS_READ | UNPU_ACCESS_WRITE, {}};
		return op;
	}
	op.kind = static_cast<uint32_t>(actor.one_in(2) ? UNPU_OPERATOR_ADD : UNPU_OPERATOR_MAX);
	op.compute = UNPU_DTYPE_F32;
	op.ndim = 2;
	op.noperands = 3;
	op.dims[0] = 2;
	op.dims[1] = static_cast<int64_t>(half);
	for (unsigned i = 0; i < 3; i++)
		op.operands[i] = {i ? memory.va : va,
				  UNPU_DTYPE_F32,
				  i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE,
				  {static_cast<int64_t>(i == 2 ? 0 : half), 1}};
	return op;
}

} // namespace

void run_packets(Actor &actor)
{
	Channel *channel = actor.channel();
	Memory *memory = actor.memory();
	if (!channel || !memory)
		return;
	uint64_t end = 0;
	for (uint64_t i = 0, count = 1 + actor.below(48); i < count; i++)
		end = actor.publish(*channel, a_packet(actor, *memory));
	if (actor.one_in(2))
		actor.settle(*channel, end);
}

void run_operators(Actor &actor)
{
	Channel *channel = actor.channel();
	Memory *memory = actor.create_memory(uint64_t{1} << (16 + actor.below(6)));
	if (!channel || !memory)
		return;
	uint64_t end = 0;
	for (uint64_t i = 0, count = 1 + actor.below(8); i < count; i++) {
		unpu_operator op = an_operator(actor, *memory);
		(void)actor.may_change(&op, sizeof(op));
		memcpy(static_cast<void *>(&actor.page(*channel)), &op, sizeof(op));
		end = actor.publish(*channel, drv::operator_packet(1, 0));
	}
	if (actor.one_in(2))
		actor.settle(*channel, end);
}

/* Many channels wait for one semaphore, for what may come and what will not. */
void wait_for_semaphores(Actor &actor)
{
	const uint32_t sem = actor.next_semaphore();
	unpu_message set{};
	set.type = UNPU_MSG_SEM_SET;
	set.sem = {sem, 0, 0};
	(void)actor.ask(set);
	for (uint64_t i = 0, count = 1 + actor.below(8); i < count; i++) {
		Channel *channel = actor.channel();
		if (!channel)
			return;
		unpu_sem_wait wait{};
		wait.sem = sem;
		wait.op = static_cast<uint32_t>(actor.below(5));
		wait.value = actor.below(4);
		wait.timeout_ns = (1 + actor.below(50)) * base::NS_PER_MS;
		wait.flags = static_cast<uint32_t>(actor.below(4));
		(void)actor.publish(*channel, drv::wait_packet(1, wait));
	}
	Channel *channel = actor.channel();
	Memory *memory = actor.memory();
	if (!channel || !memory)
		return;
	unpu_value_wait value{memory->va, 1, (1 + actor.below(20)) * base::NS_PER_MS, 0, 8};
	value.op = static_cast<uint32_t>(actor.below(4));
	(void)actor.publish(*channel, drv::value_wait_packet(1, value));
	(void)actor.publish(*channel, drv::signal_packet(1, sem, UNPU_SIGNAL_ADD, 1));
}

void call_the_host(Actor &actor)
{
	Channel *channel = actor.channel();
	Channel *other = actor.open_channel();
	if (!channel || !other)
		return;
	(void)actor.publish(*channel, drv::host_call_packet(1, actor.below(1000)));
	usleep(200);
	const unpu_completion &completion = actor.peer().completion();
	const uint64_t posted = actor.peer().value(UNPU_SEM_CALLS);
	const unpu_call_entry &entry = completion.calls[posted % UNPU_CALL_QUEUE_ENTRIES];
	(void)actor.publish(*other, drv::host_done_packet(1, base::load_relaxed(entry.token)));
	if (posted > 0) {
		const unpu_call_entry &last =
			completion.calls[(posted - 1) % UNPU_CALL_QUEUE_ENTRIES];
		(void)actor.publish(*other,
				    drv::host_done_packet(1, base::load_relaxed(last.token)));
	}
}

void abort_a_channel(Actor &actor)
{
	run_operators(actor);
	wait_for_semaphores(actor);
	Channel *channel = actor.channel();
	if (!channel)
		return;
	unpu_message abort{};
	abort.type = UNPU_MSG_CHANNEL_ABORT;
	abort.abort = {channel->index(), 0, channel->ring().next()};
	if (actor.one_in(2))
		abort.abort = {channel->index(), UNPU_ABORT_CURRENT, 0};
	(void)actor.ask(abort);
	unpu_message clear{};
	clear.type = UNPU_MSG_CHANNEL_CONTROL;
	clear.control = {channel->index(), UNPU_CHANNEL_CLEAR_STATUS, 0, 0};
	(void)actor.ask(clear);
}

/* The channel stays in the attacker's list: what follows is sent to a channel that is not there. */
void destroy_a_channel(Actor &actor)
{
	run_packets(actor);
	Channel *channel = actor.channel();
	if (!channel || !actor.one_in(8))
		return;
	unpu_message destroy{};
	destroy.type = UNPU_MSG_CHANNEL_DESTROY;
	destroy.channel.channel = channel->index();
	(void)actor.ask(destroy);
}

} // namespace attacker
