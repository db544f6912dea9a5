// SPDX-License-Identifier: MIT
/*
 * DOC: what captures make of a stream (checks C24 to C30, G11)
 */
#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class CaptureGraph : public ContextTest {};

/* The state of a capture, as the interface reports it. */
struct Info {
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	cuuint64_t id = 0;
	CUgraph graph = nullptr;
	std::vector<CUgraphNode> dependencies;

	explicit Info(CUstream stream)
	{
		const CUgraphNode *nodes = nullptr;
		const CUgraphEdgeData *edges = nullptr;
		size_t count = 0;

		EXPECT_OK(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges,
						 &count));
		if (count)
			dependencies.assign(nodes, nodes + count);
	}
};

CUresult update(CUstream stream, const std::vector<CUgraphNode> &nodes, unsigned flags)
{
	std::vector<CUgraphNode> copy = nodes;

	return cuStreamUpdateCaptureDependencies(stream, copy.data(), nullptr, copy.size(), flags);
}

} // namespace

TEST_F(CaptureGraph, C24_DependenciesAreChanged)
{
	const Words words(4);
	const Stream stream;
	const Graph foreign;
	std::atomic<int> calls{0};
	CUgraphNode stranger = add_count(foreign, {}, calls);
	CUgraph captured = nullptr;

	EXPECT_CU(CUDA_ERROR_ILLEGAL_STATE, update(stream, {}, 0));
	Capturing capture(stream);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, update(stream, {}, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, update(stream, {stranger}, 0));
	EXPECT_OK(update(stream, {}, 0));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	const CUgraphNode first = Info(stream).dependencies.at(0);
	EXPECT_OK(cuMemsetD32Async(words + 4, 1, 1, stream));
	const CUgraphNode second = Info(stream).dependencies.at(0);
	EXPECT_OK(update(stream, {first}, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
	EXPECT_EQ(Info(stream).dependencies, std::vector<CUgraphNode>{first});
	EXPECT_OK(update(stream, {second}, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
	EXPECT_EQ(Info(stream).dependencies.size(), 2u);
	EXPECT_OK(update(stream, {first}, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
	EXPECT_OK(cuMemsetD32Async(words + 8, 1, 1, stream));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	CUgraphNode before[2] = {};
	size_t count = 2;
	EXPECT_OK(cuGraphNodeGetDependencies(graph.nodes().at(2), before, nullptr, &count));
	EXPECT_EQ(count, 1u);
	EXPECT_EQ(before[0], first);
}

TEST_F(CaptureGraph, C25_TheGraphOfACaptureTakesNodes)
{
	const Stream stream;
	const Stream joined;
	const Stream other;
	const Event event;
	std::atomic<int> calls{0};
	CUgraph captured = nullptr;
	cuuint64_t id = 0;
	{
		Capturing capture(stream);

		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuStreamWaitEvent(joined, event, 0));
		const Info info(stream);
		EXPECT_EQ(info.status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
		EXPECT_TRUE(info.dependencies.empty());
		EXPECT_EQ(info.id, Info(joined).id);
		EXPECT_EQ(info.graph, Info(joined).graph);
		id = info.id;
		const CUgraphNode mine = add_count(info.graph, {}, calls);
		EXPECT_OK(update(stream, {mine}, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
		EXPECT_OK(cuLaunchHostFunc(
			stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); },
			&calls));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(info.graph));
		ASSERT_OK(capture.end(&captured));
		EXPECT_EQ(captured, info.graph);
	}
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 2u);
	Exec(graph).run(stream);
	EXPECT_EQ(calls.load(), 2);
	EXPECT_EQ(Info(stream).status, CU_STREAM_CAPTURE_STATUS_NONE);
	const Capturing again(other);
	EXPECT_NE(Info(other).id, id);
}

TEST_F(CaptureGraph, C26_EdgeDataNeedsDependencies)
{
	const Stream stream;
	CUstreamCaptureStatus status;
	const CUgraphEdgeData *edges = nullptr;
	size_t count = 0;
	const Capturing capture(stream);

	EXPECT_CU(
		CUDA_ERROR_INVALID_VALUE,
		cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, &edges, &count));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuStreamGetCaptureInfo(stream, nullptr, nullptr, nullptr, nullptr, nullptr,
					 nullptr));
}

TEST_F(CaptureGraph, C27_AForkAndJoinWithoutWork)
{
	const Stream stream;
	const Stream joined;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuEventRecord(there, stream));
	EXPECT_OK(cuStreamWaitEvent(joined, there, 0));
	EXPECT_OK(cuEventRecord(back, joined));
	EXPECT_OK(cuStreamWaitEvent(stream, back, 0));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 0u);
	Exec(graph).run(stream);
}

