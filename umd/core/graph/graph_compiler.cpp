// SPDX-License-Identifier: MIT
/**
 * DOC: Graph compilation
 *
 * The compiler first flattens the graph and its child graphs into one list in topological order. The graphs
 * that a COND node runs stay separate, as regions. Then it removes dependencies that others imply
 * (graph_reduce.cpp). If a node follows exactly one node, and no other node follows that one, it continues
 * that node's line. Lines are numbered by their first nodes, so that every edge leads to a line with a
 * higher number.
 */
#include "graph_compiler.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "drv/packet/cookie.h"
#include "graph_reduce.h"

namespace umd {

using base::Result;
using base::Status;

std::vector<uint32_t> order_of(const Graph &graph, bool &circle)
{
	std::vector<uint32_t> order;
	order.reserve(graph.size());
	bool sorted = true;
	for (uint32_t i = 0; i < graph.size(); i++) {
		if (!graph.live(i))
			continue;
		order.push_back(i);
		for (uint32_t before : graph.after(i))
			sorted = sorted && before < i;
	}
	circle = false;
	if (sorted)
		return order;
	std::vector<uint32_t> open(graph.size());
	std::vector<std::vector<uint32_t>> followers(graph.size());
	for (uint32_t i : order) {
		open[i] = static_cast<uint32_t>(graph.after(i).size());
		for (uint32_t before : graph.after(i))
			followers[before].push_back(i);
	}
	std::vector<uint32_t> ready;
	for (uint32_t i : order) {
		if (open[i] == 0)
			ready.push_back(i);
	}
	for (size_t at = 0; at < ready.size(); at++) {
		for (uint32_t follower : followers[ready[at]]) {
			if (--open[follower] == 0)
				ready.push_back(follower);
		}
	}
	circle = ready.size() != order.size();
	return ready;
}

namespace {

constexpr uint32_t NONE = Graph::NONE;

/* Finds a node on a circle: walks back from a node that is missing in @order. Each missing node follows
 * another missing one, so the walk reaches some node twice. */
uint32_t node_in_circle(const Graph &graph, const std::vector<uint32_t> &order)
{
	std::vector<bool> passed(graph.size());
	for (uint32_t node : order)
		passed[node] = true;
	auto is_left = [&](uint32_t node) { return !passed[node] && graph.live(node); };
	uint32_t at = 0;
	while (!is_left(at))
		at++;
	std::vector<bool> seen(graph.size());
	while (!seen[at]) {
		seen[at] = true;
		auto after = graph.after(at);
		at = *std::find_if(after.begin(), after.end(), is_left);
	}
	return at;
}

class Compiler {
public:
	Compiler(const Graph &graph, const ResolveNode &resolve) : root_(graph), resolve_(resolve)
	{
	}

	Result<CompiledGraph> run();

private:
	/* struct Region - a graph that becomes a region, and its first flat node. */
	struct Region {
		const Graph *graph;
		uint32_t first = 0;
	};

	Status flatten(const Graph &graph, std::span<const uint32_t> start,
		       std::vector<uint32_t> &ends);
	uint32_t add(const Graph &graph, uint32_t node, std::span<const uint32_t> after);
	Status add_child(const Graph &graph, uint32_t node, std::vector<uint32_t> after,
			 uint32_t &number);
	void make_lines();
	void add_lines(uint32_t begin, uint32_t end);
	void add_edges(uint32_t region_first_line);
	Status put_nodes();
	Status put_node(uint32_t flat, unpu_packet &packet);
	void put_targets(uint32_t flat, unpu_packet &packet);
	void lay_out();

