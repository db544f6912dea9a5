// SPDX-License-Identifier: MIT
/**
 * DOC: CUDA programs with races that were reported of public projects
 *
 * Each is the race alone, in the shape that the project had it.
 */
#include <array>

#include "cuda.h"

/* A scheduler, as ggml's, has one buffer for the input of a graph. It copies the next input while the last graph
 * still reads it. */
PROGRAM(R01_next_input_while_the_last_graph_reads_it, "RACE-WAR")
{
	constexpr size_t STEPS = 3;
	CUstream copies = new_stream(), compute = new_stream();
	CUevent ready = new_event(), used = new_event();
	const CUdeviceptr input = new_memory(), result = new_memory();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuStreamBeginCapture(compute, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	copy(compute, result, input);
	OK(cuStreamEndCapture(compute, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	for (size_t step = 0; step < STEPS; step++) {
		char *staging = new_pinned();
		std::fill_n(staging, BYTES, static_cast<char>(step));
		if (fixed && step > 0)
			wait(copies, used);
		OK(cuMemcpyHtoDAsync(input, staging, BYTES, copies));
		record(ready, copies);
		wait(compute, ready);
		OK(cuGraphLaunch(exec, compute));
		if (fixed)
			record(used, compute);
	}
	OK(cuCtxSynchronize());
	EXPECT(has(result, STEPS - 1));
}

namespace {

/* class Pool - keeps buffers that were given back, and gives them out again on any stream. */
class Pool {
public:
	CUdeviceptr take(CUstream stream)
	{
		if (free_.empty())
			return new_memory();
		const Free block = free_.back();
		free_.pop_back();
		if (block.used)
			wait(stream, block.used);
		return block.memory;
	}
	void give_back(CUdeviceptr memory, CUevent used) { free_.push_back({memory, used}); }

private:
	struct Free {
		CUdeviceptr memory;
		CUevent used; /* recorded behind the last use; nullptr: nobody waits for it */
	};
	std::vector<Free> free_;
};

} // namespace

/* An allocator keeps what is freed, and gives it to another stream, as frameworks do whose record of streams is
 * forgotten. */
PROGRAM(R02_buffer_of_a_pool_on_another_stream, "RACE-WAR RACE-WAW")
{
	Pool pool;
	CUstream a = new_stream(), b = new_stream();
	const CUdeviceptr result = new_memory(), temporary = pool.take(a);
	CUevent used = nullptr;
	fill(a, temporary);
	copy(a, result, temporary);
	if (fixed) {
		used = new_event();
		record(used, a);
	}
	pool.give_back(temporary, used);
	fill(b, pool.take(b), BYTES, 2);
	OK(cuCtxSynchronize());
}

/* A capture forks a side stream. The stream that uses the result joins it only at the end, so that the capture is
 * whole, and too late. */
PROGRAM(R03_side_stream_that_joins_too_late, "GRAPH-RACE")
{
	CUstream main = new_stream(), side = new_stream();
	CUevent fork = new_event(), join = new_event();
	const CUdeviceptr x = new_memory(), result = new_memory();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;
	OK(cuStreamBeginCapture(main, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	record(fork, main);
	wait(side, fork);
	fill(side, x);
	record(join, side);
	if (fixed)
		wait(main, join);
	copy(main, result, x);
	if (!fixed)
		wait(main, join);
	OK(cuStreamEndCapture(main, &graph));
	OK(cuGraphInstantiate(&exec, graph, 0));
	OK(cuGraphLaunch(exec, main));
	OK(cuCtxSynchronize());
}
