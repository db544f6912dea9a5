// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs as a whole
 */
#include "umd/core/object/graph.h"

#include <cerrno>
#include <cstring>

#include "base/os/calls/transfers.h"
#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

/* Makes a copy of a graph. The nodes keep their numbers. */
static CUresult clone_graph(GraphObject &original, GraphObject *&clone) REQUIRES(graphs_mutex())
{
	TRY(new_graph(original.graph->clone(), clone));
	clone->device = original.device;
	clone->original = original.handle;
	clone->original_size = original.graph->size();
	clone->user_objects = outermost(original).user_objects;
	retain_all(clone->user_objects);
	return CUDA_SUCCESS;
}

static std::vector<uint32_t> live_nodes(const Graph &graph, bool roots)
{
	std::vector<uint32_t> numbers;
	for (uint32_t i = 0; i < graph.size(); i++) {
		if (graph.live(i) && (!roots || graph.after(i).empty()))
			numbers.push_back(i);
	}
	return numbers;
}

static CUresult give(CUgraph handle, CUgraphNode *nodes, size_t *count, bool roots,
		     const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	TRY(find_graph(handle, graph));
	return give_nodes(*graph, live_nodes(*graph->graph, roots), nodes, count);
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Graph;

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags)
{
	TRY(enter());
	if (!phGraph)
		return null_argument("phGraph");
	if (flags != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("flags is {:#x}; it must be 0", flags));
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	TRY(new_graph(std::make_unique<Graph>(), graph));
	*phGraph = graph_handle(*graph);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph hGraph)
{
	TRY(enter());
	std::vector<UserObject> gone;
	{
		std::unique_lock lock(graphs_mutex());
		GraphObject *graph = nullptr;
		TRY(find_graph(hGraph, graph));
		if (graph->parent)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      "hGraph belongs to a child node and goes with it; destroy "
				      "the graph that has the node");
		if (takes_capture(*graph))
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      "a capture into hGraph or a graph inside it is under way; "
				      "end it first");
		gone = release_all(graph->user_objects);
		forget_graph(*graph);
	}
	destroy_user_objects(gone);
	free_left_memory();
	return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *phGraphClone, CUgraph originalGraph)
{
	TRY(enter());
	if (!phGraphClone)
		return null_argument("phGraphClone");
	std::unique_lock lock(graphs_mutex());
	GraphObject *original = nullptr;
	GraphObject *clone = nullptr;
	TRY(find_graph(originalGraph, original));
	TRY(check_no_memory(*original, "be cloned"));
	TRY(clone_graph(*original, clone));
	*phGraphClone = graph_handle(*clone);
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *phNode, CUgraphNode hOriginalNode,
				CUgraph hClonedGraph)
{
	TRY(enter());
	if (!phNode)
		return null_argument("phNode");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	GraphObject *clone = nullptr;
	TRY(find_node(hOriginalNode, node));
	TRY(find_graph(hClonedGraph, clone));
	if (clone->original != node->graph->handle || node->number >= clone->original_size ||
	    !clone->graph->live(node->number))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "hClonedGraph has no copy of this node: it is no clone of the node's "
			      "graph, or the node is newer or was removed");
	return node_handle(*clone, node->number, *phNode);
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode *nodes, size_t *numNodes)
{
	return give(hGraph, nodes, numNodes, false);
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode *rootNodes, size_t *numRootNodes)
{
	return give(hGraph, rootNodes, numRootNodes, true);
}

/* Draws the names and edges of all nodes, independent of the flags of cuGraphDebugDotPrint(). */
static std::string draw(const GraphObject &object) REQUIRES(graphs_mutex())
{
	static constexpr const char *NAMES[] = {
		"kernel", "memcpy", "memset", "host",  "graph", "empty",  "event wait",
		"record", "signal", "wait",   "alloc", "free",	"mem op", "conditional",
	};
	const Graph &graph = *object.graph;
	std::string text = fmt::format("digraph \"graph_{:x}\" {{\n", object.handle);
	for (uint32_t i = 0; i < graph.size(); i++) {
		if (!graph.live(i))
			continue;
		text += fmt::format("\tn{} [label=\"{}\\n{}\"];\n", i, i,
				    NAMES[node_type(graph, i)]);
		for (uint32_t before : graph.after(i))
			text += fmt::format("\tn{} -> n{};\n", before, i);
	}
	return text + "}\n";
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char *path, unsigned int flags)
{
	TRY(enter());
	if (!path)
		return null_argument("path");
	(void)flags;
	std::string text;
	{
		std::unique_lock lock(graphs_mutex());
		GraphObject *graph = nullptr;
		TRY(find_graph(hGraph, graph));
		text = draw(*graph);
	}
	if (base::calls::write_file(path, text))
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_OPERATING_SYSTEM,
		      fmt::format("the file {} can't be written: {}", path, strerror(errno)));
}
