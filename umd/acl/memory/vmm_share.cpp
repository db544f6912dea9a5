// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL physical memory shared between processes
 *
 * A shareable handle has one of two forms: a number, which is the nonce of the firmware's export key,
 * or that key followed by zeros. Only the second form identifies the firmware that made it.
 */
#include "sharing.h"
#include "umd/core/context/contexts.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/made.h"
#include "umd/core/memory/vmm.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Contexts;
using umd::null_argument;
using umd::set_error;
using umd::VirtualMemory;

static_assert(sizeof(unpu_export_key) <= sizeof(aclrtMemFabricHandle));

static Status check_type(aclrtMemSharedHandleType type)
{
	if (type == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT || type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC)
		return Status::OK;
	return set_error(Status::INVALID_ENUM,
			 fmt::format("shareType is {}; it must be DEFAULT (1) or FABRIC (2)",
				     static_cast<int>(type)));
}

static Result<unpu_export_key> read_fabric(const void *handle)
{
	aclrtMemFabricHandle bytes;
	unpu_export_key key;
	memcpy(&bytes, handle, sizeof(bytes));
	memcpy(&key, bytes.data, sizeof(key));
	for (size_t i = sizeof(key); i < sizeof(bytes.data); i++) {
		if (bytes.data[i] != 0)
			key.kind = 0;
	}
	if (key.kind == UNPU_EXPORT_MEMORY)
		return key;
	return set_error(Status::INVALID_ARGUMENT,
			 "shareableHandle did not come from aclrtMemExportToShareableHandleV2; "
			 "pass what that call wrote");
}

static Result<unpu_export_key> share(aclrtDrvMemHandle handle, uint64_t flags)
{
	constexpr uint64_t ANY = ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
	TRY(umd::check_share_flags(flags, ANY));
	return VirtualMemory::get().share(handle, flags == ANY);
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
					 uint64_t flags, uint64_t *shareableHandle)
{
	if (!handle || !shareableHandle)
		return acl_return(null_argument(handle ? "shareableHandle" : "handle"));
	if (handleType != ACL_MEM_HANDLE_TYPE_NONE)
		return acl_return(
			set_error(Status::INVALID_ENUM, fmt::format("handleType is {}; it must be "
								    "ACL_MEM_HANDLE_TYPE_NONE (0)",
								    static_cast<int>(handleType))));
	auto key = TRY(share(handle, flags));
	*shareableHandle = key.nonce;
	return ACL_SUCCESS;
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
					   aclrtMemSharedHandleType shareType,
					   void *shareableHandle)
{
	if (!handle || !shareableHandle)
		return acl_return(null_argument(handle ? "shareableHandle" : "handle"));
	TRY(check_type(shareType));
	auto key = TRY(share(handle, flags));
	if (shareType == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT) {
		memcpy(shareableHandle, &key.nonce, sizeof(key.nonce));
		return ACL_SUCCESS;
	}
	aclrtMemFabricHandle bytes{};
	memcpy(bytes.data, &key, sizeof(key));
	memcpy(shareableHandle, &bytes, sizeof(bytes));
	return ACL_SUCCESS;
}

static aclError allow(uint64_t nonce, const int32_t *pid, size_t count)
{
	auto pids = TRY(umd::read_pids(pid, count));
	return acl_return(VirtualMemory::get().allow(nonce, pids));
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum)
{
	return allow(shareableHandle, pid, pidNum);
}

/* Return: the nonce of a shareable handle of either form. */
static Result<uint64_t> read_number(const void *handle, aclrtMemSharedHandleType type)
{
	uint64_t number;
	if (!handle)
		return null_argument("shareableHandle");
	TRY(check_type(type));
	if (type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
		auto key = TRY(read_fabric(handle));
		return key.nonce;
	}
	memcpy(&number, handle, sizeof(number));
	return number;
}

aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle,
					   aclrtMemSharedHandleType shareType, int32_t *pid,
					   size_t pidNum)
{
	auto number = TRY(read_number(shareableHandle, shareType));
	return allow(number, pid, pidNum);
}

/* @site: return address of the program's call */
static Result<void *> import(umd::OpenDevice &open, const unpu_export_key &key, const void *site)
{
	umd::PhysicalProperties device, host;
	device.attribute = ACL_HBM_MEM_HUGE;
	device.location_type = ACL_MEM_LOCATION_TYPE_DEVICE;
	device.location_id = static_cast<uint32_t>(open.state.index);
	host.attribute = ACL_DDR_MEM_HUGE;
	host.location_type = ACL_MEM_LOCATION_TYPE_HOST;
	auto made = VirtualMemory::get().import(open, key, device, host);
	if (made && umd::check::is_on()) {
		auto properties = VirtualMemory::get().properties(*made);
		umd::check::taken(*made, "imported physical memory",
				  properties ? properties->bytes : 0, site, open.state.index);
	}
	return made;
}

static Result<void *> import_number(umd::OpenDevice &open, uint64_t number, const void *site)
{
	auto key = TRY(umd::find_key(*open.device, number, UNPU_EXPORT_MEMORY));
	return import(open, key, site);
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
					   aclrtDrvMemHandle *handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	const umd::DevicePin device(deviceId);
	TRY(device.status());
	auto made = TRY(import_number(device.open(), shareableHandle, __builtin_return_address(0)));
	*handle = made;
	return ACL_SUCCESS;
}

aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle,
					     aclrtMemSharedHandleType shareType, uint64_t flags,
					     aclrtDrvMemHandle *handle)
{
	if (!handle)
		return acl_return(null_argument("handle"));
	if (flags != 0)
		return acl_return(set_error(Status::INVALID_ENUM,
					    fmt::format("flags is {}; it must be 0", flags)));
	auto number = TRY(read_number(shareableHandle, shareType));
	const umd::DevicePin device(umd::chosen_device());
	TRY(device.status());
	if (shareType == ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT) {
		auto made = TRY(import_number(device.open(), number, __builtin_return_address(0)));
		*handle = made;
		return ACL_SUCCESS;
	}
	auto key = TRY(read_fabric(shareableHandle));
	auto made = TRY(import(device.open(), key, __builtin_return_address(0)));
	*handle = made;
	return ACL_SUCCESS;
}
