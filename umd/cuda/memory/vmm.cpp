// SPDX-License-Identifier: MIT
/**
 * DOC: Virtual memory
 *
 * The interface maps memory without access. A range may consist of several mappings. An unmap waits for the work of
 * the memory's devices, because it is one of the calls that the interface describes as synchronous.
 */
#include "umd/core/memory/vmm.h"
#include "umd/core/recorder/recorder.h"

#include <bit>
#include <vector>

#include "cuda_copy.h"
#include "locations.h"
#include "umd/core/context/wait_device.h"
#include "umd/cuda/device/device_list.h"

using namespace umd::cuda;
using umd::AccessChange;
using umd::VirtualMemory;

static_assert(int{CU_MEM_ACCESS_FLAGS_PROT_READ} == int{UNPU_ACCESS_READ});
static_assert(int{CU_MEM_ACCESS_FLAGS_PROT_READWRITE} == int{UNPU_ACCESS_MASK});

static CUresult check_pages(const char *name, uint64_t value, bool may_be_0)
{
	if (value % base::PAGE_BYTES == 0 && (value != 0 || may_be_0))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} is {:#x}; it must be a {}multiple of {}", name, value,
				  may_be_0 ? "" : "positive ", base::PAGE_BYTES));
}

CUresult cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
			     unsigned long long flags)
{
	TRY(enter());
	if (!ptr)
		return null_argument("ptr");
	TRY(check_flags(flags));
	TRY(check_pages("size", size, false));
	TRY(check_pages("addr", addr, true));
	if (alignment != 0 && !std::has_single_bit(alignment))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("alignment is {:#x}; it must be 0 or a power of two",
					  alignment));
	void *start = nullptr;
	TRY(VirtualMemory::get().reserve(size, pointer(addr), &start, alignment));
	*ptr = reinterpret_cast<CUdeviceptr>(start);
	return CUDA_SUCCESS;
}

CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size)
{
	TRY(enter());
	TRY(check_pages("size", size, false));
	return result(VirtualMemory::get().release(pointer(ptr), size));
}

CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
		  unsigned long long flags)
{
	TRY(enter());
	TRY(check_flags(flags));
	if (offset != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("offset is {}; it must be 0", offset));
	return result(VirtualMemory::get().map(pointer(ptr), size, handle_pointer(handle),
					       {.device = 0, .host = 0, .mixes = true}));
}

CUresult cuMemUnmap(CUdeviceptr ptr, size_t size)
{
	TRY(enter());
	VirtualMemory::get().end_closed_files();
	auto devices = TRY(VirtualMemory::get().devices_of(pointer(ptr), size));
	for (int32_t index : devices)
		umd::wait_contexts(index);
	if (auto *recorder = umd::recorder::Recorder::get())
		recorder->write({.kind = san::Kind::DEVICE_SYNC});
	return result(VirtualMemory::get().unmap_range(pointer(ptr), size));
}

static CUresult read_change(const CUmemAccessDesc &desc, AccessChange &change)
{
	TRY(read_location(desc.location, "desc.location", change.is_host, change.index));
	if (desc.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
	    desc.flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
	    desc.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("desc.flags is {}; it must be NONE (0), READ (1) or "
					  "READWRITE (3)",
					  static_cast<int>(desc.flags)));
	change.access = static_cast<uint32_t>(desc.flags);
	return CUDA_SUCCESS;
}

CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count)
{
	TRY(enter());
	if (!desc)
		return null_argument("desc");
	if (count == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "count is 0; it must be positive");
	std::vector<AccessChange> changes;
	for (size_t i = 0; i < count; i++) {
		AccessChange change;
		TRY(read_change(desc[i], change));
		changes.push_back(change);
	}
	return result(VirtualMemory::get().change_access(pointer(ptr), size, changes));
}

CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr)
{
	TRY(enter());
	if (!flags || !location)
		return null_argument(flags ? "location" : "flags");
	bool host = false;
	int32_t index = 0;
	TRY(read_location(*location, "location", host, index));
	auto found = TRY(VirtualMemory::get().access(pointer(ptr), host));
	const bool reaches = host || VirtualMemory::get().device_of(pointer(ptr)) == index;
	*flags = reaches ? found : 0;
	return CUDA_SUCCESS;
}
