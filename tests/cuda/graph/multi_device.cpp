// SPDX-License-Identifier: MIT
/*
 * DOC: graphs with nodes of several devices: order, records and updates
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <thread>

using namespace cuda_test;

namespace {

/* Counts how often host functions of two launches ran at the same time. */
struct Alone {
	std::atomic<int> inside{0};
	std::atomic<int> runs{0};
	std::atomic<int> meetings{0};

	static void enter(void *data)
	{
		auto &alone = *static_cast<Alone *>(data);

		if (alone.inside.fetch_add(1) != 0)
			++alone.meetings;
	}
	static void leave(void *data)
	{
		auto &alone = *static_cast<Alone *>(data);

		--alone.inside;
		++alone.runs;
	}
};

} // namespace

TEST(MultiDevice, ValuesGoToAndFro)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	const CUgraphNode first = add_ping_pong(graph, two, 7);
	const Exec exec(graph);

	/* On a stream of either device. */
	for (unsigned value = 1; value <= 6; ++value) {
		const CUDA_MEMSET_NODE_PARAMS params = word(two.a, value);
		const CUstream stream = value % 2 ? two.here : two.there;

		ASSERT_OK(cuGraphExecMemsetNodeSetParams(exec, first, &params, two.first));
		ASSERT_OK(cuGraphLaunch(exec, stream));
		ASSERT_OK(cuStreamSynchronize(stream));
		expect_ping_pong(two, value);
	}
	/* Many launches at once. */
	for (int i = 0; i < 40; ++i)
		EXPECT_OK(cuGraphLaunch(exec, i % 3 ? two.here : two.there));
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuStreamSynchronize(two.there));
	expect_ping_pong(two, 6);
}

/* Work before the launch comes before nodes of the other device, and work after it comes after them. */
TEST(MultiDevice, TheStreamSurroundsTheLaunch)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	add_fill(graph, {}, two.second, two.b, 5);
	add_copy(graph, {}, two.first, two.a + 4, two.a);
	const Exec exec(graph);
	std::atomic<int> calls{0};
	Gate gate;

	gate.block(two.here);
	EXPECT_OK(cuMemsetD32Async(two.a, 9, 1, two.here));
	EXPECT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuLaunchHostFunc(
		two.here, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls));
	EXPECT_EQ(two.b.load()[0], 0u);
	EXPECT_EQ(calls.load(), 0);
	gate.open();
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_EQ(calls.load(), 1);
	EXPECT_EQ(two.b.load()[0], 5u);
	EXPECT_EQ(two.a.load()[1], 9u);
}

/* The branch on the second device ends while the other branch of the fork waits. */
TEST(MultiDevice, BranchesRunAtTheSameTime)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event event = event_of(two.second);
	const Graph graph;
	Gate gate;
	const CUgraphNode root = add_fill(graph, {}, two.first, two.a, 3);
	const CUgraphNode here = add_gate(graph, {root}, gate);
	const CUgraphNode copy = add_copy(graph, {root}, two.second, two.b, two.a);
	const CUgraphNode there = add_record(graph, {copy}, event);
	add_copy(graph, {here, there}, two.first, two.a + 4, two.b);
	const Exec exec(graph);

	two.use_first();
	EXPECT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(two.b.load()[0], 3u);
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(two.here));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_EQ(two.a.load()[1], 3u);
}

TEST(MultiDevice, LaunchesOfSeveralThreadsDoNotMeet)
{
	if (!alone("devices=2"))
		return;
	constexpr int kLaunches = 40;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	Alone alone_now;
	const CUgraphNode enter = add_function(graph, {}, Alone::enter, &alone_now);
	const CUgraphNode fill = add_fill(graph, {enter}, two.first, two.a, 1);
	const CUgraphNode beside = add_fill(graph, {enter}, two.second, two.b, 2);
	const CUgraphNode copy = add_copy(graph, {fill}, two.second, two.b + 4, two.a);
	const CUgraphNode back = add_copy(graph, {copy, beside}, two.first, two.a + 4, two.b);
	add_function(graph, {back}, Alone::leave, &alone_now);
	const Exec exec(graph);
	auto launch = [&](CUcontext context, CUstream stream) {
		EXPECT_OK(cuCtxSetCurrent(context));
		for (int i = 0; i < kLaunches; ++i)
			EXPECT_OK(cuGraphLaunch(exec, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
	};
	std::thread other(launch, CUcontext{two.second}, CUstream{two.there});

	launch(two.first, two.here);
	other.join();
	EXPECT_EQ(alone_now.runs.load(), 2 * kLaunches);
	EXPECT_EQ(alone_now.meetings.load(), 0);
	EXPECT_EQ(two.a.load()[1], 2u);
	EXPECT_EQ(two.b.load()[1], 1u);
}

/* More launches than a ring has room for. */
TEST(MultiDevice, FullRings)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	add_ping_pong(graph, two, 4);
	const Exec exec(graph);

	for (int i = 0; i < 150; ++i)
		ASSERT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuStreamSynchronize(two.here));
	expect_ping_pong(two, 4);
}

