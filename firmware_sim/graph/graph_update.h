// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "firmware_sim/core/client_context.h"
#include "firmware_sim/core/command_processor.h"
#include "graph_image.h"

namespace fw {

/**
 * class GraphUpdate - a GRAPH_UPDATE packet under way. The upkeep thread copies and checks a large block. The channel
 * then makes the changes, some in each of its turns. Context: under the step token.
 */
class GraphUpdate {
public:
	/** begin() - makes small changes at once. Otherwise @update holds the remaining work. @owner: is
	 * woken when step() may be called. The owner must destroy @update before its own end.
	 * Return: blocked() where @update has work left; BAD_GRAPH, QUOTA, the status of a bad packet,
	 * operator or block address. */
	static Outcome begin(ClientContext &client, Waiter &owner, const unpu_graph_change &packet,
			     std::unique_ptr<GraphUpdate> &update);

	/** step() - checks or makes some of the changes. @outcome: outcome of the packet when the update has
	 * ended; NO_MEMORY, QUOTA if there is not enough memory for the changes. Return: whether it has
	 * ended. */
	bool step(Outcome &outcome);

private:
	base::Status charge();

	/* The part that the upkeep thread accesses. */
	struct Block {
		Hold memory;
		uint64_t bytes;
		uint64_t nodes; /* number of nodes of the graph */
		uint32_t args;	/* number of arguments of the graph */
		Semaphores::Users semaphores;
		Charge copy;
		base::Status status = base::Status::OK;
		GraphChanges changes = {};

		void read(const std::byte *block);
	};

	GraphUpdate(ClientContext &client, uint32_t graph, std::shared_ptr<Block> block)
		: client_(client), graph_(graph), block_(std::move(block))
	{
	}

	ClientContext &client_;
	const uint32_t graph_;
	const std::shared_ptr<Block> block_;
	size_t checked_ = 0;
	size_t made_ = 0;
	/* additional memory of the graph, by the changes checked so far */
	uint64_t growth_ = 0;
	Charge device_memory_, quota_; /* charges for it, until the graph itself is charged */
};

} // namespace fw
