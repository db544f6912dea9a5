// SPDX-License-Identifier: MIT
/**
 * DOC: Contexts, and each thread's stack of contexts
 */
#include "context.h"
#include "umd/cuda/device/device_list.h"

#include "umd/core/context/context_streams.h"
#include "umd/core/context/contexts.h"
#include "umd/core/object/context_object.h"
#include "umd/core/process/error.h"
#include "umd/core/process/thread_state.h"
#include "umd/cuda/capture/capture.h"
#include "umd/cuda/thread.h"

namespace umd::cuda {

using base::Status;

static bool has_context_tag(uint64_t handle)
{
	return handle >> 56 == static_cast<uint8_t>(Kind::CONTEXT);
}

static CUresult refuse_context(const void *handle)
{
	if (has_context_tag(reinterpret_cast<uint64_t>(handle)))
		return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED,
			      fmt::format("context {} was destroyed; cuCtxCreate makes another",
					  fmt::ptr(handle)));
	return refuse(CUDA_ERROR_INVALID_CONTEXT,
		      fmt::format("context {} is no context; pass one of cuCtxCreate or "
				  "cuDevicePrimaryCtxRetain",
				  fmt::ptr(handle)));
}

CUresult check_context(Context &context)
{
	Status status = context.failed.load();
	if (status == Status::OK) [[likely]]
		return CUDA_SUCCESS;
	return refuse(result(status),
		      fmt::format("a task of context {} has failed: {}. Nothing works in it any "
				  "more but destroying it",
				  fmt::ptr(context_handle(context)),
				  base::status_sentence(status)));
}

CUresult settle(Context &context, Status status)
{
	/* These statuses are errors of the call. Every other status is the failure of a task. */
	if (status == Status::OK || status == Status::STREAM_CAPTURED ||
	    status == Status::INVALID_ARGUMENT || status == Status::NO_MEMORY)
		return result(status);
	Status none = Status::OK;
	context.failed.compare_exchange_strong(none, status);
	return result(status);
}

CUresult current_context(ContextHold &context)
{
	uint64_t handle = ThreadState::mine().context;
	const void *pointer = reinterpret_cast<const void *>(handle);
	context = Contexts::hold_context(handle);
	if (context) [[likely]]
		return check_context(*context);
	if (handle != 0)
		return refuse_context(pointer);
	return refuse(CUDA_ERROR_INVALID_CONTEXT,
		      "the calling thread has no current context; call cuCtxCreate, or "
		      "cuDevicePrimaryCtxRetain and cuCtxSetCurrent");
}

CUresult find_context(CUcontext handle, ContextHold &context)
{
	if (!handle)
		return current_context(context);
	context = Contexts::hold_context(reinterpret_cast<uint64_t>(handle));
	return context ? CUDA_SUCCESS : refuse_context(handle);
}

CUresult check_context_flags(unsigned flags)
{
	unsigned way = flags & CU_CTX_SCHED_MASK;
	if (flags & ~unsigned{CU_CTX_FLAGS_MASK})
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; only bits of 0xff are known", flags));
	if (way & (way - 1))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it may contain one of "
					  "CU_CTX_SCHED_SPIN (1), YIELD (2) and BLOCKING_SYNC (4)",
					  flags));
	return CUDA_SUCCESS;
}

CUresult create_context(CUcontext *out, unsigned flags, CUdevice device)
{
	if (!out)
		return null_argument("pctx");
	TRY(check_context_flags(flags));
	uint64_t below = ThreadState::mine().context;
	int32_t index = 0;
	TRY(find_device(device, index));
	auto context = TRY(Contexts::get().create_context(index));
	if (below)
		thread_objects().below.push_back(below);
	context->flags = flags;
	*out = context_handle(*context);
	return CUDA_SUCCESS;
}

hal::WaitWay way_of(const Context &context)
{
	switch (context.flags.load() & CU_CTX_SCHED_MASK) {
	case CU_CTX_SCHED_SPIN:
		return hal::WaitWay::SPIN;
	case CU_CTX_SCHED_YIELD:
		return hal::WaitWay::YIELD;
	case CU_CTX_SCHED_BLOCKING_SYNC:
		return hal::WaitWay::SLEEP;
	}
	return hal::WaitWay::POLITE;
}

CUresult synchronize_context(Context &context)
{
	TRY(refuse_context_capturing(context, "cuCtxSynchronize"));
	TRY(check_unsafe_call("cuCtxSynchronize"));
	return settle(context, wait_context(context, base::NO_DEADLINE, way_of(context)));
}

