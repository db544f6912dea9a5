// SPDX-License-Identifier: MIT
/*
 * DOC: nodes that allocate and free memory, made one by one and by captures
 */
#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class GraphAllocations : public ContextTest {};

constexpr size_t kBytes = 4096;

CUDA_MEM_ALLOC_NODE_PARAMS allocation(size_t bytes = kBytes)
{
	CUDA_MEM_ALLOC_NODE_PARAMS params = {};

	params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	params.bytesize = bytes;
	return params;
}

/* Return: the address. */
CUdeviceptr add_alloc(CUgraph graph, CUgraphNode &node, const std::vector<CUgraphNode> &after = {})
{
	CUDA_MEM_ALLOC_NODE_PARAMS params = allocation();

	EXPECT_OK(cuGraphAddMemAllocNode(&node, graph, after.data(), after.size(), &params));
	EXPECT_NE(params.dptr, 0u);
	return params.dptr;
}

CUgraphNode add_free(CUgraph graph, const std::vector<CUgraphNode> &after, CUdeviceptr address)
{
	CUgraphNode node = nullptr;

	EXPECT_OK(cuGraphAddMemFreeNode(&node, graph, after.data(), after.size(), address));
	return node;
}

CUgraphNode add_fill(CUgraph graph, const std::vector<CUgraphNode> &after, CUdeviceptr at,
		     uint32_t value)
{
	CUgraphNode node = nullptr;
	CUDA_MEMSET_NODE_PARAMS fill = {};

	fill.dst = at;
	fill.value = value;
	fill.elementSize = 4;
	fill.width = fill.height = 1;
	EXPECT_OK(cuGraphAddMemsetNode(&node, graph, after.data(), after.size(), &fill, nullptr));
	return node;
}

uint32_t word_at(CUdeviceptr address)
{
	uint32_t value = 0;

	EXPECT_OK(cuMemcpyDtoH(&value, address, 4));
	return value;
}

cuuint64_t attribute(CUgraphMem_attribute which)
{
	cuuint64_t value = 77;

	EXPECT_OK(cuDeviceGetGraphMemAttribute(0, which, &value));
	return value;
}

/* A capture as frameworks make it: memory in the order of the stream. */
CUgraph capture_pipeline(CUstream stream, CUdeviceptr result, CUdeviceptr *scratch)
{
	CUgraph graph = nullptr;
	Capturing capture(stream);

	EXPECT_OK(cuMemAllocAsync(scratch, kBytes, stream));
	EXPECT_OK(cuMemsetD32Async(*scratch, 7, kBytes / 4, stream));
	EXPECT_OK(cuMemcpyDtoDAsync(result, *scratch, 4, stream));
	EXPECT_OK(cuMemFreeAsync(*scratch, stream));
	EXPECT_OK(capture.end(&graph));
	return graph;
}

} // namespace

