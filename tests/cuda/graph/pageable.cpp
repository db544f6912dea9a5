// SPDX-License-Identifier: MIT
/*
 * DOC: copies with pageable memory in captures and graphs (F3), and beside captures (F5)
 *
 * A launch reads and writes ordinary memory of the program at the time when it reaches the copy.
 */
#include "graphs.h"

#include <thread>

using namespace cuda_test;

namespace {

class Pageable : public ContextTest {};

CUDA_MEMCPY3D rows(CUdeviceptr device, void *host, size_t width, size_t height, bool to_device)
{
	CUDA_MEMCPY3D copy = {};

	copy.srcMemoryType = to_device ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
	copy.dstMemoryType = to_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
	copy.srcHost = copy.dstHost = host;
	copy.srcDevice = copy.dstDevice = device;
	copy.srcPitch = copy.dstPitch = width;
	copy.srcHeight = copy.dstHeight = height;
	copy.WidthInBytes = width;
	copy.Height = height;
	copy.Depth = 1;
	return copy;
}

CUgraphNode add_copy(CUgraph graph, const std::vector<CUgraphNode> &after, CUcontext context,
		     const CUDA_MEMCPY3D &copy)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(), &copy, context));
	return node;
}

/* A graph of one copy to the device. */
std::unique_ptr<Graph> copy_graph(CUcontext context, CUdeviceptr device, void *host, size_t bytes)
{
	auto graph = std::make_unique<Graph>();

	add_copy(*graph, {}, context, rows(device, host, bytes, 1, true));
	return graph;
}

} // namespace

/* F3 */
TEST_F(Pageable, CapturedCopiesOfTheStack)
{
	const Words words(2);
	const Stream stream;
	uint32_t in = 1;
	uint32_t out[2] = {};
	CUgraph captured = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuMemcpyHtoDAsync(words, &in, 4, stream));
	EXPECT_OK(cuMemcpyDtoDAsync(words + 4, words, 4, stream));
	EXPECT_OK(cuMemcpyDtoHAsync(out, words, 8, stream));
	ASSERT_OK(capture.end(&captured));
	EXPECT_EQ(out[0], 0u);
	const Graph graph(captured);
	const Exec exec(graph);
	for (const CUgraphNode node : graph.nodes())
		EXPECT_EQ(type_of(node), CU_GRAPH_NODE_TYPE_MEMCPY);
	EXPECT_EQ(graph.size(), 3u);
	for (uint32_t round = 1; round <= 5; ++round) {
		in = round;
		exec.run(stream);
		EXPECT_EQ(out[0], round);
		EXPECT_EQ(out[1], round);
	}
	/* A queued launch takes what is there when it runs. */
	Gate gate;
	gate.block(stream);
	EXPECT_OK(cuGraphLaunch(exec, stream));
	in = 77;
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(out[1], 77u);
}

/* F3 */
TEST_F(Pageable, CapturedRows)
{
	const Words words(4);
	const Stream stream;
	uint32_t in[6] = {1, 2, 0, 3, 4, 0};
	CUDA_MEMCPY2D copy = {};
	CUgraph captured = nullptr;
	Capturing capture(stream);

	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = in;
	copy.srcPitch = 12;
	copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.dstDevice = words;
	copy.WidthInBytes = 8;
	copy.Height = 2;
	EXPECT_OK(cuMemcpy2DAsync(&copy, stream));
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	ASSERT_EQ(graph.size(), 1u);
	EXPECT_EQ(type_of(graph.nodes()[0]), CU_GRAPH_NODE_TYPE_MEMCPY);
	const Exec exec(graph);
	in[3] = 5;
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2, 5, 4}));
}

/* F3 */
TEST_F(Pageable, ExplicitNodesInOrder)
{
	const Words words(4);
	const Stream stream;
	const Graph graph;
	uint32_t in[4] = {1, 2, 3, 4};
	uint32_t out[4] = {};
	uint32_t twin[4] = {};
	std::atomic<int> calls{0};
	const CUgraphNode up = add_copy(graph, {}, context_, rows(words, in, 8, 2, true));
	const CUgraphNode count = add_count(graph, {up}, calls);
	const CUgraphNode down = add_copy(graph, {count}, context_, rows(words, out, 8, 2, false));
	CUDA_MEMCPY3D between = rows(0, nullptr, 16, 1, true);

	between.dstMemoryType = CU_MEMORYTYPE_HOST;
	between.srcHost = out;
	between.dstHost = twin;
	add_copy(graph, {down}, context_, between);
	const Exec exec(graph);
	for (uint32_t round = 1; round <= 20; ++round) {
		in[0] = in[3] = round;
		exec.run(stream);
		EXPECT_EQ(out[0], round);
		EXPECT_EQ(twin[3], round);
		EXPECT_EQ(twin[1], 2u);
	}
	EXPECT_EQ(calls.load(), 20);
}

