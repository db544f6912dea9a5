// SPDX-License-Identifier: MIT
/**
 * DOC: Handles of graphs
 *
 * The runtime's graph identifies its nodes by number. A handle of a node, or of the graph in a child
 * node, is created when the program first asks for it.
 */
#include "graph_objects.h"

#include <algorithm>

#include "umd/core/capture/capture.h"
#include "umd/core/process/process.h"

namespace umd::cuda {

GraphTables &graph_tables()
{
	return Process::own<GraphTables>();
}

static CUresult refuse_handle(const char *kind, const void *handle)
{
	if (!handle)
		return refuse(CUDA_ERROR_INVALID_VALUE, fmt::format("the {} is NULL", kind));
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} {} is not live: it was destroyed, or is something else", kind,
				  fmt::ptr(handle)));
}

CUresult find_graph(CUgraph handle, GraphObject *&graph)
{
	graph = graph_tables().graphs.get(handle);
	return graph ? CUDA_SUCCESS : refuse_handle("graph", handle);
}

CUresult find_node(CUgraphNode handle, NodeObject *&node)
{
	node = graph_tables().nodes.get(handle);
	return node ? CUDA_SUCCESS : refuse_handle("node", handle);
}

CUresult find_exec(CUgraphExec handle, ExecObject *&exec)
{
	exec = graph_tables().execs.get(handle);
	return exec ? CUDA_SUCCESS : refuse_handle("executable graph", handle);
}

CUresult new_graph(std::unique_ptr<Graph> own, GraphObject *&graph)
{
	graph = graph_tables().graphs.create();
	if (!graph)
		return refuse(CUDA_ERROR_OUT_OF_MEMORY, "too many graphs; destroy some");
	graph->own = std::move(own);
	graph->graph = graph->own.get();
	graph->parent = nullptr;
	graph->device = nullptr;
	graph->original = 0;
	graph->original_size = 0;
	graph->capture = nullptr;
	graph->captured_new = false;
	graph->is_told = false;
	graph->is_moved = false;
	return CUDA_SUCCESS;
}

void forget_graph(GraphObject &graph)
{
	for (const auto &[number, child] : graph.children)
		forget_graph(*child);
	for (NodeObject *node : graph.nodes) {
		if (node)
			graph_tables().nodes.destroy(*node);
	}
	graph.answers.clear();
	graph.children.clear();
	graph.nodes.clear();
	graph.user_objects.clear();
	graph.memory_nodes.clear();
	graph.own.reset();
	graph.graph = nullptr;
	graph_tables().graphs.destroy(graph);
}

bool takes_capture(const GraphObject &graph)
{
	return graph.capture || std::any_of(graph.children.begin(), graph.children.end(),
					    [](const auto &child) REQUIRES(graphs_mutex()) {
						    return takes_capture(*child.second);
					    });
}

CUresult check_captured(const GraphObject &graph, const char *name)
{
	if (!takes_capture(graph))
		return CUDA_SUCCESS;
	return refuse(
		CUDA_ERROR_INVALID_VALUE,
		fmt::format("a capture into {} or a graph inside it is under way; end it first",
			    name));
}

CUresult check_moved(const GraphObject &graph, const char *name)
{
	if (!graph.is_moved)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_INVALID_VALUE,
		      fmt::format("{} was moved into a child node; use the graph around it", name));
}

CUresult check_no_memory(const GraphObject &graph, const char *what)
{
	if (graph.memory_nodes.empty())
		return CUDA_SUCCESS;
	return refuse(
		CUDA_ERROR_NOT_SUPPORTED,
		fmt::format("a graph with nodes that allocate or free memory can't {}", what));
}

CUresult check_takes_memory(const GraphObject &graph)
{
	if (!graph.parent)
		return CUDA_SUCCESS;
	return refuse(CUDA_ERROR_NOT_SUPPORTED,
		      "a graph in a child node takes no nodes that allocate or free memory; add "
		      "them to the outer graph");
}

void note_memory_node(GraphObject &graph, uint32_t number, const MemoryNode &node)
{
	const CUgraphNodeType type =
		node.allocation ? CU_GRAPH_NODE_TYPE_MEM_ALLOC : CU_GRAPH_NODE_TYPE_MEM_FREE;
	graph.graph->set_label(number, static_cast<uint8_t>(type));
	graph.memory_nodes[number] = node;
}

GraphObject &outermost(GraphObject &graph)
{
	GraphObject *around = &graph;
	while (around->parent)
		around = around->parent;
	return *around;
}

