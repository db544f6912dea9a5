// SPDX-License-Identifier: MIT
/**
 * DOC: Events and memory shared with other processes
 *
 * A handle holds the firmware's export key, followed by zeros. Any process that has the handle may open
 * it: the interface has no list of allowed processes.
 */
#include "drv/device.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/ipc_memory.h"

#include <cstring>

#include "umd/core/device/devices.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/object/allocations.h"
#include "umd/cuda/object/event_checks.h"

namespace umd::cuda {

/* The key contains its kind, so read_handle() can refuse a handle of the other kind. */
template <class Handle> static void write_handle(Handle &handle, const unpu_export_key &key)
{
	static_assert(sizeof(key) <= sizeof(handle));
	memset(&handle, 0, sizeof(handle));
	memcpy(&handle, &key, sizeof(key));
}

template <class Handle>
static CUresult read_handle(const Handle &handle, unpu_export_kind kind, unpu_export_key &key)
{
	memcpy(&key, &handle, sizeof(key));
	if (key.kind == kind)
		return CUDA_SUCCESS;
	if (kind == UNPU_EXPORT_MEMORY && key.kind == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "handle is all zeros; pass what cuIpcGetMemHandle wrote");
	return refuse(
		CUDA_ERROR_MAP_FAILED,
		kind == UNPU_EXPORT_EVENT
			? "handle did not come from cuIpcGetEventHandle; pass what that call wrote"
			: "handle did not come from cuIpcGetMemHandle; pass what that call wrote");
}

/* For a key of another firmware, the runtime returns NOT_SUPPORTED, and the interface MAP_FAILED. */
static CUresult opened(base::Status status)
{
	return status == base::Status::NOT_SUPPORTED ? CUDA_ERROR_MAP_FAILED : result(status);
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Context;
using umd::Devices;
using umd::Event;
using umd::IpcMemory;

CUresult cuIpcGetEventHandle(CUipcEventHandle *pHandle, CUevent event)
{
	TRY(enter());
	if (!pHandle || !event)
		return null_argument(pHandle ? "event" : "pHandle");
	Held<Event> found;
	TRY(find_usable_event(event, "event", found));
	mention(found->handle);
	if (!is_ipc(*found))
		return refuse(CUDA_ERROR_INVALID_HANDLE,
			      fmt::format("event {:#x} was made without CU_EVENT_INTERPROCESS",
					  found->handle));
	auto key = TRY(umd::event_key(*found));
	write_handle(*pHandle, key);
	return CUDA_SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent *phEvent, CUipcEventHandle handle)
{
	TRY(enter());
	if (!phEvent)
		return null_argument("phEvent");
	ContextHold context;
	unpu_export_key key;
	TRY(current_context(context));
	TRY(read_handle(handle, UNPU_EXPORT_EVENT, key));
	auto event = umd::open_event(*context, key);
	if (!event)
		return opened(event.status());
	note((*event)->handle, Action::MADE);
	(*event)->api_flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
	(*event)->outlives_peers = true;
	*phEvent = reinterpret_cast<CUevent>((*event)->handle.now());
	return CUDA_SUCCESS;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *pHandle, CUdeviceptr dptr)
{
	TRY(enter());
	if (!pHandle)
		return null_argument("pHandle");
	drv::Place place;
	const umd::DeviceHold device = Devices::get().locate(reinterpret_cast<void *>(dptr), place);
	if (device && device->memory().lookup(dptr).use == drv::Use::POOLED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dptr {:#x} is memory of a pool, which has no handle for "
					  "other processes; use cuMemAlloc or cuMemCreate",
					  dptr));
	auto key = TRY(IpcMemory::get().export_allocation(reinterpret_cast<void *>(dptr)));
	write_handle(*pHandle, key);
	return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *pdptr, CUipcMemHandle handle, unsigned int Flags)
{
	TRY(enter());
	if (!pdptr)
		return null_argument("pdptr");
	if (Flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be LAZY_ENABLE_PEER_ACCESS (1)",
					  Flags));
	ContextHold context;
	unpu_export_key key;
	void *address = nullptr;
	TRY(current_context(context));
	TRY(read_handle(handle, UNPU_EXPORT_MEMORY, key));
	TRY(opened(IpcMemory::get().import(*context->open, key, &address)));
	*pdptr = reinterpret_cast<CUdeviceptr>(address);
	if (find_allocation(*pdptr).kind == Allocation::Kind::NONE)
		note_allocation(*pdptr,
				{Allocation::Kind::IMPORTED, Flags, context->handle, 0, false});
	return CUDA_SUCCESS;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr)
{
	TRY(enter());
	drv::Place place;
	auto *address = reinterpret_cast<void *>(dptr);
	if (find_allocation(dptr).kind == Allocation::Kind::POOL)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dptr {:#x} is memory of a pool; use cuMemFree or "
					  "cuMemFreeAsync",
					  dptr));
	TRY(IpcMemory::get().close_import(address));
	if (!Devices::get().locate(address, place))
		forget_allocation(dptr);
	return CUDA_SUCCESS;
}
