// SPDX-License-Identifier: MIT
/**
 * DOC: Streams that wait for and write words in memory
 *
 * The device orders each store after the stream's earlier work and sees stores of others without a
 * flush, so barriers and flushes do nothing.
 */
#include "value.h"

#include "order.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/graph/graph_tasks.h"

namespace umd::cuda {

static CUresult check_word(CUdeviceptr address, uint32_t bytes)
{
	if (address != 0 && address % bytes == 0)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("the address {:#x} is not a multiple of {} other than 0", address,
				  bytes));
}

static CUresult check_wait_flags(unsigned flags)
{
	if ((flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH}) <= CU_STREAM_WAIT_VALUE_NOR)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("flags is {:#x}; it must be GEQ (0), EQ (1), AND (2) or NOR (3), "
				  "with or without FLUSH (1 << 30)",
				  flags));
}

static CUresult check_write_flags(unsigned flags)
{
	if (flags <= CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("flags is {:#x}; it must be DEFAULT (0) or NO_MEMORY_BARRIER (1)",
				  flags));
}

static CUresult refuse_operation(const CUstreamBatchMemOpParams &params)
{
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("operation is {}; it must be one of CUstreamBatchMemOpType (1 to "
				  "6), with flags 0 where it has neither address nor value",
				  static_cast<int>(params.operation)));
}

CUresult memory_operation(const CUstreamBatchMemOpParams &params, MemoryOperation &operation)
{
	const auto &wait = params.waitValue;
	const auto &write = params.writeValue;
	switch (params.operation) {
	case CU_STREAM_MEM_OP_WAIT_VALUE_32:
	case CU_STREAM_MEM_OP_WAIT_VALUE_64:
		operation.kind = MemoryOperation::Kind::WAIT;
		operation.bytes = params.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ? 8 : 4;
		operation.value = operation.bytes == 8 ? wait.value64 : wait.value;
		operation.address = wait.address;
		operation.condition = static_cast<unpu_value_op>(
			wait.flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH});
		CU_TRY(check_wait_flags(wait.flags));
		return check_word(wait.address, operation.bytes);
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		operation.kind = MemoryOperation::Kind::WRITE;
		operation.bytes = params.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
		operation.value = operation.bytes == 8 ? write.value64 : write.value;
		operation.address = write.address;
		CU_TRY(check_write_flags(write.flags));
		return check_word(write.address, operation.bytes);
	case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
		operation.kind = MemoryOperation::Kind::NOTHING;
		return params.flushRemoteWrites.flags == 0 ? CUDA_SUCCESS
							   : refuse_operation(params);
	case CU_STREAM_MEM_OP_BARRIER:
		/* System-wide and device-wide barriers are the same here: the device has only one kind
		 * of order. */
		operation.kind = MemoryOperation::Kind::NOTHING;
		return params.memoryBarrier.flags <= 1 ? CUDA_SUCCESS : refuse_operation(params);
	}
	return refuse_operation(params);
}

CUresult check_batch(unsigned count, const CUstreamBatchMemOpParams *params, unsigned flags)
{
	constexpr unsigned MOST = 255;
	if (flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0", flags));
	if (count > MOST)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("count is {}; it must be at most {}", count, MOST));
	if (count > 0 && !params)
		return null_argument("paramArray");
	return CUDA_SUCCESS;
}

static CUresult submit_operation(Stream &stream, const MemoryOperation &operation)
{
	Word word{reinterpret_cast<void *>(operation.address), operation.bytes};
	switch (operation.kind) {
	case MemoryOperation::Kind::WAIT:
		return result(wait_value(stream, word, operation.condition, operation.value, 0));
	case MemoryOperation::Kind::WRITE:
		return result(write_value(stream, word, operation.value));
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
	auto lock = graphs_lock();
	CU_TRY(batch_task(context_handle(*stream.context), count, params, 0, node));
	return capture_parts(stream, *node.parts, static_cast<uint8_t>(node.type));
}

static CUresult run_batch(CUstream handle, unsigned count, const CUstreamBatchMemOpParams *params)
{
	Held<Stream> stream;
	CU_TRY(take_stream(handle, stream, "an operation on a word in memory"));
	std::vector<MemoryOperation> operations(count);
	for (unsigned i = 0; i < count; i++)
		CU_TRY(memory_operation(params[i], operations[i]));
	if (capturing(*stream) && count > 1)
		return capture_batch(*stream, count, params);
	Turn turn(*stream);
	for (const MemoryOperation &operation : operations)
		CU_TRY(submit_operation(*stream, operation));
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;

static CUresult wait_word(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address,
			  uint64_t value, unsigned flags)
{
	CUstreamBatchMemOpParams params{};
	params.waitValue.operation = type;
	params.waitValue.address = address;
	params.waitValue.value64 = value;
	params.waitValue.flags = flags;
	CU_TRY(enter());
	return run_batch(stream, 1, &params);
}

static CUresult write_word(CUstream stream, CUstreamBatchMemOpType type, CUdeviceptr address,
			   uint64_t value, unsigned flags)
{
	CUstreamBatchMemOpParams params{};
	params.writeValue.operation = type;
	params.writeValue.address = address;
	params.writeValue.value64 = value;
	params.writeValue.flags = flags;
	CU_TRY(enter());
	return run_batch(stream, 1, &params);
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
			     unsigned int flags)
{
	return wait_word(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags);
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
			     unsigned int flags)
{
	return wait_word(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags);
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
			      unsigned int flags)
{
	return write_word(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags);
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
			      unsigned int flags)
{
	return write_word(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags);
}

CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count,
			    CUstreamBatchMemOpParams *paramArray, unsigned int flags)
{
	CU_TRY(enter());
	CU_TRY(check_batch(count, paramArray, flags));
	return run_batch(stream, count, paramArray);
}