CUresult node_handle(GraphObject &graph, uint32_t number, CUgraphNode &handle)
{
	if (graph.nodes.size() <= number)
		graph.nodes.resize(graph.graph->size());
	NodeObject *&node = graph.nodes[number];
	if (!node) {
		node = graph_tables().nodes.create();
		if (!node)
			return refuse(CUDA_ERROR_OUT_OF_MEMORY,
				      "too many nodes; destroy some graphs");
		node->graph = &graph;
		node->number = number;
		node->given.reset();
	}
	handle = reinterpret_cast<CUgraphNode>(node->handle.now());
	return CUDA_SUCCESS;
}

CUresult child_object(GraphObject &graph, uint32_t number, GraphObject *&child)
{
	auto found = graph.children.find(number);
	if (found != graph.children.end()) {
		child = found->second;
		return CUDA_SUCCESS;
	}
	TRY(new_graph(nullptr, child));
	child->graph = &graph.graph->child(number);
	child->parent = &graph;
	child->parent_node = number;
	child->device = graph.device;
	graph.children.emplace(number, child);
	return CUDA_SUCCESS;
}

CUgraphNodeType node_type(const Graph &graph, uint32_t number)
{
	switch (graph.kind(number)) {
	case TaskKind::EMPTY:
		/* A node that allocates or frees memory has nothing to do in the device. */
		if (uint8_t label = graph.label(number))
			return static_cast<CUgraphNodeType>(label);
		return CU_GRAPH_NODE_TYPE_EMPTY;
	case TaskKind::COPY:
	case TaskKind::HOST_COPY:
		return CU_GRAPH_NODE_TYPE_MEMCPY;
	case TaskKind::FILL:
	case TaskKind::HOST_FILL:
		return CU_GRAPH_NODE_TYPE_MEMSET;
	case TaskKind::HOST:
		return CU_GRAPH_NODE_TYPE_HOST;
	case TaskKind::RECORD:
	case TaskKind::SET_FLAG:
	case TaskKind::RESET_FLAG:
		return CU_GRAPH_NODE_TYPE_EVENT_RECORD;
	case TaskKind::WAIT:
	case TaskKind::AWAIT_FLAG:
		return CU_GRAPH_NODE_TYPE_WAIT_EVENT;
	case TaskKind::VALUE_WRITE:
	case TaskKind::VALUE_WAIT:
		return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
	case TaskKind::COND:
		return CU_GRAPH_NODE_TYPE_CONDITIONAL;
	case TaskKind::CHILD:
		/* A node with several tasks is a child graph whose label is the type of the node. */
		if (uint8_t label = graph.label(number))
			return static_cast<CUgraphNodeType>(label);
		return CU_GRAPH_NODE_TYPE_GRAPH;
	default:
		return CU_GRAPH_NODE_TYPE_KERNEL;
	}
}

CUresult check_edges(const CUgraphEdgeData *edges, size_t count)
{
	for (size_t i = 0; edges && i < count; i++) {
		const auto *bytes = reinterpret_cast<const unsigned char *>(&edges[i]);
		if (std::any_of(bytes, bytes + sizeof(*edges), [](unsigned char b) { return b; }))
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("edge {} is not all zero; there is one kind of "
						  "edge",
						  i));
	}
	return CUDA_SUCCESS;
}

CUresult numbers_of(const GraphObject &graph, const CUgraphNode *handles,
		    const CUgraphEdgeData *edges, size_t count, std::vector<uint32_t> &numbers)
{
	if (count > 0 && !handles)
		return null_argument("dependencies");
	TRY(check_edges(edges, count));
	for (size_t i = 0; i < count; i++) {
		NodeObject *node = nullptr;
		TRY(find_node(handles[i], node));
		if (node->graph != &graph)
			return refuse(CUDA_ERROR_INVALID_VALUE,
				      fmt::format("dependency {} is a node of another graph", i));
		numbers.push_back(node->number);
	}
	std::vector<uint32_t> sorted = numbers;
	std::sort(sorted.begin(), sorted.end());
	if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "a node is among the dependencies twice; name each once");
	return CUDA_SUCCESS;
}

CUresult give_nodes(GraphObject &graph, const std::vector<uint32_t> &numbers, CUgraphNode *nodes,
		    size_t *room)
{
	if (!room)
		return null_argument("the number of nodes");
	if (!nodes) {
		*room = numbers.size();
		return CUDA_SUCCESS;
	}
	size_t given = std::min(*room, numbers.size());
	for (size_t i = 0; i < given; i++)
		TRY(node_handle(graph, numbers[i], nodes[i]));
	std::fill(nodes + given, nodes + *room, nullptr);
	*room = given;
	return CUDA_SUCCESS;
}

} // namespace umd::cuda