/* F3: from pinned to pageable memory and back: both are host memory. */
TEST_F(Pageable, Updates)
{
	const Words words(1);
	const PinnedWords pinned(1, 3);
	const Stream stream;
	uint32_t first = 1;
	uint32_t second = 2;
	const auto of_first = copy_graph(context_, words, &first, 4);
	const auto of_second = copy_graph(context_, words, &second, 4);
	const auto of_pinned = copy_graph(context_, words, pinned.data(), 4);
	const Exec exec(*of_first);
	CUgraphExecUpdateResultInfo info = {};

	exec.run(stream);
	EXPECT_EQ(words.load()[0], 1u);
	EXPECT_OK(cuGraphExecUpdate(exec, *of_second, &info));
	exec.run(stream);
	EXPECT_EQ(words.load()[0], 2u);
	EXPECT_OK(cuGraphExecUpdate(exec, *of_pinned, &info));
	exec.run(stream);
	EXPECT_EQ(words.load()[0], 3u);
	EXPECT_OK(cuGraphExecUpdate(exec, *of_first, &info));
	first = 4;
	exec.run(stream);
	EXPECT_EQ(words.load()[0], 4u);
}

/* F3: a function of the program that blocks holds up functions of the program, not copies. */
TEST_F(Pageable, CopiesDoNotWaitForFunctions)
{
	const Words words(1);
	const Stream stream;
	const Stream blocked;
	uint32_t value = 6;
	const auto graph = copy_graph(context_, words, &value, 4);
	const Exec exec(*graph);
	Gate gate;

	gate.block(blocked);
	exec.run(stream);
	gate.open();
	EXPECT_OK(cuStreamSynchronize(blocked));
	EXPECT_EQ(words.load()[0], 6u);
}

/* F3 */
TEST_F(Pageable, RangesThatAreNotThereAreRefused)
{
	const Words words(1);
	const Stream stream;
	const Graph graph;
	uint32_t value[1024] = {};
	CUgraphNode node = nullptr;
	const CUDA_MEMCPY3D copy = rows(words, value, sizeof(value), 1, true);

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context_));
	EXPECT_EQ(graph.size(), 0u);
	{
		Capturing capture(stream);

		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuMemcpyHtoDAsync(words, value, sizeof(value), stream));
		EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	}
}

/* F20: an update keeps the kinds of memory, whether the device or the host copies: pageable and registered memory
 * are host memory as pinned memory is. */
TEST_F(Pageable, UpdatesKeepTheKindsOfMemory)
{
	const Words words(1);
	const Words others(1);
	uint32_t plain = 1;
	uint32_t registered = 2;
	ASSERT_OK(cuMemHostRegister(&registered, sizeof(registered), 0));
	CUDA_MEMCPY3D between = rows(words, nullptr, 4, 1, true);

	between.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	between.srcDevice = others;
	for (uint32_t *host : {&plain, &registered}) {
		const CUDA_MEMCPY3D copies[] = {rows(words, host, 4, 1, true),
						rows(words, host, 4, 1, false), between};
		for (const CUDA_MEMCPY3D &old : copies) {
			const Graph graph;
			const CUgraphNode node = add_copy(graph, {}, context_, old);
			const Exec exec(graph);
			for (const CUDA_MEMCPY3D &fresh : copies) {
				const bool same = &fresh == &old;
				const Graph update;
				CUgraphExecUpdateResultInfo info = {};
				add_copy(update, {}, context_, fresh);
				EXPECT_CU(same ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE,
					  cuGraphExecMemcpyNodeSetParams(exec, node, &fresh,
									 context_));
				EXPECT_CU(same ? CUDA_SUCCESS
					       : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
					  cuGraphExecUpdate(exec, update, &info));
				EXPECT_EQ(info.result,
					  same ? CU_GRAPH_EXEC_UPDATE_SUCCESS
					       : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
			}
		}
	}
	EXPECT_OK(cuMemHostUnregister(&registered));
}

/* The same of a fill of registered memory, which the host makes if the device does not reach it. */
TEST_F(Pageable, UpdatesKeepTheKindOfAFill)
{
	const Words words(1);
	uint32_t registered = 0;
	const Graph graph;
	CUgraphNode node = nullptr;
	CUDA_MEMSET_NODE_PARAMS fill = {};
	CUDA_MEMSET_NODE_PARAMS found = {};
	ASSERT_OK(cuMemHostRegister(&registered, sizeof(registered), 0));

	fill.dst = reinterpret_cast<CUdeviceptr>(&registered);
	fill.value = 9;
	fill.elementSize = 4;
	fill.width = fill.height = 1;
	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
	CUgraph cloned = nullptr;
	ASSERT_OK(cuGraphClone(&cloned, graph));
	const Graph clone(cloned);
	EXPECT_OK(cuGraphMemsetNodeGetParams(clone.nodes()[0], &found));
	EXPECT_EQ(found.dst, fill.dst);
	EXPECT_EQ(found.value, 9u);
	EXPECT_EQ(found.elementSize * found.width * found.height, 4u);
	{
		const Exec exec(graph);
		fill.dst = words;
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuGraphExecMemsetNodeSetParams(exec, node, &fill, context_));
	}
	EXPECT_OK(cuMemHostUnregister(&registered));
}

