// SPDX-License-Identifier: MIT
/*
 * DOC: what a program may change while a capture is under way: its graph, its streams
 */
#include <algorithm>
#include <thread>

#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class CaptureChanges : public ContextTest {
protected:
	/* Captures a call that counts. */
	void count(CUstream stream)
	{
		EXPECT_OK(cuLaunchHostFunc(
			stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); },
			&calls_));
	}

	/* No capture is under way, so nothing is forbidden. */
	void nothing_is_left() const
	{
		CUdeviceptr memory = 0;

		EXPECT_OK(cuMemAlloc(&memory, 64));
		EXPECT_OK(cuMemFree(memory));
	}

	std::atomic<int> calls_{0};
};

/* The second stream follows the first. */
void fork(CUstream from, CUstream to, CUevent event)
{
	EXPECT_OK(cuEventRecord(event, from));
	EXPECT_OK(cuStreamWaitEvent(to, event, 0));
}

CUgraph graph_of(CUstream stream)
{
	CUstreamCaptureStatus status;
	CUgraph graph = nullptr;

	EXPECT_OK(cuStreamGetCaptureInfo(stream, &status, nullptr, &graph, nullptr, nullptr,
					 nullptr));
	return graph;
}

/* The nodes that the stream's next task follows. */
std::vector<CUgraphNode> followed_by(CUstream stream)
{
	CUstreamCaptureStatus status;
	const CUgraphNode *nodes = nullptr;
	size_t count = 0;

	EXPECT_OK(
		cuStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, nullptr, &count));
	return std::vector<CUgraphNode>(nodes, nodes + count);
}

CUresult set_followed(CUstream stream, std::vector<CUgraphNode> nodes)
{
	return cuStreamUpdateCaptureDependencies(stream, nodes.data(), nullptr, nodes.size(),
						 CU_STREAM_SET_CAPTURE_DEPENDENCIES);
}

} // namespace

TEST_F(CaptureChanges, NoNodeIsRemoved)
{
	const Stream stream;
	CUgraph captured = nullptr;
	Capturing capture(stream);

	count(stream);
	const CUgraphNode first = followed_by(stream).at(0);
	count(stream);
	const CUgraphNode second = followed_by(stream).at(0);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(second));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(first));
	count(stream);
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 3u);
	Exec(graph).run(stream);
	EXPECT_EQ(calls_.load(), 3);
	/* Afterwards it is a graph like any other. */
	EXPECT_OK(cuGraphDestroyNode(second));
	Exec(graph).run(stream);
	EXPECT_EQ(calls_.load(), 5);
}

TEST_F(CaptureChanges, NoGraphIsInstantiatedBeforeTheEnd)
{
	const Stream stream;
	const Graph graph;
	CUgraph captured = nullptr;
	CUgraphExec exec = nullptr;

	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
					      CU_STREAM_CAPTURE_MODE_RELAXED));
	count(stream);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuStreamEndCapture(stream, &captured));
	Exec(graph).run(stream);
	EXPECT_EQ(calls_.load(), 1);
}

TEST_F(CaptureChanges, NoGraphUpdatesAnotherBeforeTheEnd)
{
	const Stream stream;
	const Graph old;
	const Graph fresh;
	const Graph outer;
	CUgraphNode node = nullptr;
	CUgraph captured = nullptr;
	CUgraphExecUpdateResultInfo info = {};

	(void)add_count(old, {}, calls_);
	ASSERT_OK(cuGraphAddChildGraphNode(&node, outer, nullptr, 0, old));
	const Exec exec(old);
	const Exec outer_exec(outer);
	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, fresh, nullptr, nullptr, 0,
					      CU_STREAM_CAPTURE_MODE_RELAXED));
	count(stream);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecUpdate(exec, fresh, &info));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecChildGraphNodeSetParams(outer_exec, node, fresh));
	EXPECT_OK(cuStreamEndCapture(stream, &captured));
	EXPECT_OK(cuGraphExecUpdate(exec, fresh, &info));
	EXPECT_OK(cuGraphExecChildGraphNodeSetParams(outer_exec, node, fresh));
}

