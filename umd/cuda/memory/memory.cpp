// SPDX-License-Identifier: MIT
/**
 * DOC: Allocations
 *
 * Managed memory is pinned host memory: host and device access it at the same address, and it never
 * migrates.
 */
#include "umd/core/memory/memory.h"

#include "cuda_copy.h"
#include "pools.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/made.h"
#include "umd/core/memory/managed.h"
#include "umd/core/memory/vmm.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/core/stream/stream_tail.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/object/allocations.h"
#include "umd/cuda/object/graph_allocation.h"
#include "umd/cuda/stream/order.h"

using namespace umd::cuda;
using base::Status;
using drv::Place;
using umd::Context;
using umd::Devices;
using umd::DeviceState;
using umd::ManagedMemory;
using umd::Stream;
using Kind = Allocation::Kind;

/* Alignment of the rows of cuMemAllocPitch(). */
static constexpr size_t PITCH_BYTES = 256;

static CUresult check_size(const void *out, const char *name, size_t bytes)
{
	if (!out)
		return null_argument(name);
	if (bytes == 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "bytesize is 0; it must be positive");
	return CUDA_SUCCESS;
}

/* The memory ends with the context. @site: the return address of the API call, for strict mode */
static CUresult allocate_device(size_t bytes, CUdeviceptr *out, const void *site)
{
	ContextHold context;
	TRY(current_context(context));
	TRY(check_unsafe_call("cuMemAlloc"));
	constexpr size_t SMALL = 1u << 20;
	unpu_page_kind pages = bytes <= SMALL ? UNPU_PAGE_THP : UNPU_PAGE_HUGETLB;
	void *address = nullptr;
	TRY(umd::malloc_device(*context, bytes, 0, pages, &address));
	*out = reinterpret_cast<CUdeviceptr>(address);
	note_allocation(*out, {Kind::DEVICE, 0, context->handle, 0, false});
	umd::check::made(address, "device memory", bytes, site, context->state->index);
	return CUDA_SUCCESS;
}

static CUresult allocate_host(size_t bytes, Kind kind, unsigned flags, void **out, const void *site)
{
	ContextHold context;
	TRY(current_context(context));
	TRY(check_unsafe_call(kind == Kind::HOST ? "cuMemHostAlloc" : "cuMemAllocManaged"));
	TRY(kind == Kind::HOST ? umd::malloc_host(*context, bytes, out)
			       : ManagedMemory::get().allocate(*context, bytes, out));
	note_allocation(reinterpret_cast<uint64_t>(*out), {kind, flags, context->handle, 0, false});
	umd::check::made(*out, kind == Kind::HOST ? "pinned host memory" : "managed memory", bytes,
			 site, context->state->index);
	return CUDA_SUCCESS;
}

static CUresult refuse_free(const void *address, const char *hint)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} is not the start of a live allocation of that kind{}",
				  fmt::ptr(address), hint));
}

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
	TRY(enter());
	ContextHold context;
	TRY(current_context(context));
	umd::VirtualMemory::get().end_closed_files();
	if (free)
		*free = umd::free_device_bytes(*context);
	if (total)
		*total = umd::device_bytes(context->device());
	return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *dptr, size_t bytesize)
{
	TRY(enter());
	TRY(check_size(dptr, "dptr", bytesize));
	return allocate_device(bytesize, dptr, __builtin_return_address(0));
}

CUresult cuMemAllocPitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
			 unsigned int ElementSizeBytes)
{
	TRY(enter());
	if (!dptr || !pPitch)
		return null_argument(dptr ? "pPitch" : "dptr");
	if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("ElementSizeBytes is {}; it must be 4, 8 or 16",
					  ElementSizeBytes));
	constexpr size_t MOST = size_t{1} << 46;
	if (WidthInBytes == 0 || Height == 0 || WidthInBytes > MOST || Height > MOST / WidthInBytes)
		return refuse(
			CUDA_ERROR_INVALID_VALUE,
			fmt::format("WidthInBytes is {} and Height {}; both must be positive, "
				    "and their product below 2^46",
				    WidthInBytes, Height));
	size_t pitch = base::round_up(WidthInBytes, PITCH_BYTES);
	TRY(allocate_device(pitch * Height, dptr, __builtin_return_address(0)));
	*pPitch = pitch;
	return CUDA_SUCCESS;
}

