// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "umd/core/object/graph.h"

namespace umd::cuda {

/** struct NodePair - the numbers of a node in an executable graph and of the node that replaces it. */
struct NodePair {
	uint32_t old;
	uint32_t fresh;
};

/** struct NodePairs - which nodes of two graphs correspond. */
struct NodePairs {
	bool match = false;
	std::vector<NodePair> pairs; /* if the graphs match: all nodes, sorted by @fresh */
	/* If they do not match: a node of the new graph without a counterpart, or NONE if the graphs have
	 * different numbers of nodes; and the dependency of that node that does not match, or NONE. */
	uint32_t mismatch = Graph::NONE;
	uint32_t misfit_from = Graph::NONE;
};

/** pair_nodes() - pairs the nodes of @fresh with those of @old. Nodes that no node follows are paired in the
 * order of Graph::sinks(), and the dependencies of two paired nodes in the order of their edges. */
NodePairs pair_nodes(const Graph &old, const Graph &fresh);

} // namespace umd::cuda
