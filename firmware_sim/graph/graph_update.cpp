// SPDX-License-Identifier: MIT
/**
 * DOC: Updates of graphs
 *
 * A block may change a million nodes, which takes 100 ms in all. Other clients do not wait for that. No change is
 * made before all of them have been checked.
 */
#include "graph_update.h"

#include <algorithm>

#include "firmware_sim/schedule/token_work.h"
#include "graph.h"

namespace fw {

using base::Status;

/* The upkeep thread reads blocks larger than this. */
static constexpr uint64_t READ_IN_PLACE_BYTES = TOKEN_BYTES;
/* The changes of one turn take about 0.1 ms. */
static constexpr size_t CHANGES_EACH = 1024;

void GraphUpdate::Block::read(const std::byte *block)
{
	auto read = read_changes(block, bytes, nodes, args, semaphores);
	status = read.status();
	if (read)
		changes = read.take();
}

Outcome GraphUpdate::begin(ClientContext &client, Waiter &owner, const unpu_graph_change &packet,
			   std::unique_ptr<GraphUpdate> &update)
{
	const Graph *graph = client.graph(packet.graph);
	if (!graph)
		return {Status::BAD_GRAPH, 0};
	const Translation found = client.mmu.translate(packet.va, packet.bytes, UNPU_ACCESS_READ);
	if (found.status != Status::OK)
		return {found.status, found.address};
	auto block = std::make_shared<Block>(Block{
		{}, packet.bytes, graph->nodes(), graph->args(), client.semaphores.users(), {}});
	if (packet.bytes < READ_IN_PLACE_BYTES || !client.core.background.available()) {
		note_token_work("an update of a graph",
				client.core.background.available() ? packet.bytes : 0);
		block->read(found.data);
		GraphUpdate now(client, packet.graph, block);
		Outcome outcome;
		while (!now.step(outcome))
			;
		return outcome;
	}
	const Status charged = client.account->charge(Resource::MEMORY, packet.bytes, block->copy);
	if (charged != Status::OK)
		return {charged, 0};
	block->memory = client.mmu.hold(packet.va, packet.bytes);
	auto job = std::make_unique<Job>();
	job->work = [block] { block->read(block->memory.data()); };
	job->owner = &owner;
	job->client = client.number;
	job->client_queue = &client.client_queue;
	job->bytes = packet.bytes;
	update.reset(new GraphUpdate(client, packet.graph, std::move(block)));
	client.core.background.submit(std::move(job));
	owner.is_in_engine = true;
	return blocked();
}

/* Charges the memory of all changes, before the first change is made. */
Status GraphUpdate::charge()
{
	if (growth_ == 0)
		return Status::OK;
	if (client_.core.memory->charge(Resource::MEMORY, growth_, device_memory_) != Status::OK)
		return Status::NO_MEMORY;
	return client_.account->charge(Resource::MEMORY, growth_, quota_);
}

bool GraphUpdate::step(Outcome &outcome)
{
	/* The client may have unloaded it meanwhile. */
	Graph *graph = client_.graph(graph_);
	const std::vector<unpu_packet> &nodes = block_->changes.nodes;
	if (block_->status != Status::OK || !graph) {
		outcome = {graph ? block_->status : Status::BAD_GRAPH, 0};
		return true;
	}
	size_t left = CHANGES_EACH;
	for (; checked_ < nodes.size() && left != 0; checked_++, left--) {
		if (!graph->may_change(nodes[checked_].valid)) {
			outcome = {Status::BAD_GRAPH, 0};
			return true;
		}
		growth_ += graph->growth(nodes[checked_], block_->changes);
	}
	if (checked_ == nodes.size() && made_ == 0) {
		outcome = {charge(), 0};
		if (outcome.status != Status::OK)
			return true;
	}
	for (; checked_ == nodes.size() && made_ < nodes.size() && left != 0; made_++, left--)
		graph->change(nodes[made_], block_->changes);
	outcome = {};
	if (made_ != nodes.size())
		return false;
	if (growth_ != 0)
		graph->recharge();
	return true;
}

} // namespace fw