static uint64_t pop()
{
	ThreadState &me = ThreadState::mine();
	uint64_t top = me.context;
	me.context = 0;
	if (top == 0)
		return 0;
	auto &below = thread_objects().below;
	if (!below.empty()) {
		me.context = below.back();
		below.pop_back();
	}
	return top;
}

} // namespace umd::cuda

using namespace umd::cuda;
using base::Status;
using umd::Context;
using umd::Contexts;
using umd::ThreadState;

CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *ctxCreateParams, unsigned int flags,
		     CUdevice dev)
{
	TRY(enter());
	if (ctxCreateParams &&
	    (ctxCreateParams->numExecAffinityParams != 0 || ctxCreateParams->cigParams))
		return refuse(CUDA_ERROR_NOT_SUPPORTED,
			      "ctxCreateParams asks for a part of a device or for graphics; pass "
			      "NULL");
	return create_context(pctx, flags, dev);
}

CUresult cuCtxDestroy(CUcontext ctx)
{
	TRY(enter());
	if (!ctx)
		return null_argument("ctx");
	ContextHold context;
	TRY(find_context(ctx, context));
	if (context->is_primary)
		return refuse(CUDA_ERROR_INVALID_CONTEXT,
			      "ctx is the primary context of its device; "
			      "cuDevicePrimaryCtxRelease gives it back");
	bool mine = ThreadState::mine().context == context->handle;
	Status status = Contexts::get().destroy_context(ctx);
	if (mine && status == Status::OK) {
		ThreadState::mine().context = reinterpret_cast<uint64_t>(ctx);
		(void)pop();
	}
	return result(status);
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
	TRY(enter());
	Context *context = Context::table().get(ctx);
	if (!context)
		return refuse_context(ctx);
	uint64_t &current = ThreadState::mine().context;
	if (current)
		thread_objects().below.push_back(current);
	current = context->handle;
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
	TRY(enter());
	uint64_t top = pop();
	if (top == 0)
		return refuse(CUDA_ERROR_INVALID_CONTEXT,
			      "the calling thread has no context on its stack; cuCtxPushCurrent "
			      "puts one there");
	if (pctx)
		*pctx = reinterpret_cast<CUcontext>(top);
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
	TRY(enter());
	if (!ctx) {
		(void)pop();
		return CUDA_SUCCESS;
	}
	Context *context = Context::table().get(ctx);
	if (!context)
		return refuse_context(ctx);
	ThreadState::mine().context = context->handle;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
	TRY(enter());
	if (!pctx)
		return null_argument("pctx");
	*pctx = reinterpret_cast<CUcontext>(ThreadState::mine().context);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	TRY(enter());
	if (!device)
		return null_argument("device");
	ContextHold context;
	TRY(current_context(context));
	*device = device_number(context->state->index);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
	TRY(enter());
	if (!flags)
		return null_argument("flags");
	ContextHold context;
	TRY(current_context(context));
	*flags = context->flags | CU_CTX_MAP_HOST;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags)
{
	TRY(enter());
	TRY(check_context_flags(flags));
	ContextHold context;
	TRY(current_context(context));
	context->flags = flags;
	return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext ctx, unsigned long long *ctxId)
{
	TRY(enter());
	if (!ctxId)
		return null_argument("ctxId");
	ContextHold context;
	TRY(find_context(ctx, context));
	*ctxId = handle_id(context->handle);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
	constexpr unsigned API_VERSION = 3020;
	TRY(enter());
	if (!version)
		return null_argument("version");
	ContextHold context;
	TRY(find_context(ctx, context));
	*version = API_VERSION;
	return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize()
{
	TRY(enter());
	ContextHold context;
	TRY(current_context(context));
	return synchronize_context(*context);
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	TRY(enter());
	ContextHold context;
	TRY(current_context(context));
	if (leastPriority)
		*leastPriority = LEAST_PRIORITY;
	if (greatestPriority)
		*greatestPriority = GREATEST_PRIORITY;
	return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)
{
	TRY(enter());
	if (Flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("Flags is {:#x}; it must be 0", Flags));
	if (!peerContext)
		return refuse(CUDA_ERROR_INVALID_CONTEXT, "peerContext is NULL");
	ContextHold context;
	TRY(current_context(context));
	TRY(find_context(peerContext, context));
	return refuse(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
		      "devices have address spaces of their own; cuMemcpyPeer copies between them");
}

CUresult cuCtxDisablePeerAccess(CUcontext peerContext)
{
	TRY(enter());
	if (!peerContext)
		return refuse(CUDA_ERROR_INVALID_CONTEXT, "peerContext is NULL");
	ContextHold context;
	TRY(current_context(context));
	TRY(find_context(peerContext, context));
	return refuse(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
		      "no context can access the memory of another device; cuMemcpyPeer copies "
		      "between them");
}
