// SPDX-License-Identifier: MIT
#pragma once

#include "drv/channel/channel.h"
#include "drv/packet/cookie.h"
#include "umd/core/process/collective.h"

namespace umd {

/** collective_failure() - what the failure of a task means if the task is of a collective operation. Its tasks on the
 * host fail because another rank is lost, and the device has one status for all calls of the host that fail. */
inline drv::Failure collective_failure(drv::Failure failure)
{
	const bool is_of_host = failure.status == base::Status::MMU_FAULT && failure.address == 0;
	if (is_of_host && is_collective(drv::decode_cookie(failure.cookie).call))
		failure.status = base::Status::PEER_LOST;
	return failure;
}

} // namespace umd
