// SPDX-License-Identifier: MIT
/**
 * DOC: Fills of several rows
 *
 * In a stream, each row is a task of its own, unless the rows touch. In a capture, all rows are one node.
 */
#include "cuda_copy.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/stream/order.h"
#include "umd/cuda/stream/stream.h"
#include "umd/cuda/task/tasks.h"

namespace umd::cuda {

using Rows = CUDA_MEMSET_NODE_PARAMS;

static CUresult capture_rows(CudaCall call, Stream &stream, const Rows &rows)
{
	NodeTask node;
	TRY(fill_task(call, &rows, context_handle(*stream.context), node));
	std::unique_lock lock(graphs_mutex());
	return capture_parts(stream, *node.parts, static_cast<uint8_t>(node.type));
}

static CUresult check_rows(Context &context, const Rows &rows)
{
	TRY(check_fill(rows));
	const size_t bytes = rows.width * rows.elementSize;
	const size_t reach = bytes + (rows.height - 1) * rows.pitch;
	const bool fits =
		rows.width <= UINT64_MAX / rows.elementSize &&
		(rows.height == 1 || rows.pitch <= (UINT64_MAX - bytes) / (rows.height - 1));
	if (fits && takes_fills(context, pointer(rows.dst), reach))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("the {} rows of {} elements from {:#x} are not inside one live "
				  "allocation that the stream's device reaches",
				  rows.height, rows.width, rows.dst));
}

static CUresult submit_rows(CudaCall call, Stream &stream, const Rows &rows)
{
	const size_t bytes = rows.width * rows.elementSize;
	const bool touch = rows.height == 1 || rows.pitch == bytes;
	const size_t tasks = touch ? 1 : rows.height;
	Turn turn(stream);
	for (size_t row = 0; row < tasks; row++)
		TRY(fill_async(stream, pointer(rows.dst + row * rows.pitch),
			       touch ? bytes * rows.height : bytes, rows.value, rows.elementSize,
			       number_of(call)));
	return CUDA_SUCCESS;
}

static CUresult fill_rows(CudaCall call, CUstream handle, const Rows &rows, bool blocking)
{
	Held<Stream> stream;
	TRY(take_for_copy(handle, blocking, stream));
	if (rows.width == 0 || rows.height == 0)
		return CUDA_SUCCESS;
	TRY(check_rows(*stream->context, rows));
	if (capturing(*stream) && rows.height > 1)
		return capture_rows(call, *stream, rows);
	TRY(submit_rows(call, *stream, rows));
	return finish_copy(*stream, pointer(rows.dst), pointer(rows.dst), blocking);
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
		      size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D8, CU_STREAM_LEGACY,
			 {dstDevice, dstPitch, uc, sizeof(uc), Width, Height}, true);
}

CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			   size_t Height, CUstream hStream)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D8_ASYNC, hStream,
			 {dstDevice, dstPitch, uc, sizeof(uc), Width, Height}, false);
}

CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
		       size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D16, CU_STREAM_LEGACY,
			 {dstDevice, dstPitch, us, sizeof(us), Width, Height}, true);
}

CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
			    size_t Height, CUstream hStream)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D16_ASYNC, hStream,
			 {dstDevice, dstPitch, us, sizeof(us), Width, Height}, false);
}

CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
		       size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D32, CU_STREAM_LEGACY,
			 {dstDevice, dstPitch, ui, sizeof(ui), Width, Height}, true);
}

CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			    size_t Height, CUstream hStream)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D32_ASYNC, hStream,
			 {dstDevice, dstPitch, ui, sizeof(ui), Width, Height}, false);
}

extern "C" CUresult CUDAAPI cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
						 unsigned char uc, size_t Width, size_t Height);
CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
			      size_t Width, size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D8, CU_STREAM_PER_THREAD,
			 {dstDevice, dstPitch, uc, sizeof(uc), Width, Height}, true);
}

extern "C" CUresult CUDAAPI cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
						  unsigned short us, size_t Width, size_t Height);
CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
			       size_t Width, size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D16, CU_STREAM_PER_THREAD,
			 {dstDevice, dstPitch, us, sizeof(us), Width, Height}, true);
}

extern "C" CUresult CUDAAPI cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch,
						  unsigned int ui, size_t Width, size_t Height);
CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
			       size_t Width, size_t Height)
{
	TRY(enter());
	return fill_rows(CudaCall::MEMSET_2D_D32, CU_STREAM_PER_THREAD,
			 {dstDevice, dstPitch, ui, sizeof(ui), Width, Height}, true);
}
