// SPDX-License-Identifier: MIT
/**
 * DOC: Old versions of functions, and newer versions that the headers do not declare
 *
 * Programs that were compiled with older headers link to these symbols; other programs find them with
 * cuGetProcAddress(). The functions of the first version take 32-bit addresses and are not supported.
 */
#define CUDA_API_EXACT_NAMES
#include <algorithm>
#include <climits>

#include "cuda/driver/ipc.h"
#include "proc_table.h"
#include "umd/cuda/context/context.h"
#include "umd/cuda/device/device_list.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/event_checks.h"
#include "umd/cuda/stream/event.h"

using namespace umd::cuda;
using umd::Context;

/* SAME - @symbol does what @newest does. */
#define SAME(symbol, newest, parameters, arguments) \
	extern "C" CUresult CUDAAPI newest parameters; \
	extern "C" CUresult CUDAAPI symbol parameters; \
	CUresult symbol parameters \
	{ \
		return newest arguments; \
	}

SAME(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext ctx), (ctx))
SAME(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * pctx), (pctx))
SAME(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext ctx), (ctx))
SAME(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice dev), (uuid, dev))
SAME(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice dev), (dev))
SAME(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice dev), (dev))
SAME(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice dev, unsigned flags),
     (dev, flags))
SAME(cuEventDestroy, cuEventDestroy_v2, (CUevent event), (event))
SAME(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2,
     (CUdeviceptr * pdptr, CUipcMemHandle handle, unsigned flags), (pdptr, handle, flags))
SAME(cuMemAllocHost, cuMemAllocHost_v2, (void **pp, size_t bytes), (pp, bytes))
SAME(cuMemHostRegister, cuMemHostRegister_v2, (void *p, size_t bytes, unsigned flags),
     (p, bytes, flags))
SAME(cuStreamBatchMemOp, cuStreamBatchMemOp_v2,
     (CUstream stream, unsigned count, void *operations, unsigned flags),
     (stream, count, operations, flags))
SAME(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream), (stream))
SAME(cuStreamWaitValue32, cuStreamWaitValue32_v2,
     (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
     (stream, address, value, flags))
SAME(cuStreamWaitValue64, cuStreamWaitValue64_v2,
     (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
     (stream, address, value, flags))
SAME(cuStreamWriteValue32, cuStreamWriteValue32_v2,
     (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags),
     (stream, address, value, flags))
SAME(cuStreamWriteValue64, cuStreamWriteValue64_v2,
     (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags),
     (stream, address, value, flags))

/* NARROW - a function with 32-bit addresses, which fails whatever its arguments are. */
#define NARROW(symbol) \
	extern "C" CUresult CUDAAPI symbol(); \
	CUresult symbol() \
	{ \
		return refuse_narrow(#symbol); \
	}

static CUresult refuse_narrow(const char *name)
{
	TRY(enter(name));
	return refuse(CUDA_ERROR_NOT_SUPPORTED,
		      fmt::format("{} of version 2 takes 32-bit addresses, which the device does "
				  "not have; compile with newer headers or ask cuGetProcAddress "
				  "for version 3020",
				  name));
}

NARROW(cuMemAlloc)
NARROW(cuMemAllocPitch)
NARROW(cuMemFree)
NARROW(cuMemGetAddressRange)
NARROW(cuMemHostGetDevicePointer)
NARROW(cuMemcpy2D)
NARROW(cuMemcpy2DAsync)
NARROW(cuMemcpy2DUnaligned)
NARROW(cuMemcpy3D)
NARROW(cuMemcpy3DAsync)
NARROW(cuMemcpyDtoD)
NARROW(cuMemcpyDtoDAsync)
NARROW(cuMemcpyDtoH)
NARROW(cuMemcpyDtoHAsync)
NARROW(cuMemcpyHtoD)
NARROW(cuMemcpyHtoDAsync)
NARROW(cuMemsetD16)
NARROW(cuMemsetD2D16)
NARROW(cuMemsetD2D32)
NARROW(cuMemsetD2D8)
NARROW(cuMemsetD32)
NARROW(cuMemsetD8)

static unsigned narrowed(size_t bytes)
{
	return static_cast<unsigned>(std::min<size_t>(bytes, UINT_MAX));
}

extern "C" {

CUresult CUDAAPI cuCtxCreate(CUcontext *pctx, unsigned flags, CUdevice dev);
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *pctx, unsigned flags, CUdevice dev);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext *pctx, void *affinities, int count, unsigned flags,
				CUdevice dev);
CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx);
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext ctx);
CUresult CUDAAPI cuDeviceTotalMem(unsigned *bytes, CUdevice dev);
CUresult CUDAAPI cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev);
CUresult CUDAAPI cuMemGetInfo(unsigned *free, unsigned *total);
CUresult CUDAAPI cuMemGetInfo_v2(size_t *free, size_t *total);
CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
CUresult CUDAAPI cuGetProcAddress(const char *symbol, void **pfn, int version, cuuint64_t flags);
CUresult CUDAAPI cuGetProcAddress_v2(const char *symbol, void **pfn, int version, cuuint64_t flags,
				     int *status);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice,
			     CUdevice device);
