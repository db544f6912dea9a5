// SPDX-License-Identifier: MIT
/**
 * DOC: Partition of graphs
 *
 * A graph with nodes of several devices is divided into parts of one device each. The phase of a node is the
 * largest number of changes of the device on a way to it. Edges between devices lead to higher phases only, so
 * the parts of one phase never wait for each other. A phase of a device has two parts: the nodes that lead to
 * nodes of other devices come first, so that other devices do not wait for the rest.
 *
 * A node that runs on any device stays on the device of the node that it follows, to save a wait.
 */
#include "partition.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "graph_compiler.h"

namespace umd {

using base::Result;
using base::Status;

static void add_homes(const Graph &graph, std::vector<NodePlacement> &homes)
{
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (!graph.live(node))
			continue;
		if (graph.kind(node) == TaskKind::CHILD) {
			add_homes(graph.child(node), homes);
			continue;
		}
		const NodePlacement home = graph.home(node);
		auto is_same = [&](const NodePlacement &one) { return one.device == home.device; };
		if (home.device && std::none_of(homes.begin(), homes.end(), is_same))
			homes.push_back(home);
	}
}

std::vector<NodePlacement> homes_of(const Graph &graph)
{
	std::vector<NodePlacement> homes;
	add_homes(graph, homes);
	return homes;
}

namespace {

class Partitioner {
public:
	Partitioner(const Graph &graph, const NodePlacement &fallback)
		: root_(graph), homes_(homes_of(graph))
	{
		if (homes_.empty())
			homes_.push_back(fallback);
	}

	Result<Partition> run();

private:
	/* A node, or a child graph on one device. */
	struct Flat {
		const Graph *graph;
		uint32_t node; /* Graph::NONE: an empty node that joins the ends of a child graph */
		std::vector<uint32_t> after;
		uint32_t device = Graph::NONE; /* index into homes_ */
		uint32_t phase = 0;
		bool leads_across = false; /* a path leads from it to a node of another device */
		uint32_t part = 0;
		uint32_t number = 0; /* its number in the graph of the part */
	};

	uint32_t device_of(DeviceState *device) const;
	uint32_t add(const Graph &graph, uint32_t node, std::vector<uint32_t> after);
	Status flatten(const Graph &graph, const std::vector<uint32_t> &start,
		       std::vector<uint32_t> &ends);
	Status add_node(const Graph &graph, uint32_t node, std::vector<uint32_t> after,
			uint32_t &number);
	void choose_device(Flat &flat) const;
	void find_phases();
	void number_parts();
	void fill_parts();
	void copy_node(const Flat &flat, GraphPart &part, const std::vector<uint32_t> &after);
	void note_spots(const Graph &from, Graph &to, uint32_t part);

