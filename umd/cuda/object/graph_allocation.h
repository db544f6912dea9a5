// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuda/cuda.h"
#include "umd/cuda/front.h"

namespace umd::cuda {

/** struct GraphAllocation - the memory of an allocation node. The node has the address from the beginning; a
 * launch only decides whether the program may use it. Context: the functions below take a lock of their
 * own. */
struct GraphAllocation {
	GraphAllocation() = default;
	~GraphAllocation();
	GraphAllocation(const GraphAllocation &) = delete;
	GraphAllocation &operator=(const GraphAllocation &) = delete;

	CUDA_MEM_ALLOC_NODE_PARAMS params{}; /* allocations by address */
	std::vector<CUmemAccessDesc> access;
	std::vector<drv::Fence> after; /* fences that have to pass before the memory is reused */
	bool is_live = false;	       /* a launch has allocated it, and it was not freed since */
	bool is_instantiated = false;  /* an executable graph contains the node */
};

/** struct MemoryNode - a node that allocates or frees memory. */
struct MemoryNode {
	std::shared_ptr<GraphAllocation> allocation; /* nullptr: the node frees memory */
	CUdeviceptr freed = 0;
};

/** using MemoryNodes - the memory nodes of a graph, by number. */
using MemoryNodes = std::map<uint32_t, MemoryNode>;

/** make_allocation() - allocates the memory of a node. Context: no lock is held.
 * Return: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_OUT_OF_MEMORY. */
CUresult make_allocation(const CUDA_MEM_ALLOC_NODE_PARAMS &params, MemoryNode &node);

/** make_free() - makes a node that frees the memory of an allocation node of any graph.
 * @nodes: memory nodes of the graph that gets the node
 * Return: CUDA_ERROR_INVALID_VALUE if no node allocates the memory, or the graph frees it already. */
CUresult make_free(const MemoryNodes &nodes, CUdeviceptr address, MemoryNode &node);

/** check_memory_launch() - whether a launch may run these nodes now; if it may, notes what it allocates and
 * frees.
 * @frees_before: the launch first frees memory that earlier launches have left allocated
 * Return: CUDA_ERROR_INVALID_VALUE. */
CUresult check_memory_launch(const MemoryNodes &nodes, bool frees_before);

/** set_instantiated() - notes whether an executable graph has these nodes. */
void set_instantiated(const MemoryNodes &nodes, bool is_instantiated);

/** is_instantiated() - whether an executable graph has one of these nodes that is not in @but. */
bool is_instantiated(const MemoryNodes &nodes, const MemoryNodes &but);

/** free_graph_memory() - frees memory of a node for a call of the program. Context: no lock is held.
 * @after: as free_memory()
 * @is_graphs: out; false: the address is not memory of a node, so the caller has to free it
 * Return: CUDA_ERROR_INVALID_VALUE if no launch has allocated it, or it was freed since. */
CUresult free_graph_memory(CUdeviceptr address, const std::vector<drv::Fence> &after,
			   bool &is_graphs);

/** free_left_memory() - frees the memory of destroyed nodes. Context: no lock is held. */
void free_left_memory();

} // namespace umd::cuda