TEST(MultiDevice, RecordNodesOfTheOtherDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event start = event_of(two.second);
	const Event stop = event_of(two.second);
	const Graph graph;
	Gate gate;
	float elapsed = 0;
	const CUgraphNode first = add_record(graph, {}, start);
	const CUgraphNode fill = add_fill(graph, {first}, two.first, two.a, 8);
	const CUgraphNode wait = add_gate(graph, {fill}, gate);
	add_record(graph, {wait}, stop);
	const Exec exec(graph);

	two.use_first();
	EXPECT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuEventSynchronize(start));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(stop));
	two.use_second();
	EXPECT_OK(cuStreamWaitEvent(two.there, stop, 0));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(two.there));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_OK(cuEventQuery(stop));
	EXPECT_EQ(two.a.load()[0], 8u);
	EXPECT_OK(cuEventElapsedTime(&elapsed, start, stop));
	EXPECT_GT(elapsed, 0.0f);
	EXPECT_OK(cuStreamSynchronize(two.here));
}

/* A record node gets an event of the other device, and one of its own again. */
TEST(MultiDevice, ARecordNodeMoves)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event away = event_of(two.second);
	const Event home = event_of(two.first);
	const Graph graph;
	Gate gate;
	const CUgraphNode fill = add_fill(graph, {}, two.first, two.a, 6);
	const CUgraphNode off = add_fill(graph, {fill}, two.first, two.a + 4, 6);
	const CUgraphNode wait = add_gate(graph, {off}, gate);
	const CUgraphNode record = add_record(graph, {wait}, home);
	const Exec exec(graph);
	unsigned enabled = 1;

	ASSERT_OK(cuGraphNodeSetEnabled(exec, off, 0));
	ASSERT_OK(cuGraphLaunch(exec, two.here));
	ASSERT_OK(cuGraphExecEventRecordNodeSetEvent(exec, record, away));
	ASSERT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(home));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(away));
	gate.open();
	EXPECT_OK(cuEventSynchronize(away));
	EXPECT_OK(cuEventQuery(home));
	/* The effects of earlier updates remain. */
	EXPECT_OK(cuGraphNodeGetEnabled(exec, off, &enabled));
	EXPECT_EQ(enabled, 0u);
	EXPECT_EQ(two.a.load()[1], 0u);
	ASSERT_OK(cuGraphNodeSetEnabled(exec, off, 1));
	ASSERT_OK(cuGraphExecEventRecordNodeSetEvent(exec, record, home));
	ASSERT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuEventSynchronize(home));
	EXPECT_EQ(two.a.load()[1], 6u);
	EXPECT_OK(cuStreamSynchronize(two.here));
	/* The other call that sets it. */
	CUgraphNodeParams params = {};
	params.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
	params.eventRecord.event = away;
	ASSERT_OK(cuGraphExecNodeSetParams(exec, record, &params));
	EXPECT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuEventQuery(away));
}

