// SPDX-License-Identifier: MIT
/*
 * DOC: graphs that are moved into a child node
 */
#include "graph/graphs.h"

using namespace cuda_test;

namespace {

class MovedGraphs : public ContextTest {
protected:
	/* A child node that @graph is moved into. */
	CUgraphNode move(CUgraph parent, CUgraph graph)
	{
		CUgraphNodeParams params = {};
		CUgraphNode node = nullptr;

		params.type = CU_GRAPH_NODE_TYPE_GRAPH;
		params.graph.graph = graph;
		params.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
		EXPECT_OK(cuGraphAddNode(&node, parent, nullptr, nullptr, 0, &params));
		return node;
	}

	std::atomic<int> first_{0};
	std::atomic<int> second_{0};
};

} // namespace

/* The handles stay; they belong to the parent. */
TEST_F(MovedGraphs, TheHandlesStay)
{
	const Stream stream;
	Graph moved;
	CUgraph found = nullptr;
	CUgraphNode last = nullptr;
	CUgraphNode child = nullptr;
	CUgraphNodeType type;
	size_t count = 0;
	{
		const Graph parent;
		const CUgraphNode node = add_count(moved, {}, first_);
		const CUgraph handle = moved.release();

		child = move(parent, handle);
		EXPECT_EQ(type_of(child), CU_GRAPH_NODE_TYPE_GRAPH);
		EXPECT_OK(cuGraphChildGraphNodeGetGraph(child, &found));
		EXPECT_EQ(found, handle);
		EXPECT_EQ(type_of(node), CU_GRAPH_NODE_TYPE_HOST);
		EXPECT_OK(cuGraphGetNodes(handle, nullptr, &count));
		EXPECT_EQ(count, 1u);
		/* A node that is added by the old handle is in the parent. */
		last = add_count(handle, {node}, second_);
		const Exec exec(parent);
		exec.run(stream);
		EXPECT_EQ(first_, 1);
		EXPECT_EQ(second_, 1);
		CUDA_HOST_NODE_PARAMS params = {};
		EXPECT_OK(cuGraphHostNodeGetParams(node, &params));
		EXPECT_OK(cuGraphExecHostNodeSetParams(exec, last, &params));
		exec.run(stream);
		EXPECT_EQ(first_, 3);
		EXPECT_EQ(second_, 1);
	}
	/* They end with the parent. */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphGetNodes(found, nullptr, &count));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(last, &type));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(child, &type));
}

TEST_F(MovedGraphs, TheyAreUsedInTheirParentOnly)
{
	const Graph parent;
	const Graph other;
	Graph graph;
	add_count(graph, {}, first_);
	const Exec before(graph);
	const CUgraph moved = graph.release();
	CUgraphExec exec = nullptr;
	CUgraphNode node = nullptr;
	CUgraphExecUpdateResultInfo info = {};
	CUgraphNodeParams params = {};

	move(parent, moved);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphDestroy(moved));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphInstantiate(&exec, moved, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphExecUpdate(before, moved, &info));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddChildGraphNode(&node, other, nullptr, 0, moved));
	params.type = CU_GRAPH_NODE_TYPE_GRAPH;
	params.graph.graph = moved;
	params.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuGraphAddNode(&node, other, nullptr, nullptr, 0, &params));
	EXPECT_EQ(other.size(), 0u);
}

/* A graph that was made executable before may be changed by the nodes that it was made of. */
TEST_F(MovedGraphs, AnEarlierExecutableGraphKeepsItsNodes)
{
	const Stream stream;
	const Graph parent;
	Graph graph;
	const CUgraphNode node = add_count(graph, {}, first_);
	const Exec before(graph);
	CUDA_HOST_NODE_PARAMS params = {};

	move(parent, graph.release());
	EXPECT_OK(cuGraphHostNodeGetParams(node, &params));
	params.userData = &second_;
	EXPECT_OK(cuGraphExecHostNodeSetParams(before, node, &params));
	before.run(stream);
	EXPECT_EQ(second_, 1);
	Exec(parent).run(stream);
	EXPECT_EQ(first_, 1);
}

/* Nodes of a moved graph, also those of a graph in it, leave the process with the node. */
TEST_F(MovedGraphs, TheyGoWithTheirNode)
{
	const Graph parent;
	Graph outer;
	Graph inner;
	const CUgraphNode node = add_count(inner, {}, first_);
	CUgraphNodeType type;

	move(outer, inner.release());
	const CUgraphNode child = move(parent, outer.release());
	EXPECT_EQ(type_of(node), CU_GRAPH_NODE_TYPE_HOST);
	EXPECT_OK(cuGraphDestroyNode(child));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuGraphNodeGetType(node, &type));
}

/* The parent has the references to user objects; the old handle leads to them. */
TEST_F(MovedGraphs, UserObjectsAreTheParents)
{
	CUuserObject object = nullptr;
	const Stream stream;
	{
		const Graph parent;
		Graph graph;

		ASSERT_OK(cuUserObjectCreate(
			&object, &first_,
			[](void *data) { ++*static_cast<std::atomic<int> *>(data); }, 3,
			CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
		ASSERT_OK(cuGraphRetainUserObject(graph, object, 2, CU_GRAPH_USER_OBJECT_MOVE));
		const CUgraph moved = graph.release();
		move(parent, moved);
		EXPECT_OK(cuGraphReleaseUserObject(moved, object, 1));
		EXPECT_OK(cuGraphRetainUserObject(moved, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
		EXPECT_EQ(first_, 0);
	}
	EXPECT_EQ(first_, 1);
}
