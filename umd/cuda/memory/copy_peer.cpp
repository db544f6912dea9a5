// SPDX-License-Identifier: MIT
/**
 * DOC: 3D copies between contexts
 */
#include "cuda_copy.h"

namespace umd::cuda {

static CUresult check_end(CUmemorytype type, CUcontext handle)
{
	ContextHold context;
	return type == CU_MEMORYTYPE_HOST ? CUDA_SUCCESS : find_context(handle, context);
}

static CUresult copy_3d_peer(CudaCall call, CUstream stream, const CUDA_MEMCPY3D_PEER *copy,
			     bool blocking)
{
	if (!copy)
		return null_argument("pCopy");
	TRY(check_end(copy->srcMemoryType, copy->srcContext));
	TRY(check_end(copy->dstMemoryType, copy->dstContext));
	CUDA_MEMCPY3D plain{};
	plain.srcXInBytes = copy->srcXInBytes;
	plain.srcY = copy->srcY;
	plain.srcZ = copy->srcZ;
	plain.srcLOD = copy->srcLOD;
	plain.srcMemoryType = copy->srcMemoryType;
	plain.srcHost = copy->srcHost;
	plain.srcDevice = copy->srcDevice;
	plain.srcPitch = copy->srcPitch;
	plain.srcHeight = copy->srcHeight;
	plain.dstXInBytes = copy->dstXInBytes;
	plain.dstY = copy->dstY;
	plain.dstZ = copy->dstZ;
	plain.dstLOD = copy->dstLOD;
	plain.dstMemoryType = copy->dstMemoryType;
	plain.dstHost = copy->dstHost;
	plain.dstDevice = copy->dstDevice;
	plain.dstPitch = copy->dstPitch;
	plain.dstHeight = copy->dstHeight;
	plain.WidthInBytes = copy->WidthInBytes;
	plain.Height = copy->Height;
	plain.Depth = copy->Depth;
	return copy_3d(call, stream, &plain, blocking);
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *pCopy)
{
	TRY(enter());
	return copy_3d_peer(CudaCall::MEMCPY_3D_PEER, CU_STREAM_LEGACY, pCopy, true);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *pCopy, CUstream hStream)
{
	TRY(enter());
	return copy_3d_peer(CudaCall::MEMCPY_3D_PEER_ASYNC, hStream, pCopy, false);
}

extern "C" CUresult CUDAAPI cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER *pCopy);
CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER *pCopy)
{
	TRY(enter());
	return copy_3d_peer(CudaCall::MEMCPY_3D_PEER, CU_STREAM_PER_THREAD, pCopy, true);
}
