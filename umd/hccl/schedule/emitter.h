// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "uapi/operator.h"
#include "uapi/packet.h"
#include "umd/hccl/comm/order.h"
#include "umd/hccl/comm/rank_slots.h"
#include "umd/hccl/elements.h"
#include "umd/hccl/far/send_queue.h"

namespace umd {

class Comm;
class HostWork;
struct Message;
struct Stream;

/** class Emitter - submits the packets of one operation to its stream, or to the capture of the stream.
 * Context: the lock of the communicator. Return: all functions return the results of enqueue(). */
class Emitter {
public:
	/** using Begin - a function that is called before the first packet. */
	using Begin = std::function<base::Status()>;

	/** @orders: the orders that the operation is in */
	Emitter(Comm &comm, Stream &stream, Collective call, const OrderSet &orders, Begin begin);

	/** has_begun() - whether there was a packet. */
	bool has_begun() const { return has_begun_; }

	/** copy() - copies memory. Does nothing for 0 bytes, or if both addresses are equal. */
	base::Status copy(uint64_t dst, uint64_t src, uint64_t bytes);

	/** combine() - @dst = @left op @right. */
	base::Status combine(const Combine &how, uint64_t dst, uint64_t left, uint64_t right,
			     uint64_t count);

	/** await_read() - waits until all ranks of the island have read this rank's buffer. Call it before
	 * the first write to the buffer. */
	base::Status await_read() { return await(READ); }
	/** tell() - signals a counter of all other ranks of the island. */
	base::Status tell(Counter counter);
	/** await() - waits until all other ranks of the island have signalled the counter. */
	base::Status await(Counter counter);
	/** meet() - calls tell() and await(). */
	base::Status meet(Counter counter);

	/** flush() - submits the packet that was held back (see held_). Call it at the end of the
	 * operation. */
	base::Status flush();

	/** count() - raises a counter of this rank. */
	base::Status count(uint32_t sem) { return signal(sem); }

	/** exchange() - submits messages in turns. Each turn transfers a part of every message.
	 * @lane: the lane for messages to other islands. Messages of a schedule are in the lane COLLECTIVE,
	 * and none goes to a rank of this island */
	base::Status exchange(const std::vector<Message> &messages, Lane lane);

	/** begin_send() - waits until a slot to rank @to of another island is free. @slot: receives its address.
	 * end_send() - sends the first @bytes bytes of that slot. */
	base::Status begin_send(uint32_t to, uint64_t &slot, Lane lane = Lane::COLLECTIVE);
	base::Status end_send(uint32_t to, uint64_t bytes, Lane lane = Lane::COLLECTIVE);

	/** begin_take() - waits for the next piece of rank @from of another island. @slot: receives its address.
	 * end_take() - gives the slot back. */
	base::Status begin_take(uint32_t from, uint64_t &slot, Lane lane = Lane::COLLECTIVE);
	base::Status end_take(uint32_t from, Lane lane = Lane::COLLECTIVE);

	const Islands &islands() const { return islands_; }
	bool is_one_island() const { return islands_.count() == 1; }
	/** piece_bytes() - the largest size of one send. */
	uint64_t piece_bytes() const;

	Comm &comm() { return comm_; }
	uint32_t ranks() const { return ranks_; }
	uint32_t rank() const { return rank_; }
	const RankSlots &seats() const { return seats_; }

private:
	using Pieces = std::map<uint32_t, uint64_t>; /* indexed by rank */

	base::Status begin();
	base::Status post(const unpu_packet &packet, const unpu_operator *op = nullptr);
	base::Status submit(const unpu_packet &packet, const unpu_operator *op);
	base::Status signal(uint32_t sem);
	base::Status wait(uint32_t sem, uint64_t value);
	base::Status reach(const std::vector<Message> &messages, uint64_t most);
	base::Status send_part(const Message &message, uint64_t from, uint64_t bytes, Lane lane);
	base::Status take_part(const Message &message, uint64_t from, uint64_t bytes, Lane lane);
	base::Status await_taken(uint32_t to, Lane lane);
	uint32_t mark_of(Lane lane, uint64_t piece) const;
	bool owns_outgoing(uint32_t to, Lane lane) const;
	bool owns_incoming(uint32_t from, Lane lane) const;
	base::Status post_work(std::shared_ptr<const HostWork> work);

	Comm &comm_;
	Stream &stream_;
	const RankSlots &seats_;
	const Islands &islands_;
	const uint8_t call_;
	const uint64_t cookie_;
	const uint32_t ranks_;
	const uint32_t rank_;
	const OrderSet orders_;
	const Begin begin_;
	bool has_begun_ = false;
	const StreamStart start_;
	/* The last packet is held back: if a signal follows, the packet carries the signal, which saves a
	 * packet. A capture holds nothing back. */
	const bool holds_;
	bool has_held_ = false;
	unpu_packet held_{};
	std::optional<unpu_operator> held_op_;
	/* number of pieces sent so far to each rank of another island */
	std::array<Pieces, LANES> sent_{};
	std::array<Pieces, LANES> taken_{};
};

} // namespace umd
