// SPDX-License-Identifier: MIT
/*
 * DOC: what tests of captures and graphs share
 */
#include <atomic>
#include <utility>

#include "graph/graphs.h"

namespace cuda_test {

Capturing::Capturing(CUstream stream, CUstreamCaptureMode mode) : stream_(stream)
{
	EXPECT_OK(cuStreamBeginCapture(stream, mode));
}

Capturing::~Capturing()
{
	CUgraph graph = nullptr;

	if (!ended_ && cuStreamEndCapture(stream_, &graph) == CUDA_SUCCESS) {
		EXPECT_OK(cuGraphDestroy(graph));
	}
}

CUresult Capturing::end(CUgraph *graph)
{
	const CUresult code = cuStreamEndCapture(stream_, graph);

	ended_ = status() == CU_STREAM_CAPTURE_STATUS_NONE;
	return code;
}

void Capturing::end_fails(CUresult expected)
{
	CUgraph graph = garbage<CUgraph>();

	EXPECT_CU(expected, end(&graph));
	EXPECT_EQ(graph, nullptr);
	EXPECT_EQ(status(), CU_STREAM_CAPTURE_STATUS_NONE);
	EXPECT_OK(cuStreamSynchronize(stream_));
}

CUstreamCaptureStatus Capturing::status() const
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

	EXPECT_OK(cuStreamIsCapturing(stream_, &status));
	return status;
}

Graph::Graph()
{
	EXPECT_OK(cuGraphCreate(&handle_, 0));
}

Graph::~Graph()
{
	if (handle_) {
		EXPECT_OK(cuGraphDestroy(handle_));
	}
}

CUgraph Graph::release()
{
	return std::exchange(handle_, nullptr);
}

size_t Graph::size() const
{
	size_t count = 77;

	EXPECT_OK(cuGraphGetNodes(handle_, nullptr, &count));
	return count;
}

std::vector<CUgraphNode> Graph::nodes() const
{
	std::vector<CUgraphNode> nodes(size());
	size_t count = nodes.size();

	EXPECT_OK(cuGraphGetNodes(handle_, nodes.data(), &count));
	EXPECT_EQ(count, nodes.size());
	return nodes;
}

Exec::Exec(CUgraph graph)
{
	EXPECT_OK(cuGraphInstantiate(&handle_, graph, 0));
}

Exec::~Exec()
{
	EXPECT_OK(cuGraphExecDestroy(handle_));
}

void Exec::run(CUstream stream) const
{
	EXPECT_OK(cuGraphLaunch(handle_, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
}

CUgraphNodeType type_of(CUgraphNode node)
{
	CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;

	EXPECT_OK(cuGraphNodeGetType(node, &type));
	return type;
}

CUgraphNode add_count(CUgraph graph, const std::vector<CUgraphNode> &after,
		      std::atomic<int> &counter)
{
	CUgraphNode node = nullptr;
	CUDA_HOST_NODE_PARAMS params = {};

	params.fn = [](void *data) { ++*static_cast<std::atomic<int> *>(data); };
	params.userData = &counter;
	EXPECT_OK(cuGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
	return node;
}

} // namespace cuda_test
