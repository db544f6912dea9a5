// SPDX-License-Identifier: MIT
/**
 * DOC: Core
 *
 * What clients leave behind. Unmapping touched memory takes the kernel milliseconds for each few MiB,
 * which the thread that serves everybody does not have.
 */
#include "core.h"

namespace fw {

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
	job->work = [grave] { grave->clear(); };
	job->party = this;
	job->bytes = bytes;
	engines.submit(std::move(job));
}

} // namespace fw
