// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "umd/core/object/graph.h"
#include "umd/core/stream/task_list.h"

namespace umd {

/** struct ModelPart - a stream of a built model. */
struct ModelPart {
	uint64_t stream; /* handle of the stream */
	uint32_t id;	 /* id of the stream, for error messages */
	bool is_head;	 /* runs from the start of an execution */
	std::vector<Step> steps;
};

/** make_model_graph() - makes one graph of all parts. Graph::stream() of a node is the index of its part.
 * Return: STREAM_MODEL if a task activates a stream that is not a part; INVALID_ARGUMENT for a jump to a
 * label that is not set, or in another stream that runs by itself or that a third stream jumps to. */
base::Result<std::unique_ptr<Graph>> make_model_graph(std::vector<ModelPart> parts);

} // namespace umd
