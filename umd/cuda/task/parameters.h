// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "cuda/cuda.h"
#include "umd/core/object/graph.h"
#include "umd/cuda/front.h"
#include "umd/cuda/object/graphs_mutex.h"

namespace umd::cuda {

struct NodeObject;

/** struct NodeParameters - the parameters that a program passed for a copy, a fill or a batch of
 * operations. */
struct NodeParameters {
	CUDA_MEMCPY3D copy{};
	CUDA_MEMSET_NODE_PARAMS fill{};
	std::vector<CUstreamBatchMemOpParams> operations;
};

/** context_of() - the context in which a copy, a fill or a batch was made. */
CUcontext context_of(const NodeObject &node) REQUIRES(graphs_mutex());

/** copy_of(), fill_of(), operations_of() - the parameters of a node that was captured or cloned, from
 * its tasks.
 * Return: CUDA_ERROR_NOT_SUPPORTED for a task that has no such parameters. */
CUresult copy_of(const Graph &graph, uint32_t number, CUDA_MEMCPY3D &copy);
CUresult fill_of(const Graph &graph, uint32_t number, CUDA_MEMSET_NODE_PARAMS &fill);
CUresult operations_of(const Graph &graph, uint32_t number,
		       std::vector<CUstreamBatchMemOpParams> &operations);

/** parameters_of() - the parameters of a node. The node keeps them, so that pointers into them stay
 * valid until the node changes. Return: as copy_of(). */
CUresult parameters_of(NodeObject &node, const NodeParameters *&parameters)
	REQUIRES(graphs_mutex());

/** find_parameters() - the parameters of the node with @handle, which must have type @type.
 * Return: as parameters_of(). */
CUresult find_parameters(CUgraphNode handle, CUgraphNodeType type,
			 const NodeParameters *&parameters) REQUIRES(graphs_mutex());

} // namespace umd::cuda
