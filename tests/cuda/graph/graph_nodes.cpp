// SPDX-License-Identifier: MIT
/*
 * DOC: graphs made by hand (checks G1 to G10)
 */
#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class GraphNodes : public ContextTest {};

CUgraphNode add_record(CUgraph graph, const std::vector<CUgraphNode> &after, CUevent event)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddEventRecordNode(&node, graph, after.data(), after.size(), event));
	return node;
}

CUgraphNode add_wait(CUgraph graph, const std::vector<CUgraphNode> &after, CUevent event)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddEventWaitNode(&node, graph, after.data(), after.size(), event));
	return node;
}

CUgraphNode add_fill(CUgraph graph, const std::vector<CUgraphNode> &after, CUdeviceptr dst,
		     unsigned value, size_t width = 1, size_t height = 1, size_t pitch = 0)
{
	CUgraphNode node = nullptr;
	CUDA_MEMSET_NODE_PARAMS params = {dst, pitch, value, 4, width, height};

	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &params, nullptr));
	return node;
}

/* A host node that blocks until its future is ready. */
CUgraphNode add_gate(CUgraph graph, std::shared_future<void> &opened)
{
	CUgraphNode node = nullptr;
	CUDA_HOST_NODE_PARAMS params = {};

	params.fn = [](void *data) { static_cast<std::shared_future<void> *>(data)->wait(); };
	params.userData = &opened;
	EXPECT_OK(cuGraphAddHostNode(&node, graph, nullptr, 0, &params));
	return node;
}

CUresult try_elapsed(CUevent start, CUevent end)
{
	float time = 0;

	return cuEventElapsedTime(&time, start, end);
}

} // namespace

TEST_F(GraphNodes, G1_EachLaunchRecordsAnew)
{
	const Stream stream;
	const Graph graph;
	const Event start;
	const Event stop;
	float time = -1;

	for (int launch = 0; launch < 2; ++launch) {
		std::promise<void> open;
		std::shared_future<void> opened = open.get_future().share();
		const Graph gated;
		const CUgraphNode first = add_record(gated, {}, start);
		CUDA_HOST_NODE_PARAMS params = {};
		CUgraphNode gate = nullptr;

		params.fn = [](void *data) {
			static_cast<std::shared_future<void> *>(data)->wait();
		};
		params.userData = &opened;
		EXPECT_OK(cuGraphAddHostNode(&gate, gated, &first, 1, &params));
		add_record(gated, {gate}, stop);
		const Exec exec(gated);
		for (int again = 0; again < 2; ++again) {
			EXPECT_OK(cuGraphLaunch(exec, stream));
			if (again == 0) {
				EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(stop));
				open.set_value();
			}
			EXPECT_OK(cuEventSynchronize(stop));
			EXPECT_OK(cuEventQuery(start));
			EXPECT_OK(cuEventElapsedTime(&time, start, stop));
			EXPECT_GT(time, 0.0f);
		}
		EXPECT_OK(cuStreamSynchronize(stream));
	}
}

TEST_F(GraphNodes, G2_ArgumentsOfNodes)
{
	const Graph graph;
	const Event event;
	std::atomic<int> calls{0};
	CUgraphNode node = nullptr;
	const CUgraphNode other = add_count(graph, {}, calls);
	const CUgraphNode twice[] = {other, other};
	const Graph foreign;
	const CUgraphNode stranger = add_count(foreign, {}, calls);

	for (auto add : {cuGraphAddEventRecordNode, cuGraphAddEventWaitNode}) {
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(&node, graph, nullptr, 0, nullptr));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  add(&node, graph, nullptr, 0, destroyed_event()));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(nullptr, graph, nullptr, 0, event));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(&node, nullptr, nullptr, 0, event));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(&node, graph, nullptr, 1, event));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(&node, graph, twice, 2, event));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, add(&node, graph, &stranger, 1, event));
	}
	EXPECT_EQ(graph.size(), 1u);
}

TEST_F(GraphNodes, G3_ARecordedEventWithoutTiming)
{
	const Stream stream;
	const Graph graph;
	const Event event(CU_EVENT_DISABLE_TIMING);

	add_record(graph, {}, event);
	Exec(graph).run(stream);
	EXPECT_OK(cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(event, event));
}

