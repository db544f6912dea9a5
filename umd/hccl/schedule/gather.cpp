// SPDX-License-Identifier: MIT
/**
 * DOC: Copies from rank to rank
 *
 * A rank that has data copies them into its buffer, one part at a time. The ranks that need the data read
 * them there.
 */
#include "schedules.h"

#include <algorithm>

#include "far.h"

namespace umd {

using base::Status;

Status emit_broadcast(Emitter &emitter, uint64_t address, uint64_t bytes, uint32_t root)
{
	if (emitter.ranks() == 1)
		return Status::OK;
	const uint64_t most = emitter.seats().layout().collective_bytes;
	const uint64_t source = emitter.seats().buffer(root);
	for (uint64_t from = 0; from < bytes; from += most) {
		const uint64_t some = std::min(most, bytes - from);
		if (!emitter.is_one_island()) {
			TRY(broadcast_far(emitter, address + from, some, root));
			continue;
		}
		TRY(emitter.await_read());
		if (emitter.rank() == root)
			TRY(emitter.copy(source, address + from, some));
		TRY(emitter.meet(READY));
		if (emitter.rank() != root)
			TRY(emitter.copy(address + from, source, some));
		TRY(emitter.tell(READ));
	}
	return Status::OK;
}

static Status gather_round(Emitter &emitter, uint64_t size, uint64_t send, uint64_t receive,
			   const Parts &parts, uint64_t from)
{
	const uint32_t rank = emitter.rank();
	const uint64_t most = emitter.seats().layout().collective_bytes / size;
	const auto some_of = [&](uint32_t of) {
		return std::min(most, parts.counts[of] - std::min(from, parts.counts[of])) * size;
	};
	TRY(emitter.await_read());
	TRY(emitter.copy(emitter.seats().buffer(rank), send + from * size, some_of(rank)));
	TRY(emitter.meet(READY));
	for (uint32_t i = 0; i < emitter.ranks(); i++) {
		const uint32_t of = (rank + i) % emitter.ranks();
		const uint64_t source =
			of == rank ? send + from * size : emitter.seats().buffer(of);
		TRY(emitter.copy(receive + (parts.offsets[of] + from) * size, source, some_of(of)));
	}
	return emitter.tell(READ);
}

Status emit_all_gather(Emitter &emitter, uint64_t element_bytes, uint64_t send, uint64_t receive,
		       const Parts &parts)
{
	if (emitter.ranks() == 1)
		return emitter.copy(receive + parts.offsets[0] * element_bytes, send,
				    parts.counts[0] * element_bytes);
	if (!emitter.is_one_island())
		return gather_far(emitter, element_bytes, send, receive, parts);
	const uint64_t most = emitter.seats().layout().collective_bytes / element_bytes;
	for (uint64_t from = 0; from < parts.longest(); from += most)
		TRY(gather_round(emitter, element_bytes, send, receive, parts, from));
	return Status::OK;
}

Status emit_barrier(Emitter &emitter)
{
	TRY(emitter.await_read());
	TRY(emitter.meet(READY));
	if (!emitter.is_one_island()) {
		TRY(barrier_far(emitter));
		TRY(emitter.meet(REDUCED));
	}
	return emitter.tell(READ);
}

} // namespace umd
