// SPDX-License-Identifier: MIT
/*
 * DOC: parameters of nodes: what a program reads, replaces, and switches off
 */
#include "graph/graphs.h"

#include <cstring>

using namespace cuda_test;

namespace {

class NodeParameters : public ContextTest {};

using Values = std::vector<uint32_t>;

CUDA_MEMCPY3D copy_of(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
	CUDA_MEMCPY3D copy = {};

	copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = src;
	copy.dstDevice = dst;
	copy.WidthInBytes = bytes;
	copy.Height = copy.Depth = 1;
	return copy;
}

CUgraphNode add_copy(CUgraph graph, const CUDA_MEMCPY3D &copy)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr));
	return node;
}

CUDA_MEMSET_NODE_PARAMS fill_of(CUdeviceptr dst, unsigned value, size_t width, size_t height = 1,
				size_t pitch = 0)
{
	return {dst, pitch, value, 4, width, height};
}

CUgraphNode add_fill(CUgraph graph, const CUDA_MEMSET_NODE_PARAMS &fill)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, nullptr));
	return node;
}

CUstreamBatchMemOpParams write_to(CUdeviceptr address, uint32_t value)
{
	CUstreamBatchMemOpParams params = {};

	params.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	params.writeValue.address = address;
	params.writeValue.value = value;
	return params;
}

} // namespace

TEST_F(NodeParameters, OfACopy)
{
	const Stream stream;
	const Words from(4, 1);
	const Words other(4, 2);
	const Words to(4, 0);
	const Graph graph;
	const CUDA_MEMCPY3D given = copy_of(to, from, 16);
	const CUgraphNode node = add_copy(graph, given);
	CUDA_MEMCPY3D found = {};

	EXPECT_OK(cuGraphMemcpyNodeGetParams(node, &found));
	EXPECT_EQ(memcmp(&found, &given, sizeof(found)), 0);
	const Exec before(graph);
	const CUDA_MEMCPY3D changed = copy_of(to, other, 8);
	EXPECT_OK(cuGraphMemcpyNodeSetParams(node, &changed));
	EXPECT_OK(cuGraphMemcpyNodeGetParams(node, &found));
	EXPECT_EQ(memcmp(&found, &changed, sizeof(found)), 0);
	before.run(stream);
	EXPECT_EQ(to.load(), Values(4, 1));
	Exec(graph).run(stream);
	EXPECT_EQ(to.load(), (Values{2, 2, 1, 1}));
	EXPECT_OK(cuGraphExecMemcpyNodeSetParams(before, node, &changed, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(node, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeSetParams(node, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(nullptr, &found));
}

TEST_F(NodeParameters, OfACopyInAnExecutableGraph)
{
	const Stream stream;
	const Words from(4, 1);
	const Words other(4, 2);
	const Words to(4, 0);
	const PinnedWords pinned(4, 3);
	const Graph graph;
	const CUgraphNode node = add_copy(graph, copy_of(to, from, 16));
	const Exec exec(graph);
	CUDA_MEMCPY3D changed = copy_of(to, other, 16);
	CUDA_MEMCPY3D found = {};

	EXPECT_OK(cuGraphExecMemcpyNodeSetParams(exec, node, &changed, nullptr));
	EXPECT_OK(cuGraphMemcpyNodeGetParams(node, &found));
	EXPECT_EQ(found.srcDevice, static_cast<CUdeviceptr>(from));
	exec.run(stream);
	EXPECT_EQ(to.load(), Values(4, 2));
	changed.srcMemoryType = CU_MEMORYTYPE_HOST;
	changed.srcHost = pinned.data();
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecMemcpyNodeSetParams(exec, node, &changed, nullptr));
	exec.run(stream);
	EXPECT_EQ(to.load(), Values(4, 2));
}

TEST_F(NodeParameters, OfACapturedCopy)
{
	const Stream stream;
	const Words from(4, 1);
	const Words to(4, 0);
	CUgraph made = nullptr;
	Capturing capture(stream);
	CUDA_MEMCPY3D found = {};

	EXPECT_OK(cuMemcpyDtoDAsync(to, from, 16, stream));
	EXPECT_OK(capture.end(&made));
	const Graph graph(made);
	ASSERT_EQ(graph.size(), 1u);
	EXPECT_OK(cuGraphMemcpyNodeGetParams(graph.nodes()[0], &found));
	EXPECT_EQ(found.srcDevice, static_cast<CUdeviceptr>(from));
	EXPECT_EQ(found.dstDevice, static_cast<CUdeviceptr>(to));
	EXPECT_EQ(found.WidthInBytes * found.Height * found.Depth, 16u);
}

TEST_F(NodeParameters, OfAFill)
{
	const Stream stream;
	const Words words(8, 0);
	const Graph graph;
	const CUgraphNode node = add_fill(graph, fill_of(words, 5, 2));
	CUDA_MEMSET_NODE_PARAMS changed = fill_of(words, 6, 1, 2, 16);
	CUDA_MEMSET_NODE_PARAMS found = {};
	CUgraph cloned = nullptr;
	CUgraphNode twin = nullptr;

	EXPECT_OK(cuGraphMemsetNodeGetParams(node, &found));
	EXPECT_EQ(found.value, 5u);
	EXPECT_EQ(found.width, 2u);
	EXPECT_OK(cuGraphMemsetNodeSetParams(node, &changed));
	EXPECT_EQ(type_of(node), CU_GRAPH_NODE_TYPE_MEMSET);
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), (Values{6, 0, 0, 0, 6, 0, 0, 0}));
	ASSERT_OK(cuGraphClone(&cloned, graph));
	const Graph clone(cloned);
	EXPECT_OK(cuGraphNodeFindInClone(&twin, node, clone));
	EXPECT_OK(cuGraphMemsetNodeGetParams(twin, &found));
	EXPECT_EQ(found.pitch, 16u);
	EXPECT_EQ(found.height, 2u);
	EXPECT_EQ(found.value, 6u);
	changed = fill_of(words, 7, 8);
	EXPECT_OK(cuGraphMemsetNodeSetParams(node, &changed));
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), Values(8, 7));
}

