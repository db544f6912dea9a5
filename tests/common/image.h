// SPDX-License-Identifier: MIT
/*
 * DOC: graph images
 *
 * Makes the images that a client passes to GRAPH_LOAD and GRAPH_UPDATE, field by field.
 */
#ifndef UNPU_TESTS_COMMON_IMAGE_H
#define UNPU_TESTS_COMMON_IMAGE_H

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "drv/packet/packets.h"
#include "uapi/graph.h"

namespace wire {

/* struct Image - a graph image in parts, laid out without any check. */
struct Image {
	std::vector<unpu_packet> nodes;
	std::vector<unpu_operator> operators;
	std::vector<uint64_t> tensors; /* descriptors of tensor operators and kernels */
	std::vector<unpu_graph_cell> cells;
	std::vector<unpu_graph_line> lines;
	std::vector<unpu_graph_region> regions; /* empty: one with all lines */
	std::vector<uint32_t> words;
	uint32_t nargs = 0;
	std::function<void(unpu_graph_header &)> change_header;

	/* line() - appends a line of its own. Return: the index of its first node. */
	uint32_t line(const std::vector<unpu_packet> &packets, uint32_t flags = 0)
	{
		auto first = static_cast<uint32_t>(nodes.size());
		lines.push_back({first, static_cast<uint32_t>(packets.size()), 0, 0, 0, flags});
		nodes.insert(nodes.end(), packets.begin(), packets.end());
		return first;
	}

	/* region() - the lines from @first on are a region. Return: its index. */
	uint32_t region(uint32_t first)
	{
		regions.push_back({first, static_cast<uint32_t>(lines.size()) - first});
		return static_cast<uint32_t>(regions.size()) - 1;
	}

	/* edge() - the line that begins with node @to waits for the one that ends with node @from.
	 * All edges of a line must be added in a row. */
	void edge(uint32_t from, uint32_t to)
	{
		unpu_graph_line &before = line_of(from);
		unpu_graph_line &after = line_of(to);
		if (before.first + before.count - 1 != from || after.first != to)
			abort();
		if (before.edges == 0)
			before.first_edge = static_cast<uint32_t>(words.size());
		before.edges++;
		after.joins++;
		words.push_back(static_cast<uint32_t>(&after - lines.data()));
	}

	/* cond() - a node that runs one of @count regions from @first on, by the word at @va. */
	static unpu_packet cond(unpu_cond_kind kind, uint64_t va, uint32_t first, uint32_t count)
	{
		unpu_packet packet = drv::packet(UNPU_OP_COND, 0xc0d);
		packet.cond.va = va;
		packet.cond.kind = kind;
		packet.cond.first = first;
		packet.cond.count = count;
		return packet;
	}

	/* jump() - a node whose line goes on at one of @targets. */
	unpu_packet jump(uint64_t va, const std::vector<uint32_t> &targets)
	{
		unpu_packet packet = drv::packet(UNPU_OP_JUMP, 0x1a);
		packet.jump.va = va;
		packet.jump.first = static_cast<uint32_t>(words.size());
		packet.jump.count = static_cast<uint32_t>(targets.size());
		words.insert(words.end(), targets.begin(), targets.end());
		return packet;
	}

	std::vector<std::byte> bytes() const
	{
		std::vector<unpu_graph_region> all = regions;
		if (all.empty())
			all.push_back({0, static_cast<uint32_t>(lines.size())});
		unpu_graph_header header{};
		header.magic = UNPU_GRAPH_MAGIC;
		header.abi = UNPU_ABI;
		header.nnodes = static_cast<uint32_t>(nodes.size());
		header.ncells = static_cast<uint32_t>(cells.size());
		header.nlines = static_cast<uint32_t>(lines.size());
		header.nregions = static_cast<uint32_t>(all.size());
		header.nwords = static_cast<uint32_t>(words.size());
		header.nargs = nargs;
		header.descriptor_bytes = operators.size() * sizeof(unpu_operator);
		header.tensor_bytes = tensors.size() * sizeof(uint64_t);
		std::vector<std::byte> image(sizeof(header));
		append(image, nodes);
		append(image, operators);
		append(image, tensors);
		append(image, cells);
		append(image, lines);
		append(image, all);
		append(image, words);
		header.bytes = image.size();
		if (change_header)
			change_header(header);
		memcpy(image.data(), &header, sizeof(header));
		return image;
	}

private:
	unpu_graph_line &line_of(uint32_t node)
	{
		auto found = std::find_if(lines.begin(), lines.end(), [&](const auto &line) {
			return node - line.first < line.count;
		});
		return *found;
	}

	template <class T>
	static void append(std::vector<std::byte> &image, const std::vector<T> &items)
	{
		const auto *from = reinterpret_cast<const std::byte *>(items.data());
		image.insert(image.end(), from, from + items.size() * sizeof(T));
	}
};

/* changes() - the block of a GRAPH_UPDATE packet; unpu_packet.valid is the node. */
inline std::vector<std::byte> changes(const std::vector<unpu_packet> &nodes,
				      const std::vector<unpu_operator> &operators = {})
{
	unpu_graph_changes header{};
	header.magic = UNPU_GRAPH_CHANGES_MAGIC;
	header.nnodes = static_cast<uint32_t>(nodes.size());
	header.descriptor_bytes = operators.size() * sizeof(unpu_operator);
	std::vector<std::byte> block(sizeof(header) + nodes.size() * sizeof(unpu_packet) +
				     header.descriptor_bytes);
	memcpy(block.data(), &header, sizeof(header));
	memcpy(block.data() + sizeof(header), nodes.data(), nodes.size() * sizeof(unpu_packet));
	if (!operators.empty())
		memcpy(block.data() + sizeof(header) + nodes.size() * sizeof(unpu_packet),
		       operators.data(), header.descriptor_bytes);
	return block;
}

} // namespace wire

#endif
