// SPDX-License-Identifier: MIT
/**
 * DOC: Schedules over several islands
 *
 * Ranks of one island read each other's buffers. Between islands, pieces of data go through slots
 * (umd/hccl/far/links.h). The work is divided into parts. On each island one rank is the agent for a part: it
 * sends and receives the pieces of that part. So all ranks of an island share the work.
 *
 * A part is reduced by a chain of agents, in the order of the ranks that they represent. Each agent receives
 * the result so far, reduces the data of its own ranks into it, and sends it on. So each element is reduced
 * in the order of the ranks, and the result has the same bits as on one island.
 *
 * A chain passes all islands, and the result goes back. Short data are handled differently, because one way
 * is faster than two: each rank gets the data of all ranks and reduces them itself, in the same order.
 *
 * No schedule can deadlock. All ranks take the steps of a schedule in one order. A step waits only for
 * earlier steps, because the step that takes a piece also releases its slot. There is one exception: an agent
 * takes the result of a piece some pieces later than the last agent sends it, so that the chain can work in
 * the meantime. This lag is the number of slots of a link, so the last agent never waits for a slot that a
 * later step releases. It may also be the number of islands, because each link of the way back has slots of
 * its own.
 */
#pragma once

#include "schedules.h"

namespace umd {

/** fold() - reduces @operands in their order into @dst. @dst may be the first operand, or either one if there
 * are two. */
base::Status fold(Emitter &emitter, const Reduction &what, uint64_t dst,
		  const std::vector<uint64_t> &operands, uint64_t count);

/** part_start() - the first element of part @part, if @count elements are divided into @parts parts. Parts
 * begin at cache lines. */
uint64_t part_start(const Reduction &what, uint64_t count, uint32_t parts, uint32_t part);

/** bring_along() - passes a piece along the ranks of @way. The first rank sends it from offset @place of its
 * memory. Each other rank stores it at @place of its own memory, and sends it on. */
base::Status bring_along(Emitter &emitter, const std::vector<uint32_t> &way, uint64_t place,
			 uint64_t bytes);

/** ALL_ISLANDS - the result of a reduction is for all islands. */
constexpr uint32_t ALL_ISLANDS = ~0u;

/** reduce_far() - one round of a reduction: @count elements from element @from on.
 * @island: the island that needs the result, or ALL_ISLANDS
 * @has_result: this rank needs it */
base::Status reduce_far(Emitter &emitter, const Reduction &what, uint64_t from, uint64_t count,
			uint32_t island, bool has_result);

/** reduce_pair() - does emit_all_reduce() if there are two ranks, on two islands. */
base::Status reduce_pair(Emitter &emitter, const Reduction &what, uint64_t count);

/** fold_gathered() - does emit_all_reduce() for few elements: each rank reduces the data of all ranks.
 * @is_done: receives whether the buffers are large enough; if not, nothing is submitted */
base::Status fold_gathered(Emitter &emitter, const Reduction &what, uint64_t count, bool &is_done);

/** scatter_far() - one round of emit_reduce_scatter(): at most @slot elements of each part, from @from on. */
base::Status scatter_far(Emitter &emitter, const Reduction &what, const Parts &parts, uint64_t from,
			 uint64_t slot);

/** broadcast_far() - does one round of emit_broadcast(). */
base::Status broadcast_far(Emitter &emitter, uint64_t address, uint64_t bytes, uint32_t root);

/** gather_far() - does emit_all_gather(). */
base::Status gather_far(Emitter &emitter, uint64_t element_bytes, uint64_t send, uint64_t receive,
			const Parts &parts);

/** barrier_far() - the second half of a barrier, after the ranks of each island have met. */
base::Status barrier_far(Emitter &emitter);

} // namespace umd
