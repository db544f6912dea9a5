// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL exceptions
 *
 * The runtime calls registered functions of the program for each task that fails.
 */
#include "exception_info.h"
#include "umd/acl/front.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/fault_watch.h"

using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::FaultCallbacks;
using umd::FaultInfo;
using umd::set_error;

static umd::FaultCallbacks::Callback wrap(aclrtExceptionInfoCallback callback)
{
	return [callback](const FaultInfo &fault) {
		const umd::ToldException told(fault);
		callback(told.handle());
	};
}

static const void *key_of(aclrtExceptionInfoCallback callback)
{
	return reinterpret_cast<const void *>(callback);
}

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback)
{
	FaultCallbacks::get().set(callback ? wrap(callback) : nullptr);
	return acl_return(callback ? Devices::get().watch_faults() : Status::OK);
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback)
{
	if (!callback)
		return acl_return(set_error(Status::INVALID_ARGUMENT, "callback is NULL"));
	FaultCallbacks::get().add(key_of(callback), wrap(callback));
	return acl_return(Devices::get().watch_faults());
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback)
{
	if (!callback)
		return acl_return(set_error(Status::INVALID_ARGUMENT, "callback is NULL"));
	FaultCallbacks::get().remove(key_of(callback));
	return ACL_SUCCESS;
}

static constexpr uint32_t UNKNOWN = 0xFFFFFFFFU;

/* Return: nullptr if there is no such fault. */
static const FaultInfo *find_fault(const aclrtExceptionInfo *info,
				   const char *caller = __builtin_FUNCTION())
{
	const auto found = umd::find_plain(info, "info", caller);
	(void)acl_return(found.status());
	return found ? &(*found)->fault : nullptr;
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	const FaultInfo *fault = find_fault(info);
	return fault ? fault->task : UNKNOWN;
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	const FaultInfo *fault = find_fault(info);
	return fault ? fault->stream : UNKNOWN;
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	const FaultInfo *fault = find_fault(info);
	return fault ? fault->thread : UNKNOWN;
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	const FaultInfo *fault = find_fault(info);
	return fault ? fault->device : UNKNOWN;
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info)
{
	const FaultInfo *fault = find_fault(info);
	return fault ? static_cast<uint32_t>(umd::acl_error(fault->status)) : UNKNOWN;
}