/* A copy node of a capture, a clone or a child graph has the parameters of the copy. */
void expect_parameters(CUgraphNode node, const CUDA_MEMCPY3D &copy)
{
	CUDA_MEMCPY3D found = {};

	ASSERT_OK(cuGraphMemcpyNodeGetParams(node, &found));
	EXPECT_EQ(found.srcMemoryType, CU_MEMORYTYPE_HOST);
	EXPECT_EQ(found.srcHost, copy.srcHost);
	EXPECT_EQ(found.dstMemoryType, CU_MEMORYTYPE_DEVICE);
	EXPECT_EQ(found.dstDevice, copy.dstDevice);
	EXPECT_EQ(found.WidthInBytes, copy.WidthInBytes);
	EXPECT_EQ(found.Height, copy.Height);
	EXPECT_EQ(found.Depth, copy.Depth);
	if (copy.Height > 1) {
		EXPECT_EQ(found.srcPitch, copy.srcPitch);
		EXPECT_EQ(found.dstPitch, copy.dstPitch);
	}
	EXPECT_OK(cuGraphMemcpyNodeSetParams(node, &found));
}

/* The graph has one node, which copies so. */
void expect_copy(CUgraph graph, const CUDA_MEMCPY3D &copy)
{
	CUgraphNode node = nullptr;
	size_t count = 1;

	ASSERT_OK(cuGraphGetNodes(graph, &node, &count));
	ASSERT_EQ(count, 1u);
	expect_parameters(node, copy);
}

TEST_F(Pageable, ParametersOfCopiesThatTheProgramDidNotGive)
{
	const Words words(4);
	const Stream stream;
	uint32_t plain[4] = {};
	uint32_t registered[4] = {};
	ASSERT_OK(cuMemHostRegister(registered, sizeof(registered), 0));

	for (uint32_t *host : {plain, registered}) {
		for (const size_t height : {size_t{1}, size_t{2}}) {
			CUDA_MEMCPY3D copy = rows(words, host, 4, height, true);
			copy.srcPitch = 8;
			CUgraph made = nullptr;
			Capturing capture(stream);
			EXPECT_OK(cuMemcpy3DAsync(&copy, stream));
			ASSERT_OK(capture.end(&made));
			expect_copy(Graph(made), copy);

			const Graph graph;
			add_copy(graph, {}, context_, copy);
			ASSERT_OK(cuGraphClone(&made, graph));
			expect_copy(Graph(made), copy);

			const Graph parent;
			CUgraphNode child = nullptr;
			ASSERT_OK(cuGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
			ASSERT_OK(cuGraphChildGraphNodeGetGraph(child, &made));
			expect_copy(made, copy);
		}
	}
	EXPECT_OK(cuMemHostUnregister(registered));
}

/* A device end is never ordinary memory, in a node and in a capture. */
TEST_F(Pageable, DeviceEndsAreNotPageable)
{
	const Words words(1);
	const Stream stream;
	const Graph graph;
	uint32_t value = 0;
	CUgraphNode node = nullptr;

	for (const auto address : {CUdeviceptr{0x1000}, reinterpret_cast<CUdeviceptr>(&value)}) {
		CUDA_MEMCPY3D copy = rows(words, nullptr, 4, 1, true);
		copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
		copy.srcDevice = address;
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context_));
		Capturing capture(stream);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoDAsync(words, address, 4, stream));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoHAsync(&value, address, 4, stream));
		EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	}
	EXPECT_EQ(graph.size(), 0u);
}

/* F5 */
TEST_F(Pageable, OtherThreadsMayCopyBesideACapture)
{
	const Words words(2);
	const Stream stream;
	const Stream other;
	uint32_t value = 8;
	uint32_t back = 0;
	CUgraph captured = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuMemsetD32Async(words + 4, 1, 1, stream));
	std::thread([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		EXPECT_OK(cuMemcpyHtoDAsync(words, &value, 4, other));
		EXPECT_OK(cuMemcpyDtoHAsync(&back, words, 4, other));
	}).join();
	EXPECT_OK(cuMemcpyHtoDAsync(words, &value, 4, other));
	EXPECT_EQ(back, 8u);
	EXPECT_EQ(capture.status(), CU_STREAM_CAPTURE_STATUS_ACTIVE);
	ASSERT_OK(capture.end(&captured));
	const Graph graph(captured);
	EXPECT_EQ(graph.size(), 1u);
}
