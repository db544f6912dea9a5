// SPDX-License-Identifier: MIT
/**
 * DOC: Nodes of graphs
 */
#include "drv/attachment/address_space.h"
#include "umd/core/copy/copy.h"
#include "umd/cuda/task/tasks.h"

#include <algorithm>

namespace umd::cuda {

/* Arguments that all calls that add a node have in common. */
struct Place {
	CUgraphNode *out;
	CUgraph graph;
	const CUgraphNode *dependencies;
	const CUgraphEdgeData *edges;
	size_t count;
};

static CUresult find_place(const Place &place, GraphObject *&graph, std::vector<uint32_t> &after)
	REQUIRES(graphs_mutex())
{
	after.clear();
	TRY(find_graph(place.graph, graph));
	return numbers_of(*graph, place.dependencies, place.edges, place.count, after);
}

/* @make: sets the task of the node. It is called without the lock: the task may be the first one that uses
 * memory of another device, and the device then has to map that memory. */
template <class Make>
static CUresult add(const Place &place, const Make &make, const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	if (!place.out)
		return null_argument("phGraphNode");
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	std::vector<uint32_t> after;
	NodeTask node;
	TRY(find_place(place, graph, after));
	lock.unlock();
	TRY(make(node));
	lock.lock();
	/* Another thread may have changed the graph. */
	TRY(find_place(place, graph, after));
	return add_node(*graph, node, after, place.out);
}

/* @memory: the memory that the node allocates or frees */
static CUresult add_memory(const Place &place, const MemoryNode &memory)
{
	if (!place.out)
		return null_argument("phGraphNode");
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	std::vector<uint32_t> after;
	NodeTask node;
	MemoryNode checked = memory;
	TRY(find_graph(place.graph, graph));
	TRY(check_takes_memory(*graph));
	TRY(numbers_of(*graph, place.dependencies, place.edges, place.count, after));
	if (!memory.allocation)
		TRY(make_free(graph->memory_nodes, memory.freed, checked));
	TRY(empty_task(node));
	const uint32_t number = graph->graph->add(node.task, 0, after);
	note_memory_node(*graph, number, checked);
	return node_handle(*graph, number, *place.out);
}

template <class Params>
static CUresult add_allocation(const Place &place, Params *params,
			       const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	if (!params)
		return null_argument("nodeParams");
	MemoryNode memory;
	TRY(make_allocation({params->poolProps, params->accessDescs, params->accessDescCount,
			     params->bytesize, 0},
			    memory));
	const CUresult code = add_memory(place, memory);
	params->dptr = code == CUDA_SUCCESS ? memory.allocation->params.dptr : 0;
	return code;
}

static CUresult add_free(const Place &place, CUdeviceptr address,
			 const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	MemoryNode memory;
	memory.freed = address;
	return add_memory(place, memory);
}

static CUresult find_memory(CUgraphNode handle, CUgraphNodeType type, const MemoryNode *&memory)
	REQUIRES(graphs_mutex())
{
	NodeObject *node = nullptr;
	TRY(find_typed(handle, type, node));
	memory = &node->graph->memory_nodes.at(node->number);
	return CUDA_SUCCESS;
}

/* @object: becomes the object of @graph. The nodes of @graph have the same numbers as before */
static void rebind(GraphObject &object, Graph &graph) REQUIRES(graphs_mutex())
{
	object.graph = &graph;
	for (const auto &[number, child] : object.children)
		rebind(*child, graph.child(number));
}

/* The handles of @child and of its nodes stay valid. */
static void move_into(GraphObject &graph, uint32_t number, GraphObject &child)
	REQUIRES(graphs_mutex())
{
	rebind(child, graph.graph->child(number));
	child.own.reset();
	child.user_objects.clear();
	child.parent = &graph;
	child.parent_node = number;
	child.is_moved = true;
	graph.children.emplace(number, &child);
}

static CUresult add_child_graph(const Place &place, CUgraph child_handle, bool move,
				const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	if (!place.out)
		return null_argument("phGraphNode");
	std::unique_lock lock(graphs_mutex());
	GraphObject *graph = nullptr;
	GraphObject *child = nullptr;
	std::vector<uint32_t> after;
	TRY(find_graph(place.graph, graph));
	TRY(find_graph(child_handle, child));
	TRY(numbers_of(*graph, place.dependencies, place.edges, place.count, after));
	for (GraphObject *above = graph; above; above = above->parent) {
		if (above == child)
			return refuse(
				CUDA_ERROR_INVALID_VALUE,
				"a graph can't be in itself; cuGraphClone makes a copy that can");
	}
	TRY(check_moved(*child, "the child graph"));
	TRY(check_no_memory(*child, "be in another graph"));
	if (move && (child->parent || takes_capture(*child)))
		return refuse(CUDA_ERROR_INVALID_VALUE,
			      "the graph belongs to a child node or a capture and can't be moved; "
			      "cuGraphClone makes a copy that can be");
	if (!graph->device)
		graph->device = child->device;
	uint32_t number = graph->graph->add_child(*child->graph, 0, after);
	const UserObjects objects = outermost(*child).user_objects;
	for (const auto &[object, count] : objects)
		outermost(*graph).user_objects[object] += count;
	if (move)
		move_into(*graph, number, *child);
	else
		retain_all(objects);
	return node_handle(*graph, number, *place.out);
}

/* Replaces the task of a node by a task of the same type. */
template <class Make>
static CUresult set(CUgraphNode handle, CUgraphNodeType type, const Make &make,
		    const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	NodeTask task;
	TRY(find_typed(handle, type, node));
	TRY(make(task));
	node->graph->graph->set(node->number, task.task);
	return CUDA_SUCCESS;
}

static CUresult get_event(CUgraphNode handle, CUgraphNodeType type, CUevent *out,
			  const char *call = __builtin_FUNCTION())
{
	TRY(enter(call));
	if (!out)
		return null_argument("event_out");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	TRY(find_typed(handle, type, node));
	*out = reinterpret_cast<CUevent>(node->graph->graph->task(node->number).event);
	return CUDA_SUCCESS;
}

} // namespace umd::cuda

