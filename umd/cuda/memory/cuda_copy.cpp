// SPDX-License-Identifier: MIT
/**
 * DOC: Copies and fills
 *
 * A synchronous copy is an asynchronous copy in the legacy stream, or in the thread's own stream. The
 * call then waits for it, unless both ends are in device memory.
 */
#include "cuda_copy.h"

#include <fmt/format.h>

#include "umd/core/copy/copy.h"
#include "umd/core/device/devices.h"
#include "umd/core/device/open_device.h"
#include "umd/core/memory/vmm.h"
#include "umd/core/process/call.h"
#include "umd/core/process/check.h"
#include "umd/core/record/call_notes.h"
#include "umd/core/record/observer.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/object/allocations.h"
#include "umd/cuda/stream/order.h"
#include "umd/cuda/stream/stream.h"

namespace umd::cuda {

using base::Status;
using drv::Place;
using umd::VirtualMemory;

/* Whether the host may access the address, so that a synchronous call has to wait. */
static bool host_reaches(const void *address)
{
	Place place;
	(void)Devices::get().locate(address, place);
	if (place != Place::DEVICE)
		return true;
	if (!drv::ReservedAddresses::get().holds(reinterpret_cast<uint64_t>(address))) [[likely]]
		return false;
	auto mapped = VirtualMemory::get().mapped(address);
	return mapped && mapped->is_host;
}

CUresult take_for_copy(CUstream handle, bool blocking, Held<Stream> &stream)
{
	const char *call = blocking ? "a synchronous copy or fill" : "a copy or fill";
	TRY(take_stream(handle, stream, call));
	if (!blocking || !captures_open()) [[likely]]
		return CUDA_SUCCESS;
	TRY(refuse_capturing(*stream, call));
	return check_unsafe_call(call);
}

/* The interface guarantees only that a synchronous copy from pageable memory has read its source when it
 * returns. This implementation waits for the whole copy, but the trace must not show a guarantee, so the wait
 * is not recorded. */
recorder::CallNotes notes_of(const void *dst, const void *src, bool blocking)
{
	recorder::CallNotes notes;
	notes.stages_sources = true;
	if (blocking && recorder::is_on()) {
		Place place;
		(void)Devices::get().locate(src, place);
		notes.is_quiet = place == Place::OUTSIDE && side_of(dst) != Side::HOST;
	}
	return notes;
}

CUresult finish_copy(Stream &stream, const void *dst, const void *src, bool blocking)
{
	if (!blocking || (!host_reaches(dst) && !host_reaches(src)))
		return CUDA_SUCCESS;
	return synchronize_stream(stream);
}

CUresult copy(CUstream handle, const CopyRules &rules, void *dst, const void *src, size_t bytes,
	      bool blocking)
{
	Held<Stream> stream;
	TRY(take_for_copy(handle, blocking, stream));
	if (bytes == 0)
		return CUDA_SUCCESS;
	if (!dst || !src)
		return null_argument(dst ? "the source" : "the destination");
	const recorder::CallScope scope(notes_of(dst, src, blocking));
	Turn turn(*stream);
	TRY(note_violation(*stream, result(copy_async(*stream, dst, src, bytes, rules)), "a copy"));
	return finish_copy(*stream, dst, src, blocking);
}

/* fill_async() checks the memory. */
static CUresult check_fill(CUdeviceptr dst, uint32_t width, size_t count)
{
	if (dst % width != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("dstDevice {:#x} is not a multiple of {}", dst, width));
	if (count <= UINT64_MAX / width)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("the {} elements of {} bytes from {:#x} exceed the address space",
				  count, width, dst));
}

CUresult fill(CudaCall call, CUstream handle, CUdeviceptr dst, uint32_t value, uint32_t width,
	      size_t count, bool blocking)
{
	Held<Stream> stream;
	TRY(take_for_copy(handle, blocking, stream));
	if (count == 0)
		return CUDA_SUCCESS;
	TRY(check_fill(dst, width, count));
	Turn turn(*stream);
	TRY(fill_async(*stream, pointer(dst), count * width, value, width, number_of(call)));
	if (!blocking || !host_reaches(pointer(dst)))
		return CUDA_SUCCESS;
	return synchronize_stream(*stream);
}

