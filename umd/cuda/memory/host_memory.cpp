// SPDX-License-Identifier: MIT
/**
 * DOC: Host memory that the device can access
 *
 * A range that a program registers may begin and end anywhere.
 */
#include "cuda/cuda.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/memory.h"
#include "umd/core/memory/registrations.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/allocations.h"

using namespace umd::cuda;
using drv::Place;
using umd::Context;
using umd::Devices;
using umd::Registrations;
using Kind = Allocation::Kind;

/* The start of the pinned allocation that contains @address, or 0. */
static uint64_t pinned_start(const void *address)
{
	Place place;
	const umd::DeviceHold device = Devices::get().locate(address, place);
	if (!device || place != Place::PINNED)
		return 0;
	return device->memory().lookup(reinterpret_cast<uint64_t>(address)).va;
}

static CUresult refuse_unpinned(const void *p)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("p {} is neither pinned nor registered memory; cuMemHostAlloc or "
				  "cuMemHostRegister makes it so",
				  fmt::ptr(p)));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *pdptr, void *p, unsigned int Flags)
{
	TRY(enter());
	if (!pdptr || !p)
		return null_argument(pdptr ? "p" : "pdptr");
	if (Flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be 0", Flags));
	if (pinned_start(p) == 0)
		return refuse_unpinned(p);
	*pdptr = reinterpret_cast<CUdeviceptr>(p);
	return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *pFlags, void *p)
{
	TRY(enter());
	if (!pFlags || !p)
		return null_argument(pFlags ? "p" : "pFlags");
	Allocation allocation = find_allocation(pinned_start(p));
	if (allocation.kind != Kind::HOST && allocation.kind != Kind::REGISTERED)
		return refuse_unpinned(p);
	*pFlags = allocation.flags | CU_MEMHOSTALLOC_DEVICEMAP;
	return CUDA_SUCCESS;
}

static CUresult check_register(const void *p, size_t bytes, unsigned flags)
{
	constexpr unsigned KNOWN = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
				   CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
	constexpr unsigned UNSUPPORTED = CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;
	if (!p)
		return null_argument("p");
	if (bytes == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "bytesize is 0; it must be positive");
	if (flags & ~KNOWN)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; only bits of 0xf are known", flags));
	if (flags & UNSUPPORTED)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      fmt::format("Flags is {:#x}; IOMEMORY (4) and READ_ONLY (8) are not "
					  "supported",
					  flags));
	return CUDA_SUCCESS;
}

CUresult cuMemHostRegister(void *p, size_t bytesize, unsigned int Flags)
{
	TRY(enter());
	TRY(check_register(p, bytesize, Flags));
	ContextHold context;
	TRY(current_context(context));
	TRY(check_unsafe_call("cuMemHostRegister"));
	if (pinned_start(p) != 0)
		return refuse(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
			      fmt::format("p {} is registered or pinned memory already; "
					  "cuMemHostUnregister or cuMemFreeHost takes that back",
					  fmt::ptr(p)));
	TRY(Registrations::get().add(*context, p, bytesize, true));
	note_allocation(reinterpret_cast<uint64_t>(p),
			{Kind::REGISTERED, Flags, context->handle, 0, false});
	return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *p)
{
	TRY(enter());
	if (!p)
		return null_argument("p");
	TRY(check_unsafe_call("cuMemHostUnregister"));
	TRY(Registrations::get().remove(p));
	forget_allocation(reinterpret_cast<uint64_t>(p));
	return CUDA_SUCCESS;
}
