// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "uapi/graph.h"
#include "uapi/operator.h"

namespace umd {

/**
 * class GraphBuilder - collects tasks and their dependencies and compiles them into a graph image
 * (uapi/graph.h). Context: the caller's lock.
 */
class GraphBuilder {
public:
	/** add() - a task of @stream that follows the tasks in @after (indices from earlier add()s).
	 * Return: its index. */
	uint32_t add(const unpu_packet &packet, const unpu_operator *op, uint32_t stream,
		     const std::vector<uint32_t> &after);

	uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

	/** compile() - the image. A run of tasks that each follow only the one before, and that
	 * nothing else waits to start in the middle of, becomes one line. */
	std::vector<std::byte> compile() const;

private:
	struct Node {
		unpu_packet packet;
		uint32_t stream;
		int64_t op; /* index into operators_, or -1 */
		std::vector<uint32_t> after;
	};

	std::vector<Node> nodes_;
	std::vector<unpu_operator> operators_;
};

} // namespace umd
