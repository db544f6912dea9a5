// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "graph_draw.h"

namespace umd {

/** escape_json() - escapes @text for use inside a JSON or DOT string. */
std::string escape_json(const std::string &text);

/** node_time() - the time of a node's last run; zeros if it is not known. */
unpu_graph_time node_time(const Graph &graph, uint32_t node, const DrawOptions &options);

/** draw_svg(), draw_trace() - the forms of draw_graph() that have files of their own. */
std::string draw_svg(const Graph &graph, const DrawOptions &options);
std::string draw_trace(const Graph &graph, const DrawOptions &options);

} // namespace umd
