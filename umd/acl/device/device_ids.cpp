// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL numbers of devices
 *
 * A device has three numbers: the program's number, which ASCEND_RT_VISIBLE_DEVICES selects; the
 * driver's number; and the physical number, which equals the driver's number here. Two old functions
 * say "logic" and mean the program's number.
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;

/* Translates the program's number of a device to the driver's number. */
static Result<int32_t> to_driver(const char *name, int32_t user)
{
	auto devices = TRY(Devices::get().visible_devices());
	if (user >= 0 && user < static_cast<int32_t>(devices.count()))
		return static_cast<int32_t>(devices.logic(static_cast<uint32_t>(user)));
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("{} is {}, but this program's devices are 0 to {}", name, user,
				     devices.count() - 1));
}

/* Translates the driver's number of a device to the program's number. */
static Result<int32_t> to_user(const char *name, int32_t number)
{
	auto devices = TRY(Devices::get().visible_devices());
	int32_t user = devices.user(number);
	if (user >= 0)
		return user;
	return set_error(Status::INVALID_DEVICE,
			 fmt::format("{} is {}, which is no device, or one that "
				     "ASCEND_RT_VISIBLE_DEVICES hides from this program",
				     name, number));
}

using Translate = Result<int32_t> (*)(const char *name, int32_t number);

static aclError translate(Translate by, const char *name, int32_t number, const char *out_name,
			  int32_t *out)
{
	if (!out)
		return acl_return(null_argument(out_name));
	auto found = TRY(by(name, number));
	*out = found;
	return ACL_SUCCESS;
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t *const logicDevId)
{
	return translate(to_driver, "userDevid", userDevid, "logicDevId", logicDevId);
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t *const userDevid)
{
	return translate(to_user, "logicDevId", logicDevId, "userDevid", userDevid);
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t *const logicDevId)
{
	return translate(to_user, "phyDevId", phyDevId, "logicDevId", logicDevId);
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t *const phyDevId)
{
	return translate(to_driver, "logicDevId", logicDevId, "phyDevId", phyDevId);
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t *const userDevId)
{
	return translate(to_user, "phyDevId", phyDevId, "userDevId", userDevId);
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t *const phyDevId)
{
	return translate(to_driver, "userDevId", userDevId, "phyDevId", phyDevId);
}
