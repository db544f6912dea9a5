// SPDX-License-Identifier: MIT
/**
 * DOC: Graph compilation
 *
 * Tasks arrive in the order of their capture, which no dependency contradicts. A task that follows
 * just the tail of a line continues that line; any other task starts a new one, and waits there for
 * everything it follows. Lines are numbered as they start, so every edge leads to a higher node.
 */
#include "umd/graph_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace umd {

uint32_t GraphBuilder::add(const unpu_packet &packet, const unpu_operator *op, uint32_t stream,
			   const std::vector<uint32_t> &after)
{
	Node node{packet, stream, -1, after};
	std::sort(node.after.begin(), node.after.end());
	node.after.erase(std::unique(node.after.begin(), node.after.end()), node.after.end());
	if (op) {
		node.op = static_cast<int64_t>(operators_.size());
		operators_.push_back(*op);
	}
	nodes_.push_back(std::move(node));
	return size() - 1;
}

namespace {

/* The parts of an image before they are laid out. */
struct Parts {
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_node> nodes;
	std::vector<uint32_t> edges;
};

uint64_t align_line(uint64_t bytes)
{
	return (bytes + UNPU_LINE_BYTES - 1) / UNPU_LINE_BYTES * UNPU_LINE_BYTES;
}

template <class T>
void put(std::vector<std::byte> &image, uint64_t &at, const T *from, size_t count)
{
	if (count)
		memcpy(image.data() + at, from, count * sizeof(T));
	at += count * sizeof(T);
}

std::vector<std::byte> lay_out(const Parts &parts, const std::vector<unpu_operator> &operators)
{
	uint64_t lines_end = align_line(sizeof(unpu_graph_header) +
					parts.lines.size() * sizeof(unpu_graph_line));
	uint64_t edges_end = align_line(lines_end + parts.nodes.size() * sizeof(unpu_graph_node) +
					parts.edges.size() * sizeof(uint32_t));
	unpu_graph_header header{};
	header.magic = UNPU_GRAPH_MAGIC;
	header.abi = UNPU_ABI;
	header.nlines = static_cast<uint32_t>(parts.lines.size());
	header.nnodes = static_cast<uint32_t>(parts.nodes.size());
	header.nedges = static_cast<uint32_t>(parts.edges.size());
	header.descriptor_bytes = operators.size() * sizeof(unpu_operator);
	header.bytes = edges_end + header.descriptor_bytes;
	std::vector<std::byte> image(header.bytes);
	uint64_t at = 0;
	put(image, at, &header, 1);
	put(image, at, parts.lines.data(), parts.lines.size());
	at = lines_end;
	put(image, at, parts.nodes.data(), parts.nodes.size());
	put(image, at, parts.edges.data(), parts.edges.size());
	at = edges_end;
	put(image, at, operators.data(), operators.size());
	return image;
}

} // namespace

std::vector<std::byte> GraphBuilder::compile() const
{
	std::vector<std::vector<uint32_t>> lines;
	std::vector<uint32_t> line_of(nodes_.size());
	for (uint32_t i = 0; i < nodes_.size(); i++) {
		const auto &after = nodes_[i].after;
		bool follows = after.size() == 1 && lines[line_of[after[0]]].back() == after[0];
		if (follows) {
			line_of[i] = line_of[after[0]];
		} else {
			line_of[i] = static_cast<uint32_t>(lines.size());
			lines.emplace_back();
		}
		lines[line_of[i]].push_back(i);
	}
	Parts parts;
	std::vector<uint32_t> place(nodes_.size());
	for (const auto &line : lines) {
		parts.lines.push_back({static_cast<uint32_t>(parts.nodes.size()),
				       static_cast<uint32_t>(line.size())});
		for (uint32_t i : line) {
			place[i] = static_cast<uint32_t>(parts.nodes.size());
			unpu_graph_node node{};
			node.packet = nodes_[i].packet;
			node.stream = nodes_[i].stream;
			if (nodes_[i].op >= 0)
				node.packet.op.offset =
					static_cast<uint64_t>(nodes_[i].op) * sizeof(unpu_operator);
			parts.nodes.push_back(node);
		}
	}
	std::vector<std::vector<uint32_t>> successors(nodes_.size());
	for (const auto &line : lines) {
		uint32_t head = line.front();
		for (uint32_t before : nodes_[head].after)
			successors[place[before]].push_back(place[head]);
		parts.nodes[place[head]].joins = static_cast<uint32_t>(nodes_[head].after.size());
	}
	for (uint32_t i = 0; i < parts.nodes.size(); i++) {
		parts.nodes[i].first_edge = static_cast<uint32_t>(parts.edges.size());
		parts.nodes[i].edges = static_cast<uint32_t>(successors[i].size());
		parts.edges.insert(parts.edges.end(), successors[i].begin(), successors[i].end());
	}
	return lay_out(parts, operators_);
}

} // namespace umd
