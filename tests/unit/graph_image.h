// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "wire_client.h"

namespace wire {

/* struct Image - a graph image in parts, laid out without any check. */
struct Image {
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_node> nodes;
	std::vector<uint32_t> edges;
	std::vector<unpu_operator> operators;
	std::function<void(unpu_graph_header &)> change_header;

	/* line() - appends a line of its own. Return: the index of its first node. */
	uint32_t line(const std::vector<unpu_packet> &packets)
	{
		auto first = static_cast<uint32_t>(nodes.size());
		lines.push_back({first, static_cast<uint32_t>(packets.size())});
		for (const unpu_packet &packet : packets)
			nodes.push_back({packet, 0, 0, 0, 0});
		return first;
	}

	/* edge() - node @to waits for node @from. All edges of a node must be added in a row. */
	void edge(uint32_t from, uint32_t to)
	{
		if (nodes[from].edges == 0)
			nodes[from].first_edge = static_cast<uint32_t>(edges.size());
		nodes[from].edges++;
		nodes[to].joins++;
		edges.push_back(to);
	}

	std::vector<std::byte> bytes() const
	{
		uint64_t lines_end =
			base::round_up(sizeof(unpu_graph_header) + size_of(lines), UNPU_LINE_BYTES);
		uint64_t edges_end = base::round_up(lines_end + size_of(nodes) + size_of(edges),
						    UNPU_LINE_BYTES);
		unpu_graph_header header{};
		header.magic = UNPU_GRAPH_MAGIC;
		header.abi = UNPU_ABI;
		header.bytes = edges_end + size_of(operators);
		header.nlines = static_cast<uint32_t>(lines.size());
		header.nnodes = static_cast<uint32_t>(nodes.size());
		header.nedges = static_cast<uint32_t>(edges.size());
		header.descriptor_bytes = size_of(operators);
		std::vector<std::byte> image(header.bytes);
		if (change_header)
			change_header(header);
		memcpy(image.data(), &header, sizeof(header));
		put(image, sizeof(header), lines);
		put(image, lines_end, nodes);
		put(image, lines_end + size_of(nodes), edges);
		put(image, edges_end, operators);
		return image;
	}

private:
	template <class T> static uint64_t size_of(const std::vector<T> &items)
	{
		return items.size() * sizeof(T);
	}

	template <class T>
	static void put(std::vector<std::byte> &image, uint64_t at, const std::vector<T> &items)
	{
		if (!items.empty())
			memcpy(image.data() + at, items.data(), size_of(items));
	}
};

} // namespace wire
