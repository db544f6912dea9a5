// SPDX-License-Identifier: MIT
#pragma once

#include "drv/channel/channel.h"
#include "drv/packet/cookie.h"
#include "umd/core/process/collective.h"

namespace umd {

/** collective_failure() - the true status of a failed task of a collective operation. Its tasks on the host
 * fail because another rank is lost, but the device has only one status for all failed calls of the host. */
inline drv::Failure collective_failure(drv::Failure failure)
{
	const bool is_of_host = failure.status == base::Status::MMU_FAULT && failure.address == 0;
	if (is_of_host && is_collective(drv::decode_cookie(failure.cookie).call))
		failure.status = base::Status::PEER_LOST;
	return failure;
}

} // namespace umd
