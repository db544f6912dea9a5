// SPDX-License-Identifier: MIT
/*
 * DOC: graphs whose context has failed or ended
 *
 * "Returns CUDA_SUCCESS if all captured work has been completed, or CUDA_ERROR_NOT_READY if any captured work
 * is incomplete" (cuEventQuery). Work that is skipped will never run, so it must not keep an event pending.
 * Memory of a context that has ended may be another context's, so a graph that uses it must not run.
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <array>
#include <atomic>

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

class EndedContexts : public ContextTest {
protected:
	void SetUp() override;

	/* Ends the other context. Memory of its size then gets its addresses. */
	void end_other();

	/* No launch of @exec, and no use of @graph, which it was made of. */
	void expect_refused(const Exec &exec, const Graph &graph) const;

	CUcontext other_ = nullptr;
	CUdeviceptr theirs_ = 0; /* 64 bytes of the other context */
};

void EndedContexts::SetUp()
{
	ContextTest::SetUp();
	ASSERT_OK(cuCtxCreate(&other_, nullptr, 0, 0));
	ASSERT_OK(cuMemAlloc(&theirs_, 64));
	ASSERT_OK(cuCtxPopCurrent(&other_));
}

void EndedContexts::end_other()
{
	EXPECT_OK(cuCtxDestroy(other_));
	EXPECT_OK(cuCtxSetCurrent(context_));
}

void EndedContexts::expect_refused(const Exec &exec, const Graph &graph) const
{
	const Stream stream;
	const Words words(16, 1);
	CUgraphExec fresh = nullptr;
	CUgraph captured = nullptr;
	CUgraphExecUpdateResultInfo info = {};

	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphUpload(exec, stream));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphInstantiate(&fresh, graph, 0));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphExecUpdate(exec, graph, &info));
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
		EXPECT_OK(capture.end(&captured));
	}
	EXPECT_EQ(Graph(captured).size(), 0u);
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), std::vector<uint32_t>(16, 1));
}

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

/* The failure is that of the launch's context: events of other contexts do not have it. */
TEST(GraphFailures, ARecordBehindAFailedNodeFails)
{
	if (!alone())
		return;
	ASSERT_OK(cuInit(0));
	const Context healthy;
	const Event event;
	const Bad bad;
	const Graph graph;
	CUgraphExec exec = nullptr;
	CUevent timed = nullptr;
	CUevent plain = nullptr;

	ASSERT_OK(cuEventCreate(&timed, CU_EVENT_BLOCKING_SYNC));
	ASSERT_OK(cuEventCreate(&plain, CU_EVENT_DISABLE_TIMING));
	ASSERT_OK(cuMemHostRegister(memory, kBytes, 0));
	const auto address = reinterpret_cast<CUdeviceptr>(memory);
	const CUgraphNode fill = add_fill(graph, {}, bad.context, address, 1);
	for (CUevent one : {CUevent(event), bad.event, timed, plain})
		add_record(graph, {fill}, one);
	ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
	ASSERT_OK(cuGraphLaunch(exec, bad.stream));
	EXPECT_OK(cuEventSynchronize(timed));
	EXPECT_OK(cuMemHostUnregister(memory));
	ASSERT_OK(cuGraphLaunch(exec, bad.stream));
	EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventSynchronize(timed));
	for (CUevent one : {bad.event, timed, plain}) {
		EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventSynchronize(one));
		EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, cuEventQuery(one));
	}
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuCtxSetCurrent(healthy));
	EXPECT_OK(cuCtxSynchronize());
}

TEST_F(EndedContexts, ANodeWasMadeInOne)
{
	const Graph graph;

	add_fill(graph, {}, other_, theirs_, 7);
	const Exec exec(graph);
	end_other();
	expect_refused(exec, graph);
}

/* The node is of a context that lives, in a child graph. */
TEST_F(EndedContexts, ANodeWritesMemoryOfOne)
{
	const Graph graph;
	const Graph outer;
	CUgraphNode node = nullptr;

	add_fill(graph, {}, context_, theirs_, 7);
	ASSERT_OK(cuGraphAddChildGraphNode(&node, outer, nullptr, 0, graph));
	const Exec exec(outer);
	end_other();
	expect_refused(exec, outer);
}

TEST_F(EndedContexts, ANodeReadsMemoryOfOne)
{
	const Words words(1);
	const Graph graph;

	add_copy(graph, {}, context_, words, theirs_);
	const Exec exec(graph);
	end_other();
	expect_refused(exec, graph);
}

