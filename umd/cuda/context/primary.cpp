// SPDX-License-Identifier: MIT
/**
 * DOC: Primary contexts and limits
 */
#include <array>
#include <atomic>
#include <mutex>

#include "context.h"
#include "cuda/cuda.h"
#include "umd/core/context/contexts.h"
#include "umd/cuda/device/device_list.h"

using namespace umd::cuda;
using base::Status;
using umd::Context;
using umd::Contexts;

/* The flags for the next primary context of each device. */
static constinit std::array<std::atomic<unsigned>, umd::MAX_DEVICES> primary_flags{};

/* A reset does not release the references to a primary context: the program may release them later, and until
 * then they count like those of the next primary context. */
struct References {
	std::atomic<unsigned> held{0};	/* references that the program has not released */
	std::atomic<unsigned> reset{0}; /* how many of these refer to contexts that were reset */
};

static constinit std::array<References, umd::MAX_DEVICES> references{};

static bool take_one(std::atomic<unsigned> &count)
{
	unsigned seen = count.load();
	while (seen != 0 && !count.compare_exchange_weak(seen, seen - 1))
		;
	return seen != 0;
}

/* Checks a device number, and replaces the interface's number by the runtime's. */
static CUresult primary_of(CUdevice &dev, bool &active)
{
	TRY(find_device(dev, dev));
	return result(Contexts::get().primary_state(dev, active));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
	TRY(enter());
	if (!pctx)
		return null_argument("pctx");
	bool active = false;
	TRY(primary_of(dev, active));
	auto context = TRY(Contexts::get().retain_primary(dev));
	if (!active)
		context->flags = primary_flags[static_cast<unsigned>(dev)].load();
	References &mine = references[static_cast<unsigned>(dev)];
	/* A program that also uses the other interface may have ended the context, with all references,
	 * there. */
	if (!active && mine.reset.load() == 0)
		mine.held = 0;
	mine.held++;
	*pctx = context_handle(*context);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
	TRY(enter());
	bool active = false;
	TRY(primary_of(dev, active));
	References &mine = references[static_cast<unsigned>(dev)];
	(void)take_one(mine.held);
	if (take_one(mine.reset))
		return CUDA_SUCCESS;
	return result(Contexts::get().give_back_primary(dev, false));
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
	TRY(enter());
	bool active = false;
	TRY(primary_of(dev, active));
	if (!active)
		return CUDA_SUCCESS;
	References &mine = references[static_cast<unsigned>(dev)];
	mine.reset = mine.held.load();
	return result(Contexts::get().give_back_primary(dev, true));
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
	TRY(enter());
	bool active = false;
	TRY(primary_of(dev, active));
	TRY(check_context_flags(flags));
	primary_flags[static_cast<unsigned>(dev)] = flags;
	if (!active)
		return CUDA_SUCCESS;
	auto context = TRY(Contexts::get().retain_primary(dev));
	context->flags = flags;
	return result(Contexts::get().give_back_primary(dev, false));
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
	TRY(enter());
	if (!flags || !active)
		return null_argument(flags ? "active" : "flags");
	bool exists = false;
	TRY(primary_of(dev, exists));
	*flags = primary_flags[static_cast<unsigned>(dev)].load();
	*active = exists ? 1 : 0;
	return CUDA_SUCCESS;
}

static_assert(umd::CONTEXT_LIMITS == CU_LIMIT_PERSISTING_L2_CACHE_SIZE + 1);

static CUresult find_limit(CUlimit limit, ContextHold &context, unsigned &index)
{
	TRY(current_context(context));
	index = static_cast<unsigned>(limit);
	if (index < umd::CONTEXT_LIMITS)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_UNSUPPORTED_LIMIT,
		      fmt::format("limit is {}; the limits are 0 to {}", static_cast<int>(limit),
				  umd::CONTEXT_LIMITS - 1));
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
	TRY(enter());
	if (!pvalue)
		return null_argument("pvalue");
	ContextHold context;
	unsigned index = 0;
	TRY(find_limit(limit, context, index));
	*pvalue = static_cast<size_t>(context->limits.get(index).value_or(0));
	return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
	TRY(enter());
	ContextHold context;
	unsigned index = 0;
	TRY(find_limit(limit, context, index));
	context->limits.set(index, static_cast<int64_t>(value));
	return CUDA_SUCCESS;
}
