// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL faults and repairs
 *
 * The device's memory has no hardware errors, so the list of memory errors is always empty. A fault of
 * a task needs no repair either: a repair only ends the state in which an abort left the device.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize,
			    size_t *retSize)
{
	if (!memUceInfoArray || !retSize)
		return acl_return(null_argument(memUceInfoArray ? "retSize" : "memUceInfoArray"));
	if (arraySize == 0)
		return acl_return(
			set_error(Status::INVALID_ENUM, "arraySize is 0; it must be positive"));
	TRY(Devices::get().device_state(deviceId));
	*retSize = 0;
	return ACL_SUCCESS;
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize)
{
	if (!memUceInfoArray)
		return acl_return(null_argument("memUceInfoArray"));
	if (arraySize == 0 || arraySize > MAX_MEM_UCE_INFO_ARRAY_SIZE)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("arraySize is {}; it must be 1 to {}",
							arraySize, MAX_MEM_UCE_INFO_ARRAY_SIZE)));
	TRY(Devices::get().device_state(deviceId));
	return acl_return(set_error(
		Status::INVALID_ENUM,
		fmt::format("memUceInfoArray[0] names address {}, which has no memory error; "
			    "aclrtGetMemUceInfo lists those that have",
			    fmt::ptr(memUceInfoArray[0].addr))));
}

static void fill_info(aclrtErrorInfo &info, Status fault)
{
	info = {};
	switch (fault) {
	case Status::OK:
		info.errorType = ACL_RT_NO_ERROR;
		return;
	case Status::KERNEL_TRAP:
	case Status::MMU_FAULT:
	case Status::ACCESS_FAULT:
	case Status::BAD_OPERATOR:
	case Status::BAD_INDEX:
	case Status::KERNEL_FAULT_VECTOR:
	case Status::KERNEL_FAULT_CORE:
		info.errorType = ACL_RT_ERROR_AICORE;
		info.tryRepair = 1;
		info.hasDetail = 1;
		info.detail.aicoreErrType = ACL_RT_AICORE_ERROR_SW;
		return;
	default:
		info.errorType = ACL_RT_ERROR_OTHERS;
		return;
	}
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo)
{
	if (!errorInfo)
		return acl_return(null_argument("errorInfo"));
	Status fault = Status::OK;
	uint64_t address = 0;
	Status status = Devices::get().last_fault(deviceId, fault, address);
	if (status == Status::OK)
		fill_info(*errorInfo, fault);
	return acl_return(status);
}

static bool known_type(aclrtErrorType type)
{
	return (type >= ACL_RT_NO_ERROR && type <= ACL_RT_ERROR_L3_PORT) ||
	       type == ACL_RT_ERROR_OTHERS;
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo)
{
	if (!errorInfo)
		return acl_return(null_argument("errorInfo"));
	if (!known_type(errorInfo->errorType))
		return acl_return(set_error(Status::INVALID_ARGUMENT,
					    fmt::format("errorInfo->errorType is {}; it is not one "
							"of aclrtErrorType",
							static_cast<int>(errorInfo->errorType))));
	return acl_return(Devices::get().repair(deviceId));
}