	const Graph &root_;
	std::vector<NodePlacement> homes_;
	std::vector<Flat> flats_;
	Partition out_;
};

uint32_t Partitioner::device_of(DeviceState *device) const
{
	uint32_t index = 0;
	while (index < homes_.size() && homes_[index].device != device)
		index++;
	return index < homes_.size() ? index : Graph::NONE;
}

uint32_t Partitioner::add(const Graph &graph, uint32_t node, std::vector<uint32_t> after)
{
	flats_.push_back({&graph, node, std::move(after)});
	return static_cast<uint32_t>(flats_.size()) - 1;
}

/* @number: receives the flat node that followers of the node follow. */
Status Partitioner::add_node(const Graph &graph, uint32_t node, std::vector<uint32_t> after,
			     uint32_t &number)
{
	switch (graph.kind(node)) {
	case TaskKind::COND:
	case TaskKind::JUMP:
	case TaskKind::ACTIVATE:
		return Status::NOT_SUPPORTED;
	case TaskKind::CHILD:
		break;
	default:
		number = add(graph, node, std::move(after));
		flats_[number].device = device_of(graph.home(node).device);
		return Status::OK;
	}
	const Graph &child = graph.child(node);
	const std::vector<NodePlacement> inside = homes_of(child);
	if (inside.size() <= 1) {
		number = add(graph, node, std::move(after));
		if (!inside.empty())
			flats_[number].device = device_of(inside[0].device);
		return Status::OK;
	}
	std::vector<uint32_t> ends;
	if (after.size() > 1)
		after.assign(1, add(graph, Graph::NONE, after));
	TRY(flatten(child, after, ends));
	number = ends.size() == 1 ? ends[0] : add(graph, Graph::NONE, ends);
	return Status::OK;
}

/* @start: the flat nodes that a node without dependencies follows. @ends: receives those that no node
 * follows. */
Status Partitioner::flatten(const Graph &graph, const std::vector<uint32_t> &start,
			    std::vector<uint32_t> &ends)
{
	bool circle = false;
	std::vector<uint32_t> numbers(graph.size(), Graph::NONE);
	std::vector<bool> followed(graph.size());
	for (uint32_t node : order_of(graph, circle)) {
		std::vector<uint32_t> after;
		for (uint32_t before : graph.after(node)) {
			after.push_back(numbers[before]);
			followed[before] = true;
		}
		if (after.empty())
			after = start;
		TRY(add_node(graph, node, std::move(after), numbers[node]));
	}
	for (uint32_t node = 0; node < graph.size(); node++) {
		if (numbers[node] != Graph::NONE && !followed[node])
			ends.push_back(numbers[node]);
	}
	return circle ? Status::INVALID_ARGUMENT : Status::OK;
}

/* Chooses the device of a node that may run on any device. */
void Partitioner::choose_device(Flat &flat) const
{
	const Flat *last = nullptr;
	for (uint32_t before : flat.after) {
		if (!last || flats_[before].phase > last->phase)
			last = &flats_[before];
	}
	flat.device = last ? last->device : 0;
}

void Partitioner::find_phases()
{
	for (Flat &flat : flats_) {
		if (flat.device == Graph::NONE)
			choose_device(flat);
		for (uint32_t before : flat.after) {
			const Flat &other = flats_[before];
			const uint32_t change = other.device != flat.device ? 1 : 0;
			flat.phase = std::max(flat.phase, other.phase + change);
		}
	}
	for (auto flat = flats_.rbegin(); flat != flats_.rend(); ++flat) {
		for (uint32_t before : flat->after) {
			Flat &other = flats_[before];
			const bool is_across = other.device != flat->device;
			const bool is_beside = other.phase == flat->phase && flat->leads_across;
			other.leads_across = other.leads_across || is_across || is_beside;
		}
	}
}

void Partitioner::number_parts()
{
	using Key = std::tuple<uint32_t, bool, uint32_t>;
	auto key_of = [](const Flat &flat) {
		return Key{flat.phase, !flat.leads_across, flat.device};
	};
	std::map<Key, uint32_t> numbers;
	for (const Flat &flat : flats_)
		numbers.emplace(key_of(flat), 0);
	for (auto &[key, number] : numbers) {
		number = static_cast<uint32_t>(out_.parts.size());
		out_.parts.push_back({homes_[std::get<2>(key)], std::make_unique<Graph>(), {}});
	}
	for (Flat &flat : flats_)
		flat.part = numbers.at(key_of(flat));
}

/* Notes where the nodes of child graphs are. A copy of a graph has the same node numbers as the original. */
void Partitioner::note_spots(const Graph &from, Graph &to, uint32_t part)
{
	std::vector<NodeLocation> &spots = out_.spots[&from];
	spots.resize(from.size());
	for (uint32_t node = 0; node < from.size(); node++) {
		spots[node] = {part, &to, node};
		if (from.live(node) && from.kind(node) == TaskKind::CHILD)
			note_spots(from.child(node), to.child(node), part);
	}
}

void Partitioner::copy_node(const Flat &flat, GraphPart &part, const std::vector<uint32_t> &after)
{
	Graph &graph = *part.graph;
	const bool is_join = flat.node == Graph::NONE;
	const uint32_t stream = is_join ? 0 : flat.graph->stream(flat.node);
	if (is_join) {
		GraphTask empty;
		empty.kind = TaskKind::EMPTY;
		empty.packet.opcode = UNPU_OP_NOP;
		(void)graph.add(empty, stream, after);
		return;
	}
	std::vector<NodeLocation> &spots = out_.spots[flat.graph];
	spots.resize(flat.graph->size());
	spots[flat.node] = {flat.part, &graph, flat.number};
	if (flat.graph->kind(flat.node) != TaskKind::CHILD) {
		(void)graph.add(flat.graph->task(flat.node), stream, after);
		return;
	}
	const Graph &child = flat.graph->child(flat.node);
	const uint32_t number = graph.add_child(child, stream, after);
	graph.set_label(number, flat.graph->label(flat.node));
	note_spots(child, graph.child(number), flat.part);
}

void Partitioner::fill_parts()
{
	for (Flat &flat : flats_) {
		GraphPart &part = out_.parts[flat.part];
		flat.number = part.graph->size();
		std::vector<uint32_t> after;
		for (uint32_t before : flat.after) {
			const Flat &other = flats_[before];
			if (other.part == flat.part)
				after.push_back(other.number);
			else if (other.device != flat.device)
				part.follows.push_back(other.part);
		}
		copy_node(flat, part, after);
	}
	for (GraphPart &part : out_.parts) {
		std::sort(part.follows.begin(), part.follows.end());
		part.follows.erase(std::unique(part.follows.begin(), part.follows.end()),
				   part.follows.end());
	}
}

Result<Partition> Partitioner::run()
{
	std::vector<uint32_t> ends;
	TRY(flatten(root_, {}, ends));
	find_phases();
	number_parts();
	fill_parts();
	return std::move(out_);
}

} // namespace

Result<Partition> partition_graph(const Graph &graph, const NodePlacement &fallback)
{
	return Partitioner(graph, fallback).run();
}

} // namespace umd
