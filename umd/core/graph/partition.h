// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "umd/core/object/graph.h"

namespace umd {

/** struct GraphPart - a part of a graph, whose nodes are all on one device. */
struct GraphPart {
	NodePlacement home;
	std::unique_ptr<Graph> graph;
	/* parts of other devices that this part follows; their numbers are lower */
	std::vector<uint32_t> follows;
};

/** struct NodeLocation - the place of a node's copy in the parts. */
struct NodeLocation {
	uint32_t part = Graph::NONE;
	Graph *graph = nullptr; /* the part's graph, or one inside it */
	uint32_t node = Graph::NONE;
};

/** struct Partition - the parts of a graph. */
struct Partition {
	std::vector<GraphPart> parts;
	/* By graph, which is the divided one or inside it, and by node. A CHILD node whose nodes are on several
	 * devices has no copy; its nodes have. */
	std::unordered_map<const Graph *, std::vector<NodeLocation>> spots;
};

/** homes_of() - for each device that live nodes of @graph and of the graphs inside it need, the home of the
 * first such node. */
std::vector<NodePlacement> homes_of(const Graph &graph);

/**
 * partition_graph() - divides a graph into parts, each for one device. Each device runs its parts one after
 * the other in the order of their numbers, and each part waits for the parts that it follows. Then each node
 * runs after the nodes that it follows. A part waits for a node of another device only in two cases: a path
 * leads from that node to a node of the part's own device, or the other device runs the node before such a
 * node.
 *
 * @fallback: where the nodes run if none needs a device
 * Return: INVALID_ARGUMENT for a cycle; NOT_SUPPORTED for nodes that choose which nodes run.
 */
base::Result<Partition> partition_graph(const Graph &graph, const NodePlacement &fallback);

} // namespace umd
