// SPDX-License-Identifier: MIT
/**
 * DOC: Graph
 *
 * Loading: the image is copied first and checked as a whole afterwards (lines cover the nodes, edges
 * lead forward, join counts agree with the edges, packets are valid), so nothing in it has to be
 * doubted while it runs. Running: a stack of lines that can move; a line runs until its next node
 * waits for another line or blocks outside the command processor.
 */
#include "graph.h"

#include <algorithm>
#include <cstring>

#include "kernels/operator_check.h"

namespace fw {

using base::Result;
using base::Status;

/* Nodes run in one turn before other runners get theirs. */
static constexpr uint32_t TURN_NODES = 256;

Result<std::unique_ptr<Graph>> Graph::load(Client &client, const std::byte *image, uint64_t bytes)
{
	if (bytes > UNPU_GRAPH_MAX_BYTES)
		return Status::GRAPH_TOO_LARGE;
	std::unique_ptr<Graph> graph(new Graph(client));
	std::vector<std::byte> copy(image, image + bytes);
	TRY(graph->parse(copy.data(), bytes));
	return graph;
}

Graph::~Graph()
{
	for (Line &line : lines_)
		client_.forget(line);
	client_.core.queue.remove(*this);
}

template <class T>
static bool take(const std::byte *image, uint64_t bytes, uint64_t &at, uint64_t count,
		 std::vector<T> &out)
{
	if (at > bytes || count > (bytes - at) / sizeof(T))
		return false;
	out.resize(count);
	if (count)
		memcpy(static_cast<void *>(out.data()), image + at, count * sizeof(T));
	at += count * sizeof(T);
	return true;
}

Status Graph::parse(const std::byte *image, uint64_t bytes)
{
	unpu_graph_header header;
	if (bytes < sizeof(header))
		return Status::BAD_GRAPH;
	memcpy(&header, image, sizeof(header));
	if (header.magic != UNPU_GRAPH_MAGIC || header.abi != UNPU_ABI || header.bytes != bytes ||
	    header.reserved0 || header.reserved[0] || header.reserved[1] || header.reserved[2])
		return Status::BAD_GRAPH;
	if (header.nnodes > UNPU_GRAPH_MAX_NODES || header.nedges > UNPU_GRAPH_MAX_EDGES)
		return Status::GRAPH_TOO_LARGE;
	std::vector<unpu_graph_line> lines;
	uint64_t at = sizeof(header);
	if (!take(image, bytes, at, header.nlines, lines))
		return Status::BAD_GRAPH;
	at = base::round_up(at, UNPU_LINE_BYTES);
	if (!take(image, bytes, at, header.nnodes, nodes_) ||
	    !take(image, bytes, at, header.nedges, edges_))
		return Status::BAD_GRAPH;
	at = base::round_up(at, UNPU_LINE_BYTES);
	uint64_t count = header.descriptor_bytes / sizeof(unpu_operator);
	if (header.descriptor_bytes % sizeof(unpu_operator) ||
	    !take(image, bytes, at, count, operators_) || at != bytes)
		return Status::BAD_GRAPH;
	lines_.resize(lines.size());
	for (size_t i = 0; i < lines.size(); i++) {
		if (lines[i].count == 0 || lines[i].count > header.nnodes ||
		    lines[i].first > header.nnodes - lines[i].count)
			return Status::BAD_GRAPH;
		lines_[i].graph = this;
		lines_[i].first = lines[i].first;
		lines_[i].end = lines[i].first + lines[i].count;
	}
	for (const unpu_operator &op : operators_)
		TRY(check_operator(op));
	TRY(check_lines(header));
	return check_edges();
}

Status Graph::check_lines(const unpu_graph_header &header)
{
	line_of_.resize(header.nnodes);
	uint32_t covered = 0;
	for (uint32_t i = 0; i < lines_.size(); i++) {
		if (lines_[i].first != covered)
			return Status::BAD_GRAPH;
		for (; covered < lines_[i].end; covered++)
			line_of_[covered] = i;
	}
	return covered == header.nnodes ? Status::OK : Status::BAD_GRAPH;
}

Status Graph::check_node(uint32_t index) const
{
	const unpu_graph_node &node = nodes_[index];
	const unpu_packet &packet = node.packet;
	if (packet.valid != 0)
		return Status::BAD_GRAPH;
	TRY(validate_packet(packet));
	if (packet.opcode == UNPU_OP_GRAPH || packet.opcode == UNPU_OP_STOP ||
	    packet.opcode == UNPU_OP_HOST_DONE)
		return Status::BAD_GRAPH;
	if (packet.opcode == UNPU_OP_OPERATOR &&
	    (packet.op.offset % sizeof(unpu_operator) ||
	     packet.op.offset / sizeof(unpu_operator) >= operators_.size()))
		return Status::BAD_GRAPH;
	if (node.first_edge > edges_.size() || node.edges > edges_.size() - node.first_edge)
		return Status::BAD_GRAPH;
	return Status::OK;
}

Status Graph::check_edges()
{
	/* Edges to higher nodes only: with lines in order, nothing can wait for itself. */
	joins_.assign(nodes_.size(), 0);
	uint64_t used = 0;
	for (uint32_t i = 0; i < nodes_.size(); i++) {
		TRY(check_node(i));
		used += nodes_[i].edges;
		if (used > edges_.size())
			return Status::BAD_GRAPH;
		for (uint32_t e = 0; e < nodes_[i].edges; e++) {
			uint32_t target = edges_[nodes_[i].first_edge + e];
			if (target <= i || target >= nodes_.size())
				return Status::BAD_GRAPH;
			joins_[target]++;
		}
	}
	for (uint32_t i = 0; i < nodes_.size(); i++) {
		if (joins_[i] != nodes_[i].joins)
			return Status::BAD_GRAPH;
	}
	first_joins_ = joins_;
	return Status::OK;
}

Outcome Graph::launch(const Launch &wanted)
{
	if (running()) {
		pending_.push_back(wanted);
		return blocked();
	}
	start(wanted);
	client_.core.queue.remove(*this);
	if (advance() == Progress::MORE)
		client_.core.queue.push(*this);
	return blocked();
}

void Graph::start(const Launch &wanted)
{
	owner_ = wanted.owner;
	report_ = wanted.report;
	priority = wanted.priority; /* not queued now */
	failure_ = {};
	joins_ = first_joins_;
	ready_.clear();
	for (uint32_t i = static_cast<uint32_t>(lines_.size()); i-- > 0;) {
		lines_[i].at = lines_[i].first;
		lines_[i].suspended = false;
		lines_[i].finishing = false;
		ready_.push_back(i);
	}
	open_lines_ = static_cast<uint32_t>(lines_.size());
	client_.core.queue.push(*this);
}

void Graph::fail(const unpu_graph_node &node, const Outcome &outcome)
{
	client_.semaphores.fail(report_, outcome.status, node.packet.cookie, outcome.address);
	if (failure_.status == Status::OK)
		failure_ = outcome;
}

void Graph::complete(Line &line, const Outcome &outcome)
{
	const unpu_graph_node &node = nodes_[line.at];
	if (outcome.status != Status::OK && !forgive_overflow(client_, node.packet, outcome))
		fail(node, outcome);
	Status signalled = apply_signal(client_, node.packet);
	if (signalled != Status::OK) [[unlikely]]
		fail(node, {signalled, 0});
	line.at++;
	for (uint32_t e = 0; e < node.edges; e++) {
		uint32_t target = edges_[node.first_edge + e];
		Line &other = lines_[line_of_[target]];
		if (--joins_[target] == 0 && other.suspended && other.at == target) {
			other.suspended = false;
			ready_.push_back(line_of_[target]);
		}
	}
}

Outcome Graph::run_node(Line &line)
{
	const unpu_packet &packet = nodes_[line.at].packet;
	const unpu_operator *op = nullptr;
	if (packet.opcode == UNPU_OP_OPERATOR)
		op = &operators_[packet.op.offset / sizeof(unpu_operator)];
	Places &places = places_[line.at];
	if (!places[0])
		return execute_packet(client_, line, packet, op, &places);
	/* Checked and translated by an earlier execution. */
	Status status = execute_job(packet, op, places);
	client_.core.wrote(packet, op, places);
	return {status, 0};
}

/* Forgets the places of all nodes when one of them may have moved. */
void Graph::check_places()
{
	if (places_epoch_ == client_.mmu.epoch())
		return;
	places_epoch_ = client_.mmu.epoch();
	places_.assign(nodes_.size(), Places{});
}

/* Return: true when the line can still move but the budget is spent. */
bool Graph::run_line(uint32_t index, uint32_t &budget)
{
	Line &line = lines_[index];
	if (line.finishing) {
		line.finishing = false;
		complete(line, line.outcome);
	}
	for (; line.at < line.end; budget--) {
		if (joins_[line.at] != 0) {
			line.suspended = true;
			return false;
		}
		if (budget == 0)
			return true;
		Outcome outcome = run_node(line);
		if (outcome.blocked)
			return false;
		complete(line, outcome);
	}
	open_lines_--;
	return false;
}

Progress Graph::advance()
{
	if (!running() || client_.broken())
		return Progress::BLOCKED;
	check_places();
	uint32_t budget = TURN_NODES;
	while (!ready_.empty()) {
		uint32_t index = ready_.back();
		ready_.pop_back();
		if (run_line(index, budget)) {
			ready_.push_back(index);
			return Progress::MORE;
		}
	}
	if (open_lines_ == 0)
		finish();
	return Progress::BLOCKED;
}

void Graph::finish()
{
	Waiter *owner = owner_;
	Outcome failure = failure_;
	executions_++;
	client_.counted.graph_nodes += nodes_.size();
	stop();
	owner->woken(failure.status, failure.address);
}

/* Ends this execution and starts the next one that waits. */
void Graph::stop()
{
	owner_ = nullptr;
	ready_.clear();
	client_.core.queue.remove(*this);
	if (pending_.empty())
		return;
	Launch wanted = pending_.front();
	pending_.pop_front();
	start(wanted);
}

void Graph::abandon(Waiter &owner)
{
	std::erase_if(pending_, [&](const Launch &wanted) { return wanted.owner == &owner; });
	if (owner_ != &owner)
		return;
	for (Line &line : lines_)
		client_.forget(line);
	stop();
}

void Graph::Line::woken(Status status, uint64_t address)
{
	graph->client_.core.timers.remove(*this);
	outcome = {status, address};
	finishing = true;
	graph->ready_.push_back(graph->line_of_[at]);
	graph->client_.core.queue.push(*graph);
}

} // namespace fw