CUresult CUDAAPI cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice,
				CUmemLocation location);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device,
				    CUstream stream);
CUresult CUDAAPI cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t bytes, CUdevice device,
					 CUstream stream);
CUresult CUDAAPI cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location,
				       unsigned flags, CUstream stream);
CUresult CUDAAPI cuMemPrefetchAsync_v2_ptsz(CUdeviceptr address, size_t bytes,
					    CUmemLocation location, unsigned flags,
					    CUstream stream);
CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext *context);
CUresult CUDAAPI cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green);
CUresult CUDAAPI cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext *context, CUgreenCtx *green);
}

CUresult cuCtxCreate(CUcontext *pctx, unsigned flags, CUdevice dev)
{
	TRY(enter());
	return create_context(pctx, flags, dev);
}

CUresult cuCtxCreate_v2(CUcontext *pctx, unsigned flags, CUdevice dev)
{
	return cuCtxCreate(pctx, flags, dev);
}

CUresult cuCtxCreate_v3(CUcontext *pctx, void *affinities, int count, unsigned flags, CUdevice dev)
{
	TRY(enter());
	if (affinities && count != 0)
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "paramsArray asks for a part of a device; pass NULL");
	return create_context(pctx, flags, dev);
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext ctx)
{
	TRY(enter());
	if (!device)
		return null_argument("device");
	ContextHold context;
	TRY(find_context(ctx, context));
	*device = device_number(context->state->index);
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext ctx)
{
	TRY(enter());
	ContextHold context;
	TRY(find_context(ctx, context));
	TRY(check_context(*context));
	return synchronize_context(*context);
}

CUresult cuDeviceTotalMem(unsigned *bytes, CUdevice dev)
{
	size_t wide = 0;
	if (!bytes)
		return null_argument("bytes");
	TRY(cuDeviceTotalMem_v2(&wide, dev));
	*bytes = narrowed(wide);
	return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(unsigned *free, unsigned *total)
{
	size_t wide_free = 0;
	size_t wide_total = 0;
	TRY(cuMemGetInfo_v2(&wide_free, &wide_total));
	if (free)
		*free = narrowed(wide_free);
	if (total)
		*total = narrowed(wide_total);
	return CUDA_SUCCESS;
}

/* The first version also reports failures of tasks. */
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
	TRY(enter());
	CUresult code = elapsed_time(milliseconds, start, end);
	for (CUevent handle : {start, end}) {
		umd::Held<umd::Event> event;
		TRY(find_usable_event(handle, "an event", event));
		TRY(check_context_of(*event));
	}
	return code;
}

/* This version has no status argument, so an unknown name is an error. */
CUresult cuGetProcAddress(const char *symbol, void **pfn, int version, cuuint64_t flags)
{
	TRY(cuGetProcAddress_v2(symbol, pfn, version, flags, nullptr));
	if (*pfn)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_NOT_FOUND,
		      fmt::format("version {} has no function {}", version, symbol));
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
	TRY(cuStreamGetCtx(stream, context));
	if (green)
		*green = nullptr;
	return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext *context, CUgreenCtx *green)
{
	return cuStreamGetCtx_v2(stream ? stream : CU_STREAM_PER_THREAD, context, green);
}

/* The older forms name a device, or the host by CU_DEVICE_CPU. */
static CUmemLocation location_of(CUdevice device)
{
	if (device == CU_DEVICE_CPU)
		return {CU_MEM_LOCATION_TYPE_HOST, 0};
	return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device)
{
	return cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
	return cuMemPrefetchAsync_v2(address, bytes, location_of(device), 0, stream);
}

CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t bytes, CUdevice device,
				 CUstream stream)
{
	return cuMemPrefetchAsync_v2_ptsz(address, bytes, location_of(device), 0, stream);
}
