// SPDX-License-Identifier: MIT
#pragma once

#include "graph_compiler.h"

namespace umd {

/** reduce_edges() - takes away what other dependencies imply, as far as that is cheap.
 * @flats: each node behind all that it follows; [@begin, @end) follow nothing outside
 * @after: what each follows; lists get shorter in place
 */
void reduce_edges(std::span<FlatNode> flats, std::span<uint32_t> after, uint32_t begin,
		  uint32_t end);

} // namespace umd
