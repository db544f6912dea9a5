// SPDX-License-Identifier: MIT
/*
 * DOC: flags, results and limits of instantiation and of updates of a whole graph
 */
#include "graph/graphs.h"

#include <algorithm>

using namespace cuda_test;

namespace {

class GraphExecs : public ContextTest {};

CUgraphNode add_fill(CUgraph graph, CUdeviceptr at, uint32_t value, size_t width = 1,
		     size_t height = 1, size_t pitch = 0)
{
	CUgraphNode node = nullptr;
	CUDA_MEMSET_NODE_PARAMS fill = {};

	fill.dst = at;
	fill.value = value;
	fill.elementSize = 4;
	fill.width = width;
	fill.height = height;
	fill.pitch = pitch;
	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr));
	return node;
}

/* A function that adds its number to a list. */
template <int Number>
CUgraphNode add_number(CUgraph graph, const std::vector<CUgraphNode> &after,
		       std::vector<int> &order)
{
	CUgraphNode node = nullptr;
	CUDA_HOST_NODE_PARAMS params = {};

	params.fn = [](void *data) { static_cast<std::vector<int> *>(data)->push_back(Number); };
	params.userData = &order;
	EXPECT_OK(cuGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
	return node;
}

/* A copy of a word; the unified type lets the addresses decide. */
CUgraphNode add_copy(CUgraph graph, CUdeviceptr to, CUdeviceptr from)
{
	CUgraphNode node = nullptr;
	CUDA_MEMCPY3D copy = {};

	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
	copy.srcDevice = from;
	copy.dstDevice = to;
	copy.WidthInBytes = 4;
	copy.Height = copy.Depth = 1;
	EXPECT_OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr));
	return node;
}

/* The result of an update of @exec by @graph. */
CUgraphExecUpdateResultInfo update(CUgraphExec exec, CUgraph graph)
{
	CUgraphExecUpdateResultInfo info = {};
	const CUresult code = cuGraphExecUpdate(exec, graph, &info);

	EXPECT_EQ(code == CUDA_SUCCESS, info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
	return info;
}

void expect_refused(CUgraphExec exec, const Graph &graph, CUgraphExecUpdateResult why)
{
	const CUgraphExecUpdateResultInfo info = update(exec, graph);

	EXPECT_EQ(info.result, why);
	EXPECT_EQ(info.errorNode, graph.nodes().at(0));
}

} // namespace

TEST_F(GraphExecs, OnlyTheCallWithAStreamUploads)
{
	const Stream stream;
	const Graph graph;
	CUgraphExec exec = nullptr;
	cuuint64_t flags = 99;
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD));
	params.flags =
		CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
	params.hUploadStream = destroyed_stream();
	EXPECT_CU(CUDA_ERROR_CONTEXT_IS_DESTROYED,
		  cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_ERROR);
	params.hUploadStream = stream;
	ASSERT_OK(cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
	EXPECT_OK(cuGraphExecGetFlags(exec, &flags));
	EXPECT_EQ(flags, CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY);
	EXPECT_OK(cuGraphExecDestroy(exec));
}

