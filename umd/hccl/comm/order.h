// SPDX-License-Identifier: MIT
/**
 * DOC: Orders of a communicator
 *
 * An order is a set of operations that run one after the other, even if they are on different streams. Each
 * resource of a communicator belongs to one order. Only an operation in that order uses the resource:
 *
 *	order			resources
 *	COLLECTIVE_ORDER	the buffer for collective calls, the counters, the slots of Lane::COLLECTIVE
 *	order_to(rank)		the place in the own buffer for messages to the rank, its flag taken[rank], and the
 *				slots of Lane::MESSAGE that go out to it
 *	order_from(rank)	the flag sent[rank], and the slots of Lane::MESSAGE that come in from it
 *
 * An operation enters its orders with its first packet. An operation without data has no packet, and enters
 * no order: the next operation follows the last one that had a packet.
 */
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "drv/packet/fence.h"
#include "umd/core/notes/collective_note.h"
#include "umd/hccl/meeting/words.h"

namespace umd {

class TaskSink;

constexpr uint32_t COLLECTIVE_ORDER = 0;
constexpr uint32_t order_to(uint32_t rank)
{
	return 1 + rank;
}
constexpr uint32_t order_from(uint32_t rank)
{
	return 1 + MAX_RANKS + rank;
}
constexpr uint32_t ORDERS = 1 + 2 * MAX_RANKS;

/** using OrderSet - the set of orders that an operation is in. */
using OrderSet = std::bitset<ORDERS>;

/** struct Order - records the last operation of an order, so that the next operation can wait for it. */
struct Order {
	/** struct Captured - the last operation that a capture has recorded. */
	struct Captured {
		const TaskSink *sink;
		uint64_t stream; /* handle of the stream */
	};

	drv::Fence fence;		/* end of the last operation that a stream runs */
	std::vector<Captured> captured; /* one entry for each capture in progress */
	recorder::StreamPoint point;	/* place of the last operation in the trace */
};

} // namespace umd
