// SPDX-License-Identifier: MIT
/**
 * DOC: Graph
 *
 * A graph keeps its tasks in flat arrays. Each node has a packet. One array has the numbers of the nodes that
 * each node follows, side by side for each node. Data that only few nodes have is in an array for each kind of
 * task. When a node's list of numbers grows, the graph copies it to the end of the array.
 */
#include "graph.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "umd/core/record/observer.h"

namespace umd {

/* Appends each of @numbers at its first place. */
static void add_each_once(std::vector<uint32_t> &list, std::span<const uint32_t> numbers)
{
	constexpr size_t FEW = 16;
	const auto first = static_cast<std::ptrdiff_t>(list.size());
	if (numbers.size() <= FEW) {
		for (uint32_t number : numbers) {
			if (std::find(list.begin() + first, list.end(), number) == list.end())
				list.push_back(number);
		}
		return;
	}
	std::unordered_set<uint32_t> seen;
	std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(list),
		     [&](uint32_t number) { return seen.insert(number).second; });
}

uint32_t Graph::append(const unpu_packet &packet, TaskKind kind, uint32_t stream, uint32_t extra,
		       std::span<const uint32_t> after)
{
	auto first = static_cast<uint32_t>(after_.size());
	add_each_once(after_, after);
	auto count = static_cast<uint32_t>(after_.size()) - first;
	nodes_.push_back({packet, first, count, stream, extra, kind, false});
	if (recorder::is_on()) [[unlikely]]
		nodes_.back().site = recorder::observer.site();
	return size() - 1;
}

/* Stores a node's extra data of one kind. @index: index of the entry; an entry is added if the node has
 * none. */
template <class T> static void put(std::vector<T> &table, uint32_t &index, const T &value)
{
	if (index == Graph::NONE) {
		index = static_cast<uint32_t>(table.size());
		table.push_back(value);
	} else {
		table[index] = value;
	}
}

void Graph::put_extra(Node &node, const GraphTask &task)
{
	if (task.op)
		return put(operators_, node.extra, *task.op);
	if (task.tensor)
		return put(tensors_, node.extra, task.tensor);
	switch (task.kind) {
	case TaskKind::HOST:
	case TaskKind::HOST_COPY:
	case TaskKind::HOST_FILL:
		put(hosts_, node.extra, task.host);
		return;
	case TaskKind::RECORD:
	case TaskKind::WAIT:
	case TaskKind::SET_FLAG:
	case TaskKind::AWAIT_FLAG:
	case TaskKind::RESET_FLAG:
		put(events_, node.extra, task.event);
		return;
	default:
		return;
	}
}

/* Return: NO_HOME for a task of any device. */
uint32_t Graph::home_index(const NodePlacement &home)
{
	if (!home.device) [[likely]]
		return NO_HOME;
	const auto found = std::find(homes_.begin(), homes_.end(), home);
	const auto index = static_cast<uint32_t>(found - homes_.begin());
	if (found == homes_.end())
		homes_.push_back(home);
	return index;
}

void Graph::set_home(uint32_t node, const NodePlacement &home)
{
	nodes_[node].home = home_index(home);
}

uint32_t Graph::add(const GraphTask &task, uint32_t stream, std::span<const uint32_t> after)
{
	uint32_t node = append(task.packet, task.kind, stream, NONE, after);
	put_extra(nodes_.back(), task);
	nodes_.back().home = home_index(task.home);
	return node;
}

uint32_t Graph::add_child(const Graph &child, uint32_t stream, std::span<const uint32_t> after)
{
	unpu_packet packet{};
	packet.opcode = UNPU_OP_NOP;
	graphs_.push_back(child.clone());
	return append(packet, TaskKind::CHILD, stream, static_cast<uint32_t>(graphs_.size()) - 1,
		      after);
}

static unpu_packet control_packet(unpu_opcode opcode, uint64_t cookie)
{
	unpu_packet packet{};
	packet.opcode = static_cast<uint8_t>(opcode);
	packet.cookie = cookie;
	return packet;
}

uint32_t Graph::add_cond(unpu_cond_kind kind, uint64_t va, uint32_t count, uint64_t cookie,
			 uint32_t stream, std::span<const uint32_t> after)
{
	unpu_packet packet = control_packet(UNPU_OP_COND, cookie);
	packet.cond.va = va;
	packet.cond.kind = kind;
	packet.cond.count = count;
	auto first = static_cast<uint32_t>(graphs_.size());
	for (uint32_t i = 0; i < count; i++)
		graphs_.push_back(std::make_unique<Graph>());
	return append(packet, TaskKind::COND, stream, first, after);
}

uint32_t Graph::add_jump(uint64_t va, std::vector<uint32_t> targets, uint64_t cookie,
			 uint32_t stream, std::span<const uint32_t> after)
{
	unpu_packet packet = control_packet(UNPU_OP_JUMP, cookie);
	packet.jump.va = va;
	targets_.push_back(std::move(targets));
	return append(packet, TaskKind::JUMP, stream, static_cast<uint32_t>(targets_.size()) - 1,
		      after);
}

void Graph::set_targets(uint32_t node, std::vector<uint32_t> targets)
{
	targets_[nodes_[node].extra] = std::move(targets);
}

