// SPDX-License-Identifier: MIT
/**
 * DOC: Functions that are refused
 *
 * Each row of refused_points.h becomes a function. It ignores its arguments, sets an error message with the
 * reason, and fails. The interface's headers do not declare these functions.
 */
#define CUDA_API_EXACT_NAMES
#include "umd/cuda/refused_points.h"

#include "umd/cuda/front.h"

namespace umd::cuda {

namespace {

#define CUDA_REASON(reason, why) constexpr char WHY_##reason[] = why;
CUDA_REFUSAL_REASONS(CUDA_REASON)
#undef CUDA_REASON

} // namespace

static CUresult refuse_function(const char *name, const char *why)
{
	TRY(enter(name));
	return refuse(CUDA_ERROR_NOT_SUPPORTED, fmt::format("{} is not supported: {}", name, why));
}

} // namespace umd::cuda

#define CUDA_REFUSE(name, version, stream, symbol, reason) \
	extern "C" CUresult CUDAAPI symbol(); \
	CUresult symbol() \
	{ \
		return umd::cuda::refuse_function(#symbol, umd::cuda::WHY_##reason); \
	}
CUDA_REFUSED_POINTS(CUDA_REFUSE)
#undef CUDA_REFUSE
