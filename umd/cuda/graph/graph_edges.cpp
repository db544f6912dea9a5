// SPDX-License-Identifier: MIT
/**
 * DOC: Edges of graphs
 */
#include <algorithm>
#include <set>

#include "umd/core/capture/capture.h"
#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

namespace {

struct Edge {
	uint32_t from;
	uint32_t to;

	auto operator<=>(const Edge &) const = default;
};

} // namespace

static CUresult edges_of(const GraphObject &graph, const CUgraphNode *from, const CUgraphNode *to,
			 const CUgraphEdgeData *data, size_t count, std::vector<Edge> &edges)
	REQUIRES(graphs_mutex())
{
	if (count > 0 && (!from || !to))
		return null_argument(from ? "to" : "from");
	TRY(check_edges(data, count));
	for (size_t i = 0; i < count; i++) {
		NodeObject *ends[2] = {};
		TRY(find_node(from[i], ends[0]));
		TRY(find_node(to[i], ends[1]));
		if (ends[0]->graph != &graph || ends[1]->graph != &graph)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("edge {} has an end in another graph", i));
		if (ends[0] == ends[1])
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("edge {} leads from a node to itself", i));
		edges.push_back({ends[0]->number, ends[1]->number});
	}
	std::set<Edge> different(edges.begin(), edges.end());
	if (different.size() != edges.size())
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "an edge is named twice in from and to; name each once");
	return CUDA_SUCCESS;
}

static bool has_edge(const Graph &graph, const Edge &edge)
{
	auto after = graph.after(edge.to);
	return std::find(after.begin(), after.end(), edge.from) != after.end();
}

/* Tells the captures under way about a removed edge: for them, the node still counts as followed. */
static void cut(GraphObject &graph, const Edge &edge) REQUIRES(graphs_mutex())
{
	(void)graph.graph->undepend(edge.to, edge.from);
	if (graph.capture)
		graph.capture->note_cut(edge.to, edge.from);
}

/* Adds or removes all of the edges or, on failure, none. @add: add edges, which must not exist yet;
 * else remove edges, which must exist */
static CUresult change_edges(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
			     const CUgraphEdgeData *data, size_t count, bool add,
			     const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	std::vector<Edge> edges;
	TRY(find_graph(handle, graph));
	TRY(edges_of(*graph, from, to, data, count, edges));
	if (!add)
		TRY(check_no_memory(*graph, "lose edges"));
	for (const Edge &edge : edges) {
		if (has_edge(*graph->graph, edge) == add)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("the edge from node {} to node {} is {}",
						  edge.from, edge.to,
						  add ? "there already" : "not there"));
	}
	for (const Edge &edge : edges) {
		if (add)
			(void)graph->graph->depend(edge.to, edge.from);
		else
			cut(*graph, edge);
	}
	return CUDA_SUCCESS;
}

static void clear_edges(CUgraphEdgeData *data, size_t count)
{
	for (size_t i = 0; data && i < count; i++)
		data[i] = CUgraphEdgeData{};
}

static std::vector<uint32_t> followers(const Graph &graph, uint32_t number)
{
	std::vector<uint32_t> numbers;
	for (uint32_t i = 0; i < graph.size(); i++) {
		if (graph.live(i) && has_edge(graph, {number, i}))
			numbers.push_back(i);
	}
	return numbers;
}

/* Returns the neighbours of a node. @before: the nodes that it follows; else the nodes that follow
 * it */
static CUresult give_neighbours(CUgraphNode handle, CUgraphNode *nodes, CUgraphEdgeData *data,
				size_t *count, bool before, const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	if (data && !nodes)
		return null_argument("the array of nodes");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	TRY(find_node(handle, node));
	const Graph &graph = *node->graph->graph;
	std::vector<uint32_t> numbers;
	if (before) {
		auto after = graph.after(node->number);
		numbers.assign(after.begin(), after.end());
	} else {
		numbers = followers(graph, node->number);
	}
	TRY(give_nodes(*node->graph, numbers, nodes, count));
	clear_edges(data, *count);
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;
using umd::Graph;

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
				const CUgraphEdgeData *edgeData, size_t numDependencies)
{
	return change_edges(hGraph, from, to, edgeData, numDependencies, true);
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode *from, const CUgraphNode *to,
				   const CUgraphEdgeData *edgeData, size_t numDependencies)
{
	return change_edges(hGraph, from, to, edgeData, numDependencies, false);
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode *from, CUgraphNode *to,
			 CUgraphEdgeData *edgeData, size_t *numEdges)
{
	TRY(enter());
	if (!numEdges)
		return null_argument("numEdges");
	if (!from != !to || (edgeData && !from))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "from and to must both be NULL or neither, and edgeData needs both");
	std::unique_lock lock(graphs_mutex());
	GraphObject *object = nullptr;
	TRY(find_graph(hGraph, object));
	const Graph &graph = *object->graph;
	std::vector<uint32_t> starts;
	std::vector<uint32_t> ends;
	for (uint32_t i = 0; i < graph.size(); i++) {
		for (uint32_t before :
		     graph.live(i) ? graph.after(i) : std::span<const uint32_t>()) {
			starts.push_back(before);
			ends.push_back(i);
		}
	}
	size_t room = *numEdges;
	TRY(give_nodes(*object, starts, from, numEdges));
	if (to)
		TRY(give_nodes(*object, ends, to, &room));
	clear_edges(edgeData, *numEdges);
	return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode *dependencies,
				    CUgraphEdgeData *edgeData, size_t *numDependencies)
{
	return give_neighbours(hNode, dependencies, edgeData, numDependencies, true);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode *dependentNodes,
				      CUgraphEdgeData *edgeData, size_t *numDependentNodes)
{
	return give_neighbours(hNode, dependentNodes, edgeData, numDependentNodes, false);
}

CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType *type)
{
	TRY(enter());
	if (!type)
		return null_argument("type");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	TRY(find_node(hNode, node));
	*type = node_type(*node->graph->graph, node->number);
	return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode hNode)
{
	TRY(enter());
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	TRY(find_node(hNode, node));
	GraphObject &graph = *node->graph;
	TRY(check_no_memory(graph, "lose nodes"));
	auto child = graph.children.find(node->number);
	const bool is_locked =
		graph.capture || (child != graph.children.end() && takes_capture(*child->second));
	if (is_locked)
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      fmt::format("a capture into the graph of node {}, or into a graph in "
					  "the node, is under way; end it first",
					  node->number));
	graph.graph->remove(node->number);
	if (child != graph.children.end()) {
		forget_graph(*child->second);
		graph.children.erase(child);
	}
	graph.nodes[node->number] = nullptr;
	graph_tables().nodes.destroy(*node);
	return CUDA_SUCCESS;
}
