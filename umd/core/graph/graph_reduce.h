// SPDX-License-Identifier: MIT
#pragma once

#include "graph_compiler.h"

namespace umd {

/** reduce_edges() - removes dependencies that other dependencies imply, as far as that is cheap.
 * @flats: the nodes in topological order; nodes in [@begin, @end) follow only nodes of that range
 * @after: the list of predecessors of each node; the function shortens these lists in place */
void reduce_edges(std::span<FlatNode> flats, std::span<uint32_t> after, uint32_t begin,
		  uint32_t end);

} // namespace umd
