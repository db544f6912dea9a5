// SPDX-License-Identifier: MIT
/**
 * DOC: graphs
 *
 * Races between the nodes of a graph are the same in each launch, so they are judged once, when the graph is
 * made: two nodes that use the same bytes need a path between them. A launch is one moment of its stream, in
 * which the nodes' accesses are judged against everything outside of the graph.
 */
#include "san/judge/graphs.h"

#include <algorithm>

namespace san {

Graph *Graphs::find(uint64_t number)
{
	auto found = graphs_.find(number);
	return found == graphs_.end() ? nullptr : &found->second;
}

static constexpr const char *TOO_MANY_PARTS = "the graphs have too many nodes, operands and edges";

/* The size of operands for the bound on memory: an operand is one part, and each of its dimensions adds to
 * it. */
static size_t parts_of(const std::vector<Operand> &operands)
{
	size_t parts = operands.size();
	for (const Operand &operand : operands)
		parts += operand.dimensions.size() / 2;
	return parts;
}

/* Adds @parts to the size of a graph. Return: false if that would exceed the bound. */
bool Graphs::charge(Graph &graph, size_t parts)
{
	if (parts > bounds_.graph_parts - parts_)
		return false;
	graph.parts += parts;
	parts_ += parts;
	return true;
}

void Graphs::refund(Graph &graph, size_t parts)
{
	graph.parts -= parts;
	parts_ -= parts;
}

void Graphs::erase(const Graph &graph, uint64_t number)
{
	parts_ -= graph.parts;
	graphs_.erase(number);
}

void Graphs::destroy(uint64_t number)
{
	Graph *graph = find(number);
	if (!graph)
		return;
	graph->is_destroyed = true;
	if (graph->held == 0)
		erase(*graph, number);
}

void Graphs::hold(uint64_t number)
{
	if (Graph *graph = find(number))
		graph->held++;
}

void Graphs::let_go(uint64_t number)
{
	Graph *graph = find(number);
	if (!graph || graph->held == 0)
		return;
	graph->held--;
	if (graph->held == 0 && graph->is_destroyed)
		erase(*graph, number);
}

void Graphs::reset_history()
{
	for (auto &[number, graph] : graphs_) {
		graph.last.seen = nullptr;
		graph.parameters.reset_history();
	}
}

const char *Graphs::add_node(const Record &record)
{
	if (record.value >= Graph::MAX_NODES)
		return "a graph has 4096 nodes at most";
	if (!graphs_.contains(record.object) && graphs_.size() >= MAX_GRAPHS)
		return "there are 65536 graphs at most";
	Graph &graph = graphs_.try_emplace(record.object, memory_.cells_sum()).first->second;
	graph.client = record.client;
	graph.is_opaque |= (record.flags & COMMAND_OPAQUE) != 0;
	const size_t old = graph.nodes.size();
	if (record.value < old && graph.nodes[record.value].is_defined)
		return "the graph has a node of this number";
	const size_t size = std::max<size_t>(old, record.value + 1);
	if (!charge(graph, size - old + parts_of(record.operands)))
		return TOO_MANY_PARTS;
	graph.nodes.resize(size);
	Graph::Node &node = graph.nodes[record.value];
	node = {record.label,	 record.site,		record.flags, true,
		record.operands, std::move(node.after), node.exchange};
	if (record.stream != HOST)
		graph.streams.insert(record.stream);
	return nullptr;
}

const char *Graphs::add_edge(const Record &record)
{
	Graph *graph = find(record.object);
	if (!graph)
		return "there is no such graph";
	if (record.address >= graph->nodes.size() || record.value >= graph->nodes.size())
		return "the graph has no node of this number";
	std::vector<uint32_t> &after = graph->nodes[record.address].after;
	const auto other = static_cast<uint32_t>(record.value);
	if (std::find(after.begin(), after.end(), other) != after.end())
		return nullptr;
	if (!charge(*graph, 1))
		return TOO_MANY_PARTS;
	after.push_back(other);
	return nullptr;
}

const char *Graphs::set_exchange(const Record &record)
{
	Graph *graph = find(record.object);
	if (!graph)
		return "there is no such graph";
	if (record.address >= graph->nodes.size())
		return "the graph has no node of this number";
	Graph::Exchange &exchange = graph->nodes[record.address].exchange;
	graph->exchanges += (record.bytes != 0) - (exchange.latch != 0);
	exchange = {record.bytes, record.value, record.flags, record.kind == Kind::GRAPH_AWAIT};
	return nullptr;
}

const char *Graphs::follow(const Record &record)
{
	Graph *graph = find(record.object);
	const Graph *old = find(record.value);
	if (!graph || !old)
		return "there is no such graph";
	graph->last = old->last;
	return nullptr;
}

/* Sorts the nodes topologically. Return: false if the edges form a circle. */
bool Graphs::sort(Graph &graph)
{
	std::vector<uint32_t> before(graph.nodes.size());
	for (const Graph::Node &node : graph.nodes) {
		for (uint32_t after : node.after)
			before[after]++;
	}
	graph.order.clear();
	for (uint32_t i = 0; i < graph.nodes.size(); i++) {
		if (before[i] == 0)
			graph.order.push_back(i);
	}
	for (size_t i = 0; i < graph.order.size(); i++) {
		for (uint32_t after : graph.nodes[graph.order[i]].after) {
			if (--before[after] == 0)
				graph.order.push_back(after);
		}
	}
	return graph.order.size() == graph.nodes.size();
}

Command Graphs::command_of(const Graph &graph, uint32_t node, const Command &launch) const
{
	Command command = launch;
	command.launch_label = launch.label;
	command.launch_site = launch.site;
	command.label = graph.nodes[node].label;
	command.site = graph.nodes[node].site;
	return command;
}

/*
 * Judges the nodes like a program of their own. Each node is an actor with a single moment, which knows its
 * ancestors. So the shadow finds exactly the pairs of nodes without a path between them.
 */
void Graphs::check_races(const Graph &graph)
{
	Shadows shadows;
	std::vector<std::shared_ptr<Clock>> seen(graph.nodes.size());
	for (uint32_t node : graph.order) {
		if (!seen[node])
			seen[node] = std::make_shared<Clock>();
		auto command = std::make_shared<Command>(command_of(graph, node, {}));
		command->moment = {node, 1, seen[node]};
		command->client = graph.client;
		for (uint32_t after : graph.nodes[node].after) {
			if (!seen[after])
				seen[after] = std::make_shared<Clock>();
			seen[after]->join(*seen[node]);
			seen[after]->raise(node, 1);
		}
		accesses_.run_apart(command, graph.nodes[node].operands, shadows);
	}
}

void Graphs::remember(Graph &graph, uint32_t node)
{
	for (const Operand &operand : graph.nodes[node].operands) {
		const Range addresses = Shape::of(operand).bounds();
		for (const Piece &piece : memory_.pieces(graph.client, addresses)) {
			if (piece.block && charge(graph, 1))
				graph.known.push_back({node, piece.addresses, piece.block->number,
						       piece.block->generation});
		}
	}
}

const char *Graphs::make_ready(const Record &record)
{
	Graph *graph = find(record.object);
	if (!graph)
		return "there is no such graph";
	if (!sort(*graph))
		return "the edges of the graph form a circle";
	check_races(*graph);
	graph->is_listed = false;
	refund(*graph, graph->known.size());
	graph->known.clear();
	for (uint32_t node : graph->order)
		remember(*graph, node);
	return nullptr;
}

const char *Graphs::update(const Record &record, const CommandPointer &command)
{
	Graph *graph = find(record.object);
	if (!graph)
		return "there is no such graph";
	if (record.value >= graph->nodes.size())
		return "the graph has no node of this number";
	const auto number = static_cast<uint32_t>(record.value);
	std::vector<Operand> &operands = graph->nodes[number].operands;
	if (!charge(*graph, parts_of(record.operands)))
		return TOO_MANY_PARTS;
	refund(*graph, parts_of(operands));
	operands = record.operands;
	graph->is_listed = false;
	refund(*graph, std::erase_if(graph->known, [&](const Graph::Known &known) {
		return known.node == number;
	}));
	remember(*graph, number);
	/* If the host updates the graph, the new parameters apply to all later launches. */
	if (record.stream == HOST)
		return nullptr;
	Touch touch;
	touch.command = command;
	touch.use = Use::WRITE;
	graph->parameters.access({number, number + 1}, touch, [&](const Touch &launch, Range) {
		reporter_.race(Rule::GRAPH_UPDATE_RACE, touch, launch, nullptr, {});
	});
	return nullptr;
}

const char *Graphs::join(uint64_t number, Stream &stream)
{
	Graph *graph = find(number);
	if (!graph || graph->order.size() != graph->nodes.size())
		return "there is no such graph, or it is not ready";
	stream.actor.join(graph->last);
	for (uint32_t other : graph->streams) {
		const Stream *captured = actors_.stream(graph->client, other);
		if (captured && captured != &stream &&
		    actors_.profile(graph->client) == Profile::ASCENDCL)
			stream.actor.join(captured->actor.now());
	}
	return nullptr;
}

/* Reports a node whose address means other memory than when the graph was made. */
void Graphs::check_memory(const Graph &graph, const Command &launch)
{
	for (const Graph::Known &known : graph.known) {
		for (const Piece &piece : memory_.pieces(graph.client, known.addresses)) {
			/* Skips freed memory, because it is reported when the node uses it. */
			if (!piece.block || piece.block->freed ||
			    (piece.block->number == known.block &&
			     piece.block->generation == known.generation))
				continue;
			reporter_.call(Rule::UAF_GRAPH, command_of(graph, known.node, launch),
				       nullptr, piece.block.get(), piece.offsets());
			return;
		}
	}
}

void Graphs::begin(Graph &graph, const CommandPointer &command)
{
	check_memory(graph, *command);
	if (graph.exchanges == 0)
		use_parameters(graph, {0, graph.nodes.size()}, command);
}

void Graphs::use_parameters(Graph &graph, Range nodes, const CommandPointer &command)
{
	Touch touch;
	touch.command = command;
	if (!nodes.empty())
		graph.parameters.access(nodes, touch, [&](const Touch &update, Range) {
			reporter_.race(Rule::GRAPH_UPDATE_RACE, touch, update, nullptr, {});
		});
}

const std::vector<Operand> &Graphs::sources_of(Graph &graph) const
{
	if (graph.is_listed)
		return graph.sources;
	graph.is_listed = true;
	graph.sources.clear();
	std::vector<Range> written;
	for (const Graph::Node &node : graph.nodes) {
		for (const Operand &operand : node.operands) {
			if (operand.access != Access::READ)
				written.push_back(Shape::of(operand).bounds());
			else if (node.flags & COMMAND_COPY && is_of_host(graph.client, operand))
				graph.sources.push_back(operand);
		}
	}
	std::erase_if(graph.sources, [&](const Operand &source) {
		const Range range = Shape::of(source).bounds();
		return std::any_of(written.begin(), written.end(), [&](const Range &other) {
			return range.begin < other.end && other.begin < range.end;
		});
	});
	return graph.sources;
}

bool Graphs::is_of_host(uint32_t client, const Operand &operand) const
{
	const std::vector<Piece> pieces = memory_.pieces(client, Shape::of(operand).bounds());
	return !pieces.empty() && pieces.front().block && pieces.front().block->is_host;
}

CommandPointer Graphs::reader_of(uint64_t graph, const Operand &range, const Command &launch)
{
	const Graph *found = find(graph);
	const Range bytes = Shape::of(range).bounds();
	for (uint32_t node = 0; found && node < found->nodes.size(); node++) {
		if ((found->nodes[node].flags & COMMAND_COPY) == 0)
			continue;
		for (const Operand &operand : found->nodes[node].operands) {
			const Range read = Shape::of(operand).bounds();
			if (operand.access == Access::READ && read.begin < bytes.end &&
			    bytes.begin < read.end)
				return std::make_shared<Command>(command_of(*found, node, launch));
		}
	}
	return nullptr;
}

void Graphs::run_node(const Graph &graph, uint32_t node, const CommandPointer &command)
{
	accesses_.run(std::make_shared<Command>(command_of(graph, node, *command)),
		      graph.nodes[node].operands, graph.nodes[node].flags, Rule::UAF_GRAPH);
}

void Graphs::end(Graph &graph, const CommandPointer &command)
{
	graph.last = command->moment;
	if (actors_.profile(graph.client) != Profile::ASCENDCL)
		return;
	for (uint32_t other : graph.streams) {
		Stream *captured = actors_.stream(graph.client, other);
		if (captured)
			captured->actor.join(command->moment);
	}
}

} // namespace san
