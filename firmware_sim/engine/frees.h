// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>

#include "background_work.h"
#include "base/sync/mutex.h"

namespace fw {

/**
 * class Frees - memory that clients have given up and that the upkeep has not freed yet. One job at a time
 * frees everything that was added before it began. At most one more job waits. So the upkeep's list does not
 * grow with the number of segments. Context: under the step token; the jobs run on the upkeep threads.
 */
class Frees {
public:
	/* With this much not freed yet, the next client that gives up memory waits. Each segment is a mapping, of
	 * which a process has 65,530. */
	static constexpr size_t MOST = 256;
	static constexpr uint64_t MOST_BYTES = uint64_t{1} << 30;

	/** add() - lets @upkeep call @free, which frees @bytes of memory. If there is no memory for a job, the next
	 * one does it. Throws std::bad_alloc; then nothing is noted. */
	void add(BackgroundWork &background, std::function<void()> free, uint64_t bytes);

	/** is_full() - whether MOST or more entries have not been freed yet. */
	bool is_full() const;

	/** tell() - wakes @owner when everything that was added before this call has been freed. */
	void tell(BackgroundWork &background, Waiter &owner);

private:
	struct Entry {
		std::function<void()> free;
		uint64_t bytes;
	};

	void submit(BackgroundWork &background, std::function<void()> work, Waiter *owner) const;
	void work();

	mutable base::Mutex mutex_{"Frees::mutex_"};
	std::list<Entry> entries_ GUARDED_BY(mutex_);
	/* The number of entries that are not freed yet: those in entries_, and those that a job has taken. */
	size_t count_ GUARDED_BY(mutex_) = 0;
	uint64_t bytes_ GUARDED_BY(mutex_) = 0;
	bool has_job_ GUARDED_BY(mutex_) = false; /* a job is queued that will take entries_ */
};

} // namespace fw
