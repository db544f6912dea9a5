// SPDX-License-Identifier: MIT
#pragma once

#include "parameters.h"
#include "umd/core/copy/copy.h"
#include "umd/cuda/calls.h"
#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

/** struct NodeTask - the work of a node: one task, or a graph of several tasks. */
struct NodeTask {
	GraphTask task;
	unpu_operator op{};	      /* storage to which task.op may point */
	std::unique_ptr<Graph> parts; /* the graph, if the node has several tasks */
	CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
	std::shared_ptr<NodeParameters> given; /* parameters of a copy, a fill or a batch */

	NodeTask() = default;
	NodeTask(const NodeTask &) = delete;
	NodeTask &operator=(const NodeTask &) = delete;
};

/** home_of() - where the tasks of a node run. */
NodePlacement home_of(const NodeTask &node);
NodePlacement home_of(const Graph &graph, uint32_t node);

/** Make the task for each type of node. @call: the API call that a capture turns into a node, or the call
 * that adds such nodes.
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult empty_task(NodeTask &node);
CUresult host_task(const CUDA_HOST_NODE_PARAMS *params, NodeTask &node);
CUresult copy_task(const CUDA_MEMCPY3D *params, CUcontext context, NodeTask &node);
CUresult fill_task(CudaCall call, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context,
		   NodeTask &node);
CUresult batch_task(CudaCall call, CUcontext context, unsigned count,
		    const CUstreamBatchMemOpParams *operations, unsigned flags, NodeTask &node);
CUresult record_task(CUevent event, NodeTask &node);
CUresult wait_task(CUevent event, NodeTask &node);

/** set_call() - stores the API function by which the program has made the node. */
void set_call(NodeTask &node, CudaCall call);

/** check_params() - checks that the parameters are not NULL, and that all reserved fields are 0. Return:
 * CUDA_ERROR_INVALID_VALUE. */
CUresult check_params(const CUgraphNodeParams *params);

/** any_task() - makes the task for any type that cuGraphAddNode() supports, except child graphs.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED. */
CUresult any_task(const CUgraphNodeParams &params, NodeTask &node);

/** check_fill() - checks the shape of a fill. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult check_fill(const CUDA_MEMSET_NODE_PARAMS &fill);

/** event_task() - the task of a node that records @event, or waits for it. @call: the API call that made the
 * node */
GraphTask event_task(const Event &event, TaskKind kind, Call call);

/** find_typed() - finds a node that must have a type. Return: CUDA_ERROR_INVALID_VALUE. */
CUresult find_typed(CUgraphNode handle, CUgraphNodeType type, NodeObject *&node)
	REQUIRES(graphs_mutex());

/** add_node() - adds a node that follows the nodes with the numbers in @after. */
CUresult add_node(GraphObject &graph, const NodeTask &node, const std::vector<uint32_t> &after,
		  CUgraphNode *handle) REQUIRES(graphs_mutex());

} // namespace umd::cuda
