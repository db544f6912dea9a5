// SPDX-License-Identifier: MIT
/**
 * DOC: Core
 *
 * What clients leave behind. Unmapping touched memory takes the kernel milliseconds for each few MiB,
 * which the thread that serves everybody does not have.
 */
#include "core.h"

#include <algorithm>

#include <sys/mman.h>

namespace fw {

/* The kernel frees so much at once: for as long as it does, the process can have no other memory mapped. */
static constexpr uint64_t BIT_BYTES = base::HUGE_PAGE_BYTES;

/* Gives pages back bit by bit, so that others get in between. */
static void empty(const Segment &segment)
{
	for (uint64_t at = 0; at < segment.bytes; at += BIT_BYTES) {
		if (madvise(segment.data + at, std::min(BIT_BYTES, segment.bytes - at),
			    MADV_REMOVE) != 0)
			return;
	}
}

void Core::bury(std::vector<std::shared_ptr<Segment>> dead)
{
	uint64_t bytes = 0;
	for (auto &segment : dead) {
		if (segment.use_count() > 1)
			continue;
		/* It counts for nobody from now on. */
		segment->device_memory.end();
		segment->quota.end();
		bytes += segment->bytes;
	}
	free_later(std::move(dead), bytes, [](auto &grave) {
		while (!grave.empty()) {
			/* What others still hold stays as it is. */
			if (const auto &segment = grave.back();
			    segment && segment.use_count() == 1 && !segment->of)
				empty(*segment);
			grave.pop_back();
		}
	});
}

} // namespace fw