/* @site: the return address of the API call; @after: as in free_memory() */
static CUresult free_device(CUdeviceptr address, const void *site,
			    std::vector<drv::Fence> after = {})
{
	Allocation allocation = find_allocation(address);
	bool is_graphs = false;
	if (allocation.kind == Kind::HOST)
		return refuse_free(pointer(address), "; cuMemFreeHost frees pinned memory");
	if (allocation.kind == Kind::POOL)
		return free_pooled(address);
	TRY(free_graph_memory(address, after, is_graphs));
	if (is_graphs)
		return CUDA_SUCCESS;
	/* free_memory() frees managed memory, too. */
	TRY(umd::free_memory(pointer(address), Place::DEVICE, std::move(after)));
	forget_allocation(address);
	umd::check::gone(pointer(address), site);
	return CUDA_SUCCESS;
}

/* The range is reused only after all packets that were submitted to the memory's own device before. So this
 * function submits the waits of the stream's gate, which are not packets yet. For a stream of another device,
 * a separate fence is used. */
static CUresult order_free(Stream &stream, CUdeviceptr address, std::vector<drv::Fence> &after)
{
	Turn turn(stream);
	auto tail = TRY(umd::stream_tail(stream));
	Place place;
	const umd::DeviceHold home = Devices::get().locate(pointer(address), place);
	drv::Device &device = stream.context->device();
	if (home && !home.holds(device))
		after.push_back(Devices::fence_at(*home, device, tail));
	return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr dptr)
{
	TRY(enter());
	if (dptr == 0)
		return CUDA_SUCCESS;
	TRY(check_unsafe_call("cuMemFree"));
	const umd::recorder::CallScope scope({.memory_flags = san::WAITS});
	return free_device(dptr, __builtin_return_address(0));
}

CUresult cuMemGetAddressRange(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr)
{
	TRY(enter());
	ContextHold context;
	TRY(current_context(context));
	Place place;
	const umd::DeviceHold device = Devices::get().locate(pointer(dptr), place);
	drv::Bo bo = device ? live_object(*device, dptr) : drv::Bo{};
	if (bo.bytes == 0)
		return refuse(CUDA_ERROR_NOT_FOUND,
			      fmt::format("dptr {:#x} is in no live allocation", dptr));
	if (pbase)
		*pbase = bo.va;
	if (psize)
		*psize = bo.bytes;
	return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
{
	constexpr unsigned KNOWN = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
				   CU_MEMHOSTALLOC_WRITECOMBINED;
	TRY(enter());
	TRY(check_size(pp, "pp", bytesize));
	if (Flags & ~KNOWN)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be an OR of PORTABLE (1), "
					  "DEVICEMAP (2) and WRITECOMBINED (4)",
					  Flags));
	return allocate_host(bytesize, Kind::HOST, Flags, pp, __builtin_return_address(0));
}

CUresult cuMemAllocHost(void **pp, size_t bytesize)
{
	TRY(enter());
	TRY(check_size(pp, "pp", bytesize));
	return allocate_host(bytesize, Kind::HOST, 0, pp, __builtin_return_address(0));
}

CUresult cuMemFreeHost(void *p)
{
	TRY(enter());
	if (!p)
		return CUDA_SUCCESS;
	TRY(check_unsafe_call("cuMemFreeHost"));
	if (find_allocation(reinterpret_cast<uint64_t>(p)).kind == Kind::MANAGED)
		return refuse_free(p, "; cuMemFree frees managed memory");
	TRY(umd::free_memory(p, Place::PINNED));
	forget_allocation(reinterpret_cast<uint64_t>(p));
	umd::check::gone(p, __builtin_return_address(0));
	return CUDA_SUCCESS;
}

