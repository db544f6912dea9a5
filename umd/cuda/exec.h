// SPDX-License-Identifier: MIT
#pragma once

#include "cuda/driver/graph_types.h"
#include "front.h"

namespace umd {

class Graph;

} // namespace umd

namespace umd::cuda {

struct ExecObject;
struct NodeObject;

/** instantiate() - cuGraphInstantiate() in all its versions. */
CUresult instantiate(CUgraphExec *out, CUgraph handle, uint64_t flags);

/** find_part() - the graph in @exec where @node has its copy, with the same number.
 * Return: CUDA_ERROR_INVALID_VALUE when it has none. */
CUresult find_part(ExecObject &exec, const NodeObject &node, Graph *&part);

/** update_exec() - cuGraphExecUpdate() in all its versions. */
CUresult update_exec(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo &info);

} // namespace umd::cuda
