// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/cuda.h"
#include "umd/core/copy/value.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** struct MemoryOperation - one checked operation on a word. */
struct MemoryOperation {
	enum class Kind { NOTHING, WAIT, WRITE };

	Kind kind = Kind::NOTHING;
	uint32_t bytes = 0;
	CUdeviceptr address = 0;
	uint64_t value = 0;
	unpu_value_op condition = UNPU_VALUE_GE;
};

/** memory_operation() - checks and converts an operation of a batch.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult memory_operation(const CUstreamBatchMemOpParams &params, MemoryOperation &operation);

/** check_batch() - checks the other arguments of a batch. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult check_batch(unsigned count, const CUstreamBatchMemOpParams *params, unsigned flags);

} // namespace umd::cuda
