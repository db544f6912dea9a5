// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL limits on the time of tasks
 *
 * A limit is a multiple of a step, up to 254 steps. Limits apply only to work of the device's engines. The
 * tasks of the command processor itself are shorter than any limit.
 */
#include <algorithm>

#include "acl/acl.h"
#include "base/os/shm.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/thread_state.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::ThreadState;

/* 2^32 nanoseconds, in microseconds. */
static constexpr uint64_t STEP_US = 4294967;
static constexpr uint64_t STEPS = 254;
static constexpr uint64_t NEVER = UINT64_MAX;

/* Return: the limit that the device uses for a requested one. */
static uint64_t round_up(uint64_t wish_us)
{
	if (wish_us == NEVER)
		return NEVER;
	if (wish_us == 0 || wish_us > STEP_US * STEPS)
		return STEP_US * STEPS;
	return (wish_us + STEP_US - 1) / STEP_US * STEP_US;
}

static Status set_limit(uint64_t wish_us, uint64_t &limit_us)
{
	limit_us = round_up(wish_us);
	return Devices::get().set_execute_limit(limit_us == NEVER ? 0 : limit_us * 1000);
}

aclError aclrtGetOpTimeOutInterval(uint64_t *interval)
{
	if (!interval)
		return acl_return(null_argument("interval"));
	*interval = STEP_US;
	return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout)
{
	uint64_t limit_us = 0;
	return acl_return(set_limit(timeout * uint64_t{1000000}, limit_us));
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout)
{
	uint64_t limit_us = 0;
	return acl_return(set_limit(timeout * uint64_t{1000}, limit_us));
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout)
{
	if (!actualTimeout)
		return acl_return(null_argument("actualTimeout"));
	return acl_return(set_limit(timeout, *actualTimeout));
}

aclError aclrtGetOpExecuteTimeout(uint32_t *const timeoutMs)
{
	if (!timeoutMs)
		return acl_return(null_argument("timeoutMs"));
	uint64_t limit_ns = Devices::get().execute_limit();
	*timeoutMs = limit_ns ? static_cast<uint32_t>(limit_ns / base::NS_PER_MS) : UINT32_MAX;
	return ACL_SUCCESS;
}

aclError aclrtGetThreadLastTaskId(uint32_t *taskId)
{
	if (!taskId)
		return acl_return(null_argument("taskId"));
	*taskId = ThreadState::mine().last_launch;
	return ACL_SUCCESS;
}
