// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "umd/core/process/call.h"

namespace umd::cuda {

/* X(constant, function, call of the runtime): functions of the interface that are the same call for the
 * runtime. */
#define UNPU_CUDA_CALL_LIST(X) \
	X(MEMCPY, cuMemcpy, MEMCPY_ASYNC) \
	X(MEMCPY_ASYNC, cuMemcpyAsync, MEMCPY_ASYNC) \
	X(MEMCPY_HTOD, cuMemcpyHtoD, MEMCPY_ASYNC) \
	X(MEMCPY_HTOD_ASYNC, cuMemcpyHtoDAsync, MEMCPY_ASYNC) \
	X(MEMCPY_DTOH, cuMemcpyDtoH, MEMCPY_ASYNC) \
	X(MEMCPY_DTOH_ASYNC, cuMemcpyDtoHAsync, MEMCPY_ASYNC) \
	X(MEMCPY_DTOD, cuMemcpyDtoD, MEMCPY_ASYNC) \
	X(MEMCPY_DTOD_ASYNC, cuMemcpyDtoDAsync, MEMCPY_ASYNC) \
	X(MEMCPY_PEER, cuMemcpyPeer, MEMCPY_ASYNC) \
	X(MEMCPY_PEER_ASYNC, cuMemcpyPeerAsync, MEMCPY_ASYNC) \
	X(MEMCPY_2D, cuMemcpy2D, MEMCPY_BOX) \
	X(MEMCPY_2D_UNALIGNED, cuMemcpy2DUnaligned, MEMCPY_BOX) \
	X(MEMCPY_2D_ASYNC, cuMemcpy2DAsync, MEMCPY_BOX) \
	X(MEMCPY_3D, cuMemcpy3D, MEMCPY_BOX) \
	X(MEMCPY_3D_ASYNC, cuMemcpy3DAsync, MEMCPY_BOX) \
	X(MEMCPY_3D_PEER, cuMemcpy3DPeer, MEMCPY_BOX) \
	X(MEMCPY_3D_PEER_ASYNC, cuMemcpy3DPeerAsync, MEMCPY_BOX) \
	X(MEMSET_D8, cuMemsetD8, MEMSET_ASYNC) \
	X(MEMSET_D8_ASYNC, cuMemsetD8Async, MEMSET_ASYNC) \
	X(MEMSET_D16, cuMemsetD16, MEMSET_ASYNC) \
	X(MEMSET_D16_ASYNC, cuMemsetD16Async, MEMSET_ASYNC) \
	X(MEMSET_D32, cuMemsetD32, MEMSET_ASYNC) \
	X(MEMSET_D32_ASYNC, cuMemsetD32Async, MEMSET_ASYNC) \
	X(MEMSET_2D_D8, cuMemsetD2D8, MEMSET_ASYNC) \
	X(MEMSET_2D_D8_ASYNC, cuMemsetD2D8Async, MEMSET_ASYNC) \
	X(MEMSET_2D_D16, cuMemsetD2D16, MEMSET_ASYNC) \
	X(MEMSET_2D_D16_ASYNC, cuMemsetD2D16Async, MEMSET_ASYNC) \
	X(MEMSET_2D_D32, cuMemsetD2D32, MEMSET_ASYNC) \
	X(MEMSET_2D_D32_ASYNC, cuMemsetD2D32Async, MEMSET_ASYNC) \
	X(WAIT_VALUE_32, cuStreamWaitValue32, VALUE_WAIT) \
	X(WAIT_VALUE_64, cuStreamWaitValue64, VALUE_WAIT) \
	X(WRITE_VALUE_32, cuStreamWriteValue32, VALUE_WRITE) \
	X(WRITE_VALUE_64, cuStreamWriteValue64, VALUE_WRITE) \
	X(BATCH_MEM_OP, cuStreamBatchMemOp, VALUE_WRITE) \
	X(ADD_CALLBACK, cuStreamAddCallback, HOST_FUNC) \
	X(EVENT_RECORD_WITH_FLAGS, cuEventRecordWithFlags, RECORD_EVENT) \
	X(CTX_RECORD_EVENT, cuCtxRecordEvent, RECORD_EVENT) \
	X(CTX_WAIT_EVENT, cuCtxWaitEvent, WAIT_EVENT) \
	X(ADD_NODE, cuGraphAddNode, OTHER) \
	X(ADD_MEMCPY_NODE, cuGraphAddMemcpyNode, MEMCPY_BOX) \
	X(ADD_MEMSET_NODE, cuGraphAddMemsetNode, MEMSET_ASYNC) \
	X(ADD_BATCH_NODE, cuGraphAddBatchMemOpNode, VALUE_WRITE) \
	X(ADD_HOST_NODE, cuGraphAddHostNode, HOST_FUNC) \
	X(ADD_RECORD_NODE, cuGraphAddEventRecordNode, RECORD_EVENT) \
	X(ADD_WAIT_NODE, cuGraphAddEventWaitNode, WAIT_EVENT)

/** enum class CudaCall - such a function. */
enum class CudaCall : uint8_t {
#define UNPU_CUDA_CALL_ENUM(constant, function, kind) constant,
	UNPU_CUDA_CALL_LIST(UNPU_CUDA_CALL_ENUM)
#undef UNPU_CUDA_CALL_ENUM
		COUNT,
};

static_assert(FIRST_NAMED_CALL + static_cast<size_t>(CudaCall::COUNT) <= FIRST_OPERATOR_CALL);

/** number_of() - the number of a call in the cookies of packets. */
constexpr Call number_of(CudaCall call)
{
	return static_cast<Call>(FIRST_NAMED_CALL + static_cast<uint8_t>(call));
}

/** name_calls() - tells the runtime the names. */
void name_calls();

} // namespace umd::cuda
