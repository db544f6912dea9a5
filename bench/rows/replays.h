// SPDX-License-Identifier: MIT
#pragma once

#include "harness/round.h"
#include "process/client.h"

namespace bench {

/* The work of a node and the edges of a shape; the peers use the same shapes. */
constexpr unsigned SHAPE_NODES = 1000;
constexpr unsigned SHAPE_BRANCHES = 8;
constexpr size_t ADD_FLOATS = 8;

/** measure_replays() - aclmdlRIExecuteAsync() and synchronize for captured graphs of 1 to 1000 nodes. */
void measure_replays(const Client &client, const Effort &effort, Round &round);

/** measure_instantiation() - a task of a capture, and its end, per node of 10,000. */
void measure_instantiation(const Client &client, const Effort &effort, Round &round);

/** graph_bytes_per_node() - device memory that a graph of 10,000 additions takes. */
double graph_bytes_per_node(const Client &client);

} // namespace bench
