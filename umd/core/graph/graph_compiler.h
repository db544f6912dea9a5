// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>

#include "base/os/kept_memory.h"
#include "base/result.h"
#include "umd/core/object/graph.h"

namespace umd {

/** struct FlatNode - a node of a graph, or of a graph inside it. */
struct FlatNode {
	const Graph *graph;
	uint32_t node; /* Graph::NONE: an empty node that joins the parts of a child graph */
	uint32_t first_after;
	uint32_t afters;
};

/** struct CompiledGraph - a graph image for the device, with the place of each node in it. */
struct CompiledGraph {
	base::KeptVector<std::byte> image;
	base::KeptVector<FlatNode> flats; /* indexed by the node number in cookies */
	std::vector<uint32_t> places;	  /* index in the image; indexed by flat node */
	/* for each graph: its nodes -> flat nodes */
	std::unordered_map<const Graph *, std::vector<uint32_t>> numbers;
	uint32_t nargs = 0;

	/** place() - index in the image of a node of @graph, which is the compiled graph or inside it. */
	uint32_t place(const Graph &graph, uint32_t node) const
	{
		return places[numbers.at(&graph)[node]];
	}
};

/**
 * using ResolveNode - a function that completes the packet of a node for which calls_host() is true, or of a
 * RECORD or WAIT node.
 * @args: number of launch arguments so far; the function adds 1 for a node that takes one
 */
using ResolveNode =
	std::function<base::Status(const GraphTask &task, unpu_packet &packet, uint32_t &args)>;

/**
 * compile_graph() - makes the image of @graph and all graphs inside it. Child graphs are flattened,
 * dependencies that others imply are removed, and chains of nodes that follow only each other become lines.
 * Context: the graph's lock. Return: INVALID_ARGUMENT for a cycle, GRAPH_TOO_LARGE, what @resolve returned.
 */
base::Result<CompiledGraph> compile_graph(const Graph &graph, const ResolveNode &resolve);

/** order_of() - the nodes of @graph in topological order: each after all nodes that it follows. With @circle
 * set, nodes are missing: those in a circle and those after it. */
std::vector<uint32_t> order_of(const Graph &graph, bool &circle);

/** find_circle() - a node that follows itself, directly or through others: the numbers of the CHILD nodes that
 * lead to it, then its own. Return: empty if there is no such node. */
std::vector<uint32_t> find_circle(const Graph &graph);

} // namespace umd
