// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL devices and contexts
 */
#include "acl/acl.h"
#include "umd/acl/front.h"
#include "umd/core/context/contexts.h"
#include "umd/core/context/find_stream.h"
#include "umd/core/context/wait_device.h"
#include "umd/core/device/devices.h"
#include "umd/core/memory/made.h"
#include "umd/core/object/context_object.h"
#include "umd/core/stream/stream.h"

using base::Status;
using umd::acl_return;
using umd::Context;
using umd::Contexts;
using umd::Devices;
using umd::null_argument;
using umd::set_error;
using umd::Stream;

aclError aclrtSetDevice(int32_t deviceId)
{
	TRY(umd::check_begun("aclrtSetDevice"));
	return acl_return(Contexts::get().set_device(deviceId));
}

/* With UNPU_CHECK: reports the objects that the program still has on @device when it stops to use it. */
static void report_leaks(const char *call, int32_t device)
{
	bool is_active = true;
	if (umd::check::is_on() && Contexts::get().primary_state(device, is_active) == Status::OK &&
	    !is_active && Contexts::get().contexts_on(device).empty()) [[unlikely]]
		umd::check::OwnedObjects::get().report(call, device);
}

static aclError reset(const char *call, int32_t device, bool is_forced)
{
	const Status status = Contexts::get().reset_device(device, is_forced);
	if (status == Status::OK)
		report_leaks(call, device);
	return acl_return(status);
}

aclError aclrtResetDevice(int32_t deviceId)
{
	return reset("aclrtResetDevice", deviceId, false);
}

aclError aclrtResetDeviceForce(int32_t deviceId)
{
	return reset("aclrtResetDeviceForce", deviceId, true);
}

aclError aclrtGetDevice(int32_t *deviceId)
{
	if (!deviceId)
		return acl_return(null_argument("deviceId"));
	return acl_return(Contexts::get().current_device(*deviceId));
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
	if (!count)
		return acl_return(null_argument("count"));
	auto devices = TRY(Devices::get().device_count());
	*count = devices;
	return ACL_SUCCESS;
}

static aclError synchronize_device(uint64_t deadline_ns)
{
	auto context = TRY(Contexts::get().current());
	return acl_return(umd::wait_device(*context, deadline_ns));
}

aclError aclrtSynchronizeDevice()
{
	return synchronize_device(base::NO_DEADLINE);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
	auto deadline_ns = TRY(umd::parse_timeout(timeout));
	return synchronize_device(deadline_ns);
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority)
{
	if (leastPriority)
		*leastPriority = 7;
	if (greatestPriority)
		*greatestPriority = 0;
	return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
	if (!context)
		return acl_return(null_argument("context"));
	TRY(umd::check_begun("aclrtCreateContext"));
	auto made = TRY(Contexts::get().create_context(deviceId));
	*context = Context::table().pointer(*made);
	umd::check::made(*context, "a context", 0, __builtin_return_address(0));
	return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext context)
{
	if (!context)
		return acl_return(null_argument("context"));
	const Status status = Contexts::get().destroy_context(context);
	if (status == Status::OK)
		umd::check::gone(context);
	return acl_return(status);
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
	if (!context)
		return acl_return(null_argument("context"));
	return acl_return(Contexts::get().set_current(context));
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
	if (!context)
		return acl_return(null_argument("context"));
	auto current = TRY(Contexts::get().current());
	*context = Context::table().pointer(*current);
	return ACL_SUCCESS;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream)
{
	if (!stream)
		return acl_return(null_argument("stream"));
	auto found = TRY(umd::find_stream(nullptr, true));
	*stream = Stream::table().pointer(*found);
	return ACL_SUCCESS;
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active)
{
	if (flags)
		return acl_return(
			set_error(Status::NULL_POINTER, "flags is reserved and must be NULL"));
	if (!active)
		return acl_return(null_argument("active"));
	bool is_active = false;
	Status status = Contexts::get().primary_state(deviceId, is_active);
	if (status == Status::OK)
		*active = is_active;
	return acl_return(status);
}
