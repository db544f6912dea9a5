// SPDX-License-Identifier: MIT
/**
 * DOC: Schedules over several islands
 *
 * Ranks of one island read each other's buffers; between islands pieces go through slots (umd/hccl/far/links.h). The
 * work is divided into parts, and each island has an agent for each part, so that all its ranks send.
 *
 * A reduction of a part is a chain. The agents are in the order of the ranks that they stand for: each gets the result
 * so far, reduces the data of its own ranks into it, and sends it on. So every element is reduced in the order of the
 * ranks, whichever islands these are on, and has the same bits as on one island.
 *
 * A chain goes over all islands and back. Short data take one way instead: each rank has the data of all, and reduces
 * them itself, in the same order.
 *
 * No schedule can block itself. All ranks take the steps of a schedule in one order, and a step waits only for steps
 * before it, since a slot is given back in the step that takes its piece. There is one exception: agents take the
 * result of a piece some pieces later than the last agent sends it, so that the chain has work meanwhile. They lag by
 * as many pieces as a link has slots, so the last agent never waits for a slot that a later step gives back; or by as
 * many as there are islands, since each link of the way back has slots of its own.
 */
#pragma once

#include "schedules.h"

namespace umd {

/** fold() - reduces @operands in their order into @dst, which is none of them but the first, or one of two. */
base::Status fold(Emitter &emitter, const Reduction &what, uint64_t dst,
		  const std::vector<uint64_t> &operands, uint64_t count);

/** part_start() - the first of @count elements of which @part of @parts begins; parts begin at cache lines. */
uint64_t part_start(const Reduction &what, uint64_t count, uint32_t parts, uint32_t part);

/** bring_along() - the first rank of @way sends a piece at @place of its memory; each other one puts it to @place of
 * its own, and sends it on. */
base::Status bring_along(Emitter &emitter, const std::vector<uint32_t> &way, uint64_t place,
			 uint64_t bytes);

/** ALL_ISLANDS - the result of a reduction is for all islands. */
constexpr uint32_t ALL_ISLANDS = ~0u;

/** reduce_far() - one round of a reduction: @count elements from element @from on.
 * @island: that needs the result, or ALL_ISLANDS
 * @has_result: this rank needs it */
base::Status reduce_far(Emitter &emitter, const Reduction &what, uint64_t from, uint64_t count,
			uint32_t island, bool has_result);

/** reduce_pair() - emit_all_reduce() of two ranks of two islands. */
base::Status reduce_pair(Emitter &emitter, const Reduction &what, uint64_t count);

/** fold_gathered() - emit_all_reduce() of a few elements: each rank reduces the data of all.
 * @is_done: receives whether the buffers are large enough; if not, nothing is submitted */
base::Status fold_gathered(Emitter &emitter, const Reduction &what, uint64_t count, bool &is_done);

/** scatter_far() - one round of emit_reduce_scatter(): at most @slot elements of each part, from @from on. */
base::Status scatter_far(Emitter &emitter, const Reduction &what, const Parts &parts, uint64_t from,
			 uint64_t slot);

/** broadcast_far() - one round of emit_broadcast(). */
base::Status broadcast_far(Emitter &emitter, uint64_t address, uint64_t bytes, uint32_t root);

/** gather_far() - emit_all_gather(). */
base::Status gather_far(Emitter &emitter, uint64_t element_bytes, uint64_t send, uint64_t receive,
			const Parts &parts);

/** barrier_far() - what a barrier does after the ranks of each island have met. */
base::Status barrier_far(Emitter &emitter);

} // namespace umd
