// SPDX-License-Identifier: MIT
/**
 * DOC: 2D and 3D copies
 */
#include "cuda_copy.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/stream/order.h"

namespace umd::cuda {

CUresult copy_3d(CudaCall call, CUstream handle, const CUDA_MEMCPY3D *copy, bool blocking)
{
	if (!copy)
		return null_argument("pCopy");
	Held<Stream> stream;
	TRY(take_for_copy(handle, blocking, stream));
	Box box;
	bool empty = false;
	TRY(box_of(*copy, box, empty));
	if (empty)
		return CUDA_SUCCESS;
	const recorder::CallScope scope(notes_of(box.dst, box.src, blocking));
	Turn turn(*stream);
	TRY(note_violation(*stream, result(copy_box_async(*stream, box, rules_of(call, *copy))),
			   "a copy"));
	return finish_copy(*stream, box.dst, box.src, blocking);
}

CUresult copy_2d(CudaCall call, CUstream handle, const CUDA_MEMCPY2D *copy, bool blocking)
{
	if (!copy)
		return null_argument("pCopy");
	CUDA_MEMCPY3D whole{};
	whole.srcXInBytes = copy->srcXInBytes;
	whole.srcY = copy->srcY;
	whole.srcMemoryType = copy->srcMemoryType;
	whole.srcHost = copy->srcHost;
	whole.srcDevice = copy->srcDevice;
	whole.srcPitch = copy->srcPitch;
	whole.dstXInBytes = copy->dstXInBytes;
	whole.dstY = copy->dstY;
	whole.dstMemoryType = copy->dstMemoryType;
	whole.dstHost = copy->dstHost;
	whole.dstDevice = copy->dstDevice;
	whole.dstPitch = copy->dstPitch;
	whole.WidthInBytes = copy->WidthInBytes;
	whole.Height = copy->Height;
	whole.Depth = 1;
	return copy_3d(call, handle, &whole, blocking);
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *pCopy)
{
	TRY(enter());
	return copy_2d(CudaCall::MEMCPY_2D, CU_STREAM_LEGACY, pCopy, true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
	TRY(enter());
	return copy_2d(CudaCall::MEMCPY_2D_ASYNC, hStream, pCopy, false);
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *pCopy)
{
	TRY(enter());
	return copy_2d(CudaCall::MEMCPY_2D_UNALIGNED, CU_STREAM_LEGACY, pCopy, true);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *pCopy)
{
	TRY(enter());
	return copy_3d(CudaCall::MEMCPY_3D, CU_STREAM_LEGACY, pCopy, true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
	TRY(enter());
	return copy_3d(CudaCall::MEMCPY_3D_ASYNC, hStream, pCopy, false);
}

extern "C" CUresult CUDAAPI cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy);
CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D *pCopy)
{
	TRY(enter());
	return copy_2d(CudaCall::MEMCPY_2D_UNALIGNED, CU_STREAM_PER_THREAD, pCopy, true);
}
