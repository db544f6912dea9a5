// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL callbacks of devices
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"

using umd::acl_return;
using umd::Devices;
using umd::DeviceStage;
using umd::null_argument;

static_assert(static_cast<int>(DeviceStage::SET_PRE) == ACL_RT_DEVICE_STATE_SET_PRE);
static_assert(static_cast<int>(DeviceStage::SET_POST) == ACL_RT_DEVICE_STATE_SET_POST);
static_assert(static_cast<int>(DeviceStage::RESET_PRE) == ACL_RT_DEVICE_STATE_RESET_PRE);
static_assert(static_cast<int>(DeviceStage::RESET_POST) == ACL_RT_DEVICE_STATE_RESET_POST);

aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback,
				     void *args)
{
	if (!regName)
		return acl_return(null_argument("regName"));
	auto &callbacks = Devices::get().device_callbacks;
	if (!callback)
		return acl_return(callbacks.remove(regName));
	auto call = [callback, args](int32_t device, DeviceStage stage) {
		callback(device, static_cast<aclrtDeviceState>(stage), args);
	};
	return acl_return(callbacks.add(regName, call));
}
