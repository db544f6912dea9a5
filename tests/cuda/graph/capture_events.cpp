// SPDX-License-Identifier: MIT
/*
 * DOC: events of captures, and events that processes share in captures and graphs
 */
#include "graph/graphs.h"
#include "support/child.h"

using namespace cuda_test;

namespace {

class CaptureEvents : public ContextTest {};

constexpr unsigned SHARED = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;

void count(CUstream stream, std::atomic<int> &calls)
{
	EXPECT_OK(cuLaunchHostFunc(
		stream, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls));
}

/* A graph of one node that records the event. */
Graph recorder(CUevent event)
{
	CUgraphNode node = nullptr;
	CUgraph graph = nullptr;

	EXPECT_OK(cuGraphCreate(&graph, 0));
	EXPECT_OK(cuGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
	return Graph(graph);
}

/* A graph in which a host function waits for the gate, and a record follows. */
void add_gated_record(CUgraph graph, Gate &gate, CUevent event)
{
	CUgraphNode host = nullptr;
	CUgraphNode record = nullptr;
	CUDA_HOST_NODE_PARAMS params = {};

	params.fn = [](void *opened) { static_cast<std::shared_future<void> *>(opened)->wait(); };
	params.userData = gate.future();
	EXPECT_OK(cuGraphAddHostNode(&host, graph, nullptr, 0, &params));
	EXPECT_OK(cuGraphAddEventRecordNode(&record, graph, &host, 1, event));
}

} // namespace

/* All calls about it say the same, until it is recorded outside. */
TEST_F(CaptureEvents, AnEventOfACaptureThatEnded)
{
	const Stream stream;
	const Event event;
	CUgraph graph = nullptr;
	float milliseconds = 0;
	{
		Capturing capture(stream);

		EXPECT_OK(cuEventRecord(event, stream));
		ASSERT_OK(capture.end(&graph));
		EXPECT_OK(cuGraphDestroy(graph));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventSynchronize(event));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWaitEvent(stream, event, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuCtxWaitEvent(nullptr, event));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventElapsedTime(&milliseconds, event, event));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuStreamWaitEvent(stream, event, 0));
	EXPECT_OK(cuCtxWaitEvent(nullptr, event));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventQuery(event));
	EXPECT_OK(cuEventElapsedTime(&milliseconds, event, event));
}