TEST_F(NodeParameters, OfAFillInAnExecutableGraph)
{
	const Stream stream;
	const Words words(8, 0);
	const Graph graph;
	const CUgraphNode node = add_fill(graph, fill_of(words, 5, 1, 2, 16));
	const Exec exec(graph);
	CUDA_MEMSET_NODE_PARAMS changed = fill_of(words + 4, 6, 1, 2, 16);

	EXPECT_OK(cuGraphExecMemsetNodeSetParams(exec, node, &changed, nullptr));
	exec.run(stream);
	EXPECT_EQ(words.load(), (Values{0, 6, 0, 0, 0, 6, 0, 0}));
	/* Rows keep the kind of their memory. */
	void *host = nullptr;
	ASSERT_OK(cuMemAllocHost(&host, 64));
	const CUDA_MEMSET_NODE_PARAMS pinned =
		fill_of(reinterpret_cast<CUdeviceptr>(host), 6, 1, 2, 16);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecMemsetNodeSetParams(exec, node, &pinned, nullptr));
	EXPECT_OK(cuMemFreeHost(host));
	for (const auto &other : {fill_of(words, 6, 1, 1), fill_of(words, 6, 2, 2, 16)})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuGraphExecMemsetNodeSetParams(exec, node, &other, nullptr));
}

TEST_F(NodeParameters, OfABatch)
{
	const Stream stream;
	const Words words(2, 0);
	const Graph graph;
	CUgraphNode node = nullptr;
	CUstreamBatchMemOpParams first[] = {write_to(words, 1), write_to(words + 4, 2)};
	CUstreamBatchMemOpParams second[] = {write_to(words + 4, 3), write_to(words, 4)};
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {context_, 2, first, 0};
	CUDA_BATCH_MEM_OP_NODE_PARAMS found = {};

	ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
	EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
	ASSERT_EQ(found.count, 2u);
	EXPECT_EQ(found.ctx, context_);
	EXPECT_EQ(found.paramArray[1].writeValue.value, 2u);
	const Exec exec(graph);
	params.paramArray = second;
	EXPECT_OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
	exec.run(stream);
	EXPECT_EQ(words.load(), (Values{4, 3}));
	params.count = 1;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
	EXPECT_OK(cuGraphBatchMemOpNodeSetParams(node, &params));
	EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
	EXPECT_EQ(found.count, 1u);
}

TEST_F(NodeParameters, OfABatchWithoutOperations)
{
	const Words words(1, 0);
	const Graph graph;
	CUgraphNode node = nullptr;
	CUstreamBatchMemOpParams write = write_to(words, 1);
	CUDA_BATCH_MEM_OP_NODE_PARAMS params = {context_, 0, &write, 0};
	CUDA_BATCH_MEM_OP_NODE_PARAMS found = {};

	ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
	EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
	EXPECT_EQ(found.count, 0u);
	const Exec exec(graph);
	EXPECT_OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
}

TEST_F(NodeParameters, OfAChildGraph)
{
	const Stream stream;
	const Words words(4, 0);
	const Graph inner;
	const Graph fitting;
	const Graph longer;
	const Graph graph;
	CUgraphNode node = nullptr;

	add_fill(inner, fill_of(words, 1, 4));
	add_fill(fitting, fill_of(words, 2, 4));
	add_fill(longer, fill_of(words, 3, 4));
	add_fill(longer, fill_of(words, 3, 4));
	ASSERT_OK(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, inner));
	const Exec exec(graph);
	EXPECT_OK(cuGraphExecChildGraphNodeSetParams(exec, node, fitting));
	exec.run(stream);
	EXPECT_EQ(words.load(), Values(4, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(exec, node, longer));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphExecChildGraphNodeSetParams(exec, node, nullptr));
}

