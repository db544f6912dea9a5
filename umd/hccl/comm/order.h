// SPDX-License-Identifier: MIT
/**
 * DOC: Orders of a communicator
 *
 * Operations of one order run one after the other, on whichever streams they are. Each resource of a communicator
 * belongs to one order, and only an operation that is in that order uses it:
 *
 *	order			resources
 *	COLLECTIVE_ORDER	the buffer for collective calls, the counters, the slots of Lane::COLLECTIVE
 *	order_to(rank)		the place in the own buffer for messages to the rank, its flag taken[rank], and the
 *				slots of Lane::MESSAGE that go out to it
 *	order_from(rank)	the flag sent[rank], and the slots of Lane::MESSAGE that come in from it
 *
 * An operation takes its place in its orders with its first packet. One that has no packet, as it has no data, takes
 * none: the next operation still follows the last one that had some.
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

/** using OrderSet - those of an operation. */
using OrderSet = std::bitset<ORDERS>;

/** struct Order - the last operation of an order: the next one follows it. */
struct Order {
	/** struct Captured - the last one of a capture. */
	struct Captured {
		const TaskSink *sink;
		uint64_t stream; /* its handle */
	};

	drv::Fence fence;		/* of the last one that a stream runs */
	std::vector<Captured> captured; /* of each capture that goes on */
	recorder::StreamPoint point;	/* of the last one, in the trace */
};

} // namespace umd