/* Strict mode: the address tells the device here, so the copy works with any context. */
static CUresult check_owner(CudaCall call, const char *name, CUdeviceptr address,
			    const char *context_name, CUcontext context)
{
	drv::Place place;
	const DeviceHold device = Devices::get().locate(pointer(address), place);
	const uint64_t owner =
		device ? find_allocation(device->memory().lookup(address).va).context : 0;
	if (owner == 0 || !context || owner == reinterpret_cast<uint64_t>(context))
		return CUDA_SUCCESS;
	return result(
		check::misuse(Status::INVALID_ARGUMENT,
			      fmt::format("{}: {} {:#x} is memory of context {:#x}, and {} is {}",
					  call_name(number_of(call)), name, address, owner,
					  context_name, fmt::ptr(context))));
}

CUresult copy_peer(CudaCall call, CUstream handle, CUdeviceptr dst, CUcontext dst_context,
		   CUdeviceptr src, CUcontext src_context, size_t bytes, bool blocking)
{
	ContextHold context;
	TRY(find_context(dst_context, context));
	TRY(find_context(src_context, context));
	if (check::is_on()) [[unlikely]] {
		TRY(check_owner(call, "dstDevice", dst, "dstContext", dst_context));
		TRY(check_owner(call, "srcDevice", src, "srcContext", src_context));
	}
	return copy(handle, named(call, DEVICE_TO_DEVICE), pointer(dst), pointer(src), bytes,
		    blocking);
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_LEGACY, named(CudaCall::MEMCPY, ANY_TO_ANY), pointer(dst),
		    pointer(src), ByteCount, true);
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
	TRY(enter());
	return copy(hStream, named(CudaCall::MEMCPY_ASYNC, ANY_TO_ANY), pointer(dst), pointer(src),
		    ByteCount, false);
}

CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_LEGACY, named(CudaCall::MEMCPY_HTOD, HOST_TO_DEVICE),
		    pointer(dstDevice), srcHost, ByteCount, true);
}

CUresult cuMemcpyDtoH(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_LEGACY, named(CudaCall::MEMCPY_DTOH, DEVICE_TO_HOST), dstHost,
		    pointer(srcDevice), ByteCount, true);
}

CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
	TRY(enter());
	return copy(CU_STREAM_LEGACY, named(CudaCall::MEMCPY_DTOD, DEVICE_TO_DEVICE),
		    pointer(dstDevice), pointer(srcDevice), ByteCount, true);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
			   CUstream hStream)
{
	TRY(enter());
	return copy(hStream, named(CudaCall::MEMCPY_HTOD_ASYNC, HOST_TO_DEVICE), pointer(dstDevice),
		    srcHost, ByteCount, false);
}

CUresult cuMemcpyDtoHAsync(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream)
{
	TRY(enter());
	return copy(hStream, named(CudaCall::MEMCPY_DTOH_ASYNC, DEVICE_TO_HOST), dstHost,
		    pointer(srcDevice), ByteCount, false);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
			   CUstream hStream)
{
	TRY(enter());
	return copy(hStream, named(CudaCall::MEMCPY_DTOD_ASYNC, DEVICE_TO_DEVICE),
		    pointer(dstDevice), pointer(srcDevice), ByteCount, false);
}

CUresult cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
		      CUcontext srcContext, size_t ByteCount)
{
	TRY(enter());
	return copy_peer(CudaCall::MEMCPY_PEER, CU_STREAM_LEGACY, dstDevice, dstContext, srcDevice,
			 srcContext, ByteCount, true);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
			   CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
	TRY(enter());
	return copy_peer(CudaCall::MEMCPY_PEER_ASYNC, hStream, dstDevice, dstContext, srcDevice,
			 srcContext, ByteCount, false);
}

CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D8, CU_STREAM_LEGACY, dstDevice, uc, sizeof(uc), N, true);
}

CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D16, CU_STREAM_LEGACY, dstDevice, us, sizeof(us), N, true);
}

CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D32, CU_STREAM_LEGACY, dstDevice, ui, sizeof(ui), N, true);
}

CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D8_ASYNC, hStream, dstDevice, uc, sizeof(uc), N, false);
}

CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D16_ASYNC, hStream, dstDevice, us, sizeof(us), N, false);
}

CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
	TRY(enter());
	return fill(CudaCall::MEMSET_D32_ASYNC, hStream, dstDevice, ui, sizeof(ui), N, false);
}
