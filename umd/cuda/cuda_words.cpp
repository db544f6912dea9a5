// SPDX-License-Identifier: MIT
/**
 * DOC: The CUDA driver interface's names for the words of the runtime
 */
#include "cuda_words.h"

#include <iterator>

#include "calls.h"
#include "front.h"

namespace umd::cuda {

/* Sorted by word. */
static constexpr Word CUDA_ROWS[] = {
	{"EVENT_IPC", "CU_EVENT_INTERPROCESS"},
	{"EVENT_WAIT_EXTERNAL", "CU_EVENT_WAIT_EXTERNAL"},
	{"VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES"},
	{"create_context", "cuCtxCreate"},
	{"create_event_ex_with_flag", "cuEventCreate"},
	{"device_enable_peer_access", "cuMemSetAccess or cuMemPoolSetAccess"},
	{"free", "cuMemFree"},
	{"free_host", "cuMemFreeHost"},
	{"host_unregister", "cuMemHostUnregister"},
	{"init", "cuInit"},
	{"ipc_mem_close", "cuIpcCloseMemHandle"},
	{"launch_host_func", "cuLaunchHostFunc"},
	{"malloc", "cuMemAlloc"},
	{"malloc_host", "cuMemAllocHost"},
	{"map_mem", "cuMemMap"},
	{"mem_managed_prefetch_async", "cuMemPrefetchAsync"},
	{"mem_pool_free_async", "cuMemFreeAsync"},
	{"memcpy", "cuMemcpy"},
	{"memcpy2d_async", "cuMemcpy2DAsync"},
	{"memcpy_async", "cuMemcpyAsync"},
	{"memset", "cuMemsetD8"},
	{"memset_async", "cuMemsetD8Async"},
	{"model_capture_begin", "cuStreamBeginCapture"},
	{"model_capture_end", "cuStreamEndCapture"},
	{"model_capture_thread_exchange_mode", "cuThreadExchangeStreamCaptureMode"},
	{"model_destroy", "cuGraphDestroy"},
	{"model_execute_async", "cuGraphLaunch"},
	{"record_event", "cuEventRecord"},
	{"reserve_mem_address", "cuMemAddressReserve"},
	{"reset_device", "cuDevicePrimaryCtxReset"},
	{"set_current_context", "cuCtxSetCurrent"},
	{"set_device", "cuDevicePrimaryCtxRetain"},
	{"stream_wait_event", "cuStreamWaitEvent"},
	{"synchronize_device", "cuCtxSynchronize"},
	{"synchronize_event", "cuEventSynchronize"},
	{"synchronize_stream", "cuStreamSynchronize"},
	{"unmap_mem", "cuMemUnmap"},
	{"value_wait", "cuStreamWaitValue32"},
	{"value_write", "cuStreamWriteValue32"},
	{"virtual_address", "ptr"},
};

static constexpr NamedCall CUDA_CALLS[] = {
#define UNPU_CUDA_CALL_ROW(constant, function, kind) {#function, Call::kind},
	UNPU_CUDA_CALL_LIST(UNPU_CUDA_CALL_ROW)
#undef UNPU_CUDA_CALL_ROW
};

void name_calls()
{
	set_named_calls(CUDA_CALLS, std::size(CUDA_CALLS));
}

constinit const Words cuda_words{
	.rows = CUDA_ROWS, .count = std::size(CUDA_ROWS), .status_name = status_name};

} // namespace umd::cuda
