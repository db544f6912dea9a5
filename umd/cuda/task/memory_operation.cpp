// SPDX-License-Identifier: MIT
/**
 * DOC: Operations on words in memory
 *
 * Checks the operations of a stream's batch and of a graph's node.
 */
#include "memory_operation.h"

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
		TRY(check_wait_flags(wait.flags));
		return check_word(wait.address, operation.bytes);
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		operation.kind = MemoryOperation::Kind::WRITE;
		operation.bytes = params.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64 ? 8 : 4;
		operation.value = operation.bytes == 8 ? write.value64 : write.value;
		operation.address = write.address;
		TRY(check_write_flags(write.flags));
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

} // namespace umd::cuda