TEST_F(CaptureGraph, C28_NoEventsOfAllStreams)
{
	const Stream stream;
	const Event event;
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxRecordEvent(context_, event));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	Capturing capture(stream);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxWaitEvent(context_, event));
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureGraph, C29_CallbacksAreRefusedAndHostFunctionsAreNodes)
{
	const Stream stream;
	std::atomic<int> calls{0};
	CUgraph captured = nullptr;
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
			  cuStreamAddCallback(
				  stream, [](CUstream, CUresult, void *) {}, nullptr, 0));
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	}
	Capturing capture(stream);
	EXPECT_OK(cuLaunchHostFunc(
		stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	ASSERT_EQ(graph.size(), 1u);
	EXPECT_EQ(type_of(graph.nodes()[0]), CU_GRAPH_NODE_TYPE_HOST);
	EXPECT_EQ(calls.load(), 0);
	const Exec exec(graph);
	exec.run(stream);
	exec.run(stream);
	EXPECT_EQ(calls.load(), 2);
}

TEST_F(CaptureGraph, C30_ExternalRecordsAndWaitsAreNodes)
{
	const Stream stream;
	const Event plain;
	const Event recorded;
	const Event awaited;
	CUgraph captured = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuEventRecord(plain, stream));
	EXPECT_OK(cuStreamWaitEvent(stream, plain, 0));
	EXPECT_OK(cuEventRecordWithFlags(recorded, stream, CU_EVENT_RECORD_EXTERNAL));
	EXPECT_OK(cuStreamWaitEvent(stream, awaited, CU_EVENT_WAIT_EXTERNAL));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	const std::vector<CUgraphNode> nodes = graph.nodes();
	ASSERT_EQ(nodes.size(), 2u);
	EXPECT_EQ(type_of(nodes[0]), CU_GRAPH_NODE_TYPE_EVENT_RECORD);
	EXPECT_EQ(type_of(nodes[1]), CU_GRAPH_NODE_TYPE_WAIT_EVENT);
	EXPECT_OK(cuEventQuery(recorded));
	Exec(graph).run(stream);
	EXPECT_OK(cuEventQuery(recorded));
}

TEST_F(CaptureGraph, KindsOfTasksAreKindsOfNodes)
{
	const Words words(8);
	const PinnedWords pinned(8, 3);
	const Stream stream;
	CUgraph captured = nullptr;
	CUstreamBatchMemOpParams batch[2] = {};
	CUDA_MEMCPY2D rows = {};
	Capturing capture(stream);

	batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	batch[0].writeValue.address = words + 24;
	batch[0].writeValue.value = 5;
	batch[1] = batch[0];
	batch[1].writeValue.address = words + 28;
	rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
	rows.srcDevice = pinned.address();
	rows.dstDevice = words + 8;
	rows.srcPitch = rows.dstPitch = 8;
	rows.WidthInBytes = 4;
	rows.Height = 2;
	EXPECT_OK(cuMemcpyHtoDAsync(words, pinned.data(), 4, stream));
	EXPECT_OK(cuMemsetD32Async(words + 4, 4, 1, stream));
	EXPECT_OK(cuMemcpy2DAsync(&rows, stream));
	EXPECT_OK(cuStreamWriteValue32(stream, words + 20, 6, 0));
	EXPECT_OK(cuStreamBatchMemOp(stream, 2, batch, 0));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	const std::vector<CUgraphNode> nodes = graph.nodes();
	const CUgraphNodeType types[] = {CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET,
					 CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
					 CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
	ASSERT_EQ(nodes.size(), std::size(types));
	for (size_t i = 0; i < nodes.size(); ++i)
		EXPECT_EQ(type_of(nodes[i]), types[i]) << i;
	EXPECT_EQ(words.load(), std::vector<uint32_t>(8));
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{3, 4, 3, 0, 3, 6, 5, 5}));
}

TEST_F(CaptureGraph, ACaptureIntoAGraphThereIs)
{
	const Stream stream;
	const Graph graph;
	std::atomic<int> calls{0};
	const CUgraphNode first = add_count(graph, {}, calls);
	CUgraph captured = nullptr;
	CUgraphNode before[2] = {};
	size_t count = 2;

	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1,
					      CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
	EXPECT_OK(cuLaunchHostFunc(
		stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls));
	EXPECT_OK(cuStreamEndCapture(stream, &captured));
	EXPECT_EQ(captured, static_cast<CUgraph>(graph));
	ASSERT_EQ(graph.size(), 2u);
	EXPECT_OK(cuGraphNodeGetDependencies(graph.nodes()[1], before, nullptr, &count));
	EXPECT_EQ(count, 1u);
	EXPECT_EQ(before[0], first);
	/* A capture that fails leaves the graph to its owner. */
	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
					      CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(stream));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &captured));
	EXPECT_EQ(graph.size(), 2u);
}

TEST_F(CaptureGraph, AnEndNeedNotReturnTheGraph)
{
	const Stream stream;
	const Words words(2);
	CUstreamCaptureStatus status;
	CUgraph told = nullptr;
	const Graph into;

	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0,
					      CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	EXPECT_OK(cuStreamEndCapture(stream, nullptr));
	Exec(into).run(stream);
	/* The program has asked for the graph. */
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(
		cuStreamGetCaptureInfo(stream, &status, nullptr, &told, nullptr, nullptr, nullptr));
	EXPECT_OK(cuMemsetD32Async(words + 4, 2, 1, stream));
	EXPECT_OK(cuStreamEndCapture(stream, nullptr));
	const Graph graph(told);
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2}));
	/* It has not, and does not get it. */
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(cuMemsetD32Async(words, 3, 1, stream));
	EXPECT_OK(cuStreamEndCapture(stream, nullptr));
	EXPECT_OK(cuStreamIsCapturing(stream, &status));
	EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
	/* A failure is one all the same. */
	const Stream joined;
	const Event event;
	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuStreamWaitEvent(joined, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 3, 1, joined));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(joined, nullptr));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(stream, nullptr));
	EXPECT_EQ(words.load()[0], 1u);
}

TEST_F(CaptureGraph, G11_ALaunchIsACapturedChild)
{
	const Stream stream;
	const Graph inner;
	std::atomic<int> calls{0};
	CUgraph captured = nullptr;

	add_count(inner, {add_count(inner, {}, calls)}, calls);
	const Exec exec(inner);
	Capturing capture(stream);
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	ASSERT_EQ(graph.size(), 2u);
	EXPECT_EQ(type_of(graph.nodes()[0]), CU_GRAPH_NODE_TYPE_GRAPH);
	Exec(graph).run(stream);
	EXPECT_EQ(calls.load(), 4);
}
