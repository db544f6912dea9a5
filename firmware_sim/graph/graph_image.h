// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "firmware_sim/engine/opcode.h"
#include "firmware_sim/schedule/semaphores.h"
#include "uapi/graph.h"

namespace fw {

/** struct GraphImage - a private, validated copy of a client's graph image. */
struct GraphImage {
	std::vector<unpu_packet> nodes;
	std::vector<unpu_operator> operators;
	std::vector<uint64_t> tensors; /* descriptors of tensor operators */
	std::vector<unpu_graph_cell> cells;
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_region> regions;
	std::vector<uint32_t> words;
	uint32_t nargs = 0;
};

/** read_graph() - copies an image once and checks the copy; @image may change meanwhile.
 * @semaphores: the semaphores of the client; its nodes may use no others
 * Return: BAD_GRAPH, GRAPH_TOO_LARGE, or the status of a bad packet or operator. */
base::Result<GraphImage> read_graph(const std::byte *image, uint64_t bytes,
				    const Semaphores::Users &semaphores);

/** struct GraphChanges - new nodes of a graph; unpu_packet.valid is the node's index. */
struct GraphChanges {
	std::vector<unpu_packet> nodes;
	std::vector<unpu_operator> operators;
	std::vector<uint64_t> tensors;
};

/** tensor_words() - the descriptor of a TENSOR or KERNEL node of a checked image. */
inline std::span<const uint64_t> tensor_words(const std::vector<uint64_t> &tensors,
					      const unpu_tensor_ref &ref)
{
	return {tensors.data() + ref.offset / sizeof(uint64_t), ref.bytes / sizeof(uint64_t)};
}

/** read_changes() - the same for the block of a GRAPH_UPDATE packet. @nnodes, @nargs: numbers of nodes and
 * arguments of the graph */
base::Result<GraphChanges> read_changes(const std::byte *block, uint64_t bytes, uint64_t nnodes,
					uint32_t nargs, const Semaphores::Users &semaphores);

/** controls() - whether a node decides which nodes run; updates cannot change such nodes. */
inline bool controls(const unpu_packet &node)
{
	return opcode_row(node.opcode).steer != nullptr;
}

/* Functions for Opcode::check_node: they check that everything a control node refers to exists and belongs to
 * it.
 * Return: BAD_GRAPH when it does not. */
base::Status check_cond(GraphChecker &checker, uint32_t region, const unpu_graph_line &line,
			const unpu_packet &node);
base::Status check_jump(GraphChecker &checker, uint32_t region, const unpu_graph_line &line,
			const unpu_packet &node);
base::Status check_activate(GraphChecker &checker, uint32_t region, const unpu_graph_line &line,
			    const unpu_packet &node);

} // namespace fw
