// SPDX-License-Identifier: MIT
/*
 * DOC: graphs whose context has failed
 *
 * "Returns CUDA_SUCCESS if all captured work has been completed, or CUDA_ERROR_NOT_READY if any captured work
 * is incomplete" (cuEventQuery). Work that is skipped will never run, so it must not keep an event pending.
 */
#include "graph/multi_device.h"
#include "support/child.h"

using namespace cuda_test;

namespace {

constexpr size_t kBytes = 4096;
alignas(kBytes) char memory[kBytes];

/* A graph that fails when it runs after cuMemHostUnregister(memory). */
CUgraphExec make_failing(CUcontext context)
{
	const Graph graph;
	CUgraphExec exec = nullptr;

	EXPECT_OK(cuMemHostRegister(memory, kBytes, 0));
	add_fill(graph, {}, context, reinterpret_cast<CUdeviceptr>(memory), 1);
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	return exec;
}

/* A context that will fail, with its stream. */
struct Bad {
	Bad(CUdevice device = 0)
	{
		EXPECT_OK(cuCtxCreate(&context, nullptr, 0, device));
		EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
		EXPECT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
	}

	/* The context fails when the gate opens. */
	void fail(Gate &gate) const
	{
		EXPECT_OK(cuCtxSetCurrent(context));
		CUgraphExec failing = make_failing(context);
		gate.block(stream);
		EXPECT_OK(cuGraphLaunch(failing, stream));
		EXPECT_OK(cuMemHostUnregister(memory));
	}

	CUcontext context = nullptr;
	CUstream stream = nullptr;
	CUevent event = nullptr;
};

} // namespace

/* Events of a healthy context and of the failed one, in a launch that is skipped. */
TEST(GraphFailures, ASkippedLaunchEndsItsRecords)
{
	if (!alone())
		return;
	ASSERT_OK(cuInit(0));
	const Context healthy;
	const Stream follower;
	const Event event;
	const Bad bad;
	const Graph graph;
	CUgraphExec exec = nullptr;
	Gate gate;

	add_record(graph, {}, event);
	add_record(graph, {}, bad.event);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	bad.fail(gate);
	ASSERT_OK(cuGraphLaunch(exec, bad.stream));
	ASSERT_OK(cuCtxSetCurrent(healthy));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	EXPECT_OK(cuStreamWaitEvent(follower, event, 0));
	EXPECT_OK(cuStreamWaitEvent(follower, bad.event, 0));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(follower));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_NE(cuEventQuery(bad.event), CUDA_ERROR_NOT_READY);
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(bad.stream));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_OK(cuCtxDestroy(bad.context));
	EXPECT_OK(cuCtxSynchronize());
}

/* The same for a part of a graph of two devices. */
TEST(GraphFailures, ASkippedPartEndsItsRecords)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first;
	const Stream here;
	const Stream follower;
	const Words a(4);
	const Bad bad(1);
	const Graph graph;
	CUgraphExec exec = nullptr;
	Gate gate;
	Gate second_gate;

	const CUgraphNode wait = add_gate(graph, {}, gate);
	const CUgraphNode fill = add_fill(graph, {wait}, first, a, 1);
	add_record(graph, {fill}, bad.event);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	bad.fail(second_gate);
	ASSERT_OK(cuCtxSetCurrent(first));
	ASSERT_OK(cuGraphLaunch(exec, here));
	EXPECT_OK(cuStreamWaitEvent(follower, bad.event, 0));
	second_gate.open();
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize(bad.stream));
	gate.open();
	EXPECT_NE(cuEventSynchronize(bad.event), CUDA_ERROR_NOT_READY);
	(void)cuStreamSynchronize(follower);
	(void)cuGraphExecDestroy(exec);
}
