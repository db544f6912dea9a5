// SPDX-License-Identifier: MIT
/**
 * DOC: Core
 *
 * Frees the memory of clients that have detached. The kernel takes milliseconds to unmap a few MiB of
 * touched memory; the device's thread would delay all clients meanwhile.
 */
#include "core.h"

#include <algorithm>

#include <sys/mman.h>

#include "firmware_sim/schedule/token_work.h"

namespace fw {

/* Bytes per madvise() call. The kernel holds the lock of the process's mappings during the call. */
static constexpr uint64_t BIT_BYTES = base::HUGE_PAGE_BYTES;

/* Frees the pages in small steps, so that other threads can map memory in between. */
static void empty(const Segment &segment)
{
	for (uint64_t at = 0; at < segment.bytes; at += BIT_BYTES) {
		if (madvise(segment.data + at, std::min(BIT_BYTES, segment.bytes - at),
			    MADV_REMOVE) != 0)
			return;
		BackgroundWork::note_work(BIT_BYTES);
	}
}

void Core::free_segments(std::vector<std::shared_ptr<Segment>> dead)
{
	uint64_t bytes = 0;
	for (auto &segment : dead) {
		if (segment.use_count() > 1)
			continue;
		/* Return the charges now: the client may create the next segment before the pages are free. The
		 * mapping keeps the pages when the descriptors are closed. */
		segment->device_memory.end();
		segment->returning.end();
		segment->quota.end();
		segment->entry.end();
		segment->fd = base::Fd();
		segment->descriptor.end();
		segment->file.reset();
		segment->file_descriptor.end();
		bytes += segment->bytes;
	}
	free_later(std::move(dead), bytes, [](auto &grave) {
		while (!grave.empty()) {
			/* Keep the pages of a segment that another object still references. */
			if (const auto &segment = grave.back();
			    segment && segment.use_count() == 1 && !segment->of)
				empty(*segment);
			grave.pop_back();
		}
	});
}

void Core::end_kernel(KernelJob &job)
{
	if (!job.client)
		return;
	job.client->end_kernel(job);
	if (!watches.empty())
		watches.look();
	if (Waiter *owner = job.owner) {
		owner->is_in_worker = false;
		owner->kernel = nullptr;
		owner->woken(job.status, job.address, 0);
	}
}

/* Many refused launches may end at the same time, so one call handles at most REAP_MOST of them. */
void Core::reap_kernels()
{
	if (!workers.finished())
		return;
	for (const auto &job : workers.take_ended())
		end_kernel(*job);
	unsigned left = REAP_MOST;
	for (std::unique_ptr<KernelJob> job; left != 0 && (job = workers.take_finished()); left--)
		end_kernel(*job);
	note_token_work("ends of kernels", 0, REAP_MOST - left);
	/* A worker kicks only once, so the next kick has to be requested. */
	if (workers.in_flight())
		poll_kernels();
}

Progress Core::KernelPoll::advance()
{
	if (core.workers.finished()) {
		core.reap_kernels();
		return Progress::MORE;
	}
	return core.workers.in_flight() ? Progress::EMPTY : Progress::BLOCKED;
}

} // namespace fw
