// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL state of devices
 *
 * Whether a device works, and how busy it is.
 */
#include "acl/acl.h"
#include "drv/device.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"
#include "umd/core/process/process.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::Process;
using umd::set_error;

static constexpr int32_t NOT_MEASURED = -1;

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus)
{
	if (!deviceStatus)
		return acl_return(null_argument("deviceStatus"));
	bool alive = false;
	Status status = Devices::get().with_device(deviceId, false, [&](drv::Device &device) {
		alive = device.hal().alive();
		return Status::OK;
	});
	if (status == Status::INVALID_DEVICE || status == Status::NOT_INITIALISED)
		return acl_return(status);
	/* A device that can't be opened counts as abnormal. */
	*deviceStatus = status == Status::OK && alive ? ACL_RT_DEVICE_STATUS_NORMAL
						      : ACL_RT_DEVICE_STATUS_ABNORMAL;
	return ACL_SUCCESS;
}

static int32_t percent(std::optional<double> share)
{
	return share ? static_cast<int32_t>(*share * 100 + 0.5) : NOT_MEASURED;
}

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo)
{
	if (!utilizationInfo)
		return acl_return(null_argument("utilizationInfo"));
	if (utilizationInfo->utilizationExtend)
		return acl_return(set_error(
			Status::NULL_POINTER,
			"utilizationInfo->utilizationExtend is reserved and must be NULL"));
	drv::Busy use;
	Status status = Devices::get().with_device(deviceId, false, [&](drv::Device &device) {
		auto measured = device.busy();
		if (!measured)
			return set_error(measured.status(),
					 fmt::format("device {} does not answer: {}", deviceId,
						     base::status_sentence(measured.status())));
		use = *measured;
		return Status::OK;
	});
	if (status != Status::OK)
		return acl_return(status);
	/* Each core does cube and vector work, and the device does not measure them apart. */
	utilizationInfo->cubeUtilization = NOT_MEASURED;
	utilizationInfo->vectorUtilization = percent(use.cores);
	utilizationInfo->aicpuUtilization = percent(use.command_processor);
	utilizationInfo->memoryUtilization = NOT_MEASURED;
	return ACL_SUCCESS;
}

aclError aclrtSetTsDevice(aclrtTsId tsId)
{
	/* The device has one scheduler for every kind of task, so both identifiers mean the same
	 * one. */
	if (tsId == ACL_TS_ID_AICORE || tsId == ACL_TS_ID_AIVECTOR)
		return acl_return(Process::check_fork());
	return acl_return(set_error(
		Status::INVALID_ENUM,
		fmt::format("tsId is {}; it must be ACL_TS_ID_AICORE (0) or ACL_TS_ID_AIVECTOR (1)",
			    static_cast<int>(tsId))));
}

aclError aclrtDeviceL2CacheFlush(void *rsv)
{
	if (rsv)
		return acl_return(
			set_error(Status::NULL_POINTER, "rsv is reserved and must be NULL"));
	/* The cache is the host's: it is coherent with every reader of device memory, so nothing is
	 * flushed. */
	TRY(Contexts::get().current());
	return ACL_SUCCESS;
}
