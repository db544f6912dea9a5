// SPDX-License-Identifier: MIT
/**
 * DOC: Where a program wants to be profiled
 *
 * A trace that is being recorded gets a mark for each call. What records it, UNPU_TRACE or another call, decides
 * when it begins and ends.
 */
#include "cuda/cudaProfiler.h"

#include "hal/trace.h"
#include "umd/cuda/front.h"

using namespace umd::cuda;

static CUresult mark(const char *call)
{
	ContextHold context;
	TRY(current_context(context));
	hal::trace::mark(call);
	return CUDA_SUCCESS;
}

CUresult cuProfilerStart(void)
{
	TRY(enter());
	return mark("cuProfilerStart");
}

CUresult cuProfilerStop(void)
{
	TRY(enter());
	return mark("cuProfilerStop");
}
