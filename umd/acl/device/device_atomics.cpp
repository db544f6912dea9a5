// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL queries for atomic operations on memory of the host and of other devices
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;

static bool known_operation(aclrtAtomicOperation operation)
{
	int number = static_cast<int>(operation);
	return (number >= ACL_RT_ATOMIC_OPERATION_INTEGER_ADD &&
		number <= ACL_RT_ATOMIC_OPERATION_FLOAT_MAX) ||
	       (number >= ACL_RT_ATOMIC_OPERATION_DMA_ADD &&
		number <= ACL_RT_ATOMIC_OPERATION_DMA_MAX) ||
	       (number >= ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD &&
		number <= ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH);
}

/* No task of the device has atomic operations on any memory, so every capability is 0. */
static Status answer_none(uint32_t *capabilities, const aclrtAtomicOperation *operations,
			  uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!known_operation(operations[i]))
			return set_error(
				Status::INVALID_ARGUMENT,
				fmt::format("operations[{}] is {}, which is none of "
					    "aclrtAtomicOperation in acl/rt/device/device_info.h",
					    i, static_cast<int>(operations[i])));
	}
	std::fill_n(capabilities, count, 0);
	return Status::OK;
}

static Status check_arrays(const uint32_t *capabilities, const aclrtAtomicOperation *operations,
			   uint32_t count)
{
	if (!capabilities)
		return null_argument("capabilities");
	if (!operations)
		return null_argument("operations");
	if (count == 0)
		return set_error(Status::INVALID_ARGUMENT,
				 "count is 0; it must be the number of elements of both arrays");
	return Status::OK;
}

aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities,
					      const aclrtAtomicOperation *operations,
					      const uint32_t count, int32_t deviceId)
{
	TRY(check_arrays(capabilities, operations, count));
	TRY(Devices::get().device_state(deviceId));
	return acl_return(answer_none(capabilities, operations, count));
}

aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities,
					     const aclrtAtomicOperation *operations,
					     const uint32_t count, int32_t srcDeviceId,
					     int32_t dstDeviceId)
{
	TRY(check_arrays(capabilities, operations, count));
	auto source = TRY(Devices::get().device_state(srcDeviceId));
	auto target = TRY(Devices::get().device_state(dstDeviceId));
	if (source == target)
		return acl_return(set_error(
			Status::INVALID_ARGUMENT,
			fmt::format("srcDeviceId and dstDeviceId are both {}; they must be two "
				    "devices",
				    srcDeviceId)));
	return acl_return(answer_none(capabilities, operations, count));
}
