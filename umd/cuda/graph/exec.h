// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/driver/graph_types.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/graphs_mutex.h"

namespace umd {

class Graph;

} // namespace umd

namespace umd::cuda {

struct ExecObject;
struct NodeObject;

/** struct Obstacle - why a graph can't be instantiated. */
struct Obstacle {
	CUgraphInstantiateResult why = CUDA_GRAPH_INSTANTIATE_ERROR;
	CUgraphNode node = nullptr; /* a node on a circle of edges, if there is one */
};

/** instantiate() - implements all versions of cuGraphInstantiate(). @call: the version. @known: the flags
 * that this version accepts */
CUresult instantiate(CUgraphExec *out, CUgraph handle, uint64_t flags, uint64_t known,
		     Obstacle &obstacle, const char *call = __builtin_FUNCTION());

/** find_part() - the graph in @exec that contains the copy of @node. The copy has the same number as
 * @node.
 * Return: CUDA_ERROR_INVALID_VALUE if there is no copy. */
CUresult find_part(ExecObject &exec, const NodeObject &node, Graph *&part) REQUIRES(graphs_mutex());

/** update_exec() - implements all versions of cuGraphExecUpdate(). */
CUresult update_exec(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo &info,
		     const char *call = __builtin_FUNCTION());

} // namespace umd::cuda