CUresult cuMemAllocManaged(CUdeviceptr *dptr, size_t bytesize, unsigned int flags)
{
	TRY(enter());
	TRY(check_size(dptr, "dptr", bytesize));
	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be CU_MEM_ATTACH_GLOBAL (1) or "
					  "CU_MEM_ATTACH_HOST (2)",
					  flags));
	void *address = nullptr;
	TRY(allocate_host(bytesize, Kind::MANAGED, flags, &address, __builtin_return_address(0)));
	*dptr = reinterpret_cast<CUdeviceptr>(address);
	return CUDA_SUCCESS;
}

/* Captures an allocation. The memory is allocated first, because the node needs its address. @index: index of
 * the device */
static CUresult capture_allocation(Stream &stream, int32_t index, size_t bytes, CUdeviceptr *out)
{
	CUDA_MEM_ALLOC_NODE_PARAMS params{};
	params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	params.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, device_number(index)};
	params.bytesize = bytes;
	MemoryNode node;
	TRY(make_allocation(params, node));
	TRY(capture_memory(stream, node));
	*out = node.allocation->params.dptr;
	return CUDA_SUCCESS;
}

static CUresult capture_free(Stream &stream, CUdeviceptr address)
{
	MemoryNode node;
	node.freed = address;
	return capture_memory(stream, node);
}

CUresult cuMemAllocAsync(CUdeviceptr *dptr, size_t bytesize, CUstream hStream)
{
	TRY(enter());
	TRY(check_size(dptr, "dptr", bytesize));
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuMemAllocAsync"));
	const int32_t index = stream->context->state->index;
	if (capturing(*stream))
		return capture_allocation(*stream, index, bytesize, dptr);
	CUmemoryPool pool = nullptr;
	TRY(current_pool(index, pool));
	return allocate_from(pool, bytesize, *stream, dptr);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *dptr, size_t bytesize, CUmemoryPool pool,
				 CUstream hStream)
{
	TRY(enter());
	TRY(check_size(dptr, "dptr", bytesize));
	int32_t index = 0;
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuMemAllocFromPoolAsync"));
	TRY(find_own_pool(pool, "pool", index));
	if (capturing(*stream) && index == HOST_POOL)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "pool is of the host, and a node of a graph allocates memory of a "
			      "device; allocate before the capture begins");
	if (capturing(*stream))
		return capture_allocation(*stream, index, bytesize, dptr);
	return allocate_from(pool, bytesize, *stream, dptr);
}

CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)
{
	TRY(enter());
	Held<Stream> stream;
	TRY(take_stream(hStream, stream, "cuMemFreeAsync"));
	if (dptr == 0)
		return null_argument("dptr");
	if (capturing(*stream))
		return capture_free(*stream, dptr);
	std::vector<drv::Fence> after;
	TRY(order_free(*stream, dptr, after));
	if (find_allocation(dptr).kind == Kind::POOL)
		return free_in_order(dptr, *stream, after.empty() ? nullptr : after.data());
	const umd::recorder::CallScope scope(
		{.stream = umd::recorder::observer.stream_number(*stream)});
	/* free_device() may close the device, which waits until no thread holds its streams. So this thread
	 * releases its stream first. */
	stream.leave();
	return free_device(dptr, __builtin_return_address(0), std::move(after));
}

CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length,
				unsigned int flags)
{
	TRY(enter());
	Held<Stream> stream;
	TRY(find_stream(hStream, stream));
	if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST &&
	    flags != CU_MEM_ATTACH_SINGLE)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be one of GLOBAL (1), HOST (2) "
					  "and SINGLE (4)",
					  flags));
	if (find_allocation(dptr).kind != Kind::MANAGED)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dptr {:#x} is not the start of managed memory", dptr));
	Place place;
	const umd::DeviceHold device = Devices::get().locate(pointer(dptr), place);
	drv::Bo bo = device ? device->memory().lookup(dptr) : drv::Bo{};
	if (length != 0 && length != bo.bytes)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("length is {}; it must be 0 or {}", length, bo.bytes));
	return CUDA_SUCCESS;
}
