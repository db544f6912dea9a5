// SPDX-License-Identifier: MIT
/**
 * DOC: programs of the CUDA driver interface that look wrong and are right, and the main() of all programs of it
 */
#include "cuda.h"

CORRECT(T02_event_recorded_again)
{
	CUstream a = new_stream(), b = new_stream();
	CUevent made = new_event();
	const CUdeviceptr result = new_memory();
	for (int i = 0; i < 4; i++) {
		const CUdeviceptr x = new_undefined();
		fill(a, x);
		record(made, a);
		wait(b, made);
		copy(b, result, x);
	}
	OK(cuCtxSynchronize());
	EXPECT(has(result, 1));
}

CORRECT(T05_polling)
{
	CUstream a = new_stream(), b = new_stream();
	CUevent done = new_event();
	const CUdeviceptr x = new_memory();
	fill(a, x);
	record(done, a);
	while (cuEventQuery(done) == CUDA_ERROR_NOT_READY)
		;
	fill(b, x, BYTES, 2);
	while (cuStreamQuery(b) == CUDA_ERROR_NOT_READY)
		;
	fill(a, x, BYTES, 3);
	OK(cuCtxSynchronize());
	EXPECT(has(x, 3));
}

CORRECT(T07_blocking_streams_and_the_legacy_stream)
{
	CUstream a = new_stream(CU_STREAM_DEFAULT), b = new_stream(CU_STREAM_DEFAULT);
	const CUdeviceptr x = new_memory(), y = new_memory();
	fill(a, x);
	copy(nullptr, y, x);
	copy(b, x, y);
	OK(cuCtxSynchronize());
	EXPECT(has(y, 1));
}

/* Copies in the legacy stream between two blocking streams, again and again. */
CORRECT(S07)
{
	CUstream a = new_stream(CU_STREAM_DEFAULT), b = new_stream(CU_STREAM_DEFAULT);
	const CUdeviceptr x = new_memory(), y = new_memory(), z = new_memory(), w = new_memory();
	char *host = new_pinned();
	for (int i = 0; i < 3; i++) {
		fill(a, x);
		fill(b, y);
		copy(nullptr, z, x);
		copy(nullptr, w, y);
		copy(a, x, w);
		copy(b, y, z);
		OK(cuMemcpyDtoH(host, x, BYTES));
		OK(cuMemcpyDtoH(host, y, BYTES));
	}
}

CORRECT(T15_staged_source_is_reused_at_once)
{
	CUstream stream = new_stream();
	std::vector<char> pageable(BYTES);
	const CUdeviceptr x = new_memory();
	for (int i = 0; i < 3; i++) {
		pageable.assign(BYTES, static_cast<char>(i));
		OK(cuMemcpyHtoDAsync(x, pageable.data(), BYTES, stream));
	}
	sync(stream);
	EXPECT(has(x, 2));
}

CORRECT(T16_results_of_synchronous_copies)
{
	CUstream stream = new_stream(CU_STREAM_DEFAULT);
	std::vector<char> pageable(BYTES);
	char *pinned = new_pinned();
	const CUdeviceptr x = new_memory();
	fill(stream, x);
	OK(cuMemcpyDtoH(pageable.data(), x, BYTES));
	OK(cuMemcpyDtoH(pinned, x, BYTES));
	OK(cuMemcpyHtoD(x, pinned, BYTES));
	OK(cuMemFree(x));
	OK(cuMemFreeHost(pinned));
}

CORRECT(T20_graph_in_two_streams)
{
	CUstream a = new_stream(), b = new_stream();
	const CUdeviceptr x = new_memory(), y = new_memory();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
	copy(a, y, x);
	copy(a, x, y);
	OK(cuStreamEndCapture(a, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 100; i++)
		OK(cuGraphLaunch(exec, i % 3 == 0 ? a : b));
	OK(cuCtxSynchronize());
	OK(cuGraphExecDestroy(exec));
}

CORRECT(T22_free_that_waits)
{
	CUstream a = new_stream(), b = new_stream();
	CUdeviceptr x = new_memory();
	fill(a, x);
	OK(cuMemFree(x));
	x = new_undefined();
	fill(b, x, BYTES, 2);
	OK(cuCtxSynchronize());
	EXPECT(has(x, 2));
}

/* Other memory at the same address, after the work on the old one is done. The first wait for an event that is not
 * recorded yet is a note. */
PROGRAM(S24, "EVT-NOOP-WAIT")
{
	constexpr size_t SIZE = 2 << 20;
	CUstream a = new_stream(), b = new_stream();
	CUevent free = new_event();
	CUmemAllocationProp prop = {};
	prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	CUmemAccessDesc access = {};
	access.location = prop.location;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	CUdeviceptr view = 0;
	OK(cuMemAddressReserve(&view, SIZE, 0, 0, 0));
	for (int i = 0; i < 3; i++) {
		CUstream stream = i % 2 == 0 ? a : b;
		CUmemGenericAllocationHandle handle = 0;
		OK(cuMemCreate(&handle, SIZE, &prop, 0));
		OK(cuMemMap(view, SIZE, 0, handle, 0));
		OK(cuMemSetAccess(view, SIZE, &access, 1));
		if (i > 0 || !fixed)
			wait(stream, free);
		fill(stream, view, SIZE);
		record(free, stream);
		sync(stream);
		OK(cuMemUnmap(view, SIZE));
		OK(cuMemRelease(handle));
	}
}

static CUdevice device;

static void prepare()
{
	CUcontext context = nullptr;
	programs::use_two_devices();
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
}

static void finish()
{
	OK(cuDevicePrimaryCtxRelease(device));
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