TEST_F(GraphNodes, G4_EventsOfNodes)
{
	const Graph graph;
	const Event first;
	const Event second;
	std::atomic<int> calls{0};
	const CUgraphNode host = add_count(graph, {}, calls);
	const CUgraphNode record = add_record(graph, {}, first);
	const CUgraphNode wait = add_wait(graph, {}, first);
	CUevent found = nullptr;

	EXPECT_OK(cuGraphEventRecordNodeGetEvent(record, &found));
	EXPECT_EQ(found, static_cast<CUevent>(first));
	EXPECT_OK(cuGraphEventRecordNodeSetEvent(record, second));
	EXPECT_OK(cuGraphEventRecordNodeGetEvent(record, &found));
	EXPECT_EQ(found, static_cast<CUevent>(second));
	EXPECT_OK(cuGraphEventWaitNodeSetEvent(wait, second));
	EXPECT_OK(cuGraphEventWaitNodeGetEvent(wait, &found));
	EXPECT_EQ(found, static_cast<CUevent>(second));
	for (CUgraphNode wrong : {host, wait, CUgraphNode{nullptr}, garbage<CUgraphNode>()}) {
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventRecordNodeGetEvent(wrong, &found));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventRecordNodeSetEvent(wrong, first));
	}
	for (CUgraphNode wrong : {host, record, CUgraphNode{nullptr}}) {
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventWaitNodeGetEvent(wrong, &found));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventWaitNodeSetEvent(wrong, first));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventRecordNodeSetEvent(record, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventWaitNodeSetEvent(wait, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphEventRecordNodeGetEvent(record, nullptr));
}

TEST_F(GraphNodes, G5_AnotherEventForLaterLaunches)
{
	const Stream stream;
	const Graph graph;
	const Event first;
	const Event second;
	std::atomic<int> calls{0};
	const CUgraphNode record = add_record(graph, {}, first);
	const CUgraphNode host = add_count(graph, {}, calls);
	const Exec exec(graph);
	const CUgraphNode late = add_record(graph, {}, first);
	CUevent found = nullptr;

	exec.run(stream);
	EXPECT_OK(try_elapsed(first, first));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(second, second));
	EXPECT_OK(cuGraphExecEventRecordNodeSetEvent(exec, record, second));
	EXPECT_OK(cuGraphEventRecordNodeGetEvent(record, &found));
	EXPECT_EQ(found, static_cast<CUevent>(first));
	exec.run(stream);
	EXPECT_OK(try_elapsed(second, second));
	for (CUgraphNode wrong : {host, late, CUgraphNode{nullptr}})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuGraphExecEventRecordNodeSetEvent(exec, wrong, second));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecEventRecordNodeSetEvent(exec, record, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecEventRecordNodeSetEvent(nullptr, record, second));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecEventWaitNodeSetEvent(exec, record, second));
}

TEST_F(GraphNodes, G6_TheOldEventIsRecordedNoMore)
{
	const Stream stream;
	const Graph graph;
	const Event start;
	const Event old;
	const Event fresh;

	add_record(graph, {}, start);
	const CUgraphNode stop = add_record(graph, {graph.nodes()[0]}, old);
	const Exec exec(graph);
	EXPECT_OK(cuGraphExecEventRecordNodeSetEvent(exec, stop, fresh));
	exec.run(stream);
	EXPECT_OK(try_elapsed(start, fresh));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, try_elapsed(start, old));
}

TEST_F(GraphNodes, G6_AnEventKeepsTheTimeOfItsRecord)
{
	const Stream stream;
	const Graph graph;
	const Event first;
	const Event second;
	const Event mark;
	float before = 0;
	float after = 0;
	const CUgraphNode record = add_record(graph, {}, first);
	const Exec exec(graph);

	EXPECT_OK(cuEventRecord(mark, stream));
	exec.run(stream);
	EXPECT_OK(cuEventElapsedTime(&before, mark, first));
	EXPECT_OK(cuGraphExecEventRecordNodeSetEvent(exec, record, second));
	exec.run(stream);
	EXPECT_OK(cuEventElapsedTime(&after, mark, first));
	EXPECT_EQ(before, after);
}

