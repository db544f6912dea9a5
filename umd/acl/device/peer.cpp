// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL peer access between devices
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/devices.h"

using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;

static Status check_peer(int32_t device, int32_t peer)
{
	if (device != peer)
		return Status::OK;
	return set_error(
		Status::INVALID_ENUM,
		fmt::format("peerDeviceId is {}, which is the device itself; name another one",
			    peer));
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
	if (!canAccessPeer)
		return acl_return(null_argument("canAccessPeer"));
	Status status = check_peer(deviceId, peerDeviceId);
	bool reachable = false;
	if (status == Status::OK)
		status = Devices::get().can_access_peer(deviceId, peerDeviceId, reachable);
	if (status == Status::OK)
		*canAccessPeer = reachable;
	return acl_return(status);
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
	if (flags != 0)
		return acl_return(set_error(Status::RESERVED_FLAG,
					    fmt::format("flags is {}; it must be 0", flags)));
	auto context = TRY(Contexts::get().current());
	Status status = check_peer(context->state->index, peerDeviceId);
	if (status == Status::OK)
		status = Devices::get().enable_peer(*context->open, peerDeviceId);
	return acl_return(status);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
	auto context = TRY(Contexts::get().current());
	Status status = check_peer(context->state->index, peerDeviceId);
	if (status == Status::OK)
		status = Devices::get().disable_peer(*context->open, peerDeviceId);
	return acl_return(status);
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status)
{
	if (!status)
		return acl_return(null_argument("status"));
	bool enabled = false;
	Status asked = Devices::get().peer_enabled(deviceId, peerDeviceId, enabled);
	if (asked == Status::OK)
		*status = enabled;
	return acl_return(asked);
}