TEST_F(GraphExecs, FlagsThatExcludeEachOther)
{
	const Graph graph;
	CUgraphExec exec = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphInstantiate(&exec, graph,
				     CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
					     CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
}

TEST_F(GraphExecs, TheReasonIsNamed)
{
	const Graph graph;
	std::atomic<int> calls{0};
	CUgraphExec exec = nullptr;
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {};

	params.flags = 0x100;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_ERROR);
	EXPECT_EQ(params.hErrNode_out, nullptr);
	params.flags = 0;
	const CUgraphNode before = add_count(graph, {}, calls);
	const CUgraphNode first = add_count(graph, {before}, calls);
	const CUgraphNode second = add_count(graph, {first}, calls);
	add_count(graph, {second}, calls);
	EXPECT_OK(cuGraphAddDependencies(graph, &second, &first, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
	EXPECT_TRUE(params.hErrNode_out == first || params.hErrNode_out == second);
}

TEST_F(GraphExecs, TheReasonIsNamedInAChild)
{
	const Graph graph;
	const Graph inner;
	std::atomic<int> calls{0};
	CUgraphNode node = nullptr;
	CUgraph child = nullptr;
	CUgraphExec exec = nullptr;
	CUDA_GRAPH_INSTANTIATE_PARAMS params = {};

	ASSERT_OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, inner));
	ASSERT_OK(cuGraphChildGraphNodeGetGraph(node, &child));
	const CUgraphNode first = add_count(child, {}, calls);
	const CUgraphNode second = add_count(child, {first}, calls);
	EXPECT_OK(cuGraphAddDependencies(child, &second, &first, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiateWithParams(&exec, graph, &params));
	EXPECT_EQ(params.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
	EXPECT_TRUE(params.hErrNode_out == first || params.hErrNode_out == second);
}

TEST_F(GraphExecs, AnotherNumberOfNodesIsOfNoNode)
{
	const Graph graph;
	const Graph more;
	std::atomic<int> calls{0};

	add_count(graph, {}, calls);
	add_count(more, {add_count(more, {}, calls)}, calls);
	const Exec exec(graph);
	const CUgraphExecUpdateResultInfo info = update(exec, more);
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
	EXPECT_EQ(info.errorNode, nullptr);
	const Exec other(more);
	EXPECT_EQ(update(other, graph).errorNode, nullptr);
}

/* Nodes are paired from the ends backwards along the edges, in whatever order they were made. */
TEST_F(GraphExecs, AnUpdatePairsNodesByTheirEdges)
{
	const Words words(1);
	const Stream stream;
	const Graph graph;
	const Graph fresh;
	std::vector<int> order;

	const CUgraphNode one = add_number<1>(graph, {}, order);
	const CUgraphNode two = add_fill(graph, words, 2);
	add_number<3>(graph, {one, two}, order);
	const Exec exec(graph);
	/* The end first, and the fill before the first function. */
	const CUgraphNode last = add_number<6>(fresh, {}, order);
	const CUgraphNode fill = add_fill(fresh, words, 5);
	const CUgraphNode first = add_number<4>(fresh, {}, order);
	const CUgraphNode ends[] = {last, last};
	const CUgraphNode starts[] = {first, fill};
	EXPECT_OK(cuGraphAddDependencies(fresh, starts, ends, nullptr, 2));
	EXPECT_EQ(update(exec, fresh).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	EXPECT_EQ(order, (std::vector<int>{4, 6}));
	EXPECT_EQ(words.load()[0], 5u);
}

TEST_F(GraphExecs, TheOrderOfTheEdgesOfANodeCounts)
{
	const Words words(1);
	const Graph graph;
	const Graph swapped;
	std::vector<int> order;

	const CUgraphNode one = add_number<1>(graph, {}, order);
	const CUgraphNode two = add_fill(graph, words, 2);
	add_number<3>(graph, {one, two}, order);
	const Exec exec(graph);
	const CUgraphNode other_one = add_number<1>(swapped, {}, order);
	const CUgraphNode other_two = add_fill(swapped, words, 2);
	add_number<3>(swapped, {other_two, other_one}, order);
	const CUgraphExecUpdateResultInfo info = update(exec, swapped);
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
	EXPECT_TRUE(info.errorNode == other_one || info.errorNode == other_two);
}

TEST_F(GraphExecs, AnEdgeToAnotherNodeIsNamed)
{
	const Graph graph;
	const Graph crossed;
	std::vector<int> order;

	/* a -> c, b -> c, a -> d; then b -> d instead. */
	const CUgraphNode a = add_number<1>(graph, {}, order);
	const CUgraphNode b = add_number<2>(graph, {}, order);
	add_number<3>(graph, {a, b}, order);
	add_number<4>(graph, {a}, order);
	const Exec exec(graph);
	const CUgraphNode other_a = add_number<1>(crossed, {}, order);
	const CUgraphNode other_b = add_number<2>(crossed, {}, order);
	add_number<3>(crossed, {other_a, other_b}, order);
	const CUgraphNode other_d = add_number<4>(crossed, {other_b}, order);
	const CUgraphExecUpdateResultInfo info = update(exec, crossed);
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
	EXPECT_EQ(info.errorNode, other_d);
	EXPECT_EQ(info.errorFromNode, other_b);
}

/* Nodes that no node follows are paired in the order in which they came to be so. */
TEST_F(GraphExecs, EndsArePairedInTheirOrder)
{
	const Stream stream;
	const Graph graph;
	const Graph fresh;
	std::vector<int> order;

	const CUgraphNode first = add_number<1>(graph, {}, order);
	add_number<2>(graph, {first}, order);
	const CUgraphNode third = add_number<3>(graph, {}, order);
	const CUgraphNode fourth = add_number<4>(graph, {third}, order);
	/* Now the third node is the last end. */
	EXPECT_OK(cuGraphRemoveDependencies(graph, &third, &fourth, nullptr, 1));
	EXPECT_OK(cuGraphAddDependencies(graph, &first, &fourth, nullptr, 1));
	const Exec exec(graph);
	const CUgraphNode root = add_number<5>(fresh, {}, order);
	add_number<6>(fresh, {root}, order);
	add_number<7>(fresh, {root}, order);
	add_number<8>(fresh, {}, order);
	EXPECT_EQ(update(exec, fresh).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	std::sort(order.begin(), order.end());
	EXPECT_EQ(order, (std::vector<int>{5, 6, 7, 8}));
}

/* Two streams are captured; what counts is the order of the calls on each. */
TEST_F(GraphExecs, CapturesOfTheSameCallsInAnotherOrder)
{
	const Stream stream;
	const Stream joined;
	const Words words(2);
	CUgraph graphs[2] = {};

	for (int turn = 0; turn < 2; ++turn) {
		const Event fork;
		const Event join;
		Capturing capture(stream);

		EXPECT_OK(cuEventRecord(fork, stream));
		EXPECT_OK(cuStreamWaitEvent(joined, fork, 0));
		if (turn == 1)
			EXPECT_OK(cuMemsetD32Async(words + 4, 8, 1, joined));
		EXPECT_OK(cuMemsetD32Async(words, turn == 0 ? 1 : 7, 1, stream));
		if (turn == 0)
			EXPECT_OK(cuMemsetD32Async(words + 4, 2, 1, joined));
		EXPECT_OK(cuEventRecord(join, joined));
		EXPECT_OK(cuStreamWaitEvent(stream, join, 0));
		EXPECT_OK(cuMemsetD32Async(words, turn == 0 ? 1 : 7, 1, stream));
		ASSERT_OK(capture.end(&graphs[turn]));
	}
	const Graph graph(graphs[0]);
	const Graph fresh(graphs[1]);
	const Exec exec(graph);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2}));
	EXPECT_EQ(update(exec, fresh).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{7, 8}));
}

