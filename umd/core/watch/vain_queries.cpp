// SPDX-License-Identifier: MIT
/**
 * DOC: Queries that do not end
 */
#include "vain_queries.h"

#include <mutex>

#include "base/clock.h"
#include "base/sync/mutex.h"
#include "umd/core/process/error.h"
#include "umd/core/process/process.h"

namespace umd {

using drv::Fence;

namespace {

/* class VainQueries - the query that was seen last. */
class VainQueries {
public:
	/* Return: whether the same query has been seen for a second. */
	bool note(const Fence &fence)
	{
		const uint64_t now_ns = base::now_ns();
		const std::lock_guard lock(mutex_);
		if (last_.sem != fence.sem || last_.value != fence.value) {
			last_ = fence;
			since_ns_ = now_ns;
		}
		return now_ns - since_ns_ >= base::NS_PER_S;
	}

private:
	base::Mutex mutex_{"VainQueries::mutex_"};
	Fence last_ GUARDED_BY(mutex_);
	uint64_t since_ns_ GUARDED_BY(mutex_) = 0;
};

} // namespace

void note_many_queries(drv::Device &device, const Fence &fence)
{
	if (!device.hal().stepped() || !Process::own<VainQueries>().note(fence))
		return;
	tell_once(base::Status::NOT_READY,
		  "a query has found the same for a second. The device is stepped (sim:step or "
		  "null:): it works only while a thread waits, so a loop of queries does not end; "
		  "synchronise, or use sim:");
}

} // namespace umd
