// SPDX-License-Identifier: MIT
/**
 * DOC: programs of the CUDA driver interface with mistakes
 */
#include "cuda.h"

PROGRAM(C03_two_streams_fill_one_buffer, "RACE-WAW SHOWS")
{
	CUstream a = new_stream(), b = new_stream();
	const CUdeviceptr buffer = new_memory();
	fill(a, buffer);
	if (fixed)
		sync(a);
	fill(b, buffer, BYTES, 2);
	OK(cuCtxSynchronize());
	EXPECT(has(buffer, 2));
}

PROGRAM(C06_wait_before_the_first_record, "EVT-NOOP-WAIT RACE-RAW SHOWS")
{
	CUstream copies = new_stream(), compute = new_stream();
	const CUdeviceptr input = new_memory(), result = new_memory();
	CUevent ready = new_event();
	fill(copies, input);
	if (fixed)
		record(ready, copies);
	wait(compute, ready);
	if (!fixed)
		record(ready, copies);
	copy(compute, result, input);
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

PROGRAM(C12_free_in_a_stream_while_another_uses_it, "UAF-STREAM")
{
	CUstream a = new_stream(), b = new_stream();
	CUevent used = new_event();
	const CUdeviceptr x = new_memory(), result = new_memory();
	copy(b, result, x);
	if (fixed) {
		record(used, b);
		wait(a, used);
	}
	OK(cuMemFreeAsync(x, a));
	OK(cuCtxSynchronize());
}

PROGRAM(C38_free_in_a_stream_that_does_not_know_the_allocation, "USE-BEFORE-ALLOC")
{
	CUstream a = new_stream(), b = new_stream();
	CUdeviceptr x = 0;
	OK(cuMemAllocAsync(&x, BYTES, a));
	if (fixed)
		sync(a);
	OK(cuMemFreeAsync(x, b));
	OK(cuCtxSynchronize());
}

PROGRAM(C13_use_before_the_allocation_in_another_stream, "USE-BEFORE-ALLOC")
{
	CUstream a = new_stream(), b = new_stream();
	CUevent allocated = new_event();
	CUdeviceptr x = 0;
	OK(cuMemAllocAsync(&x, BYTES, a));
	if (fixed) {
		record(allocated, a);
		wait(b, allocated);
	}
	fill(b, x);
	OK(cuCtxSynchronize());
}

static CUgraphNode add_fill(CUgraph graph, CUdeviceptr memory, unsigned value,
			    std::vector<CUgraphNode> after)
{
	CUDA_MEMSET_NODE_PARAMS params = {};
	params.dst = memory;
	params.value = value;
	params.elementSize = 1;
	params.width = BYTES;
	params.height = 1;
	CUgraphNode node = nullptr;
	CUcontext context = nullptr;
	OK(cuCtxGetCurrent(&context));
	OK(cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params, context));
	return node;
}

PROGRAM(C21_memory_of_a_graph_is_freed, "UAF-GRAPH")
{
	CUstream stream = new_stream();
	const CUdeviceptr x = new_memory();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuGraphCreate(&graph, 0));
	add_fill(graph, x, 1, {});
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphLaunch(exec, stream));
	sync(stream);
	OK(cuMemFree(x));
	/* The driver still has the memory mapped. */
	if (!fixed)
		(void)cuGraphLaunch(exec, stream);
	(void)cuStreamSynchronize(stream);
}

PROGRAM(C22_edge_between_two_nodes_is_missing, "GRAPH-RACE SHOWS")
{
	const CUdeviceptr x = new_memory();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuGraphCreate(&graph, 0));
	CUgraphNode first = add_fill(graph, x, 1, {});
	add_fill(graph, x, 2, fixed ? std::vector{first} : std::vector<CUgraphNode>());
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphLaunch(exec, nullptr));
	OK(cuCtxSynchronize());
	EXPECT(has(x, 2));
}

