// SPDX-License-Identifier: MIT
/**
 * DOC: Calls that captures forbid
 */
#include "front.h"

namespace umd::cuda {

CUresult check_unsafe_call(const char *)
{
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
