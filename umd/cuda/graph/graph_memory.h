// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "cuda/cuda.h"
#include "umd/core/graph/graph.h"

namespace umd::cuda {

/** struct NodeMemory - what memory a copy or a fill uses. */
struct NodeMemory {
	struct End {
		unsigned type = 0;    /* CU_MEMORYTYPE_HOST or DEVICE; 0: unknown, or not used */
		uint64_t context = 0; /* handle of the context that allocated it; 0: unknown */
	};

	End to;
	End from;
};

/** using GraphMemory - by graph and number of the node. It is noted when a graph is instantiated, because the
 * program may free the memory before it updates the nodes. */
using GraphMemory = std::unordered_map<const Graph *, std::vector<NodeMemory>>;

/** memory_of() - the memory that a task uses now. */
NodeMemory memory_of(const GraphTask &task);

/** note_memory() - adds the memory of @graph and of the graphs inside it. */
void note_memory(const Graph &graph, GraphMemory &memory);

/** can_replace() - whether an update may replace the memory @old by @fresh. */
bool can_replace(const NodeMemory &old, const NodeMemory &fresh);

/** same_fill() - whether two nodes fill rows of the same size and distance. @left, @right: numbers of memset
 * nodes. Fills of one row are always the same. */
bool same_fill(const Graph &left_graph, uint32_t left, const Graph &right_graph, uint32_t right);

} // namespace umd::cuda
