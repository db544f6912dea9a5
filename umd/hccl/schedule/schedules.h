// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "emitter.h"

namespace umd {

/** struct Reduction - arguments of a reduction. Addresses are device addresses. */
struct Reduction {
	Combine how{};
	uint64_t element_bytes = 0;
	uint64_t send = 0;
	uint64_t receive = 0;
};

/** struct Parts - a part of a buffer for each rank, in elements. */
struct Parts {
	std::vector<uint64_t> counts;
	std::vector<uint64_t> offsets;

	uint64_t longest() const;
};

/** equal_parts() - @ranks parts of @count elements, one after the other. */
Parts equal_parts(uint32_t ranks, uint64_t count);

/** emit_all_reduce() - reduces @count elements; all ranks get the result. */
base::Status emit_all_reduce(Emitter &emitter, const Reduction &what, uint64_t count);

/** emit_reduce() - the same, but only @root gets the result. */
base::Status emit_reduce(Emitter &emitter, const Reduction &what, uint64_t count, uint32_t root);

/** emit_reduce_scatter() - reduces the send buffer, which @parts divide; each rank gets its part of the
 * result. */
base::Status emit_reduce_scatter(Emitter &emitter, const Reduction &what, const Parts &parts);

/** emit_broadcast() - copies @bytes bytes of @root to all ranks. */
base::Status emit_broadcast(Emitter &emitter, uint64_t address, uint64_t bytes, uint32_t root);

/** emit_all_gather() - copies the parts of all ranks to all ranks. The parts divide the receive buffer. */
base::Status emit_all_gather(Emitter &emitter, uint64_t element_bytes, uint64_t send,
			     uint64_t receive, const Parts &parts);

/** emit_barrier() - waits for all ranks. */
base::Status emit_barrier(Emitter &emitter);

} // namespace umd
