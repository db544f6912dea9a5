// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>

#include "base/result.h"
#include "umd/graph.h"

namespace umd {

/** struct FlatNode - a node of a graph, or of a graph in it. */
struct FlatNode {
	const Graph *graph;
	uint32_t node; /* Graph::NONE: nothing, where the parts of a child meet */
	uint32_t first_after;
	uint32_t afters;
};

/** struct CompiledGraph - an image for the device, and what became of which node. */
struct CompiledGraph {
	std::vector<std::byte> image;
	std::vector<FlatNode> flats;  /* by the number that cookies have */
	std::vector<uint32_t> places; /* of a flat node in the image */
	std::unordered_map<const Graph *, std::vector<uint32_t>> numbers; /* node to flat node */
	uint32_t nargs = 0;

	/** place() - index in the image of a node of @graph, the compiled one or one in it. */
	uint32_t place(const Graph &graph, uint32_t node) const
	{
		return places[numbers.at(&graph)[node]];
	}
};

/**
 * using ResolveNode - completes the packet of a HOST, RECORD or WAIT node.
 * @args: number of launch arguments so far; a node that takes one counts it
 */
using ResolveNode =
	std::function<base::Status(const GraphTask &task, unpu_packet &packet, uint32_t &args)>;

/**
 * compile_graph() - the image of @graph and all graphs in it: children become part of it, dependencies
 * that others imply go, nodes that follow each other and nothing else become lines.
 * Context: the graph's lock. Return: INVALID_ARGUMENT for a circle, GRAPH_TOO_LARGE, what @resolve
 * returned.
 */
base::Result<CompiledGraph> compile_graph(const Graph &graph, const ResolveNode &resolve);

} // namespace umd
