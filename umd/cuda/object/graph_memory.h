// SPDX-License-Identifier: MIT
#pragma once

#include <unordered_map>
#include <vector>

#include "cuda/cuda.h"
#include "umd/core/object/context_object.h"
#include "umd/core/object/graph.h"

namespace umd::cuda {

/** struct NodeMemory - the memory that a copy or a fill uses. */
struct NodeMemory {
	struct End {
		unsigned type = 0;    /* CU_MEMORYTYPE_HOST or DEVICE; 0: unknown, or not used */
		uint64_t context = 0; /* handle of the context that allocated it; 0: unknown */
	};

	End to;
	End from;
};

/** using GraphMemory - the memory of nodes, by graph and node number. It is recorded when a graph is
 * instantiated, because the program may free the memory before it updates the nodes. */
using GraphMemory = std::unordered_map<const Graph *, std::vector<NodeMemory>>;

/** memory_of() - the memory that a task uses now. */
NodeMemory memory_of(const GraphTask &task);

/** home_in() - the home of a task that was made in @context: where it runs, and the contexts that own the
 * memory which it uses now. */
NodePlacement home_in(const Context &context, const GraphTask &task);

/** note_memory() - adds the memory of @graph and of the graphs inside it. */
void note_memory(const Graph &graph, GraphMemory &memory);

/** can_replace() - whether an update may replace the memory @old by @fresh. */
bool can_replace(const NodeMemory &old, const NodeMemory &fresh);

/** rows_at() - the rows of a memset node; nullptr if it fills one row. */
inline const Graph *rows_at(const Graph &graph, uint32_t node)
{
	return graph.kind(node) == TaskKind::CHILD ? &graph.child(node) : nullptr;
}

/** same_rows() - whether two fills have as many rows of the same size and distance. Fills of one row are always
 * the same. @left, @right: as of rows_at() */
bool same_rows(const Graph *left, const Graph *right);

} // namespace umd::cuda
