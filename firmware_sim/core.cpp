// SPDX-License-Identifier: MIT
/**
 * DOC: Core
 *
 * What clients leave behind. Unmapping touched memory takes the kernel milliseconds for each few MiB,
 * which the thread that serves everybody does not have.
 */
#include "core.h"

#include <algorithm>

#include <fcntl.h>

namespace fw {

/* The kernel frees so much at once: for as long as it does, the process can have no other memory mapped. */
static constexpr uint64_t BIT_BYTES = base::HUGE_PAGE_BYTES;

/* Gives pages back bit by bit, so that others get in between. */
static void empty(const Segment &segment)
{
	for (uint64_t at = 0; segment.fd.valid() && at < segment.bytes; at += BIT_BYTES) {
		if (fallocate(segment.fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			      static_cast<off_t>(at),
			      static_cast<off_t>(std::min(BIT_BYTES, segment.bytes - at))) != 0)
			return;
	}
}

/* Less than this is freed at once. */
static constexpr uint64_t BURY_BYTES = 256u << 10;

void Core::bury(std::vector<std::shared_ptr<Segment>> dead)
{
	uint64_t bytes = 0;
	for (auto &segment : dead) {
		if (segment.use_count() > 1)
			continue;
		/* It counts for nobody from now on. */
		segment->charge = Charge();
		segment->quota = Charge();
		bytes += segment->bytes;
	}
	if (bytes < BURY_BYTES || !engines.available())
		return;
	auto job = std::make_unique<Job>();
	auto grave = std::make_shared<std::vector<std::shared_ptr<Segment>>>(std::move(dead));
	job->work = [grave] {
		while (!grave->empty()) {
			/* What others still hold stays as it is. */
			if (const auto &segment = grave->back();
			    segment && segment.use_count() == 1 && !segment->of)
				empty(*segment);
			grave->pop_back();
		}
	};
	job->party = this;
	job->bytes = bytes;
	engines.submit(std::move(job));
}

} // namespace fw
