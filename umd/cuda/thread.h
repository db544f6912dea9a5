// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "history.h"
#include "umd/context.h"

namespace umd::cuda {

/**
 * struct ThreadObjects - what a thread has beyond its current context. Made on first use; a key's
 * destructor takes it down with the thread.
 */
struct ThreadObjects {
	/* The stack of contexts without the topmost, which is the thread's current one. */
	std::vector<uint64_t> below;

	struct OwnStream {
		uint64_t context; /* handles */
		uint64_t stream;
	};
	std::vector<OwnStream> streams;

	ThreadCall call; /* while history is kept */
};

/** thread_objects() - the calling thread's. */
ThreadObjects &thread_objects();

} // namespace umd::cuda
