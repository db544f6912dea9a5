// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.h"
#include "hal/device.h"

namespace hal {

/** class HostFaults - a plan as it is carried out on the host's side of one device.
 * Context: any thread. */
class HostFaults {
public:
	explicit HostFaults(std::shared_ptr<const base::FaultPlan> plan) : count_(std::move(plan))
	{
	}

	/** struct Strike - what became of a call. */
	struct Strike {
		base::Status status = base::Status::OK;
		bool dropped = false;
	};

	/** strike() - makes a call late, if it is to be; sleeps for that.
	 * Return: whether the call is to be done at all, and how it ends if not. */
	Strike strike(base::FaultRule::Call call);

private:
	base::Mutex mutex_{"HostFaults::mutex_"};
	base::FaultCount count_; /* protected by mutex_ */
};

/** make_faulty() - a device that goes wrong on purpose where the host calls it. */
std::unique_ptr<Device> make_faulty(std::unique_ptr<Device> device,
				    std::unique_ptr<HostFaults> faults);

} // namespace hal