using namespace umd::cuda;

CUresult cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			     const CUgraphNode *dependencies, size_t numDependencies)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, empty_task);
}

CUresult cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			    const CUgraphNode *dependencies, size_t numDependencies,
			    const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) { return host_task(nodeParams, node); });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			      const CUgraphNode *dependencies, size_t numDependencies,
			      const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) { return copy_task(copyParams, ctx, node); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			      const CUgraphNode *dependencies, size_t numDependencies,
			      const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) {
			   return fill_task(CudaCall::ADD_MEMSET_NODE, memsetParams, ctx, node);
		   });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				   const CUgraphNode *dependencies, size_t numDependencies,
				   CUevent event)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) { return record_task(event, node); });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				 const CUgraphNode *dependencies, size_t numDependencies,
				 CUevent event)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) { return wait_task(event, node); });
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				  const CUgraphNode *dependencies, size_t numDependencies,
				  const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return add({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
		   [&](NodeTask &node) {
			   if (!nodeParams)
				   return null_argument("nodeParams");
			   return batch_task(CudaCall::ADD_BATCH_NODE, nodeParams->ctx,
					     nodeParams->count, nodeParams->paramArray,
					     nodeParams->flags, node);
		   });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				  const CUgraphNode *dependencies, size_t numDependencies,
				  CUgraph childGraph)
{
	return add_child_graph({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
			       childGraph, false);
}

CUresult umd::cuda::check_params(const CUgraphNodeParams *params)
{
	if (!params)
		return null_argument("nodeParams");
	const auto &reserved = params->reserved0;
	if (std::any_of(std::begin(reserved), std::end(reserved), [](int word) { return word; }))
		return refuse(CUDA_ERROR_INVALID_VALUE, "nodeParams->reserved0 must be 0");
	if (params->reserved2 != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "nodeParams->reserved2 must be 0");
	if (params->type == CU_GRAPH_NODE_TYPE_MEMCPY && params->memcpy.reserved != 0)
		return refuse(CUDA_ERROR_INVALID_VALUE, "nodeParams->memcpy.reserved must be 0");
	return CUDA_SUCCESS;
}

CUresult umd::cuda::any_task(const CUgraphNodeParams &params, NodeTask &node)
{
	switch (params.type) {
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		if (params.memcpy.flags != 0)
			return refuse(CUDA_ERROR_INVALID_VALUE, "memcpy.flags must be 0");
		return copy_task(&params.memcpy.copyParams, params.memcpy.copyCtx, node);
	case CU_GRAPH_NODE_TYPE_MEMSET: {
		const CUDA_MEMSET_NODE_PARAMS_v2 &fill = params.memset;
		CUDA_MEMSET_NODE_PARAMS old{fill.dst,	      fill.pitch, fill.value,
					    fill.elementSize, fill.width, fill.height};
		return fill_task(CudaCall::ADD_MEMSET_NODE, &old, fill.ctx, node);
	}
	case CU_GRAPH_NODE_TYPE_HOST: {
		CUDA_HOST_NODE_PARAMS host{params.host.fn, params.host.userData};
		return host_task(&host, node);
	}
	case CU_GRAPH_NODE_TYPE_EMPTY:
		return empty_task(node);
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		return wait_task(params.eventWait.event, node);
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return record_task(params.eventRecord.event, node);
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return batch_task(CudaCall::ADD_BATCH_NODE, params.memOp.ctx, params.memOp.count,
				  params.memOp.paramArray, params.memOp.flags, node);
	default:
		break;
	}
	bool known = params.type >= 0 && params.type <= CU_GRAPH_NODE_TYPE_CONDITIONAL;
	return refuse(known ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE,
		      fmt::format("nodeParams->type is {}; kernels, external semaphores and "
				  "conditions are not supported, and allocations don't change",
				  static_cast<int>(params.type)));
}

CUresult cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph, const CUgraphNode *dependencies,
			const CUgraphEdgeData *dependencyData, size_t numDependencies,
			CUgraphNodeParams *nodeParams)
{
	Place place{phGraphNode, hGraph, dependencies, dependencyData, numDependencies};
	TRY(enter());
	TRY(check_params(nodeParams));
	if (nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
		return add_allocation(place, &nodeParams->alloc);
	if (nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
		return add_free(place, nodeParams->free.dptr);
	if (nodeParams->type != CU_GRAPH_NODE_TYPE_GRAPH)
		return add(place, [&](NodeTask &node) -> CUresult {
			TRY(any_task(*nodeParams, node));
			set_call(node, CudaCall::ADD_NODE);
			return CUDA_SUCCESS;
		});
	if (nodeParams->graph.ownership > CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
		return refuse(CUDA_ERROR_INVALID_VALUE, "graph.ownership must be CLONE or MOVE");
	return add_child_graph(place, nodeParams->graph.graph,
			       nodeParams->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
	return get_event(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)
{
	return set(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
		   [&](NodeTask &node) { return record_task(event, node); });
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
	return get_event(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)
{
	return set(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT,
		   [&](NodeTask &node) { return wait_task(event, node); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
	TRY(enter());
	if (!nodeParams)
		return null_argument("nodeParams");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	TRY(find_typed(hNode, CU_GRAPH_NODE_TYPE_HOST, node));
	umd::HostFunction host = node->graph->graph->task(node->number).host;
	nodeParams->fn = host.fn;
	nodeParams->userData = host.args;
	return CUDA_SUCCESS;
}

CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return set(hNode, CU_GRAPH_NODE_TYPE_HOST,
		   [&](NodeTask &node) { return host_task(nodeParams, node); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
	TRY(enter());
	if (!phGraph)
		return null_argument("phGraph");
	std::unique_lock lock(graphs_mutex());
	NodeObject *node = nullptr;
	GraphObject *child = nullptr;
	TRY(find_typed(hNode, CU_GRAPH_NODE_TYPE_GRAPH, node));
	TRY(child_object(*node->graph, node->number, child));
	*phGraph = graph_handle(*child);
	return CUDA_SUCCESS;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				const CUgraphNode *dependencies, size_t numDependencies,
				CUDA_MEM_ALLOC_NODE_PARAMS *nodeParams)
{
	return add_allocation({phGraphNode, hGraph, dependencies, nullptr, numDependencies},
			      nodeParams);
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS *params_out)
{
	TRY(enter());
	if (!params_out)
		return null_argument("params_out");
	std::unique_lock lock(graphs_mutex());
	const MemoryNode *memory = nullptr;
	TRY(find_memory(hNode, CU_GRAPH_NODE_TYPE_MEM_ALLOC, memory));
	*params_out = memory->allocation->params;
	return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			       const CUgraphNode *dependencies, size_t numDependencies,
			       CUdeviceptr dptr)
{
	return add_free({phGraphNode, hGraph, dependencies, nullptr, numDependencies}, dptr);
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr *dptr_out)
{
	TRY(enter());
	if (!dptr_out)
		return null_argument("dptr_out");
	std::unique_lock lock(graphs_mutex());
	const MemoryNode *memory = nullptr;
	TRY(find_memory(hNode, CU_GRAPH_NODE_TYPE_MEM_FREE, memory));
	*dptr_out = memory->freed;
	return CUDA_SUCCESS;
}
