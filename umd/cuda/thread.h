// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "history.h"
#include "umd/core/object/context_object.h"

namespace umd::cuda {

/**
 * struct ThreadObjects - the objects of a thread besides its current context. Created on first use; the
 * destructor of a pthread key destroys it when the thread ends.
 */
struct ThreadObjects {
	/* The stack of contexts without its top, which is the thread's current context. */
	std::vector<uint64_t> below;

	struct OwnStream {
		uint64_t context; /* handles */
		uint64_t stream;
	};
	std::vector<OwnStream> streams;

	ThreadCall call; /* used while call history is kept */
};

/** thread_objects() - the objects of the calling thread. */
ThreadObjects &thread_objects();

} // namespace umd::cuda
