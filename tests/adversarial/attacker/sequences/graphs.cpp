// SPDX-License-Identifier: MIT
/*
 * DOC: sequences of graphs
 */
#include <vector>

#include "drv/packet/packets.h"
#include "sequences.h"

namespace attacker {

namespace {

template <typename T> void append(std::vector<char> &bytes, const T *items, size_t count)
{
	const auto *begin = reinterpret_cast<const char *>(items);
	bytes.insert(bytes.end(), begin, begin + count * sizeof(T));
}

unpu_packet a_node(Actor &actor, const Memory &memory)
{
	uint64_t bytes = 0;
	const uint64_t va = actor.range(memory, bytes, 1 << 16);
	switch (actor.below(6)) {
	case 0:
		return drv::copy_packet(1, va, memory.va, bytes);
	case 1:
		return drv::operator_packet(1, 0);
	case 2:
		return drv::signal_packet(1, actor.semaphore(), UNPU_SIGNAL_ADD, 1);
	case 3: {
		unpu_packet node = drv::packet(UNPU_OP_SEM_SIGNAL, 1);
		node.flags = UNPU_PACKET_ARGUMENT;
		node.signal_op = UNPU_SIGNAL_RAISE;
		return node;
	}
	default:
		return drv::fill_packet(1, va, bytes, 5, 4);
	}
}

unpu_operator an_addition(const Memory &memory)
{
	unpu_operator op{};
	op.kind = UNPU_OPERATOR_ADD;
	op.compute = UNPU_DTYPE_F32;
	op.ndim = 1;
	op.noperands = 3;
	op.dims[0] = static_cast<int64_t>(memory.bytes / 4);
	for (unsigned i = 0; i < 3; i++)
		op.operands[i] = {
			memory.va, UNPU_DTYPE_F32, i ? UNPU_ACCESS_READ : UNPU_ACCESS_WRITE, {1}};
	return op;
}

/* A line that forks into some others, which join in a last one. */
std::vector<char> image(Actor &actor, const Memory &memory, uint32_t middles, uint32_t length)
{
	const uint32_t lines = middles + 2;
	const uint32_t nodes = lines * length;
	std::vector<unpu_packet> packets;
	std::vector<unpu_graph_line> table;
	std::vector<uint32_t> words;
	for (uint32_t i = 0; i < nodes; i++)
		packets.push_back(a_node(actor, memory));
	for (uint32_t line = 0; line < lines; line++) {
		unpu_graph_line entry{};
		entry.first = line * length;
		entry.count = length;
		entry.joins = line == 0 ? 0 : line == lines - 1 ? middles : 1;
		entry.first_edge = static_cast<uint32_t>(words.size());
		if (line == 0)
			for (uint32_t next = 1; next <= middles; next++)
				words.push_back(next);
		else if (line < lines - 1)
			words.push_back(lines - 1);
		entry.edges = static_cast<uint32_t>(words.size()) - entry.first_edge;
		table.push_back(entry);
	}
	const unpu_operator op = an_addition(memory);
	const unpu_graph_cell cell{memory.va, 1};
	const unpu_graph_region region{0, lines};
	unpu_graph_header header{};
	header.magic = UNPU_GRAPH_MAGIC;
	header.abi = UNPU_ABI;
	header.nnodes = nodes;
	header.ncells = 1;
	header.nlines = lines;
	header.nregions = 1;
	header.nwords = static_cast<uint32_t>(words.size());
	header.nargs = 1;
	header.descriptor_bytes = sizeof(op);
	header.bytes = sizeof(header) + nodes * sizeof(unpu_packet) + sizeof(op) + sizeof(cell) +
		       lines * sizeof(unpu_graph_line) + sizeof(region) +
		       words.size() * sizeof(uint32_t);
	std::vector<char> bytes;
	append(bytes, &header, 1);
	append(bytes, packets.data(), packets.size());
	append(bytes, &op, 1);
	append(bytes, &cell, 1);
	append(bytes, table.data(), table.size());
	append(bytes, &region, 1);
	append(bytes, words.data(), words.size());
	return bytes;
}

/* Return: the graph's number, 0 when it was refused. */
uint32_t load(Actor &actor, Memory &memory, uint32_t &nodes)
{
	const auto middles = static_cast<uint32_t>(1 + actor.below(30));
	const auto length = static_cast<uint32_t>(1 + actor.below(20));
	std::vector<char> bytes = image(actor, memory, middles, length);
	(void)actor.may_change(bytes.data(), bytes.size());
	nodes = (middles + 2) * length;
	if (bytes.size() > memory.bytes)
		return 0;
	memcpy(memory.window.data(), bytes.data(), bytes.size());
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_LOAD;
	message.graph = {memory.va, bytes.size(), 0, 0};
	if (actor.ask(message) != Status::OK)
		return 0;
	actor.tally().graphs++;
	return message.graph.graph;
}

uint64_t launch(Actor &actor, Channel &channel, uint32_t graph)
{
	unpu_graph_argument argument{actor.semaphore(), 0, actor.below(4)};
	memcpy(static_cast<void *>(&actor.page(channel)), &argument, sizeof(argument));
	return actor.publish(channel, drv::graph_packet(1, graph, 1));
}

void unload(Actor &actor, uint32_t graph)
{
	unpu_message message{};
	message.type = UNPU_MSG_GRAPH_UNLOAD;
	message.graph.graph = graph;
	(void)actor.ask(message);
}

} // namespace

void launch_a_graph(Actor &actor)
{
	Channel *channel = actor.channel();
	Memory *memory = actor.create_memory(1 << 18);
	uint32_t nodes = 0;
	const uint32_t graph = channel && memory ? load(actor, *memory, nodes) : 0;
	if (graph == 0)
		return;
	if (actor.one_in(4)) {
		unpu_message message{};
		message.type = UNPU_MSG_GRAPH_TRACE;
		message.graph = {memory->va, nodes * sizeof(unpu_graph_time), graph, 0};
		(void)actor.ask(message);
	}
	uint64_t end = 0;
	for (uint64_t i = 0, count = 1 + actor.below(4); i < count; i++)
		end = launch(actor, *channel, graph);
	if (actor.one_in(2))
		actor.settle(*channel, end);
	if (!actor.one_in(8))
		unload(actor, graph);
}

void change_a_graph(Actor &actor)
{
	Channel *channel = actor.channel();
	Channel *other = actor.open_channel();
	Memory *memory = actor.create_memory(1 << 18);
	uint32_t nodes = 0;
	const uint32_t graph = channel && other && memory ? load(actor, *memory, nodes) : 0;
	if (graph == 0)
		return;
	(void)launch(actor, *channel, graph);
	std::vector<char> bytes;
	const auto count = static_cast<uint32_t>(1 + actor.below(std::min(nodes, 200u)));
	unpu_graph_changes changes{UNPU_GRAPH_CHANGES_MAGIC, count, sizeof(unpu_operator), 0, {}};
	append(bytes, &changes, 1);
	for (uint32_t i = 0; i < count; i++) {
		unpu_packet node = a_node(actor, *memory);
		node.valid = static_cast<uint32_t>(actor.below(nodes));
		append(bytes, &node, 1);
	}
	const unpu_operator op = an_addition(*memory);
	append(bytes, &op, 1);
	(void)actor.may_change(bytes.data(), bytes.size());
	memcpy(memory->window.data(), bytes.data(), std::min<size_t>(bytes.size(), memory->bytes));
	(void)actor.publish(actor.one_in(2) ? *other : *channel,
			    drv::graph_update_packet(1, graph, memory->va, bytes.size()));
	actor.settle(*channel, launch(actor, *channel, graph));
	unload(actor, graph);
}

} // namespace attacker