TEST_F(GraphAllocations, ACaptureAllocatesAndFrees)
{
	const Words result(1);
	const Stream stream;
	CUdeviceptr scratch = 0;
	const Graph graph(capture_pipeline(stream, result, &scratch));
	const std::vector<CUgraphNode> nodes = graph.nodes();
	CUDA_MEM_ALLOC_NODE_PARAMS params = {};
	CUdeviceptr freed = 0;

	ASSERT_EQ(nodes.size(), 4u);
	EXPECT_EQ(type_of(nodes[0]), CU_GRAPH_NODE_TYPE_MEM_ALLOC);
	EXPECT_EQ(type_of(nodes[3]), CU_GRAPH_NODE_TYPE_MEM_FREE);
	EXPECT_OK(cuGraphMemAllocNodeGetParams(nodes[0], &params));
	EXPECT_EQ(params.dptr, scratch);
	EXPECT_EQ(params.bytesize, kBytes);
	EXPECT_EQ(params.poolProps.location.id, 0);
	EXPECT_OK(cuGraphMemFreeNodeGetParams(nodes[3], &freed));
	EXPECT_EQ(freed, scratch);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphMemFreeNodeGetParams(nodes[0], &freed));
	const Exec exec(graph);
	for (int launch = 0; launch < 3; ++launch) {
		EXPECT_OK(cuMemsetD32Async(result, 0, 1, stream));
		exec.run(stream);
		EXPECT_EQ(result.load()[0], 7u);
	}
	/* The program has nothing to free. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(scratch));
}

/* The program frees it after the launch, and then it may be launched again. */
TEST_F(GraphAllocations, MemoryThatALaunchLeaves)
{
	const Stream stream;
	const Graph graph;
	CUgraphNode alloc = nullptr;
	const CUdeviceptr address = add_alloc(graph, alloc);

	add_fill(graph, {alloc}, address, 5);
	const Exec exec(graph);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
	exec.run(stream);
	EXPECT_EQ(word_at(address), 5u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(exec, stream));
	EXPECT_OK(cuMemFreeAsync(address, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
	exec.run(stream);
	EXPECT_EQ(word_at(address), 5u);
	EXPECT_OK(cuMemFree(address));
}

TEST_F(GraphAllocations, ALaunchFreesWhatTheLastOneLeft)
{
	const Stream stream;
	const Graph graph;
	CUgraphNode alloc = nullptr;
	CUgraphExec exec = nullptr;
	const CUdeviceptr address = add_alloc(graph, alloc);

	ASSERT_OK(
		cuGraphInstantiate(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
	for (int launch = 0; launch < 3; ++launch)
		EXPECT_OK(cuGraphLaunch(exec, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuMemFree(address));
	EXPECT_OK(cuGraphExecDestroy(exec));
}

TEST_F(GraphAllocations, ANodeOfAnotherGraphFrees)
{
	const Stream stream;
	const Graph maker;
	const Graph user;
	CUgraphNode alloc = nullptr;
	CUgraphNode node = nullptr;
	const CUdeviceptr address = add_alloc(maker, alloc);

	add_free(user, {add_fill(user, {}, address, 6)}, address);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddMemFreeNode(&node, user, nullptr, 0, address));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphAddMemFreeNode(&node, user, nullptr, 0, 64));
	const Exec first(maker);
	const Exec second(user);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphLaunch(second, stream));
	for (int round = 0; round < 2; ++round) {
		first.run(stream);
		second.run(stream);
	}
	EXPECT_EQ(word_at(address), 6u);
}

/* What the program has not freed is ordinary memory when the graphs are gone. */
TEST_F(GraphAllocations, MemoryOutlivesItsGraphs)
{
	const Stream stream;
	CUdeviceptr address = 0;
	{
		const Graph graph;
		CUgraphNode alloc = nullptr;

		address = add_alloc(graph, alloc);
		add_fill(graph, {alloc}, address, 9);
		const Exec exec(graph);
		exec.run(stream);
	}
	EXPECT_EQ(word_at(address), 9u);
	EXPECT_OK(cuMemFree(address));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(address));
}

TEST_F(GraphAllocations, WhatSuchAGraphCanNotDo)
{
	const Stream stream;
	const Graph graph;
	const Graph other;
	CUgraph clone = nullptr;
	CUgraphExec second = nullptr;
	CUgraphNode alloc = nullptr;
	CUgraphNode node = nullptr;
	CUDA_MEM_ALLOC_NODE_PARAMS params = allocation();
	const CUdeviceptr address = add_alloc(graph, alloc);
	const CUgraphNode free = add_free(graph, {alloc}, address);

	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuGraphClone(&clone, graph));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuGraphDestroyNode(free));
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuGraphRemoveDependencies(graph, &alloc, &free, nullptr, 1));
	{
		const Exec exec(graph);
		CUgraph captured = nullptr;

		EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuGraphInstantiate(&second, graph, 0));
		Capturing capture(stream);
		EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED, cuGraphLaunch(exec, stream));
		EXPECT_OK(capture.end(&captured));
		EXPECT_OK(cuGraphDestroy(captured));
	}
	/* One executable graph after the other. */
	const Exec exec(graph);
	exec.run(stream);
	params.bytesize = 0;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
	params = allocation();
	params.poolProps.location.id = 99;
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
		  cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
	params = allocation();
	params.poolProps.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
	EXPECT_CU(CUDA_ERROR_NOT_SUPPORTED,
		  cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
}

TEST_F(GraphAllocations, NodesOfAnyType)
{
	const Stream stream;
	const Graph graph;
	CUgraphNodeParams params = {};
	CUgraphNode alloc = nullptr;
	CUgraphNode free = nullptr;

	params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
	params.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
	params.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	params.alloc.bytesize = kBytes;
	ASSERT_OK(cuGraphAddNode(&alloc, graph, nullptr, nullptr, 0, &params));
	const CUdeviceptr address = params.alloc.dptr;
	params = {};
	params.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
	params.free.dptr = address;
	ASSERT_OK(cuGraphAddNode(&free, graph, &alloc, nullptr, 1, &params));
	EXPECT_EQ(type_of(alloc), CU_GRAPH_NODE_TYPE_MEM_ALLOC);
	EXPECT_EQ(type_of(free), CU_GRAPH_NODE_TYPE_MEM_FREE);
	const Exec exec(graph);
	exec.run(stream);
	exec.run(stream);
}

/* An executable graph takes the memory of the graph that it is updated from. */
TEST_F(GraphAllocations, Updates)
{
	const Words result(1);
	const Stream stream;
	CUdeviceptr old = 0;
	CUdeviceptr fresh = 0;
	CUgraphExecUpdateResultInfo info = {};
	const Graph graph(capture_pipeline(stream, result, &old));
	const Graph other(capture_pipeline(stream, result, &fresh));
	const Exec exec(graph);

	EXPECT_NE(old, fresh);
	EXPECT_OK(cuGraphExecUpdate(exec, other, &info));
	exec.run(stream);
	EXPECT_EQ(word_at(fresh), 7u);
	const Exec again(graph);
	EXPECT_CU(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(again, other, &info));
	EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED);
	again.run(stream);
}

TEST_F(GraphAllocations, HowMuchNodesHave)
{
	const Stream stream;
	cuuint64_t zero = 0;

	EXPECT_OK(cuDeviceGraphMemTrim(0));
	EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
	EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
	EXPECT_OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
	{
		const Graph graph;
		CUgraphNode alloc = nullptr;
		const CUdeviceptr address = add_alloc(graph, alloc);
		const Exec exec(graph);

		EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), kBytes);
		EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
		exec.run(stream);
		EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), kBytes);
		EXPECT_OK(cuMemFree(address));
	}
	EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0u);
	EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT), 0u);
	EXPECT_EQ(attribute(CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), kBytes);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuDeviceGraphMemTrim(99));
}