TEST_F(GraphNodes, G7_OneGraphRecordsWhatAnotherWaitsFor)
{
	const Words words(2);
	const Stream first;
	const Stream second;
	const Event event(CU_EVENT_DISABLE_TIMING);
	const Graph producer;
	const Graph consumer;
	std::promise<void> open;
	std::shared_future<void> opened = open.get_future().share();
	CUgraphNode copy = nullptr;
	CUDA_MEMCPY3D params = {};

	const CUgraphNode fill = add_fill(producer, {add_gate(producer, opened)}, words, 6);
	add_record(producer, {fill}, event);
	const CUgraphNode wait = add_wait(consumer, {}, event);
	params.srcMemoryType = params.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	params.srcDevice = words;
	params.dstDevice = words + 4;
	params.WidthInBytes = 4;
	params.Height = params.Depth = 1;
	EXPECT_OK(cuGraphAddMemcpyNode(&copy, consumer, &wait, 1, &params, nullptr));
	const Exec produce(producer);
	const Exec consume(consumer);
	EXPECT_OK(cuGraphLaunch(produce, first));
	EXPECT_OK(cuGraphLaunch(consume, second));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(second));
	open.set_value();
	EXPECT_OK(cuStreamSynchronize(second));
	EXPECT_OK(cuStreamSynchronize(first));
	EXPECT_EQ(words.load()[1], 6u);
}

TEST_F(GraphNodes, G7_WorkBeforeAWaitNodeDoesNotWait)
{
	const PinnedWords pinned(2);
	const Stream stream;
	const Stream other;
	const Event event(CU_EVENT_DISABLE_TIMING);
	const Graph graph;

	/* The event's record needs what the graph does before it waits for it. */
	EXPECT_OK(cuStreamWaitValue32(other, pinned.address(), 1, CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_OK(cuEventRecord(event, other));
	add_fill(graph, {add_wait(graph, {add_fill(graph, {}, pinned.address(), 1)}, event)},
		 pinned.address() + 4, 2);
	Exec(graph).run(stream);
	EXPECT_EQ(pinned[1], 2u);
	EXPECT_OK(cuStreamSynchronize(other));
}

TEST_F(GraphNodes, G8_Launches)
{
	const Stream stream;
	const Stream other;
	const Graph graph;
	std::atomic<int> calls{0};
	CUgraphExec gone = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(nullptr, stream));
	EXPECT_OK(cuGraphInstantiate(&gone, graph, 0));
	EXPECT_OK(cuGraphExecDestroy(gone));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(gone, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecDestroy(gone));
	add_count(graph, {add_count(graph, {}, calls)}, calls);
	const Exec exec(graph);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, destroyed_stream()));
	for (int i = 0; i < 10; ++i) {
		EXPECT_OK(cuGraphLaunch(exec, stream));
		EXPECT_OK(cuGraphLaunch(exec, other));
	}
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuStreamSynchronize(other));
	EXPECT_EQ(calls.load(), 40);
}

TEST_F(GraphNodes, G8_LaunchesOfOneGraphFollowEachOther)
{
	const Stream first;
	const Stream second;
	const Graph graph;
	std::promise<void> open;
	std::shared_future<void> opened = open.get_future().share();

	add_gate(graph, opened);
	const Exec exec(graph);
	EXPECT_OK(cuGraphLaunch(exec, first));
	EXPECT_OK(cuGraphLaunch(exec, second));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(second));
	open.set_value();
	EXPECT_OK(cuStreamSynchronize(second));
	EXPECT_OK(cuStreamQuery(first));
}

TEST_F(GraphNodes, G9_NoCircles)
{
	const Graph graph;
	std::atomic<int> calls{0};
	const CUgraphNode first = add_count(graph, {}, calls);
	const CUgraphNode second = add_count(graph, {first}, calls);
	CUgraphExec exec = garbage<CUgraphExec>();

	EXPECT_OK(cuGraphAddDependencies(graph, &second, &first, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, graph, 0));
	EXPECT_EQ(exec, garbage<CUgraphExec>());
	EXPECT_OK(cuGraphRemoveDependencies(graph, &second, &first, nullptr, 1));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphExecDestroy(exec));
}

