// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/cuda.h"
#include "umd/core/record/call_notes.h"
#include "umd/cuda/task/copy_rules.h"

namespace umd::cuda {

/** copy() - copies in stream order.
 * @blocking: return when the host may access both ends */
CUresult copy(CUstream stream, const CopyRules &rules, void *dst, const void *src, size_t bytes,
	      bool blocking);

/** take_for_copy() - take_stream(); for a synchronous copy also checks that no capture forbids it. */
CUresult take_for_copy(CUstream handle, bool blocking, Held<Stream> &stream);

/** notes_of() - the CallNotes for the trace record of a copy. */
recorder::CallNotes notes_of(const void *dst, const void *src, bool blocking);

/** finish_copy() - waits for a synchronous copy, unless both ends are in device memory. */
CUresult finish_copy(Stream &stream, const void *dst, const void *src, bool blocking);

/** copy_2d(), copy_3d() - as copy(). */
CUresult copy_2d(CudaCall call, CUstream stream, const CUDA_MEMCPY2D *copy, bool blocking);
CUresult copy_3d(CudaCall call, CUstream stream, const CUDA_MEMCPY3D *copy, bool blocking);

/** fill() - fills @count elements of @width bytes.
 * @blocking: for host memory, return only when the fill is complete */
CUresult fill(CudaCall call, CUstream stream, CUdeviceptr dst, uint32_t value, uint32_t width,
	      size_t count, bool blocking);

/** copy_peer() - as copy(), between contexts that may be on two devices. */
CUresult copy_peer(CudaCall call, CUstream stream, CUdeviceptr dst, CUcontext dst_context,
		   CUdeviceptr src, CUcontext src_context, size_t bytes, bool blocking);

} // namespace umd::cuda