TEST_F(GraphExecs, AnUpdateKeepsTheKindOfMemory)
{
	const Words words(2, 1);
	const PinnedWords pinned(2, 2);
	const Graph down;
	const Graph up;
	const Graph same;
	const Stream stream;

	add_copy(down, words, pinned.address());
	add_copy(up, pinned.address(), words);
	add_copy(same, words + 4, pinned.address() + 4);
	const Exec exec(down);
	expect_refused(exec, up, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
	EXPECT_EQ(update(exec, same).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2}));
}

TEST_F(GraphExecs, AnUpdateMayFollowTheEndOfTheOldMemory)
{
	const Stream stream;
	const Graph graph;
	const Graph fresh;
	const PinnedWords pinned(1, 7);
	auto old = std::make_unique<Words>(1);

	add_copy(graph, *old, pinned.address());
	const Exec exec(graph);
	old.reset();
	const Words words(1);
	add_copy(fresh, words, pinned.address());
	EXPECT_EQ(update(exec, fresh).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	EXPECT_EQ(words.load()[0], 7u);
}

TEST_F(GraphExecs, AnUpdateKeepsTheContextOfMemory)
{
	const Words words(1);
	const PinnedWords pinned(1, 5);
	const Graph graph;
	const Graph fill;
	const Graph other_graph;
	const Graph other_fill;

	add_copy(graph, words, pinned.address());
	add_fill(fill, words, 1);
	const Exec exec(graph);
	const Exec fill_exec(fill);
	{
		const Context other;
		const Words theirs(1);

		add_copy(other_graph, theirs, pinned.address());
		add_fill(other_fill, theirs, 1);
		expect_refused(exec, other_graph, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
		expect_refused(fill_exec, other_fill,
			       CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
	}
}

TEST_F(GraphExecs, AnUpdateKeepsTheRowsOfAFill)
{
	const Words words(16);
	const Stream stream;
	const Graph graph;
	const Graph wider;
	const Graph higher;
	const Graph farther;
	const Graph line;
	const Graph moved;
	const Graph longer;

	add_fill(graph, words, 1, 2, 2, 12);
	add_fill(wider, words, 1, 3, 2, 12);
	add_fill(higher, words, 1, 2, 3, 12);
	add_fill(farther, words, 1, 2, 2, 16);
	add_fill(line, words, 1, 2);
	add_fill(moved, words + 4, 9, 2, 2, 12);
	add_fill(longer, words, 3, 4);
	const Exec exec(graph);
	for (const Graph *other : {&wider, &higher, &farther, &line})
		expect_refused(exec, *other, CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED);
	EXPECT_EQ(update(exec, moved).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
	exec.run(stream);
	const std::vector<uint32_t> words_now = words.load();
	EXPECT_EQ(std::vector<uint32_t>(words_now.begin(), words_now.begin() + 7),
		  (std::vector<uint32_t>{0, 9, 9, 0, 9, 9, 0}));
	/* A fill of one row may have another length. */
	const Exec line_exec(line);
	EXPECT_EQ(update(line_exec, longer).result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
}