/* The name has another signature from version 12.0 on: that of the header. */
TEST_F(GraphNodes, InstantiateIsFoundAsTheHeaderDeclaresIt)
{
	const Graph graph;

	for (int version : {12000, 12060, 13000}) {
		void *found = nullptr;
		CUgraphExec exec = nullptr;
		CUdriverProcAddressQueryResult status;

		ASSERT_OK(cuGetProcAddress("cuGraphInstantiate", &found, version, 0, &status));
		ASSERT_NE(found, nullptr);
		EXPECT_OK(reinterpret_cast<decltype(&cuGraphInstantiateWithFlags)>(found)(
			&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
		EXPECT_OK(cuGraphExecDestroy(exec));
	}
}

TEST_F(GraphNodes, G10_DestroyedWhileItRuns)
{
	const Words words(1);
	const Stream stream;
	std::promise<void> open;
	std::shared_future<void> opened = open.get_future().share();
	Graph graph;

	add_fill(graph, {add_gate(graph, opened)}, words, 9);
	{
		const Exec exec(graph);

		/* An executable graph does not need the graph that it was instantiated from. */
		EXPECT_OK(cuGraphDestroy(graph.release()));
		EXPECT_OK(cuGraphLaunch(exec, stream));
	}
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	open.set_value();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[0], 9u);
}

TEST_F(GraphNodes, KindsOfNodes)
{
	const Words words(8);
	const Stream stream;
	const Graph graph;
	const Graph child;
	std::atomic<int> calls{0};
	CUgraphNode empty = nullptr;
	CUgraphNode batch = nullptr;
	CUgraphNode inner = nullptr;
	CUgraph found = nullptr;
	CUstreamBatchMemOpParams write = {};
	CUDA_BATCH_MEM_OP_NODE_PARAMS operations = {context_, 1, &write, 0};

	write.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	write.writeValue.address = words + 28;
	write.writeValue.value = 7;
	EXPECT_OK(cuGraphAddEmptyNode(&empty, graph, nullptr, 0));
	EXPECT_OK(cuGraphAddBatchMemOpNode(&batch, graph, &empty, 1, &operations));
	const CUgraphNode rows = add_fill(graph, {empty}, words, 1, 2, 2, 12);
	add_count(child, {add_count(child, {}, calls)}, calls);
	EXPECT_OK(cuGraphAddChildGraphNode(&inner, graph, &rows, 1, child));
	EXPECT_EQ(type_of(empty), CU_GRAPH_NODE_TYPE_EMPTY);
	EXPECT_EQ(type_of(batch), CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
	EXPECT_EQ(type_of(rows), CU_GRAPH_NODE_TYPE_MEMSET);
	EXPECT_EQ(type_of(inner), CU_GRAPH_NODE_TYPE_GRAPH);
	EXPECT_OK(cuGraphChildGraphNodeGetGraph(inner, &found));
	EXPECT_NE(found, static_cast<CUgraph>(child));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphChildGraphNodeGetGraph(rows, &found));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(found));
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 1, 0, 1, 1, 0, 0, 7}));
	EXPECT_EQ(calls.load(), 2);
}

TEST_F(GraphNodes, OneCallForAllKinds)
{
	const Words words(2);
	const Stream stream;
	const Graph graph;
	const Event event;
	std::atomic<int> calls{0};
	CUgraphNodeParams params = {};
	CUgraphNode nodes[4] = {};

	params.type = CU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = words;
	params.memset.value = 3;
	params.memset.elementSize = 4;
	params.memset.width = params.memset.height = 1;
	EXPECT_OK(cuGraphAddNode(&nodes[0], graph, nullptr, nullptr, 0, &params));
	params = {};
	params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
	params.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	params.memcpy.copyParams.srcDevice = words;
	params.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	params.memcpy.copyParams.dstDevice = words + 4;
	params.memcpy.copyParams.WidthInBytes = 4;
	params.memcpy.copyParams.Height = params.memcpy.copyParams.Depth = 1;
	EXPECT_OK(cuGraphAddNode(&nodes[1], graph, &nodes[0], nullptr, 1, &params));
	params = {};
	params.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
	params.eventRecord.event = event;
	EXPECT_OK(cuGraphAddNode(&nodes[2], graph, &nodes[1], nullptr, 1, &params));
	params = {};
	params.type = CU_GRAPH_NODE_TYPE_HOST;
	params.host.fn = [](void *data) { ++*static_cast<std::atomic<int> *>(data); };
	params.host.userData = &calls;
	EXPECT_OK(cuGraphAddNode(&nodes[3], graph, &nodes[2], nullptr, 1, &params));
	params = {};
	params.type = CU_GRAPH_NODE_TYPE_KERNEL;
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuGraphAddNode(&nodes[3], graph, nullptr, nullptr, 0, &params));
	params.type = static_cast<CUgraphNodeType>(99);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddNode(&nodes[3], graph, nullptr, nullptr, 0, &params));
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{3, 3}));
	EXPECT_EQ(calls.load(), 1);
}