TEST(MultiDevice, UpdatesReachTheirDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Event here = event_of(two.first);
	const Event there = event_of(two.second);
	const Graph graph;
	const Graph fresh;
	const Graph apart;
	CUgraphExecUpdateResultInfo info = {};
	const CUgraphNode fill = add_fill(graph, {}, two.second, two.b, 1);
	const CUgraphNode copy = add_copy(graph, {fill}, two.first, two.a, two.b);
	add_record(graph, {copy}, here);
	const Exec exec(graph);

	two.use_first();
	const CUDA_MEMSET_NODE_PARAMS params = word(two.b, 2);
	ASSERT_OK(cuGraphExecMemsetNodeSetParams(exec, fill, &params, two.second));
	exec.run(two.here);
	EXPECT_EQ(two.a.load()[0], 2u);
	ASSERT_OK(cuGraphNodeSetEnabled(exec, copy, 0));
	const CUDA_MEMSET_NODE_PARAMS more = word(two.b, 3);
	ASSERT_OK(cuGraphExecMemsetNodeSetParams(exec, fill, &more, two.second));
	exec.run(two.here);
	EXPECT_EQ(two.a.load()[0], 2u);
	EXPECT_EQ(two.b.load()[0], 3u);
	ASSERT_OK(cuGraphNodeSetEnabled(exec, copy, 1));
	/* A copy stays on its device. */
	const CUDA_MEMCPY3D same = word_copy(two.a, two.b);
	ASSERT_OK(cuGraphExecMemcpyNodeSetParams(exec, copy, &same, two.first));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecMemcpyNodeSetParams(exec, copy, &same, two.second));
	/* Another graph, whose record is of the other device. */
	CUgraphNode last = add_fill(fresh, {}, two.second, two.b + 4, 4);
	last = add_copy(fresh, {last}, two.first, two.a + 4, two.b + 4);
	add_record(fresh, {last}, there);
	ASSERT_OK(cuGraphExecUpdate(exec, fresh, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	ASSERT_OK(cuGraphLaunch(exec, two.here));
	EXPECT_OK(cuEventSynchronize(there));
	EXPECT_EQ(two.a.load()[1], 4u);
	/* One whose copy is. */
	last = add_fill(apart, {}, two.second, two.b + 4, 4);
	last = add_copy(apart, {last}, two.second, two.a + 4, two.b + 4);
	add_record(apart, {last}, there);
	EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, apart, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
	EXPECT_OK(cuStreamSynchronize(two.here));
}

/* A node of the source graph gets a task on another device. */
TEST(MultiDevice, ANodeOfAGraphMoves)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	const CUgraphNode fill = add_fill(graph, {}, two.first, two.a, 1);
	const CUgraphNode next = add_fill(graph, {fill}, two.first, two.a + 4, 2);
	CUgraphNodeParams params = {};

	params.type = CU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = two.b + 4;
	params.memset.value = 3;
	params.memset.elementSize = 4;
	params.memset.width = params.memset.height = 1;
	params.memset.ctx = two.second;
	ASSERT_OK(cuGraphNodeSetParams(next, &params));
	const Exec exec(graph);
	exec.run(two.here);
	EXPECT_EQ(two.a.load()[0], 1u);
	EXPECT_EQ(two.a.load()[1], 0u);
	EXPECT_EQ(two.b.load()[1], 3u);
}

/* Nodes that the program did not add itself keep their context, too: of clones, child graphs, captures. */
TEST(MultiDevice, NewParametersLeaveANodeInItsContext)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	const Graph around;
	const CUgraphNode fill = add_fill(graph, {}, two.second, two.b, 1);
	const CUgraphNode copy = add_copy(graph, {fill}, two.second, two.b + 4, two.b);
	CUgraph cloned = nullptr;
	CUgraph captured = nullptr;
	CUgraph inside = nullptr;
	CUgraphNode node = nullptr;

	ASSERT_OK(cuGraphClone(&cloned, graph));
	const Graph clone(cloned);
	ASSERT_OK(cuGraphAddChildGraphNode(&node, around, nullptr, 0, graph));
	ASSERT_OK(cuGraphChildGraphNodeGetGraph(node, &inside));
	{
		Capturing capture(two.there);

		two.use_second();
		EXPECT_OK(cuMemsetD32Async(two.b, 1, 1, two.there));
		EXPECT_OK(cuMemsetD2D32Async(two.b, 8, 1, 1, 2, two.there));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph made(captured);
	two.use_first();
	const CUDA_MEMSET_NODE_PARAMS filled = word(two.b, 5);
	CUgraphNode nodes[2] = {fill, copy};
	size_t count = 2;
	for (CUgraph of : {CUgraph(graph), CUgraph(clone), inside}) {
		const CUDA_MEMCPY3D copied = word_copy(two.b + 8, two.b);

		ASSERT_OK(cuGraphGetNodes(of, nodes, &count));
		EXPECT_OK(cuGraphMemsetNodeSetParams(nodes[0], &filled));
		EXPECT_OK(cuGraphMemcpyNodeSetParams(nodes[1], &copied));
	}
	ASSERT_OK(cuGraphGetNodes(made, nodes, &count));
	for (CUgraphNode one : nodes)
		EXPECT_OK(cuGraphMemsetNodeSetParams(one, &filled));
	Exec(clone).run(two.here);
	EXPECT_EQ(two.b.load()[2], 5u);
}

