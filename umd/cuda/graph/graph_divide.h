// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <vector>

#include "umd/cuda/object/graph_objects.h"

namespace umd::cuda {

/** struct NodeMove - a task on another device for a node of an executable graph. */
struct NodeMove {
	Graph *within; /* the executable graph, or a graph inside of it */
	uint32_t node;
	GraphTask task;
};

/** divide_exec() - loads an executable graph again, divided over the devices of its nodes.
 * @lock: graphs_mutex(), which this function releases
 * @moves: also changes these nodes
 * @fallback: as in MultiExec::create()
 * Return: CUDA_ERROR_ILLEGAL_STATE if another thread changed the graph meanwhile. */
CUresult divide_exec(std::unique_lock<base::Mutex> &lock, CUgraphExec handle, ExecObject &exec,
		     const std::vector<NodeMove> &moves, const NodePlacement &fallback)
	REQUIRES(graphs_mutex());

} // namespace umd::cuda