TEST_F(CaptureChanges, ACaptureIntoTheGraphOfAChildNode)
{
	const Stream stream;
	const Graph graph;
	const Graph empty;
	CUgraphNode node = nullptr;
	CUgraph child = nullptr;
	CUgraph captured = nullptr;
	CUgraphExec exec = nullptr;

	ASSERT_OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, empty));
	ASSERT_OK(cuGraphChildGraphNodeGetGraph(node, &child));
	const CUgraphNode first = add_count(child, {}, calls_);
	ASSERT_OK(cuStreamBeginCaptureToGraph(stream, child, &first, nullptr, 1,
					      CU_STREAM_CAPTURE_MODE_RELAXED));
	count(stream);
	/* The graphs around it are needed until the end. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(node));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroyNode(first));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(graph));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuStreamEndCapture(stream, &captured));
	EXPECT_EQ(captured, child);
	Exec(graph).run(stream);
	EXPECT_EQ(calls_.load(), 2);
}

TEST_F(CaptureChanges, WhatTheProgramTakesAwayNeedNotComeBack)
{
	const Stream stream;
	const Stream joined;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	{
		Capturing capture(stream);

		/* The joined stream came back, then the origin forgets it. */
		fork(stream, joined, there);
		count(joined);
		fork(joined, stream, back);
		EXPECT_OK(set_followed(stream, {}));
		ASSERT_OK(capture.end(&captured));
		EXPECT_OK(cuGraphDestroy(captured));
	}
	Capturing capture(stream);
	/* The joined stream did not come back, but forgets its own node. */
	fork(stream, joined, there);
	count(joined);
	EXPECT_OK(set_followed(joined, {}));
	ASSERT_OK(capture.end(&captured));
	EXPECT_OK(cuGraphDestroy(captured));
}

TEST_F(CaptureChanges, WhatIsKeptHasToComeBack)
{
	const Stream stream;
	const Stream joined;
	const Event event;
	Capturing capture(stream);

	fork(stream, joined, event);
	count(joined);
	EXPECT_OK(set_followed(joined, followed_by(joined)));
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
}

TEST_F(CaptureChanges, EdgesTakenOutOfTheGraphDoNotCutAStreamOff)
{
	const Stream stream;
	const Stream joined;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	Capturing capture(stream);

	fork(stream, joined, there);
	count(joined);
	const CUgraphNode theirs = followed_by(joined).at(0);
	fork(joined, stream, back);
	count(stream);
	const CUgraphNode mine = followed_by(stream).at(0);
	EXPECT_OK(cuGraphRemoveDependencies(graph_of(stream), &theirs, &mine, nullptr, 1));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	Exec(graph).run(stream);
	EXPECT_EQ(calls_.load(), 2);
}

TEST_F(CaptureChanges, ADestroyedOriginMakesTheCaptureInvalid)
{
	const Stream joined;
	const Event event;
	CUstreamCaptureStatus status;
	CUgraph graph = nullptr;
	Stream origin;

	ASSERT_OK(cuStreamBeginCapture(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
	fork(origin, joined, event);
	count(joined);
	const CUstream destroyed = origin.release();
	EXPECT_OK(cuStreamDestroy(destroyed));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamEndCapture(destroyed, &graph));
	EXPECT_OK(cuStreamIsCapturing(joined, &status));
	EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuLaunchHostFunc(
								 joined, [](void *) {}, nullptr));
	/* Each stream that is left may end it, in any thread. */
	std::thread([&] {
		EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
			  cuStreamEndCapture(joined, &graph));
	}).join();
	EXPECT_EQ(graph, nullptr);
	nothing_is_left();
	count(joined);
	EXPECT_OK(cuStreamSynchronize(joined));
	EXPECT_EQ(calls_.load(), 1);
}

TEST_F(CaptureChanges, ACaptureEndsWithItsLastStream)
{
	const Event event;
	Stream origin;
	Stream joined;

	ASSERT_OK(cuStreamBeginCapture(origin, CU_STREAM_CAPTURE_MODE_GLOBAL));
	fork(origin, joined, event);
	count(joined);
	EXPECT_OK(cuStreamDestroy(origin.release()));
	EXPECT_OK(cuStreamDestroy(joined.release()));
	nothing_is_left();
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_EQ(calls_.load(), 0);
}

TEST_F(CaptureChanges, AStreamThatCameBackMayBeDestroyed)
{
	const Stream origin;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	Capturing capture(origin);
	{
		const Stream joined;

		fork(origin, joined, there);
		count(joined);
		fork(joined, origin, back);
	}
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	count(origin);
	ASSERT_OK(capture.end(&captured));
	EXPECT_EQ(calls_.load(), 0);
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 2u);
	Exec(graph).run(origin);
	EXPECT_EQ(calls_.load(), 2);
	nothing_is_left();
}

