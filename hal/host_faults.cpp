// SPDX-License-Identifier: MIT
/**
 * DOC: Fault rules of the host
 */
#include "host_faults.h"

#include <csignal>

#include "base/os/calls/waits.h"

namespace hal {

using base::Status;
using Action = base::FaultRule::Action;

HostFaults::Injection HostFaults::inject(base::FaultRule::Call call)
{
	Injection injection;
	uint64_t delay_ns = 0;
	{
		std::lock_guard lock(mutex_);
		const auto &rules = count_.plan().rules;
		for (size_t i = 0; i < rules.size(); i++) {
			if (rules[i].call != static_cast<int64_t>(call) || !count_.hits(i))
				continue;
			if (rules[i].action == Action::EXIT)
				(void)raise(SIGKILL);
			else if (rules[i].action == Action::DELAY)
				delay_ns += count_.delay_ns(rules[i]);
			else if (rules[i].action == Action::DROP)
				injection.is_dropped = true;
			else if (injection.status == Status::OK)
				injection.status = rules[i].status;
		}
	}
	if (delay_ns > 0)
		base::calls::sleep_until(base::deadline_after(delay_ns));
	return injection;
}

} // namespace hal
