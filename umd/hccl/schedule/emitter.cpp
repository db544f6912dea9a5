// SPDX-License-Identifier: MIT
/**
 * DOC: Packets of operations
 *
 * A wait for a counter or a flag resets it, so an operation leaves its semaphores as it found them. So the
 * packets of a graph can run any number of times, also between packets of other calls.
 */
#include "emitter.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "drv/device.h"
#include "drv/packet/cookie.h"
#include "drv/packet/packets.h"
#include "operation.h"
#include "uapi/tensor.h"
#include "umd/core/device/open_device.h"
#include "umd/core/stream/host_launch.h"
#include "umd/core/stream/stream.h"
#include "umd/hccl/comm/relay.h"

namespace umd {

using base::Status;

static StreamStart start_of(Stream &stream)
{
	if (stream.sink.get())
		return {};
	const drv::Fence last = stream.channel->last();
	const auto place = stream.context->device().place_of(last);
	return {DeviceRef(*stream.context->open), last.sem, place ? place->index + 1 : 0};
}

Emitter::Emitter(Comm &comm, Stream &stream, Collective call, const OrderSet &orders, Begin begin)
	: comm_(comm), stream_(stream), seats_(comm.seats()), islands_(comm.islands()),
	  call_(static_cast<uint16_t>(call)), cookie_(drv::cookie_call(call_)),
	  ranks_(comm.ranks()), rank_(comm.rank()), orders_(orders), begin_(std::move(begin)),
	  start_(start_of(stream)), holds_(stream.sink.get() == nullptr)
{
}

Status Emitter::begin()
{
	if (has_begun_)
		return Status::OK;
	has_begun_ = true;
	return begin_();
}

Status Emitter::post(const unpu_packet &packet, const unpu_operator *op)
{
	TRY(comm_.inject(base::FaultRule::Call::PACKET));
	TRY(begin());
	if (!holds_)
		return submit(packet, op);
	TRY(flush());
	held_ = packet;
	held_op_ = op ? std::optional(*op) : std::nullopt;
	has_held_ = true;
	return Status::OK;
}

Status Emitter::submit(const unpu_packet &packet, const unpu_operator *op)
{
	return op ? enqueue(stream_, packet, op) : enqueue(stream_, packet);
}

Status Emitter::flush()
{
	if (!has_held_)
		return Status::OK;
	has_held_ = false;
	return submit(held_, held_op_ ? &*held_op_ : nullptr);
}

Status Emitter::copy(uint64_t dst, uint64_t src, uint64_t bytes)
{
	if (bytes == 0 || dst == src)
		return Status::OK;
	return post(drv::copy_packet(cookie_, dst, src, bytes));
}

Status Emitter::combine(const Combine &how, uint64_t dst, uint64_t left, uint64_t right,
			uint64_t count)
{
	if (count == 0)
		return Status::OK;
	unpu_operator op{};
	op.kind = how.kind;
	op.compute = how.compute;
	op.ndim = 1;
	op.noperands = 3;
	op.dims[0] = static_cast<int64_t>(count);
	/* The operator ADD multiplies its second source by a factor. It is 1 here. */
	if (how.kind == UNPU_OPERATOR_ADD)
		op.scalar_bits = how.compute == UNPU_DTYPE_F32 || how.compute == UNPU_DTYPE_F64
					 ? std::bit_cast<uint64_t>(1.0)
					 : 1;
	const uint64_t addresses[] = {dst, left, right};
	for (unsigned i = 0; i < op.noperands; i++) {
		op.operands[i].address = addresses[i];
		op.operands[i].dtype = how.type;
		op.operands[i].access = i == 0 ? UNPU_ACCESS_WRITE : UNPU_ACCESS_READ;
		op.operands[i].strides[0] = 1;
	}
	unpu_packet row;
	if (drv::row_packet(cookie_, op, row))
		return post(row);
	return post(drv::operator_packet(cookie_, 0), &op);
}

Status Emitter::signal(uint32_t sem)
{
	const unpu_packet packet = drv::signal_packet(cookie_, sem, UNPU_SIGNAL_ADD, 1);
	if (!has_held_ || held_.signal_op != UNPU_SIGNAL_NONE)
		return post(packet);
	held_.signal_sem = packet.signal_sem;
	held_.signal_op = packet.signal_op;
	held_.signal_value = packet.signal_value;
	return Status::OK;
}

Status Emitter::wait(uint32_t sem, uint64_t value)
{
	return post(drv::wait_packet(
		cookie_, {sem, UNPU_WAIT_GE, value, comm_.wait_ns(), UNPU_WAIT_CLEAR, 0}));
}

Status Emitter::tell(Counter counter)
{
	const std::vector<uint32_t> &near = islands_.near();
	const size_t own = islands_.place(rank_);
	unpu_assert(orders_[COLLECTIVE_ORDER]);
	for (size_t i = 1; i < near.size(); i++)
		TRY(signal(seats_.signals(near[(own + i) % near.size()]).counters[counter]));
	return Status::OK;
}

Status Emitter::await(Counter counter)
{
	const uint64_t others = islands_.near().size() - 1;
	unpu_assert(orders_[COLLECTIVE_ORDER]);
	return others == 0 ? Status::OK : wait(seats_.waits(counter), others);
}

Status Emitter::meet(Counter counter)
{
	TRY(tell(counter));
	return await(counter);
}

Status Emitter::post_work(std::shared_ptr<const HostWork> work)
{
	TRY(comm_.inject(base::FaultRule::Call::PACKET));
	TRY(begin());
	TRY(flush());
	return launch_work(stream_, work_task(TaskKind::HOST_COPY, call_, std::move(work)));
}

uint64_t Emitter::piece_bytes() const
{
	return comm_.relay()->links().slot_bytes();
}

/* The two sides of a message may be in different calls, so the mark has no call for messages. */
uint32_t Emitter::mark_of(Lane lane, uint64_t piece) const
{
	const uint32_t call = lane == Lane::COLLECTIVE ? call_ : 0;
	return call << 16 | (piece & 0xffff);
}

bool Emitter::owns_outgoing(uint32_t to, Lane lane) const
{
	return orders_[lane == Lane::COLLECTIVE ? COLLECTIVE_ORDER : order_to(to)];
}

bool Emitter::owns_incoming(uint32_t from, Lane lane) const
{
	return orders_[lane == Lane::COLLECTIVE ? COLLECTIVE_ORDER : order_from(from)];
}

static LinkSlot slot_of(Lane lane, uint64_t piece)
{
	return {lane, static_cast<uint32_t>(piece % LINK_SLOTS)};
}

Status Emitter::begin_send(uint32_t to, uint64_t &slot, Lane lane)
{
	Links &links = comm_.relay()->links();
	const LinkSlot place = slot_of(lane, sent_[static_cast<uint32_t>(lane)][to]);
	unpu_assert(owns_outgoing(to, lane));
	slot = links.outgoing(to, place);
	return wait(links.waits_taken(to, place), 1);
}

Status Emitter::end_send(uint32_t to, uint64_t bytes, Lane lane)
{
	const uint64_t piece = sent_[static_cast<uint32_t>(lane)][to]++;
	return post_work(comm_.relay()->sending(start_, to, slot_of(lane, piece),
						mark_of(lane, piece), bytes));
}

Status Emitter::begin_take(uint32_t from, uint64_t &slot, Lane lane)
{
	Links &links = comm_.relay()->links();
	const LinkSlot place = slot_of(lane, taken_[static_cast<uint32_t>(lane)][from]);
	unpu_assert(owns_incoming(from, lane));
	slot = links.incoming(from, place.index());
	return wait(links.waits_sent(from, place), 1);
}

Status Emitter::end_take(uint32_t from, Lane lane)
{
	const uint64_t piece = taken_[static_cast<uint32_t>(lane)][from]++;
	return post_work(
		comm_.relay()->taking(start_, from, slot_of(lane, piece), mark_of(lane, piece)));
}

/* A send of a program ends when the other side has received the data. This wait clears the flags, so they are
 * raised again for the next begin_send(). */
Status Emitter::await_taken(uint32_t to, Lane lane)
{
	const auto call = static_cast<Collective>(call_);
	if (call != Collective::SEND && call != Collective::RECV && call != Collective::BATCH)
		return Status::OK;
	const uint64_t sent = sent_[static_cast<uint32_t>(lane)][to];
	for (uint32_t number = 0; number < std::min<uint64_t>(sent, LINK_SLOTS); number++) {
		const uint32_t flag = comm_.relay()->links().waits_taken(to, {lane, number});
		TRY(wait(flag, 1));
		TRY(signal(flag));
	}
	return Status::OK;
}

/* The area for the message is free when the other rank has taken the part before this one. */
Status Emitter::send_part(const Message &message, uint64_t from, uint64_t bytes, Lane lane)
{
	if (!islands_.is_near(message.rank)) {
		uint64_t slot;
		TRY(begin_send(message.rank, slot, lane));
		TRY(copy(slot, message.address + from, bytes));
		return end_send(message.rank, bytes, lane);
	}
	unpu_assert(orders_[order_to(message.rank)]);
	if (from != 0)
		TRY(wait(seats_.waits_taken(message.rank), 1));
	TRY(copy(seats_.message(rank_, message.rank), message.address + from, bytes));
	return signal(seats_.signals(message.rank).sent);
}

Status Emitter::take_part(const Message &message, uint64_t from, uint64_t bytes, Lane lane)
{
	if (!islands_.is_near(message.rank)) {
		uint64_t slot;
		TRY(begin_take(message.rank, slot, lane));
		TRY(copy(message.address + from, slot, bytes));
		return end_take(message.rank, lane);
	}
	unpu_assert(orders_[order_from(message.rank)]);
	TRY(wait(seats_.waits_sent(message.rank), 1));
	TRY(copy(message.address + from, seats_.message(message.rank, rank_), bytes));
	return signal(seats_.signals(message.rank).taken);
}

/* Receives come first, because the grant of their slots lets other ranks send, whatever this stream waits
 * for. */
Status Emitter::reach(const std::vector<Message> &messages, uint64_t most)
{
	for (const bool is_send : {false, true}) {
		for (const Message &message : messages) {
			if (message.is_send != is_send || message.bytes == 0 ||
			    islands_.is_near(message.rank))
				continue;
			const uint64_t pieces = (message.bytes + most - 1) / most;
			TRY(comm_.relay()->reach(
				message.rank, is_send,
				static_cast<uint32_t>(std::min<uint64_t>(pieces, LINK_SLOTS))));
		}
	}
	return Status::OK;
}

/*
 * In each turn all sends come before the first receive. So a receive waits only for sends that follow no
 * receive of the same turn. When all ranks have begun, the turns complete one after the other, and no set of
 * messages can deadlock.
 */
Status Emitter::exchange(const std::vector<Message> &messages, Lane lane)
{
	/* Both ends of a message must divide it into the same parts, also if they are on different
	 * islands. */
	const uint64_t most = is_one_island()
				      ? seats_.layout().message_bytes
				      : std::min(seats_.layout().message_bytes, piece_bytes());
	uint64_t longest = 0;
	for (const Message &message : messages)
		longest = std::max(longest, message.bytes);
	if (lane == Lane::MESSAGE)
		TRY(reach(messages, most));
	for (uint64_t from = 0; from < longest; from += most) {
		for (const bool is_send : {true, false}) {
			for (const Message &message : messages) {
				if (message.is_send != is_send || message.bytes <= from)
					continue;
				const uint64_t bytes = std::min(most, message.bytes - from);
				TRY(is_send ? send_part(message, from, bytes, lane)
					    : take_part(message, from, bytes, lane));
			}
		}
	}
	for (const Message &message : messages) {
		if (!message.is_send || message.bytes == 0)
			continue;
		TRY(islands_.is_near(message.rank) ? wait(seats_.waits_taken(message.rank), 1)
						   : await_taken(message.rank, lane));
	}
	return Status::OK;
}

} // namespace umd