/* Also where another context of the device has nodes in the graph. */
TEST(MultiDevice, ABatchTellsItsContext)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Context third(1);
	const Graph graph;
	CUstreamBatchMemOpParams write = {};
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {third, 1, &write, 0};
	CUgraphNode batch = nullptr;
	CUgraphNode twin = nullptr;
	CUgraph cloned = nullptr;

	write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	write.writeValue.address = two.b;
	add_fill(graph, {}, two.second, two.b, 1);
	ASSERT_OK(cuGraphAddBatchMemOpNode(&batch, graph, nullptr, 0, &params));
	ASSERT_OK(cuGraphClone(&cloned, graph));
	const Graph clone(cloned);
	two.use_first();
	ASSERT_OK(cuGraphNodeFindInClone(&twin, batch, clone));
	for (CUgraphNode node : {batch, twin}) {
		CUDA_BATCH_MEM_OP_NODE_PARAMS found = {};

		EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
		EXPECT_EQ(found.ctx, static_cast<CUcontext>(third));
		EXPECT_OK(cuGraphBatchMemOpNodeSetParams(node, &found));
	}
}

TEST(MultiDevice, ChildGraphsOfSeveralDevices)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph child;
	const Graph graph;
	CUgraphNode node = nullptr;
	CUgraph inside = nullptr;
	const CUgraphNode fill = add_fill(child, {}, two.second, two.b, 1);
	add_copy(child, {fill}, two.first, two.a, two.b);
	const CUgraphNode before = add_fill(graph, {}, two.first, two.a + 8, 9);
	ASSERT_OK(cuGraphAddChildGraphNode(&node, graph, &before, 1, child));
	add_copy(graph, {node}, two.second, two.b + 4, two.a);
	const Exec exec(graph);
	size_t count = 1;

	exec.run(two.here);
	EXPECT_EQ(two.b.load()[1], 1u);
	/* Updates of nodes inside it. */
	ASSERT_OK(cuGraphChildGraphNodeGetGraph(node, &inside));
	CUgraphNode first = nullptr;
	ASSERT_OK(cuGraphGetRootNodes(inside, &first, &count));
	const CUDA_MEMSET_NODE_PARAMS params = word(two.b, 5);
	ASSERT_OK(cuGraphExecMemsetNodeSetParams(exec, first, &params, two.second));
	exec.run(two.there);
	EXPECT_EQ(two.b.load()[1], 5u);
	const Graph fresh;
	const CUgraphNode other = add_fill(fresh, {}, two.second, two.b, 6);
	add_copy(fresh, {other}, two.first, two.a, two.b);
	ASSERT_OK(cuGraphExecChildGraphNodeSetParams(exec, node, fresh));
	exec.run(two.here);
	EXPECT_EQ(two.b.load()[1], 6u);
}

/* A graph of one device, and one that needs no device, on a stream of the other device. */
TEST(MultiDevice, AStreamOfAnotherDeviceThanTheNodes)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Graph graph;
	const Graph anywhere;
	std::atomic<int> calls{0};
	Gate gate;
	add_fill(graph, {}, two.first, two.a, 7);
	add_count(anywhere, {}, calls);
	const Exec exec(graph);
	const Exec host(anywhere);

	gate.block(two.there);
	EXPECT_OK(cuGraphLaunch(exec, two.there));
	EXPECT_OK(cuGraphLaunch(host, two.there));
	EXPECT_EQ(two.a.load()[0], 0u);
	gate.open();
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(two.a.load()[0], 7u);
	EXPECT_EQ(calls.load(), 1);
	host.run(two.here);
	exec.run(two.here);
	EXPECT_EQ(calls.load(), 2);
}

/* The legacy stream of the first device takes turns with a launch on it. */
TEST(MultiDevice, OnTheLegacyStream)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	const Stream blocking(CU_STREAM_DEFAULT);
	const Graph graph;
	Gate gate;
	const CUgraphNode wait = add_gate(graph, {}, gate);
	add_fill(graph, {wait}, two.second, two.b, 7);
	add_fill(graph, {}, two.first, two.a, 7);
	const Exec exec(graph);

	EXPECT_OK(cuGraphLaunch(exec, CU_STREAM_LEGACY));
	EXPECT_OK(cuMemsetD32Async(two.a, 8, 1, blocking));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(blocking));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(blocking));
	EXPECT_EQ(two.b.load()[0], 7u);
	EXPECT_EQ(two.a.load()[0], 8u);
}