TEST_F(GraphNodes, EdgesAndClones)
{
	const Graph graph;
	std::atomic<int> calls{0};
	const CUgraphNode first = add_count(graph, {}, calls);
	const CUgraphNode second = add_count(graph, {first}, calls);
	const CUgraphNode third = add_count(graph, {first, second}, calls);
	CUgraph cloned = nullptr;
	CUgraphNode copy = nullptr;
	CUgraphNode from[4] = {};
	CUgraphNode to[4] = {};
	size_t count = 4;

	EXPECT_OK(cuGraphGetEdges(graph, from, to, nullptr, &count));
	EXPECT_EQ(count, 3u);
	EXPECT_EQ(from[3], nullptr);
	EXPECT_OK(cuGraphGetRootNodes(graph, from, &(count = 4)));
	EXPECT_EQ(count, 1u);
	EXPECT_EQ(from[0], first);
	EXPECT_OK(cuGraphNodeGetDependentNodes(first, from, nullptr, &(count = 4)));
	EXPECT_EQ(count, 2u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddDependencies(graph, &first, &second, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphRemoveDependencies(graph, &second, &first, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphGetEdges(graph, from, nullptr, nullptr, &count));
	ASSERT_OK(cuGraphClone(&cloned, graph));
	const Graph clone(cloned);
	EXPECT_OK(cuGraphNodeFindInClone(&copy, second, clone));
	EXPECT_EQ(copy, clone.nodes()[1]);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeFindInClone(&copy, copy, clone));
	EXPECT_OK(cuGraphDestroyNode(second));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(second));
	EXPECT_EQ(graph.size(), 2u);
	EXPECT_EQ(clone.size(), 3u);
	EXPECT_OK(cuGraphNodeGetDependencies(third, from, nullptr, &(count = 4)));
	EXPECT_EQ(count, 1u);
}

TEST_F(GraphNodes, UpdatesOfAWholeGraph)
{
	const Words words(2);
	const Stream stream;
	const Graph graph;
	const Graph fresh;
	const Graph other;
	CUgraphExecUpdateResultInfo info = {};
	std::atomic<int> calls{0};

	add_fill(graph, {add_fill(graph, {}, words, 1)}, words + 4, 2);
	add_fill(fresh, {add_fill(fresh, {}, words, 3)}, words + 4, 4);
	add_count(other, {add_fill(other, {}, words, 5)}, calls);
	const Exec exec(graph);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2}));
	EXPECT_OK(cuGraphExecUpdate(exec, fresh, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{3, 4}));
	EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, other, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
	EXPECT_EQ(info.errorNode, other.nodes()[1]);
	add_fill(fresh, {}, words, 5);
	EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(exec, fresh, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{3, 4}));
}

TEST_F(GraphNodes, HostNodesAreChanged)
{
	const Stream stream;
	const Graph graph;
	std::atomic<int> old{0};
	std::atomic<int> fresh{0};
	const CUgraphNode node = add_count(graph, {}, old);
	const Exec exec(graph);
	CUDA_HOST_NODE_PARAMS params = {};

	EXPECT_OK(cuGraphHostNodeGetParams(node, &params));
	EXPECT_EQ(params.userData, &old);
	params.userData = &fresh;
	EXPECT_OK(cuGraphExecHostNodeSetParams(exec, node, &params));
	exec.run(stream);
	EXPECT_EQ(old.load(), 0);
	EXPECT_EQ(fresh.load(), 1);
	EXPECT_OK(cuGraphHostNodeSetParams(node, &params));
	Exec(graph).run(stream);
	EXPECT_EQ(fresh.load(), 2);
}