TEST_F(NodeParameters, OfAnyType)
{
	const Stream stream;
	const Words words(4, 0);
	const Graph graph;
	const CUgraphNode node = add_fill(graph, fill_of(words, 1, 4));
	const Exec exec(graph);
	CUgraphNodeParams params = {};

	params.type = CU_GRAPH_NODE_TYPE_MEMSET;
	params.memset.dst = words;
	params.memset.value = 8;
	params.memset.elementSize = 4;
	params.memset.width = 4;
	params.memset.height = 1;
	params.memset.ctx = context_;
	EXPECT_OK(cuGraphExecNodeSetParams(exec, node, &params));
	exec.run(stream);
	EXPECT_EQ(words.load(), Values(4, 8));
	params.memset.value = 9;
	EXPECT_OK(cuGraphNodeSetParams(node, &params));
	Exec(graph).run(stream);
	EXPECT_EQ(words.load(), Values(4, 9));
	params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(node, &params));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecNodeSetParams(exec, node, &params));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(node, nullptr));
}

TEST_F(NodeParameters, ReservedFieldsAreZero)
{
	const Words words(4, 0);
	const Graph graph;
	const CUgraphNode node = add_copy(graph, copy_of(words + 8, words, 8));
	const Exec exec(graph);
	CUgraphNodeParams good = {};

	good.type = CU_GRAPH_NODE_TYPE_MEMCPY;
	good.memcpy.copyParams = copy_of(words + 8, words, 8);
	std::vector<CUgraphNodeParams> wrong(5, good);
	for (int i = 0; i < 3; ++i)
		wrong[i].reserved0[i] = 1;
	wrong[3].memcpy.reserved = 1;
	wrong[4].reserved2 = 1;
	for (CUgraphNodeParams &params : wrong) {
		CUgraphNode added = nullptr;

		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuGraphAddNode(&added, graph, nullptr, nullptr, 0, &params));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetParams(node, &params));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecNodeSetParams(exec, node, &params));
	}
	EXPECT_EQ(graph.size(), 1u);
	EXPECT_OK(cuGraphNodeSetParams(node, &good));
	EXPECT_OK(cuGraphExecNodeSetParams(exec, node, &good));
}

/* The limit that the header states. */
TEST_F(NodeParameters, AFillHasAtMost65536Rows)
{
	constexpr size_t kRows = 65536;
	const Words words(2 * (kRows + 1), 0);
	const Graph graph;
	const CUDA_MEMSET_NODE_PARAMS most = fill_of(words, 1, 1, kRows, 8);
	const CUDA_MEMSET_NODE_PARAMS more = fill_of(words, 1, 1, kRows + 1, 8);
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &most, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphMemsetNodeSetParams(node, &more));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddMemsetNode(&node, graph, nullptr, 0, &more, nullptr));
}

TEST_F(NodeParameters, ADisabledNodeDoesNothing)
{
	const Stream stream;
	const Words words(8, 0);
	const Graph graph;
	std::atomic<int> calls{0};
	const CUgraphNode one = add_fill(graph, fill_of(words, 1, 1));
	const CUgraphNode rows = add_fill(graph, fill_of(words + 4, 2, 1, 2, 16));
	const CUgraphNode host = add_count(graph, {one, rows}, calls);
	const Exec exec(graph);
	unsigned enabled = 7;

	EXPECT_OK(cuGraphNodeGetEnabled(exec, one, &enabled));
	EXPECT_EQ(enabled, 1u);
	for (CUgraphNode node : {one, rows})
		EXPECT_OK(cuGraphNodeSetEnabled(exec, node, 0));
	EXPECT_OK(cuGraphNodeGetEnabled(exec, rows, &enabled));
	EXPECT_EQ(enabled, 0u);
	exec.run(stream);
	EXPECT_EQ(words.load(), Values(8, 0));
	EXPECT_EQ(calls, 1);
	const CUDA_MEMSET_NODE_PARAMS changed = fill_of(words, 5, 1);
	EXPECT_OK(cuGraphExecMemsetNodeSetParams(exec, one, &changed, nullptr));
	exec.run(stream);
	EXPECT_EQ(words.load(), Values(8, 0));
	for (CUgraphNode node : {one, rows})
		EXPECT_OK(cuGraphNodeSetEnabled(exec, node, 1));
	exec.run(stream);
	EXPECT_EQ(words.load(), (Values{5, 2, 0, 0, 0, 2, 0, 0}));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeSetEnabled(exec, host, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetEnabled(exec, one, nullptr));
}
