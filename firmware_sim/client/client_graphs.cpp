// SPDX-License-Identifier: MIT
/**
 * DOC: Graphs of a client
 *
 * The upkeep thread reads and frees large graphs: checking a million nodes takes hundreds of
 * milliseconds, for which neither the device's thread nor an engine may be blocked. The request that
 * loads a graph is answered when the upkeep thread has ended.
 */
#include <new>
#include <utility>

#include "client.h"
#include "firmware_sim/graph/graph.h"
#include "firmware_sim/schedule/token_work.h"

namespace fw {

using base::Status;

/* The upkeep thread reads images larger than this. */
static constexpr uint64_t LOAD_IN_PLACE_BYTES = TOKEN_BYTES;

Status Client::graph_load(const unpu_msg_graph &request, unpu_msg_graph &reply)
{
	if (request.graph || request.reserved)
		return Status::BAD_MESSAGE;
	const uint32_t quota = core.config.quotas.graphs;
	if (quota && graphs_.size() >= quota)
		return Status::QUOTA;
	Translation image = mmu.translate(request.va, request.bytes, UNPU_ACCESS_READ);
	if (image.status != Status::OK)
		return image.status;
	auto load = std::make_shared<Load>(
		Load{std::make_unique<Graph>(*this), {}, request.bytes, semaphores.users(), {}});
	if (request.bytes < LOAD_IN_PLACE_BYTES || !core.background.available()) {
		note_token_work("GRAPH_LOAD", core.background.available() ? request.bytes : 0);
		TRY(load->graph->load(image.data, request.bytes, load->semaphores));
		return admit_graph(std::move(load->graph), reply);
	}
	TRY(account->charge(Resource::MEMORY, request.bytes, load->copy));
	load->image = mmu.hold(request.va, request.bytes);
	begin_load(std::move(load));
	return Status::NOT_READY;
}

void Client::begin_load(std::shared_ptr<Load> load)
{
	auto job = std::make_unique<Job>();
	job->work = [load] {
		load->status = load->graph->load(load->image.data(), load->bytes, load->semaphores);
		/* The client has detached: free the graph here, not on the device's thread. */
		if (load.use_count() == 1)
			load->graph.reset();
	};
	job->owner = &loading_;
	job->client = number;
	job->client_queue = &client_queue;
	job->bytes = load->bytes;
	core.background.submit(std::move(job));
	loading_.load = std::move(load);
	loading_.is_in_engine = true;
	is_unanswered_ = true;
}

void Client::end_load(Status status)
{
	const std::shared_ptr<Load> load = std::move(loading_.load);
	/* The client is detaching. */
	if (!load)
		return;
	load->copy.end();
	if (status == Status::OK)
		status = load->status;
	if (status == Status::OK)
		status = admit_graph(std::move(load->graph), reply_.graph);
	else
		free_graph(std::move(load->graph));
	answer_late(status);
}

Status Client::admit_graph(std::unique_ptr<Graph> graph, unpu_msg_graph &reply)
{
	if (const Status status = graph->charge(); status != Status::OK) {
		free_graph(std::move(graph));
		return status;
	}
	do {
		reply.graph = next_graph_++;
	} while (reply.graph == 0 || graphs_.contains(reply.graph));
	try {
		graphs_.emplace(reply.graph, std::move(graph));
	} catch (const std::bad_alloc &) {
		return Status::NO_MEMORY;
	}
	return Status::OK;
}

/* The graph is in no list: it does not run, or has left. */
void Client::free_graph(std::unique_ptr<Graph> graph)
{
	const uint64_t bytes = graph->bytes();
	core.free_later(std::move(graph), bytes, [](auto &dead) { dead.reset(); });
}

Status Client::graph_unload(uint32_t id)
{
	Graph *found = graph(id);
	if (!found)
		return Status::INVALID_HANDLE;
	if (found->running())
		return Status::MODEL_RUNNING;
	free_graph(std::move(graphs_.extract(id).mapped()));
	return await_frees();
}

Status Client::graph_trace(const unpu_msg_graph &request)
{
	if (request.reserved)
		return Status::BAD_MESSAGE;
	Graph *found = graph(request.graph);
	return found ? found->trace(request.va, request.bytes) : Status::INVALID_HANDLE;
}

} // namespace fw