PROGRAM(C24_non_blocking_stream_and_the_legacy_stream, "RACE-RAW RACE-RAW:non-blocking SHOWS")
{
	CUstream own = new_stream(fixed ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
	const CUdeviceptr x = new_memory(), result = new_memory();
	fill(nullptr, x);
	copy(own, result, x);
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

PROGRAM(C25_staged_copy_and_a_non_blocking_stream, "RACE-RAW")
{
	CUstream own = new_stream();
	const std::vector<char> pageable(BYTES, 1);
	const CUdeviceptr x = new_memory(), result = new_memory();
	OK(cuMemcpyHtoD(x, pageable.data(), BYTES));
	if (fixed)
		sync(nullptr);
	copy(own, result, x);
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

PROGRAM(C26_memset_that_returns_early, "RACE-RAW SHOWS")
{
	CUstream own = new_stream();
	const CUdeviceptr x = new_undefined(), result = new_memory();
	OK(cuMemsetD8(x, 1, BYTES));
	if (fixed)
		sync(nullptr);
	copy(own, result, x);
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

PROGRAM(C31_alias_of_mapped_memory, "RACE-WAW SHOWS")
{
	constexpr size_t SIZE = 2 << 20;
	CUstream a = new_stream(), b = new_stream();
	CUmemAllocationProp prop = {};
	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	CUmemGenericAllocationHandle handle = 0;
	CUmemAccessDesc access = {};
	access.location = prop.location;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	OK(cuMemCreate(&handle, SIZE, &prop, 0));
	CUdeviceptr views[2] = {};
	for (CUdeviceptr &view : views) {
		OK(cuMemAddressReserve(&view, SIZE, 0, 0, 0));
		OK(cuMemMap(view, SIZE, 0, handle, 0));
		OK(cuMemSetAccess(view, SIZE, &access, 1));
	}
	fill(a, views[0]);
	fill(b, views[1] + (fixed ? BYTES : 0), BYTES, 2);
	OK(cuCtxSynchronize());
	EXPECT(has(views[0], fixed ? 1 : 2));
}

/* A wait of all streams of a context, also of those that are created later. */
PROGRAM(C28_wait_of_a_context, "RACE-RAW SHOWS")
{
	CUcontext context = nullptr;
	CUstream a = new_stream();
	const CUdeviceptr x = new_memory(), result = new_memory();
	CUevent made = new_event();
	OK(cuCtxGetCurrent(&context));
	fill(a, x);
	OK(cuEventRecord(made, a));
	if (fixed)
		OK(cuCtxWaitEvent(context, made));
	CUstream b = new_stream();
	copy(b, result, x);
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

/* Pinned memory is good for streams of every device. */
PROGRAM(C39_pinned_memory_of_two_devices, "RACE-RAW SHOWS")
{
	CUcontext first = nullptr, second = nullptr;
	CUdevice other = 0;
	OK(cuDeviceGet(&other, 1));
	OK(cuDevicePrimaryCtxRetain(&second, other));
	OK(cuCtxGetCurrent(&first));
	OK(cuCtxSetCurrent(second));
	CUstream b = new_stream();
	const CUdeviceptr result = new_memory();
	OK(cuCtxSetCurrent(first));
	CUstream a = new_stream();
	CUevent written = new_event();
	const CUdeviceptr source = new_memory();
	void *pinned = nullptr;
	OK(cuMemHostAlloc(&pinned, BYTES, CU_MEMHOSTALLOC_PORTABLE));
	fill(a, source);
	OK(cuMemcpyDtoHAsync(pinned, source, BYTES, a));
	record(written, a);
	OK(cuCtxSetCurrent(second));
	if (fixed)
		wait(b, written);
	OK(cuMemcpyHtoDAsync(result, pinned, BYTES, b));
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
	OK(cuCtxSetCurrent(first));
	OK(cuCtxSynchronize());
	OK(cuDevicePrimaryCtxRelease(other));
}
