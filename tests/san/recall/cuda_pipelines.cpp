// SPDX-License-Identifier: MIT
/**
 * DOC: sample programs of the CUDA driver interface
 *
 * What programs do that come from there: memory of streams, graphs, and work behind the legacy stream. All are correct.
 */
#include "san/programs/cuda.h"

static constexpr int STEPS = 4;

static CUdevice device;

/* Memory that one stream allocates, another uses, and the first one frees. */
CORRECT(Q01_memory_of_a_stream)
{
	CUstream main = new_stream(), side = new_stream();
	CUevent made = new_event(), used = new_event();
	const CUdeviceptr result = new_memory();
	for (int i = 0; i < STEPS; i++) {
		CUdeviceptr x = 0;
		OK(cuMemAllocAsync(&x, BYTES, main));
		fill(main, x);
		record(made, main);
		wait(side, made);
		copy(side, result, x);
		record(used, side);
		wait(main, used);
		OK(cuMemFreeAsync(x, main));
	}
	sync(main);
	sync(side);
	OK(cuMemFree(result));
}

/* A step is captured over two streams, and launched again and again beside a loader. */
CORRECT(Q02_graph_beside_a_loader)
{
	CUstream main = new_stream(), side = new_stream(), load = new_stream();
	CUevent fork = new_event(), join = new_event(), loaded = new_event(), used = new_event();
	const CUdeviceptr in = new_memory(), a = new_memory(), b = new_memory();
	char *source = new_pinned();
	CUgraph graph = nullptr;
	CUgraphExec step = nullptr;
	OK(cuStreamBeginCapture(main, CU_STREAM_CAPTURE_MODE_GLOBAL));
	copy(main, a, in);
	record(fork, main);
	wait(side, fork);
	copy(side, b, a);
	record(join, side);
	wait(main, join);
	copy(main, a, b);
	OK(cuStreamEndCapture(main, &graph));
	OK(cuGraphInstantiate(&step, graph, 0));
	for (int i = 0; i < STEPS; i++) {
		if (i > 0)
			wait(load, used);
		OK(cuMemcpyHtoDAsync(in, source, BYTES, load));
		record(loaded, load);
		wait(main, loaded);
		OK(cuGraphLaunch(step, main));
		record(used, main);
	}
	sync(main);
	sync(load);
	OK(cuGraphExecDestroy(step));
	OK(cuMemFreeHost(source));
}

/* Blocking streams between two steps of the legacy stream, and a stream that is not one of them. */
CORRECT(Q03_legacy_stream)
{
	CUstream a = new_stream(CU_STREAM_DEFAULT), own = new_stream();
	CUevent done = new_event();
	const CUdeviceptr x = new_memory(), y = new_memory(), z = new_memory();
	for (int i = 0; i < STEPS; i++) {
		fill(nullptr, x);
		copy(a, y, x);
		record(done, a);
		wait(own, done);
		copy(own, z, y);
		record(done, own);
		wait(a, done);
	}
	sync(own);
	OK(cuMemcpyDtoD(x, z, BYTES));
	OK(cuCtxSynchronize());
}

/* Words of memory in place of events. */
CORRECT(Q04_words)
{
	CUstream a = new_stream(), b = new_stream();
	const CUdeviceptr x = new_memory(), y = new_memory(), words = new_memory(64);
	for (cuuint32_t i = 1; i <= STEPS; i++) {
		fill(a, x);
		OK(cuStreamWriteValue32(a, words, i, 0));
		OK(cuStreamWaitValue32(b, words, i, CU_STREAM_WAIT_VALUE_GEQ));
		copy(b, y, x);
		OK(cuStreamWriteValue32(b, words + 4, i, 0));
		OK(cuStreamWaitValue32(a, words + 4, i, CU_STREAM_WAIT_VALUE_GEQ));
	}
	sync(a);
	sync(b);
	OK(cuMemFree(x));
}

static void prepare()
{
	CUcontext context = nullptr;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare,
				 [] { OK(cuDevicePrimaryCtxRelease(device)); });
}
