// SPDX-License-Identifier: MIT
/*
 * DOC: graphs with nodes of several devices: captures, failures and ends
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <array>
#include <thread>

using namespace cuda_test;

TEST(MultiDeviceEnds, ACaptureForksToTheOtherDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event fork = event_of(two.first);
	const Event back = event_of(two.second);
	CUgraph captured = nullptr;

	two.use_first();
	{
		Capturing capture(two.here);

		EXPECT_OK(cuMemsetD32Async(two.a, 4, 1, two.here));
		EXPECT_OK(cuEventRecord(fork, two.here));
		EXPECT_OK(cuStreamWaitEvent(two.there, fork, 0));
		two.use_second();
		EXPECT_OK(cuMemcpyPeerAsync(two.b, two.second, two.a, two.first, 4, two.there));
		EXPECT_OK(cuMemsetD32Async(two.b + 4, 6, 1, two.there));
		EXPECT_OK(cuEventRecord(back, two.there));
		two.use_first();
		EXPECT_OK(cuMemsetD32Async(two.a + 4, 5, 1, two.here));
		EXPECT_OK(cuStreamWaitEvent(two.here, back, 0));
		EXPECT_OK(cuMemcpyPeerAsync(two.a + 8, two.first, two.b + 4, two.second, 4,
					    two.here));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 5u);
	EXPECT_EQ(two.a.load()[0], 0u);
	const Exec exec(graph);
	exec.run(two.here);
	EXPECT_EQ(two.a.load()[1], 5u);
	EXPECT_EQ(two.a.load()[2], 6u);
	EXPECT_EQ(two.b.load()[0], 4u);
}

/* The rules of a capture hold in the contexts of all its streams. */
TEST(MultiDeviceEnds, ACaptureForbidsCallsInBothContexts)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event fork = event_of(two.first);
	{
		Capturing capture(two.here, CU_STREAM_CAPTURE_MODE_RELAXED);

		EXPECT_OK(cuEventRecord(fork, two.here));
		EXPECT_OK(cuStreamWaitEvent(two.there, fork, 0));
		two.use_second();
		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	EXPECT_OK(cuCtxSynchronize());
	two.use_first();
	{
		Capturing capture(two.here);

		EXPECT_OK(cuMemsetD32Async(two.a, 4, 1, two.here));
		EXPECT_OK(cuEventRecord(fork, two.here));
		EXPECT_OK(cuStreamWaitEvent(two.there, fork, 0));
		EXPECT_OK(cuMemsetD32Async(two.b, 4, 1, two.there));
		/* The stream does not lead back. */
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	}
	EXPECT_OK(cuMemsetD32Async(two.b, 4, 1, two.there));
	EXPECT_OK(cuStreamSynchronize(two.there));
}

/* The context of a stream that came back ends. Its task is a node that needs the context. */
TEST(MultiDeviceEnds, ACaptureGoesOnWithoutAContext)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Stream here;
	const Event fork;
	CUcontext second = nullptr;
	CUdeviceptr word = 0;
	CUevent back = nullptr;
	CUstream there = nullptr;
	CUgraph captured = nullptr;
	CUgraphExec exec = nullptr;

	ASSERT_OK(cuCtxCreate(&second, nullptr, 0, 1));
	ASSERT_OK(cuStreamCreate(&there, CU_STREAM_NON_BLOCKING));
	ASSERT_OK(cuEventCreate(&back, CU_EVENT_DISABLE_TIMING));
	ASSERT_OK(cuMemAlloc(&word, sizeof(unsigned)));
	ASSERT_OK(cuCtxSetCurrent(first));
	ASSERT_OK(cuStreamBeginCapture(here, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_OK(cuEventRecord(fork, here));
	EXPECT_OK(cuStreamWaitEvent(there, fork, 0));
	EXPECT_OK(cuMemsetD32Async(word, 1, 1, there));
	EXPECT_OK(cuEventRecord(back, there));
	EXPECT_OK(cuStreamWaitEvent(here, back, 0));
	EXPECT_OK(cuCtxDestroy(second));
	ASSERT_OK(cuStreamEndCapture(here, &captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 1u);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuStreamSynchronize(here));
}

TEST(MultiDeviceEnds, AGraphIsDestroyedDuringItsLaunch)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	Gate gate;
	CUgraphExec exec = nullptr;
	CUuserObject object = nullptr;
	std::atomic<int> gone{0};
	const CUgraphNode wait = add_gate(graph, {}, gate);
	const CUgraphNode fill = add_fill(graph, {wait}, two.first, two.a, 2);
	const CUgraphNode copy = add_copy(graph, {fill}, two.second, two.b, two.a);
	add_copy(graph, {copy}, two.first, two.a + 4, two.b);
	ASSERT_OK(cuUserObjectCreate(
		&object, &gone, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, 1,
		CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
	ASSERT_OK(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	ASSERT_OK(cuGraphReleaseUserObject(graph, object, 1));
	EXPECT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuGraphLaunch(exec, two.there));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, two.here));
	EXPECT_EQ(gone.load(), 0);
	gate.open();
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(two.a.load()[1], 2u);
	/* Calls that look for work that is done. */
	EXPECT_OK(cuCtxSynchronize());
	two.use_second();
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_EQ(gone.load(), 1);
}

