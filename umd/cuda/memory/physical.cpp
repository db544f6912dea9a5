// SPDX-License-Identifier: MIT
/**
 * DOC: Memory without an address
 *
 * Properties that are only optimisations, such as compression, are accepted; a query of the handle shows that
 * the memory does not have them. Unsupported properties that a program relies on are refused.
 */
#include "locations.h"
#include "umd/core/context/contexts.h"
#include "umd/cuda/device/device_list.h"

using namespace umd::cuda;
using umd::PhysicalProperties;
using umd::VirtualMemory;

namespace umd::cuda {

CUmemLocation location_of(const PhysicalProperties &properties)
{
	if (properties.is_host)
		return {CU_MEM_LOCATION_TYPE_HOST, 0};
	return {CU_MEM_LOCATION_TYPE_DEVICE,
		device_number(static_cast<int32_t>(properties.location_id))};
}

CUresult read_location(const CUmemLocation &location, const char *name, bool &host, int32_t &index)
{
	host = location.type == CU_MEM_LOCATION_TYPE_HOST;
	if (host)
		return CUDA_SUCCESS;
	if (location.type == CU_MEM_LOCATION_TYPE_DEVICE)
		return find_device(location.id, index, name);
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("the type of {} is {}; it must be DEVICE (1) or HOST (2)", name,
				  static_cast<int>(location.type)));
}

} // namespace umd::cuda

static CUresult check_handle_types(const CUmemAllocationProp &prop)
{
	const auto types = static_cast<unsigned>(prop.requestedHandleTypes);
	constexpr unsigned KNOWN = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR |
				   CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT |
				   CU_MEM_HANDLE_TYPE_FABRIC;
	if (types & ~KNOWN)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("prop.requestedHandleTypes is {:#x}; it must be an OR of "
					  "CUmemAllocationHandleType",
					  types));
	if (prop.location.type == CU_MEM_LOCATION_TYPE_HOST && types != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("prop.requestedHandleTypes is {:#x}; it must be NONE (0) "
					  "for host memory",
					  types));
	if (types & ~unsigned{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR})
		return refuse(
			CUDA_ERROR_NOT_SUPPORTED,
			fmt::format("prop.requestedHandleTypes is {:#x}; memory is exported as "
				    "POSIX_FILE_DESCRIPTOR (1) alone",
				    types));
	return CUDA_SUCCESS;
}

static CUresult check_allocation_flags(const CUmemAllocationProp &prop)
{
	const auto &flags = prop.allocFlags;
	if (flags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("prop.allocFlags.compressionType is {}; it must be NONE (0) "
				    "or GENERIC (1)",
				    flags.compressionType));
	for (unsigned char byte : flags.reserved) {
		if (byte != 0)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      "prop.allocFlags.reserved has a byte that is not 0; set them "
				      "all to 0");
	}
	constexpr unsigned USAGES =
		CU_MEM_CREATE_USAGE_TILE_POOL | CU_MEM_CREATE_USAGE_HW_DECOMPRESS;
	if (flags.usage & ~USAGES)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("prop.allocFlags.usage is {:#x}; it must be an OR of "
					  "CU_MEM_CREATE_USAGE_",
					  flags.usage));
	if (flags.usage != 0 || flags.gpuDirectRDMACapable != 0)
		return refuse(
			CUDA_ERROR_NOT_SUPPORTED,
			fmt::format("prop.allocFlags.{} is not 0; the device has no memory of "
				    "that kind",
				    flags.usage ? "usage" : "gpuDirectRDMACapable"));
	return CUDA_SUCCESS;
}

/* Host memory belongs to no device, so the device of the calling thread allocates it. */
static CUresult choose_for_host(int32_t &index)
{
	index = umd::chosen_device();
	return device_number(index) < 0 ? find_device(0, index) : CUDA_SUCCESS;
}

static CUresult check_properties(const CUmemAllocationProp &prop, PhysicalProperties &wish,
				 int32_t &index)
{
	if (prop.type == CU_MEM_ALLOCATION_TYPE_MANAGED)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "prop.type is MANAGED (2); cuMemAllocManaged allocates such memory");
	if (prop.type != CU_MEM_ALLOCATION_TYPE_PINNED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("prop.type is {}; it must be PINNED (1)",
					  static_cast<int>(prop.type)));
	if (prop.location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA)
		return refuse(
			CUDA_ERROR_NOT_SUPPORTED,
			"prop.location.type is HOST_NUMA (3); memory of the host has the type "
			"HOST (2)");
	TRY(read_location(prop.location, "prop.location", wish.is_host, index));
	TRY(check_handle_types(prop));
	TRY(check_allocation_flags(prop));
	if (wish.is_host)
		TRY(choose_for_host(index));
	wish.handle_types = static_cast<uint32_t>(prop.requestedHandleTypes);
	wish.location_id = wish.is_host ? 0 : static_cast<uint32_t>(index);
	return CUDA_SUCCESS;
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
		     const CUmemAllocationProp *prop, unsigned long long flags)
{
	TRY(enter());
	if (!handle || !prop)
		return null_argument(handle ? "prop" : "handle");
	TRY(check_flags(flags));
	PhysicalProperties wish;
	int32_t index = 0;
	TRY(check_properties(*prop, wish, index));
	if (size == 0 || size % base::HUGE_PAGE_BYTES != 0)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("size is {}; it must be a positive multiple of 2 MiB, see "
				    "cuMemGetAllocationGranularity",
				    size));
	wish.bytes = size;
	VirtualMemory::get().end_closed_files();
	auto made = TRY(VirtualMemory::get().create(index, wish));
	*handle = reinterpret_cast<CUmemGenericAllocationHandle>(made);
	return CUDA_SUCCESS;
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	TRY(enter());
	VirtualMemory::get().end_closed_files();
	return result(VirtualMemory::get().drop(handle_pointer(handle)));
}

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *prop,
				       CUmemAllocationGranularity_flags option)
{
	TRY(enter());
	if (!granularity || !prop)
		return null_argument(granularity ? "prop" : "granularity");
	if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM &&
	    option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("option is {}; it must be MINIMUM (0) or RECOMMENDED (1)",
					  static_cast<int>(option)));
	PhysicalProperties wish;
	int32_t index = 0;
	TRY(check_properties(*prop, wish, index));
	*granularity = base::HUGE_PAGE_BYTES;
	return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
						CUmemGenericAllocationHandle handle)
{
	TRY(enter());
	if (!prop)
		return null_argument("prop");
	auto found = TRY(VirtualMemory::get().properties(handle_pointer(handle)));
	*prop = CUmemAllocationProp{};
	prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop->requestedHandleTypes = static_cast<CUmemAllocationHandleType>(found.handle_types);
	prop->location = location_of(found);
	return CUDA_SUCCESS;
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
	TRY(enter());
	if (!handle)
		return null_argument("handle");
	auto found = TRY(VirtualMemory::get().retain(addr));
	*handle = reinterpret_cast<CUmemGenericAllocationHandle>(found);
	return CUDA_SUCCESS;
}
