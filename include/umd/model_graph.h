// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "umd/graph.h"
#include "umd/task_list.h"

namespace umd {

/** struct ModelPart - a stream of a built model. */
struct ModelPart {
	uint64_t stream; /* handle */
	uint32_t id;	 /* for sentences */
	bool head;	 /* runs from the start */
	std::vector<Step> steps;
};

/** make_model_graph() - the graph of all parts; nodes have the number of their part as stream.
 * Return: STREAM_MODEL for a stream that is started and no part; INVALID_ARGUMENT for a switch to a
 * label that is not in its stream. */
base::Result<std::unique_ptr<Graph>> make_model_graph(std::vector<ModelPart> parts);

} // namespace umd