/* A node of the second device fails: its memory is gone when it runs. */
TEST(MultiDeviceEnds, AFailureOnTheOtherDevice)
{
	if (!alone("devices=2"))
		return;
	constexpr size_t kBytes = 4096;
	alignas(kBytes) static char memory[kBytes];
	ASSERT_OK(cuInit(0));
	/* Its contexts are of no use afterwards. */
	static const Two &two = *new Two;
	const Graph graph;
	Gate gate;
	CUgraphExec exec = nullptr;

	two.use_second();
	ASSERT_OK(cuMemHostRegister(memory, kBytes, 0));
	const CUgraphNode wait = add_gate(graph, {}, gate);
	const CUgraphNode bad =
		add_fill(graph, {wait}, two.second, reinterpret_cast<CUdeviceptr>(memory), 1);
	add_fill(graph, {bad}, two.first, two.a, 1);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	ASSERT_OK(cuMemHostUnregister(memory));
	two.use_first();
	ASSERT_OK(cuGraphLaunch(exec, two.here));
	gate.open();
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(two.here));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuGraphLaunch(exec, two.here));
	two.use_second();
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
	EXPECT_OK(cuGraphExecDestroy(exec));
}

/* A launch after the context of a node has ended, and one whose context ends meanwhile. */
TEST(MultiDeviceEnds, TheOtherContextEnds)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Stream here;
	const Words a(4);
	CUcontext second = nullptr;
	CUdeviceptr b = 0;
	CUgraphExec exec = nullptr;
	CUgraphExec later = nullptr;

	ASSERT_OK(cuCtxCreate(&second, nullptr, 0, 1));
	ASSERT_OK(cuMemAlloc(&b, 64));
	const Graph graph;
	const CUgraphNode fill = add_fill(graph, {}, second, b, 1);
	add_fill(graph, {fill}, first, a, 2);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	ASSERT_OK(cuCtxSetCurrent(first));
	Gate gate;
	gate.block(here);
	EXPECT_OK(cuGraphLaunch(exec, here));
	/* Its destruction waits for the work. */
	std::thread destroyer([&] { EXPECT_OK(cuCtxDestroy(second)); });
	gate.open();
	destroyer.join();
	EXPECT_OK(cuStreamSynchronize(here));
	EXPECT_EQ(a.load()[0], 2u);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, here));
	EXPECT_OK(cuStreamSynchronize(here));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphInstantiate(&later, graph, 0));
	EXPECT_OK(cuGraphExecDestroy(exec));
}

/* The launch stream's context ends while the other device has its part. */
TEST(MultiDeviceEnds, TheContextOfTheLaunchEnds)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context second(1);
	const Words b(4);
	CUcontext first = nullptr;
	CUstream here = nullptr;
	CUdeviceptr a = 0;

	ASSERT_OK(cuCtxCreate(&first, nullptr, 0, 0));
	ASSERT_OK(cuMemAlloc(&a, 64));
	ASSERT_OK(cuStreamCreate(&here, CU_STREAM_NON_BLOCKING));
	const Graph graph;
	const CUgraphNode fill = add_fill(graph, {}, second, b, 1);
	add_fill(graph, {fill}, first, a, 2);
	const Exec exec(graph);
	for (int i = 0; i < 20; ++i)
		EXPECT_OK(cuGraphLaunch(exec, here));
	EXPECT_OK(cuCtxDestroy(first));
	ASSERT_OK(cuCtxSetCurrent(second));
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_EQ(b.load()[0], 1u);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, CU_STREAM_PER_THREAD));
	EXPECT_OK(cuCtxSynchronize());
}

TEST(MultiDeviceEnds, PrimaryContextsAreReset)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	std::array<CUcontext, 2> contexts = {};
	std::array<CUdeviceptr, 2> memory = {};
	CUgraphExec exec = nullptr;
	CUstream stream = nullptr;

	for (int i = 0; i < 2; ++i) {
		ASSERT_OK(cuDevicePrimaryCtxRetain(&contexts[i], i));
		ASSERT_OK(cuCtxSetCurrent(contexts[i]));
		ASSERT_OK(cuMemAlloc(&memory[i], 64));
	}
	ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	const Graph graph;
	const CUgraphNode fill = add_fill(graph, {}, contexts[0], memory[0], 1);
	add_fill(graph, {fill}, contexts[1], memory[1], 2);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuDevicePrimaryCtxReset(0));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
	EXPECT_OK(cuDevicePrimaryCtxReset(1));
	EXPECT_OK(cuGraphExecDestroy(exec));
}

/* A launch that is captured becomes a child graph of both devices. */
TEST(MultiDeviceEnds, ACapturedLaunch)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	CUgraph captured = nullptr;
	add_ping_pong(graph, two, 3);
	const Exec exec(graph);
	{
		Capturing capture(two.there);

		EXPECT_OK(cuGraphLaunch(exec, two.there));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph outer(captured);
	const Exec again(outer);
	again.run(two.there);
	expect_ping_pong(two, 3);
}
