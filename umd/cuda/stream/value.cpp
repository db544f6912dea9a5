// SPDX-License-Identifier: MIT
/**
 * DOC: Streams that wait for and write words in memory
 *
 * The device orders each store after the stream's earlier work and sees stores of others without a
 * flush, so barriers and flushes do nothing.
 */
#include "order.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/task/memory_operation.h"
#include "umd/cuda/task/tasks.h"

namespace umd::cuda {

static CUresult submit_operation(CudaCall call, Stream &stream, const MemoryOperation &operation)
{
	Word word{reinterpret_cast<void *>(operation.address), operation.bytes};
	switch (operation.kind) {
	case MemoryOperation::Kind::WAIT:
		return result(wait_value(stream, word, operation.condition, operation.value, 0,
					 number_of(call)));
	case MemoryOperation::Kind::WRITE:
		return result(write_value(stream, word, operation.value, number_of(call)));
	case MemoryOperation::Kind::NOTHING:
		break;
	}
	return CUDA_SUCCESS;
}

/* A captured batch becomes one node. */
static CUresult capture_batch(Stream &stream, unsigned count,
			      const CUstreamBatchMemOpParams *params)
{
	NodeTask node;
	std::unique_lock lock(graphs_mutex());
	TRY(batch_task(CudaCall::BATCH_MEM_OP, context_handle(*stream.context), count, params, 0,
		       node));
	return capture_parts(stream, *node.parts, static_cast<uint8_t>(node.type));
}

static CUresult run_batch(CudaCall call, CUstream handle, unsigned count,
			  const CUstreamBatchMemOpParams *params)
{
	Held<Stream> stream;
	TRY(take_stream(handle, stream, "an operation on a word in memory"));
	std::vector<MemoryOperation> operations(count);
	for (unsigned i = 0; i < count; i++)
		TRY(memory_operation(params[i], operations[i]));
	if (capturing(*stream) && count > 1)
		return capture_batch(*stream, count, params);
	Turn turn(*stream);
	for (const MemoryOperation &operation : operations)
		TRY(submit_operation(call, *stream, operation));
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;

static CUresult wait_word(CudaCall call, CUstream stream, CUstreamBatchMemOpType type,
			  CUdeviceptr address, uint64_t value, unsigned flags,
			  const char *function = __builtin_FUNCTION())
{
	CUstreamBatchMemOpParams params{};
	params.waitValue.operation = type;
	params.waitValue.address = address;
	params.waitValue.value64 = value;
	params.waitValue.flags = flags;
	TRY(enter(function));
	return run_batch(call, stream, 1, &params);
}

static CUresult write_word(CudaCall call, CUstream stream, CUstreamBatchMemOpType type,
			   CUdeviceptr address, uint64_t value, unsigned flags,
			   const char *function = __builtin_FUNCTION())
{
	CUstreamBatchMemOpParams params{};
	params.writeValue.operation = type;
	params.writeValue.address = address;
	params.writeValue.value64 = value;
	params.writeValue.flags = flags;
	TRY(enter(function));
	return run_batch(call, stream, 1, &params);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
			     unsigned int flags)
{
	return wait_word(CudaCall::WAIT_VALUE_32, stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr,
			 value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
			     unsigned int flags)
{
	return wait_word(CudaCall::WAIT_VALUE_64, stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr,
			 value, flags);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
			      unsigned int flags)
{
	return write_word(CudaCall::WRITE_VALUE_32, stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr,
			  value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
			      unsigned int flags)
{
	return write_word(CudaCall::WRITE_VALUE_64, stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr,
			  value, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
			    CUstreamBatchMemOpParams *paramArray, unsigned int flags)
{
	TRY(enter());
	TRY(check_batch(count, paramArray, flags));
	return run_batch(CudaCall::BATCH_MEM_OP, stream, count, paramArray);
}