TEST_F(EndedContexts, ACapturedTaskUsesMemoryOfOne)
{
	const Stream stream;
	const Words words(1);
	const std::vector<std::function<CUresult()>> tasks = {
		[&] { return cuMemsetD32Async(theirs_, 7, 16, stream); },
		[&] { return cuMemcpyDtoDAsync(words, theirs_, 4, stream); },
		[&] { return cuStreamWriteValue32(stream, theirs_, 7, 0); },
	};
	std::vector<std::unique_ptr<Graph>> graphs;
	std::vector<std::unique_ptr<Exec>> execs;

	for (const auto &task : tasks) {
		Capturing capture(stream);
		CUgraph captured = nullptr;

		EXPECT_OK(task());
		ASSERT_OK(capture.end(&captured));
		graphs.push_back(std::make_unique<Graph>(captured));
		execs.push_back(std::make_unique<Exec>(captured));
	}
	end_other();
	for (size_t i = 0; i < tasks.size(); ++i)
		expect_refused(*execs[i], *graphs[i]);
}

/* A node of a batch of operations on words, and the record of an event. */
TEST_F(EndedContexts, OtherNodesOfOne)
{
	const Graph batch;
	const Graph record;
	CUgraphNode node = nullptr;
	CUstreamBatchMemOpParams operation = {};
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {};
	CUevent event = nullptr;

	operation.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	operation.writeValue.address = theirs_;
	params.ctx = context_;
	params.count = 1;
	params.paramArray = &operation;
	ASSERT_OK(cuGraphAddBatchMemOpNode(&node, batch, nullptr, 0, &params));
	ASSERT_OK(cuCtxSetCurrent(other_));
	ASSERT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
	add_record(record, {}, event);
	const Exec batch_exec(batch);
	const Exec record_exec(record);
	end_other();
	expect_refused(batch_exec, batch);
	expect_refused(record_exec, record);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventDestroy(event));
}

TEST_F(EndedContexts, AnotherTaskMendsTheNode)
{
	const Stream stream;
	const Words words(1);
	const Graph graph;
	const Graph healthy;
	CUgraphExecUpdateResultInfo info = {};
	const CUDA_MEMSET_NODE_PARAMS fresh = word(words, 9);

	const CUgraphNode node = add_fill(graph, {}, other_, words, 7);
	add_fill(healthy, {}, context_, words, 8);
	const Exec exec(graph);
	const Exec other_exec(graph);
	end_other();
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
	EXPECT_OK(cuGraphExecUpdate(exec, healthy, &info));
	exec.run(stream);
	EXPECT_EQ(words.load()[0], 8u);
	EXPECT_OK(cuGraphExecMemsetNodeSetParams(other_exec, node, &fresh, context_));
	other_exec.run(stream);
	EXPECT_EQ(words.load()[0], 9u);
	/* A child graph that needs the ended context is refused, too. */
	const Graph outer;
	CUgraphNode child = nullptr;
	ASSERT_OK(cuGraphAddChildGraphNode(&child, outer, nullptr, 0, healthy));
	const Exec outer_exec(outer);
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		  cuGraphExecChildGraphNodeSetParams(outer_exec, child, graph));
	outer_exec.run(stream);
}

/* Whatever a launch does at the same time, it does not write memory that belongs to someone else afterwards. */
TEST_F(EndedContexts, AnotherThreadLaunchesMeanwhile)
{
	const Stream stream;
	const Graph graph;
	std::atomic<int> launches{0};
	std::atomic<bool> is_over{false};

	add_fill(graph, {}, other_, theirs_, 7);
	const Exec exec(graph);
	std::thread launcher([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		while (!is_over) {
			(void)cuGraphLaunch(exec, stream);
			++launches;
		}
	});
	while (launches < 20)
		std::this_thread::yield();
	EXPECT_OK(cuCtxDestroy(other_));
	EXPECT_OK(cuCtxSetCurrent(context_));
	const Words words(16, 1);
	const int before = launches;
	while (launches < before + 20)
		std::this_thread::yield();
	is_over = true;
	launcher.join();
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), std::vector<uint32_t>(16, 1));
}

/* A host function of the destination's device copies to it. */
TEST(MultiDeviceFailures, APeerCopyToOne)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context first(0);
	const Stream stream;
	const Words a(4, 3);
	CUcontext second = nullptr;
	CUdeviceptr b = 0;
	CUgraph captured = nullptr;
	CUDA_MEMCPY3D_PEER copy = {};

	ASSERT_OK(cuCtxCreate(&second, nullptr, 0, 1));
	ASSERT_OK(cuMemAlloc(&b, 64));
	ASSERT_OK(cuCtxSetCurrent(first));
	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = a;
	copy.dstDevice = b;
	copy.srcContext = first;
	copy.dstContext = second;
	copy.WidthInBytes = 4;
	copy.Height = copy.Depth = 1;
	{
		Capturing capture(stream);

		EXPECT_OK(cuMemcpy3DPeerAsync(&copy, stream));
		ASSERT_OK(capture.end(&captured));
	}
	const Graph graph(captured);
	const Exec exec(graph);
	exec.run(stream);
	ASSERT_OK(cuCtxDestroy(second));
	ASSERT_OK(cuCtxSetCurrent(first));
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
}