TEST_F(CaptureEvents, ASharedEventForksAndJoins)
{
	const Stream stream;
	const Stream joined;
	const Event there(SHARED);
	const Event back(SHARED);
	std::atomic<int> calls{0};
	CUgraph captured = nullptr;
	Capturing capture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);

	count(stream, calls);
	EXPECT_OK(cuEventRecord(there, stream));
	EXPECT_OK(cuStreamWaitEvent(joined, there, 0));
	count(joined, calls);
	EXPECT_CU(CUDA_ERROR_CAPTURED_EVENT, cuEventQuery(there));
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
	Capturing again(stream);
	count(stream, calls);
	EXPECT_OK(cuEventRecord(there, stream));
	EXPECT_OK(cuStreamWaitEvent(joined, there, 0));
	count(joined, calls);
	EXPECT_OK(cuEventRecord(back, joined));
	EXPECT_OK(cuStreamWaitEvent(stream, back, 0));
	ASSERT_OK(again.end(&captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 2u);
	Exec(graph).run(stream);
	EXPECT_EQ(calls.load(), 2);
	/* The next record outside makes it an ordinary one again. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuEventQuery(there));
	EXPECT_OK(cuEventRecord(there, stream));
	EXPECT_OK(cuEventSynchronize(there));
	EXPECT_OK(cuEventQuery(there));
}

TEST_F(CaptureEvents, ASharedEventThatWasRecordedOutside)
{
	const Stream stream;
	const Event event(SHARED);
	const Event never(SHARED);
	CUgraph captured = nullptr;
	{
		Capturing capture(stream);

		EXPECT_OK(cuStreamWaitEvent(stream, never, 0));
		ASSERT_OK(capture.end(&captured));
		EXPECT_OK(cuGraphDestroy(captured));
	}
	EXPECT_OK(cuEventRecord(event, stream));
	Capturing capture(stream);
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(stream, event, 0));
	capture.end_fails(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(CaptureEvents, EachLaunchRecordsASharedEvent)
{
	const Stream stream;
	const Stream waiter;
	const Event event(SHARED);
	const Graph graph;
	std::atomic<int> calls{0};
	Gate gate;

	add_gated_record(graph, gate, event);
	const Exec exec(graph);
	EXPECT_OK(cuEventQuery(event));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	EXPECT_OK(cuStreamWaitEvent(waiter, event, 0));
	count(waiter, calls);
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(waiter));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(waiter));
	EXPECT_EQ(calls.load(), 1);
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventQuery(event));
}

TEST_F(CaptureEvents, ExternalRecordsAndWaitsOfASharedEvent)
{
	const Words words(2, 1);
	const Stream stream;
	const Stream waiter;
	const Event event(SHARED);
	CUgraph recording = nullptr;
	CUgraph waiting = nullptr;
	Gate gate;

	{
		Capturing capture(stream);

		gate.block(stream);
		EXPECT_OK(cuMemsetD32Async(words, 4, 1, stream));
		EXPECT_OK(cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_EXTERNAL));
		ASSERT_OK(capture.end(&recording));
	}
	{
		Capturing capture(waiter);

		EXPECT_OK(cuStreamWaitEvent(waiter, event, CU_EVENT_WAIT_EXTERNAL));
		EXPECT_OK(cuMemcpyDtoDAsync(words + 4, words, 4, waiter));
		ASSERT_OK(capture.end(&waiting));
	}
	const Graph first(recording);
	const Graph second(waiting);
	const Exec record(first);
	const Exec wait(second);
	EXPECT_OK(cuGraphLaunch(record, stream));
	EXPECT_OK(cuGraphLaunch(wait, waiter));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(waiter));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	gate.open();
	EXPECT_OK(cuStreamSynchronize(waiter));
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{4, 4}));
}

/* More records under way than the event has lanes, on many streams and with plain records between them. */
TEST_F(CaptureEvents, ManyLaunchesRecordASharedEvent)
{
	const Event event(SHARED);
	const Graph graph = recorder(event);
	const Exec exec(graph);
	const Stream streams[20];
	const Stream waiter;
	std::atomic<int> calls{0};

	for (int round = 0; round < 3; ++round) {
		for (const Stream &stream : streams) {
			count(stream, calls);
			EXPECT_OK(cuGraphLaunch(exec, stream));
			if (round == 1) {
				EXPECT_OK(cuEventRecord(event, stream));
			}
		}
	}
	EXPECT_OK(cuStreamWaitEvent(waiter, event, 0));
	EXPECT_OK(cuStreamSynchronize(waiter));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_EQ(calls.load(), 60);
}

TEST_F(CaptureEvents, ARecordNodeChangesToASharedEventAndBack)
{
	const Stream stream;
	const Event shared(SHARED);
	const Event plain;
	const Event other;
	Gate gate;
	const Graph graph;

	add_gated_record(graph, gate, plain);
	const CUgraphNode node = graph.nodes().at(1);
	const Exec exec(graph);
	ASSERT_OK(cuGraphExecEventRecordNodeSetEvent(exec, node, shared));
	EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(shared));
	EXPECT_OK(cuEventQuery(plain));
	gate.open();
	EXPECT_OK(cuEventSynchronize(shared));
	ASSERT_OK(cuGraphExecEventRecordNodeSetEvent(exec, node, other));
	exec.run(stream);
	EXPECT_OK(cuEventSynchronize(other));
	EXPECT_OK(cuEventQuery(plain));
}

/* A captured wait and a node of a graph, for events of the other device. */
TEST(CaptureEventsAlone, AGraphWaitsForAnEventOfAnotherDevice)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Stream here;
	const Event event;
	const Context second(1);
	const Stream there;
	const Words words(2);
	const Graph added;
	CUgraph captured = nullptr;
	CUgraphNode wait = nullptr;
	CUgraphNode fill = nullptr;
	CUDA_MEMSET_NODE_PARAMS params = {};

	params.dst = words + 4;
	params.value = 3;
	params.elementSize = 4;
	params.width = params.height = 1;
	ASSERT_OK(cuGraphAddEventWaitNode(&wait, added, nullptr, 0, event));
	ASSERT_OK(cuGraphAddMemsetNode(&fill, added, &wait, 1, &params, second));
	{
		Capturing capture(there);

		EXPECT_OK(cuStreamWaitEvent(there, event, CU_EVENT_WAIT_EXTERNAL));
		EXPECT_OK(cuMemsetD32Async(words, 2, 1, there));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph graph(captured);
	const Exec captured_exec(graph);
	const Exec added_exec(added);
	for (CUgraphExec exec : {CUgraphExec{captured_exec}, CUgraphExec{added_exec}}) {
		Gate gate;

		EXPECT_OK(cuCtxSetCurrent(first));
		gate.block(here);
		EXPECT_OK(cuEventRecord(event, here));
		EXPECT_OK(cuCtxSetCurrent(second));
		EXPECT_OK(cuGraphLaunch(exec, there));
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(there));
		gate.open();
		EXPECT_OK(cuStreamSynchronize(there));
		/* The record is done. */
		EXPECT_OK(cuGraphLaunch(exec, there));
		EXPECT_OK(cuStreamSynchronize(there));
	}
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{2, 3}));
}
