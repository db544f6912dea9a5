// SPDX-License-Identifier: MIT
/**
 * DOC: Memory without an address, for other processes
 */
#include "handle_types.h"
#include "locations.h"
#include "umd/core/device/devices.h"
#include "umd/cuda/device/device_list.h"

namespace umd::cuda {

CUresult check_handle_type(CUmemAllocationHandleType type, const char *name)
{
	switch (static_cast<int>(type)) {
	case CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR:
		return CUDA_SUCCESS;
	case CU_MEM_HANDLE_TYPE_WIN32:
	case CU_MEM_HANDLE_TYPE_WIN32_KMT:
	case CU_MEM_HANDLE_TYPE_FABRIC:
		return refuse(
			CUDA_ERROR_NOT_SUPPORTED,
			fmt::format("{} is {}; memory is exported as POSIX_FILE_DESCRIPTOR (1) "
				    "alone",
				    name, static_cast<int>(type)));
	default:
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("{} is {}; it must be POSIX_FILE_DESCRIPTOR (1)", name,
					  static_cast<int>(type)));
	}
}

/* Finds a device for the import. A key of another firmware fits no device; then any device will report the
 * error. */
int32_t importing_device(uint32_t number)
{
	int32_t first = 0;
	(void)find_device(0, first);
	for (CUdevice dev = 0; dev < visible_count(); dev++) {
		int32_t index = 0;
		if (find_device(dev, index) == CUDA_SUCCESS &&
		    driver_number(index) == static_cast<int32_t>(number))
			return index;
	}
	return first;
}

CUresult imported(base::Status status)
{
	const CUresult code = result(status);
	return code == CUDA_ERROR_MAP_FAILED || code == CUDA_ERROR_INVALID_CONTEXT
		       ? CUDA_ERROR_INVALID_VALUE
		       : code;
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::PhysicalProperties;
using umd::VirtualMemory;

CUresult cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
				      CUmemAllocationHandleType handleType,
				      unsigned long long flags)
{
	TRY(enter());
	if (!shareableHandle)
		return null_argument("shareableHandle");
	TRY(check_handle_type(handleType, "handleType"));
	TRY(check_flags(flags));
	VirtualMemory::get().end_closed_files();
	auto properties = TRY(VirtualMemory::get().properties(handle_pointer(handle)));
	if (!(properties.handle_types & handleType))
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("handle {:#x} was made without POSIX_FILE_DESCRIPTOR (1) in "
				    "requestedHandleTypes",
				    handle));
	auto file = TRY(VirtualMemory::get().export_file(handle_pointer(handle)));
	*static_cast<int *>(shareableHandle) = file.release();
	return CUDA_SUCCESS;
}

static base::Result<void *> import(const unpu_export_key &key)
{
	auto own = VirtualMemory::get().own_memory(key);
	if (own)
		return own;
	const int32_t index = importing_device(key.device);
	const umd::DevicePin device(index);
	TRY(device.status());
	PhysicalProperties properties;
	properties.location_id = static_cast<uint32_t>(index);
	properties.handle_types = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	return VirtualMemory::get().import(device.open(), key, properties, properties);
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
					CUmemAllocationHandleType shHandleType)
{
	TRY(enter());
	if (!handle)
		return null_argument("handle");
	TRY(check_handle_type(shHandleType, "shHandleType"));
	VirtualMemory::get().end_closed_files();
	auto key = TRY(
		VirtualMemory::read_file(static_cast<int>(reinterpret_cast<intptr_t>(osHandle))));
	auto made = import(key);
	if (!made)
		return imported(made.status());
	*handle = reinterpret_cast<CUmemGenericAllocationHandle>(*made);
	return CUDA_SUCCESS;
}