TEST_F(CaptureChanges, WhatADestroyedStreamCapturedHasToComeBack)
{
	const Stream origin;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	{
		Capturing capture(origin);
		Stream joined;

		fork(origin, joined, there);
		count(joined);
		EXPECT_OK(cuStreamDestroy(joined.release()));
		EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
		capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	}
	EXPECT_EQ(calls_.load(), 0);
	nothing_is_left();
	/* It may do so when the stream is gone. */
	Capturing capture(origin);
	Stream joined;
	fork(origin, joined, there);
	count(joined);
	EXPECT_OK(cuEventRecord(back, joined));
	EXPECT_OK(cuStreamDestroy(joined.release()));
	EXPECT_OK(cuStreamWaitEvent(origin, back, 0));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	Exec(graph).run(origin);
	EXPECT_EQ(calls_.load(), 1);
}

/* Without captured tasks it has nothing that could come back. */
TEST_F(CaptureChanges, AStreamThatCapturedNothingMayBeDestroyed)
{
	const Stream origin;
	const Event there;
	CUgraph captured = nullptr;
	Capturing capture(origin);

	count(origin);
	for (int i = 0; i < 3; ++i) {
		const Stream joined;

		fork(origin, joined, there);
	}
	ASSERT_OK(capture.end(&captured));
	EXPECT_EQ(Graph(captured).size(), 1u);
}

/* A thread's own stream ends with its thread. */
TEST_F(CaptureChanges, AThreadThatEndsEndsTheCaptureOfItsOwnStream)
{
	const Words words(4, 0);

	std::thread([&] {
		ASSERT_OK(cuCtxSetCurrent(context_));
		ASSERT_OK(
			cuStreamBeginCapture(CU_STREAM_PER_THREAD, CU_STREAM_CAPTURE_MODE_GLOBAL));
		EXPECT_OK(cuMemsetD32Async(words, 1, 4, CU_STREAM_PER_THREAD));
	}).join();
	nothing_is_left();
	EXPECT_EQ(words.load()[0], 0u);
}

TEST_F(CaptureChanges, AThreadThatEndsLeavesTheCaptureThatItsOwnStreamJoined)
{
	const Stream origin;
	const Event there;
	const Event back;
	CUgraph captured = nullptr;
	auto in_thread = [&](bool comes_back) {
		std::thread([&] {
			ASSERT_OK(cuCtxSetCurrent(context_));
			fork(origin, CU_STREAM_PER_THREAD, there);
			count(CU_STREAM_PER_THREAD);
			if (comes_back)
				fork(CU_STREAM_PER_THREAD, origin, back);
		}).join();
	};
	{
		Capturing capture(origin);

		in_thread(true);
		count(origin);
		ASSERT_OK(capture.end(&captured));
		EXPECT_EQ(calls_.load(), 0);
		const Graph graph(captured);
		Exec(graph).run(origin);
		EXPECT_EQ(calls_.load(), 2);
	}
	Capturing capture(origin);
	in_thread(false);
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	nothing_is_left();
}

/* The origin is of another context than the stream that joined. */
TEST_F(CaptureChanges, TheEndOfAContextTakesItsStreamsOutOfACapture)
{
	const Stream origin;
	const Event there;
	Capturing capture(origin, CU_STREAM_CAPTURE_MODE_RELAXED);
	{
		const Context other;
		Stream joined;

		fork(origin, joined, there);
		count(joined);
		(void)joined.release();
	}
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
	EXPECT_EQ(calls_.load(), 0);
	nothing_is_left();
}

TEST_F(CaptureChanges, TheEndOfTheOriginsContextMakesTheCaptureInvalid)
{
	const Stream joined;
	CUstreamCaptureStatus status;
	CUgraph graph = nullptr;
	{
		const Context other;
		const Event event;
		Stream origin;

		ASSERT_OK(cuStreamBeginCapture(origin, CU_STREAM_CAPTURE_MODE_RELAXED));
		fork(origin, joined, event);
		count(joined);
		(void)origin.release();
	}
	EXPECT_OK(cuStreamIsCapturing(joined, &status));
	EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(joined, &graph));
	nothing_is_left();
	EXPECT_EQ(calls_.load(), 0);
}
