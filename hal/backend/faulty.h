// SPDX-License-Identifier: MIT
#pragma once

#include "base/sync/mutex.h"
#include "hal/device.h"

namespace hal {

/** class HostFaults - carries out a fault plan on the host side of one device.
 * Context: any thread. */
class HostFaults {
public:
	explicit HostFaults(std::shared_ptr<const base::FaultPlan> plan) : count_(std::move(plan))
	{
	}

	/** struct Injection - the result of inject(). */
	struct Injection {
		base::Status status = base::Status::OK;
		bool is_dropped = false;
	};

	/** inject() - applies the rules to a call. A DELAY rule makes it sleep.
	 * Return: whether to drop the call, or the status with which it fails. */
	Injection inject(base::FaultRule::Call call);

private:
	base::Mutex mutex_{"HostFaults::mutex_"};
	base::FaultCount count_ GUARDED_BY(mutex_);
};

/** make_faulty() - wraps @device so that @faults are injected into the host's calls. */
std::unique_ptr<Device> make_faulty(std::unique_ptr<Device> device,
				    std::unique_ptr<HostFaults> faults);

} // namespace hal
