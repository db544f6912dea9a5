// SPDX-License-Identifier: MIT
/**
 * DOC: Graph
 *
 * Load, launch and end of a graph; graph_run.cpp has the execution in between. Executions of one graph
 * do not overlap. The lines that can run are on a stack. After a bounded amount of work the graph ends
 * its turn, so that other runners get theirs.
 */
#include "graph.h"

#include <algorithm>
#include <cstring>

namespace fw {

using base::Status;

/* Cost of the nodes that run in one turn. */
static constexpr int64_t TURN_COST = 256;
/* Lines that start in one turn, and edges that are followed. A device that explores counts decisions, so its
 * graphs do all of this in one turn. */
static constexpr uint32_t TURN_ITEMS = 1024;
/* The same for a device that explores: a launch runs no nodes. */
static constexpr int64_t EXPLORED_TURN_COST = 0;

Status Graph::load(const std::byte *image, uint64_t bytes, const Semaphores::Users &semaphores)
{
	auto copy = TRY(read_graph(image, bytes, semaphores));
	take(std::move(copy));
	return Status::OK;
}

Status Graph::charge()
{
	if (client_.core.memory->charge(Resource::MEMORY, bytes(), device_memory_) != Status::OK)
		return Status::NO_MEMORY;
	return client_.account->charge(Resource::MEMORY, bytes(), quota_);
}

void Graph::recharge()
{
	device_memory_.end();
	quota_.end();
	client_.core.memory->charge_anyway(Resource::MEMORY, bytes(), device_memory_);
	client_.account->charge_anyway(Resource::MEMORY, bytes(), quota_);
}

Graph::Graph(ClientContext &client)
	: client_(client),
	  injects_faults_(client.core.faults && client.core.faults->has_task_rules()),
	  turn_cost_(client.core.config.schedule ? EXPLORED_TURN_COST : TURN_COST),
	  turn_items_(client.core.config.schedule ? UINT32_MAX : TURN_ITEMS)
{
	client_queue = &client.client_queue;
}

/* Takes the line of @stand, if it is parked, out of the list of waiters. */
void Graph::unpark(Stand &stand)
{
	Line &line = lines_[stand.line];
	if (line.stand != &stand)
		return;
	client_.forget(stand);
	put_stand(line);
}

/* Return: whether no line is in a list of waiters any more. */
bool Graph::unpark_some(unsigned &left)
{
	for (; running() && unparked_blocks_ < stands_.size(); unparked_blocks_++) {
		std::vector<Stand> &block = stands_[unparked_blocks_];
		for (; unparked_ < block.size(); unparked_++, left--) {
			if (left == 0)
				return false;
			unpark(block[unparked_]);
		}
		unparked_ = 0;
	}
	unparked_blocks_ = unparked_ = 0;
	return true;
}

bool Graph::leave(unsigned &left)
{
	if (!unpark_some(left))
		return false;
	owner_ = nullptr;
	client_.core.queue.remove(*this);
	return true;
}

void Graph::take(GraphImage image)
{
	nodes_.load(image);
	words_ = std::move(image.words);
	cells_ = std::move(image.cells);
	nargs_ = image.nargs;
	lines_.reserve(image.lines.size());
	regions_.reserve(image.regions.size());
	for (const unpu_graph_region &region : image.regions) {
		auto index = static_cast<uint32_t>(regions_.size());
		regions_.push_back({region.first, region.first + region.count, 0, 0, 0});
		for (uint32_t i = region.first; i < region.first + region.count; i++) {
			const unpu_graph_line &line = image.lines[i];
			lines_.push_back({line.first, line.first + line.count, line.first,
					  line.joins, 0, line.first_edge, line.edges, index, 0, 0,
					  0, (line.flags & UNPU_LINE_DORMANT) != 0, false, false,
					  nullptr});
			for (uint32_t node = line.first; node < line.first + line.count; node++)
				count(lines_.back(), node, true);
			BackgroundWork::note_work(sizeof(Line) +
						  line.count * uint64_t{sizeof(uint64_t)});
		}
	}
}

uint64_t Graph::bytes() const
{
	return nodes_.bytes() + lines_.size() * sizeof(Line) + regions_.size() * sizeof(Region) +
	       words_.size() * sizeof(uint32_t) + cells_.size() * sizeof(unpu_graph_cell);
}

/* Adds a node to the sums of its line, or subtracts it before it changes. */
void Graph::count(Line &line, uint32_t node, bool add)
{
	if (nodes_.plain(node)) {
		const uint64_t cost = nodes_.at(node)->cost;
		line.cost = add ? line.cost + cost : line.cost - cost;
	} else {
		line.others = add ? line.others + 1 : line.others - 1;
	}
}

Graph::Line &Graph::line_of(uint32_t node)
{
	auto after =
		std::upper_bound(lines_.begin(), lines_.end(), node,
				 [](uint32_t at, const Line &line) { return at < line.first; });
	return *std::prev(after);
}

Status Graph::check_args(const std::vector<unpu_graph_argument> &args) const
{
	if (args.size() != nargs_)
		return Status::BAD_GRAPH;
	for (const unpu_graph_argument &arg : args) {
		if (arg.reserved)
			return Status::BAD_GRAPH;
		if (!client_.semaphores.user_valid(arg.sem))
			return Status::BAD_SEMAPHORE;
	}
	return Status::OK;
}

Outcome Graph::launch(Launch launch)
{
	Status status = check_args(launch.args);
	if (status != Status::OK)
		return {status, 0};
	if (running()) {
		pending_.push_back(std::move(launch));
		return blocked();
	}
	start(std::move(launch));
	client_.core.queue.remove(*this);
	is_launching_ = true;
	Progress progress = advance();
	if (!is_launching_) {
		/* All nodes ended during advance(). The channel that launched the graph did not wait, so
		 * the result goes back to it here. */
		Outcome outcome = failure_;
		outcome.is_reported = true;
		return outcome;
	}
	is_launching_ = false;
	if (progress == Progress::MORE)
		client_.core.queue.push(*this);
	return blocked();
}

void Graph::start(Launch launch)
{
	owner_ = launch.owner;
	report_ = launch.report;
	stream_ = launch.stream;
	priority = launch.priority; /* not queued now */
	args_ = std::move(launch.args);
	args_memory_ = std::move(launch.args_memory);
	failure_ = {};
	ready_.clear();
	rested_.clear();
	cells_stored_ = 0;
	has_started_ = false;
	unfinished_ = Unfinished::NOTHING;
	find_times();
	client_.core.queue.push(*this);
}

/* Stores as many initial cells as the budget of the turn allows.
 * Return: whether all are stored. */
bool Graph::store_cells()
{
	for (; cells_stored_ < cells_.size(); cells_stored_++) {
		if (budget_-- <= 0)
			return false;
		const unpu_graph_cell &cell = cells_[cells_stored_];
		Translation found =
			client_.mmu.translate(cell.va, sizeof(cell.value), UNPU_ACCESS_WRITE);
		if (found.status == Status::OK)
			memcpy(found.data, &cell.value, sizeof(cell.value));
		else
			fail({found.status, found.address}, 0);
	}
	return true;
}

/* Return: whether all cells are stored and the first lines can run. */
bool Graph::begin_lines()
{
	if (!store_cells())
		return false;
	has_started_ = true;
	return start_region(0);
}

/* Translates the address for node times; nullptr if the memory was unmapped. */
void Graph::find_times()
{
	times_ = nullptr;
	if (trace_va_ == 0)
		return;
	Translation found = client_.mmu.translate(
		trace_va_, nodes_.size() * sizeof(unpu_graph_time), UNPU_ACCESS_WRITE);
	if (found.status == Status::OK)
		times_ = reinterpret_cast<unpu_graph_time *>(found.data);
}

/* Drops the cached addresses of all nodes if a mapping has changed. */
void Graph::check_places()
{
	if (places_epoch_ == client_.mmu.epoch())
		return;
	places_epoch_ = client_.mmu.epoch();
	nodes_.forget();
	find_times();
}

void Graph::fail(const Outcome &outcome, uint64_t cookie)
{
	const Failure failure{outcome.status, cookie, outcome.address, outcome.detail};
	client_.calls.report_fault(failure, report_);
	client_.semaphores.fail(report_, failure);
	if (replaces(failure_.status, outcome.status))
		failure_ = outcome;
}

Progress Graph::advance()
{
	if (!running() || client_.broken())
		return Progress::BLOCKED;
	check_places();
	budget_ = turn_cost_;
	if (!has_started_ && !begin_lines()) [[unlikely]]
		return Progress::MORE;
	if (unfinished_ != Unfinished::NOTHING && !go_on()) [[unlikely]]
		return Progress::MORE;
	if (ready_.empty())
		ready_.swap(rested_);
	while (!ready_.empty()) {
		uint32_t index = ready_.back();
		ready_.pop_back();
		if (run_line(index)) {
			/* Run the other lines first: this one may be an endless loop. */
			rested_.push_back(index);
			return Progress::MORE;
		}
		if (unfinished_ != Unfinished::NOTHING) [[unlikely]]
			return Progress::MORE;
	}
	if (!rested_.empty())
		return Progress::MORE;
	if (regions_[0].open == 0)
		finish();
	return Progress::BLOCKED;
}

void Graph::finish()
{
	Waiter *owner = owner_;
	Outcome failure = failure_;
	executions_++;
	stop();
	if (is_launching_)
		is_launching_ = false;
	else
		owner->woken(failure.status, failure.address, failure.detail);
}

/* Ends this execution and starts the next queued one. */
void Graph::stop()
{
	client_.counted.graph_nodes += ran_;
	ran_ = 0;
	owner_ = nullptr;
	ready_.clear();
	rested_.clear();
	client_.core.queue.remove(*this);
	if (pending_.empty())
		return;
	Launch launch = std::move(pending_.front());
	pending_.pop_front();
	start(std::move(launch));
}

bool Graph::abandon(Waiter &owner, unsigned &left)
{
	std::erase_if(pending_, [&](const Launch &wanted) { return wanted.owner == &owner; });
	if (owner_ != &owner)
		return true;
	if (!unpark_some(left))
		return false;
	stop();
	return true;
}

bool Graph::may_change(uint32_t node) const
{
	unpu_packet packet{};
	packet.opcode = nodes_.opcode(node);
	return !controls(packet);
}

uint64_t Graph::growth(const unpu_packet &packet, const GraphChanges &changes) const
{
	const size_t words = opcode_row(packet.opcode).has_words()
				     ? tensor_words(changes.tensors, packet.tensor).size()
				     : 0;
	return nodes_.growth(packet.valid, packet, words);
}

void Graph::change(const unpu_packet &packet, const GraphChanges &changes)
{
	const unpu_operator *op = nullptr;
	if (opcode_row(packet.opcode).has_descriptor)
		op = &changes.operators[packet.op.offset / sizeof(unpu_operator)];
	std::span<const uint64_t> words;
	if (opcode_row(packet.opcode).has_words())
		words = tensor_words(changes.tensors, packet.tensor);
	Line &line = line_of(packet.valid);
	count(line, packet.valid, false);
	nodes_.change(packet.valid, packet, op, words);
	count(line, packet.valid, true);
}

Status Graph::trace(uint64_t va, uint64_t bytes)
{
	if (bytes != 0 &&
	    (va % alignof(unpu_graph_time) || bytes / sizeof(unpu_graph_time) < nodes_.size()))
		return Status::INVALID_ARGUMENT;
	trace_va_ = bytes ? va : 0;
	return Status::OK;
}

} // namespace fw
