// SPDX-License-Identifier: MIT
/**
 * DOC: The division of a device's cache
 *
 * The device has no cache to divide. For such a device the interface defines that a preference has no effect,
 * and that a query returns PREFER_NONE.
 */
#include "cuda/cuda.h"
#include "umd/cuda/front.h"

using namespace umd::cuda;

CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
	TRY(enter());
	if (!pconfig)
		return null_argument("pconfig");
	ContextHold context;
	TRY(current_context(context));
	*pconfig = CU_FUNC_CACHE_PREFER_NONE;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
	TRY(enter());
	ContextHold context;
	TRY(current_context(context));
	if (config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("config is {}; it must be 0 to 3", static_cast<int>(config)));
}
