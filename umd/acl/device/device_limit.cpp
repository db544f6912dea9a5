// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL limits of devices
 *
 * Sizes that kernels of the program would use. The device runs no such kernels, so the runtime only
 * stores the sizes and returns them.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::null_argument;
using umd::Process;
using umd::set_error;

static Status check_limit(aclrtDeviceLimit limit)
{
	static_assert(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE == umd::LIMIT_STACK);
	static_assert(ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE == umd::LIMIT_PRINTF_FIFO);
	switch (limit) {
	case ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE:
	case ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE:
		return Process::check_fork();
	case ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE:
	case ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE:
	case ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE:
		break;
	}
	return set_error(
		Status::NOT_SUPPORTED,
		fmt::format("limit {} is not supported: the device has no SIMT cores; it has "
			    "ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE (2) and "
			    "ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE (3)",
			    static_cast<int>(limit)));
}

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value)
{
	TRY(check_limit(limit));
	if (value > INT64_MAX)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("value is {}; it must be at most {}", value, INT64_MAX)));
	Process::get().limits.set(static_cast<unsigned>(limit), static_cast<int64_t>(value));
	return ACL_SUCCESS;
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value)
{
	if (!value)
		return acl_return(null_argument("value"));
	Status status = check_limit(limit);
	if (status == Status::OK)
		*value = static_cast<size_t>(
			Process::get().limits.get(static_cast<unsigned>(limit)).value_or(0));
	return acl_return(status);
}