uint32_t Graph::add_activate(const unpu_activate &rule, uint32_t head, uint64_t cookie,
			     uint32_t stream, std::span<const uint32_t> after)
{
	unpu_packet packet = control_packet(UNPU_OP_ACTIVATE, cookie);
	packet.activate = rule;
	return append(packet, TaskKind::ACTIVATE, stream, head, after);
}

void Graph::set(uint32_t node, const GraphTask &task)
{
	Node &changed = nodes_[node];
	if (changed.kind != task.kind || changed.packet.opcode != task.packet.opcode)
		changed.extra = NONE;
	changed.kind = task.kind;
	changed.packet = task.packet;
	changed.home = home_index(task.home);
	put_extra(changed, task);
}

void Graph::set_child(uint32_t node, const Graph &child)
{
	Node &changed = nodes_[node];
	if (changed.kind != TaskKind::CHILD) {
		changed.packet = unpu_packet{};
		changed.packet.opcode = UNPU_OP_NOP;
		changed.kind = TaskKind::CHILD;
		changed.extra = static_cast<uint32_t>(graphs_.size());
		graphs_.push_back(nullptr);
	}
	changed.home = NO_HOME;
	graphs_[changed.extra] = child.clone();
}

bool Graph::depend(uint32_t node, uint32_t on)
{
	auto list = after(node);
	if (std::find(list.begin(), list.end(), on) != list.end())
		return false;
	Node &changed = nodes_[node];
	if (changed.first_after + changed.afters != after_.size()) {
		auto moved = static_cast<uint32_t>(after_.size());
		after_.reserve(after_.size() + changed.afters + 1);
		for (uint32_t i = 0; i < changed.afters; i++)
			after_.push_back(after_[changed.first_after + i]);
		changed.first_after = moved;
	}
	after_.push_back(on);
	changed.afters++;
	return true;
}

bool Graph::undepend(uint32_t node, uint32_t on)
{
	Node &changed = nodes_[node];
	auto begin = after_.begin() + changed.first_after;
	auto end = begin + changed.afters;
	auto found = std::find(begin, end, on);
	if (found == end)
		return false;
	std::copy(found + 1, end, found);
	changed.afters--;
	note_loss(on);
	return true;
}

void Graph::note_loss(uint32_t on)
{
	last_loss_[on] = {size(), ++losses_};
}

std::vector<uint32_t> Graph::sinks() const
{
	std::vector<bool> is_followed(size());
	for (uint32_t i = 0; i < size(); i++) {
		for (uint32_t before : after(i))
			is_followed[before] = true;
	}
	std::vector<std::pair<Loss, uint32_t>> found;
	for (uint32_t i = 0; i < size(); i++) {
		if (is_followed[i] || !live(i))
			continue;
		auto loss = last_loss_.find(i);
		found.push_back({loss == last_loss_.end() ? Loss{i + 1, 0} : loss->second, i});
	}
	std::sort(found.begin(), found.end());
	std::vector<uint32_t> numbers;
	for (const auto &[since, number] : found)
		numbers.push_back(number);
	return numbers;
}

void Graph::remove(uint32_t node)
{
	for (uint32_t i = 0; i < size(); i++)
		undepend(i, node);
	for (uint32_t before : after(node))
		note_loss(before);
	nodes_[node].is_removed = true;
	nodes_[node].afters = 0;
}

std::unique_ptr<Graph> Graph::clone() const
{
	auto copy = std::make_unique<Graph>();
	copy->nodes_ = nodes_;
	copy->after_ = after_;
	copy->operators_ = operators_;
	copy->tensors_ = tensors_;
	copy->hosts_ = hosts_;
	copy->events_ = events_;
	copy->targets_ = targets_;
	copy->cells_ = cells_;
	copy->homes_ = homes_;
	copy->last_loss_ = last_loss_;
	copy->losses_ = losses_;
	for (const auto &graph : graphs_)
		copy->graphs_.push_back(graph->clone());
	return copy;
}

std::span<const uint32_t> Graph::after(uint32_t node) const
{
	return {after_.data() + nodes_[node].first_after, nodes_[node].afters};
}

GraphTask Graph::task(uint32_t node) const
{
	const Node &from = nodes_[node];
	GraphTask task;
	task.kind = from.kind;
	task.packet = from.packet;
	task.home = home(node);
	const Payload payload = opcode_row(from.packet).payload;
	if (payload == Payload::OPERATOR)
		task.op = &operators_[from.extra];
	if (payload == Payload::TENSOR || payload == Payload::KERNEL)
		task.tensor = tensors_[from.extra];
	if (from.kind == TaskKind::EMPTY && from.extra != NONE)
		task.tensor = tensors_[from.extra];
	switch (from.kind) {
	case TaskKind::HOST:
	case TaskKind::HOST_COPY:
	case TaskKind::HOST_FILL:
		task.host = hosts_[from.extra];
		break;
	case TaskKind::RECORD:
	case TaskKind::WAIT:
	case TaskKind::SET_FLAG:
	case TaskKind::AWAIT_FLAG:
	case TaskKind::RESET_FLAG:
		task.event = events_[from.extra];
		break;
	default:
		break;
	}
	return task;
}

} // namespace umd