	const Graph &root_;
	const ResolveNode &resolve_;
	CompiledGraph out_;
	std::vector<uint32_t> after_;
	std::vector<Region> regions_;
	/* flat node of a COND -> its first region */
	std::unordered_map<uint32_t, uint32_t> first_region_;
	std::vector<uint32_t> next_; /* next node in the line */
	std::vector<uint32_t> line_of_;
	std::vector<uint32_t> heads_; /* first node of each line */
	std::vector<unpu_graph_line> lines_;
	std::vector<unpu_graph_region> region_lines_;
	std::vector<unpu_operator> operators_;
	std::vector<uint64_t> tensors_;
	std::vector<unpu_graph_cell> cells_;
	std::vector<uint32_t> words_;
};

uint32_t Compiler::add(const Graph &graph, uint32_t node, std::span<const uint32_t> after)
{
	auto first = static_cast<uint32_t>(after_.size());
	after_.insert(after_.end(), after.begin(), after.end());
	out_.flats.push_back({&graph, node, first, static_cast<uint32_t>(after.size())});
	return static_cast<uint32_t>(out_.flats.size()) - 1;
}

/* Replaces a child graph by its nodes. The child's first nodes follow the nodes that @node follows; nodes
 * that follow @node follow all last nodes of the child. An empty node joins several predecessors, and another
 * one several last nodes, so that the edges do not multiply. */
Status Compiler::add_child(const Graph &graph, uint32_t node, std::vector<uint32_t> after,
			   uint32_t &number)
{
	const Graph &child = graph.child(node);
	std::vector<uint32_t> ends;
	if (after.size() > 1)
		after.assign(1, add(graph, NONE, after));
	TRY(flatten(child, after, ends));
	if (ends.empty())
		ends = after;
	number = ends.size() == 1 ? ends[0] : add(graph, NONE, ends);
	return Status::OK;
}

/* @start: the nodes that a node without dependencies follows instead. @ends: receives the nodes that
 * no node follows. */
Status Compiler::flatten(const Graph &graph, std::span<const uint32_t> start,
			 std::vector<uint32_t> &ends)
{
	bool circle = false;
	std::vector<uint32_t> number(graph.size(), NONE);
	std::vector<bool> followed(graph.size());
	std::vector<uint32_t> after;
	for (uint32_t node : order_of(graph, circle)) {
		after.clear();
		for (uint32_t before : graph.after(node)) {
			after.push_back(number[before]);
			followed[before] = true;
		}
		if (after.empty())
			after.assign(start.begin(), start.end());
		/* Empty child graphs can make several dependencies equal; removes the duplicates. */
		if (after.size() > 1) {
			std::sort(after.begin(), after.end());
			after.erase(std::unique(after.begin(), after.end()), after.end());
		}
		if (graph.kind(node) == TaskKind::CHILD)
			TRY(add_child(graph, node, after, number[node]));
		else
			number[node] = add(graph, node, after);
		if (graph.kind(node) == TaskKind::COND) {
			first_region_[number[node]] = static_cast<uint32_t>(regions_.size());
			for (uint32_t i = 0; i < graph.bodies(node); i++)
				regions_.push_back({&graph.body(node, i)});
		}
	}
	if (circle)
		return Status::INVALID_ARGUMENT;
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (number[node] != NONE && !followed[node])
			ends.push_back(number[node]);
	}
	cells_.insert(cells_.end(), graph.cells().begin(), graph.cells().end());
	out_.numbers[&graph] = std::move(number);
	return Status::OK;
}

void Compiler::add_lines(uint32_t begin, uint32_t end)
{
	auto &flats = out_.flats;
	std::vector<uint32_t> followers(end - begin);
	for (uint32_t flat = begin; flat < end; flat++) {
		for (uint32_t i = 0; i < flats[flat].afters; i++)
			followers[after_[flats[flat].first_after + i] - begin]++;
	}
	auto first_line = static_cast<uint32_t>(lines_.size());
	for (uint32_t flat = begin; flat < end; flat++) {
		const FlatNode &node = flats[flat];
		uint32_t before = node.afters == 1 ? after_[node.first_after] : NONE;
		if (before != NONE && followers[before - begin] == 1) {
			next_[before] = flat;
			line_of_[flat] = line_of_[before];
			lines_[line_of_[flat]].count++;
			continue;
		}
		line_of_[flat] = static_cast<uint32_t>(lines_.size());
		heads_.push_back(flat);
		lines_.push_back({0, 1, node.afters, 0, 0, 0});
	}
	region_lines_.push_back({first_line, static_cast<uint32_t>(lines_.size()) - first_line});
	add_edges(first_line);
}

/* Counts the edges of each line, then stores each edge at its line's offset (a counting sort). */
void Compiler::add_edges(uint32_t first_line)
{
	auto visit = [&](auto edge) {
		for (uint32_t line = first_line; line < lines_.size(); line++) {
			const FlatNode &head = out_.flats[heads_[line]];
			for (uint32_t i = 0; i < head.afters; i++)
				edge(lines_[line_of_[after_[head.first_after + i]]], line);
		}
	};
	visit([](unpu_graph_line &from, uint32_t) { from.edges++; });
	auto at = static_cast<uint32_t>(words_.size());
	for (uint32_t line = first_line; line < lines_.size(); line++) {
		lines_[line].first_edge = at;
		at += lines_[line].edges;
		lines_[line].edges = 0;
	}
	words_.resize(at);
	visit([&](unpu_graph_line &from, uint32_t to) {
		words_[from.first_edge + from.edges++] = to;
	});
}

void Compiler::make_lines()
{
	auto count = static_cast<uint32_t>(out_.flats.size());
	next_.assign(count, NONE);
	line_of_.resize(count);
	for (size_t i = 0; i < regions_.size(); i++) {
		uint32_t end = i + 1 < regions_.size() ? regions_[i + 1].first : count;
		reduce_edges(out_.flats, after_, regions_[i].first, end);
		add_lines(regions_[i].first, end);
	}
	uint32_t at = 0;
	out_.places.resize(count);
	for (size_t line = 0; line < lines_.size(); line++) {
		lines_[line].first = at;
		for (uint32_t flat = heads_[line]; flat != NONE; flat = next_[flat])
			out_.places[flat] = at++;
	}
}

void Compiler::put_targets(uint32_t flat, unpu_packet &packet)
{
	const FlatNode &node = out_.flats[flat];
	const auto &numbers = out_.numbers.at(node.graph);
	const unpu_graph_line &line = lines_[line_of_[flat]];
	packet.jump.first = static_cast<uint32_t>(words_.size());
	for (uint32_t target : node.graph->targets(node.node))
		words_.push_back(target == NONE ? line.first + line.count
						: out_.places[numbers[target]]);
	packet.jump.count = static_cast<uint32_t>(words_.size()) - packet.jump.first;
}

Status Compiler::put_node(uint32_t flat, unpu_packet &packet)
{
	const FlatNode &node = out_.flats[flat];
	packet.opcode = UNPU_OP_NOP;
	if (node.node == NONE)
		return Status::OK;
	packet = node.graph->packet(node.node);
	packet.valid = node.graph->stream(node.node);
	packet.cookie |= drv::cookie_place(drv::COOKIE_GRAPH, flat);
	const Payload payload = opcode_row(packet).payload;
	if (payload == Payload::OPERATOR) {
		packet.op.offset = operators_.size() * sizeof(unpu_operator);
		operators_.push_back(*node.graph->task(node.node).op);
		return Status::OK;
	}
	if (payload == Payload::TENSOR || payload == Payload::KERNEL) {
		const TensorWords words = node.graph->task(node.node).tensor;
		packet.tensor.offset = tensors_.size() * sizeof(uint64_t);
		tensors_.insert(tensors_.end(), words->begin(), words->end());
		return Status::OK;
	}
	switch (node.graph->kind(node.node)) {
	case TaskKind::HOST:
	case TaskKind::HOST_COPY:
	case TaskKind::HOST_FILL:
	case TaskKind::RECORD:
	case TaskKind::WAIT:
		return resolve_(node.graph->task(node.node), packet, out_.nargs);
	case TaskKind::COND:
		packet.cond.first = first_region_.at(flat);
		return Status::OK;
	case TaskKind::JUMP:
		put_targets(flat, packet);
		return Status::OK;
	case TaskKind::ACTIVATE: {
		uint32_t head = out_.numbers.at(node.graph)[node.graph->head(node.node)];
		if (heads_[line_of_[head]] != head)
			return Status::INVALID_ARGUMENT;
		packet.activate.line = line_of_[head];
		lines_[line_of_[head]].flags |= UNPU_LINE_DORMANT;
		return Status::OK;
	}
	default:
		return Status::OK;
	}
}

/* Writes the nodes directly into the image. The image has reserved room for the rest, so that it need not be
 * moved. */
Status Compiler::put_nodes()
{
	const auto count = static_cast<uint32_t>(out_.flats.size());
	const size_t bytes = sizeof(unpu_graph_header) + count * sizeof(unpu_packet);
	out_.image.reserve(bytes + cells_.size() * sizeof(unpu_graph_cell) +
			   lines_.size() * sizeof(unpu_graph_line) +
			   region_lines_.size() * sizeof(unpu_graph_region) +
			   words_.size() * sizeof(uint32_t));
	out_.image.resize(bytes);
	auto *nodes =
		reinterpret_cast<unpu_packet *>(out_.image.data() + sizeof(unpu_graph_header));
	for (uint32_t flat = 0; flat < count; flat++)
		TRY(put_node(flat, nodes[out_.places[flat]]));
	return Status::OK;
}

template <class T> void put(base::KeptVector<std::byte> &image, const std::vector<T> &part)
{
	const auto *bytes = reinterpret_cast<const std::byte *>(part.data());
	image.insert(image.end(), bytes, bytes + part.size() * sizeof(T));
}

void Compiler::lay_out()
{
	put(out_.image, operators_);
	put(out_.image, tensors_);
	put(out_.image, cells_);
	put(out_.image, lines_);
	put(out_.image, region_lines_);
	put(out_.image, words_);
	unpu_graph_header header{};
	header.magic = UNPU_GRAPH_MAGIC;
	header.abi = UNPU_ABI;
	header.bytes = out_.image.size();
	header.nnodes = static_cast<uint32_t>(out_.flats.size());
	header.ncells = static_cast<uint32_t>(cells_.size());
	header.nlines = static_cast<uint32_t>(lines_.size());
	header.nregions = static_cast<uint32_t>(region_lines_.size());
	header.nwords = static_cast<uint32_t>(words_.size());
	header.nargs = out_.nargs;
	header.descriptor_bytes = operators_.size() * sizeof(unpu_operator);
	header.tensor_bytes = tensors_.size() * sizeof(uint64_t);
	memcpy(out_.image.data(), &header, sizeof(header));
}

Result<CompiledGraph> Compiler::run()
{
	std::vector<uint32_t> ends;
	out_.flats.reserve(root_.size());
	after_.reserve(root_.size());
	regions_.push_back({&root_});
	for (size_t i = 0; i < regions_.size(); i++) {
		regions_[i].first = static_cast<uint32_t>(out_.flats.size());
		ends.clear();
		const Graph &graph = *regions_[i].graph;
		TRY(flatten(graph, {}, ends));
	}
	if (out_.flats.size() > UNPU_GRAPH_MAX_NODES || regions_.size() > UNPU_GRAPH_MAX_REGIONS)
		return Status::GRAPH_TOO_LARGE;
	make_lines();
	TRY(put_nodes());
	if (words_.size() > UNPU_GRAPH_MAX_WORDS || out_.nargs > UNPU_GRAPH_MAX_ARGS)
		return Status::GRAPH_TOO_LARGE;
	lay_out();
	return std::move(out_);
}

} // namespace

std::vector<uint32_t> find_circle(const Graph &graph)
{
	bool circle = false;
	const std::vector<uint32_t> order = order_of(graph, circle);
	if (circle)
		return {node_in_circle(graph, order)};
	for (uint32_t node : order) {
		if (graph.kind(node) != TaskKind::CHILD)
			continue;
		std::vector<uint32_t> inside = find_circle(graph.child(node));
		if (inside.empty())
			continue;
		inside.insert(inside.begin(), node);
		return inside;
	}
	return {};
}

Result<CompiledGraph> compile_graph(const Graph &graph, const ResolveNode &resolve)
{
	return Compiler(graph, resolve).run();
}

} // namespace umd
