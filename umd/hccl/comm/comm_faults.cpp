// SPDX-License-Identifier: MIT
/**
 * DOC: Faults on purpose in communicators
 */
#include "comm.h"

#include <cstdio>

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::FaultRule;
using base::Status;

/* Ranks have random numbers of their own, so that they are late at different places. */
void Comm::begin_faults(const std::shared_ptr<const base::FaultPlan> &plan)
{
	if (!plan || !plan->has_call({FaultRule::Call::COLLECTIVE, FaultRule::Call::PACKET}))
		return;
	faults_ = std::make_unique<hal::HostFaults>(plan, rank());
	fmt::print(stderr, "unpu: rank {} of communicator {} has faults on purpose: {}\n", rank(),
		   name_, plan->text);
}

Status Comm::inject_fault(FaultRule::Call call)
{
	const Status status = faults_->inject(call).status;
	if (status == Status::OK)
		return status;
	return set_error(
		status,
		fmt::format("faults= of the device string ends the call of rank {} here", rank()));
}

} // namespace umd
