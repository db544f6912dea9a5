// SPDX-License-Identifier: MIT
#pragma once

#include "base/faults.h"
#include "base/sync/mutex.h"

namespace hal {

/** class HostFaults - carries out a fault plan on the host side, of one device or of one rank of a communicator.
 * Context: any thread. */
class HostFaults {
public:
	/** @which: as of base::FaultCount */
	explicit HostFaults(std::shared_ptr<const base::FaultPlan> plan, uint32_t which = 0)
		: count_(std::move(plan), which)
	{
	}

	/** struct Injection - the result of inject(). */
	struct Injection {
		base::Status status = base::Status::OK;
		bool is_dropped = false;
	};

	/** inject() - applies the rules to a call. A DELAY rule makes it sleep, an EXIT rule ends the process.
	 * Return: whether to drop the call, or the status with which it fails. */
	Injection inject(base::FaultRule::Call call);

private:
	base::Mutex mutex_{"HostFaults::mutex_"};
	base::FaultCount count_ GUARDED_BY(mutex_);
};

} // namespace hal
