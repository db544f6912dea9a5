// SPDX-License-Identifier: MIT
/**
 * DOC: Time limits of launches
 *
 * Kernels have a low priority, so on a busy machine a launch gets little of a CPU. Its limit is CPU time of its
 * process, and not the time of a clock: what waits for a CPU does not hang. A launch always has a thread that runs or
 * could run, because one whose blocks all wait for each other fails at once. No kernel can set the clock of that time.
 */
#include "supervisor.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"

namespace fw {

/* For a launch whose limit has passed to tell what it has printed, and where it is. */
static constexpr uint64_t LAST_WORDS_NS = 200 * base::NS_PER_MS;
/* The first look at a launch comes after this part of its limit, so that short ones cost no call. */
static constexpr uint64_t FIRST_LOOK = 16;
/* The process must have had the limit less this part of it, from the first look on. */
static constexpr uint64_t LESS = 8;
/* A launch that gets no CPU ends when its limit has passed so many times. */
static constexpr uint64_t MOST_LIMITS = 30;

uint64_t Workers::Supervisor::first_look(const KernelJob &job) const
{
	if (is_inline_ || link_.is_debugged() || job.limit_ns == base::NO_DEADLINE)
		return base::NO_DEADLINE;
	return base::deadline_after(job.limit_ns / FIRST_LOOK);
}

/* Whether the limit of the launch has passed. Otherwise sets the time of the next look. */
bool Workers::Supervisor::is_over(Posted &lane, uint64_t now_ns)
{
	const uint64_t limit_ns = lane.job->limit_ns, cpu_ns = link_.cpu_ns();
	if (!std::exchange(lane.has_cpu_time, true)) {
		lane.cpu_ns = cpu_ns;
		lane.deadline_ns = base::deadline_after(limit_ns - limit_ns / FIRST_LOOK);
		return false;
	}
	const uint64_t wanted_ns = limit_ns - limit_ns / LESS, had_ns = cpu_ns - lane.cpu_ns;
	if (cpu_ns == 0 || had_ns >= wanted_ns ||
	    (now_ns - lane.since_ns) / MOST_LIMITS >= limit_ns)
		return true;
	lane.deadline_ns = base::deadline_after(std::max(wanted_ns - had_ns, base::NS_PER_MS));
	return false;
}

/* Whether the process has to end, or has ended, while it has launches. Marks the launches that are the
 * reason. */
bool Workers::Supervisor::find_bad()
{
	const uint64_t now_ns = base::now_ns();
	bool any = posted_ != 0 && !link_.is_running();
	for (Posted &lane : posted_to_) {
		if (!lane.job)
			continue;
		if (!lane.is_bad && lane.deadline_ns <= now_ns &&
		    (lane.is_late || is_over(lane, now_ns))) {
			lane.is_bad = std::exchange(lane.is_late, true);
			lane.wants_place = !lane.is_bad;
			lane.deadline_ns = now_ns + LAST_WORDS_NS;
			lane.ending = Ending::LATE;
		}
		any = any || lane.is_bad;
	}
	return any;
}

} // namespace fw
