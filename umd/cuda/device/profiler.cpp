// SPDX-License-Identifier: MIT
/**
 * DOC: cuProfilerStart() and cuProfilerStop()
 *
 * Each call adds a mark to the trace, if one is being recorded. The calls do not begin or end the trace;
 * UNPU_TRACE or another call does that.
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
