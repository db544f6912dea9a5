// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "command_processor.h"
#include "graph_image.h"

namespace fw {

/**
 * struct Node - what running a node takes once its addresses are known: one cache line.
 */
struct Node {
	void (*run)(const Node &node); /* nullptr: only the command processor can */
	Places places;
	uint64_t amount; /* bytes of a copy or fill, elements of a row, or a descriptor's address */
	union {
		float scalar;	  /* of a row */
		uint32_t pattern; /* of a fill */
	};
	uint32_t cost;	 /* about 10 ns each */
	uint32_t op;	 /* 1 + descriptor, or 0 */
	uint32_t signal; /* 1 + signal, or 0 */
};
static_assert(sizeof(Node) == 64);

/**
 * class GraphNodes - the nodes of a loaded graph: what they are, and beside it what has been found out
 * about running them.
 */
class GraphNodes {
public:
	/** load() - takes over the nodes of a good image. */
	void load(const GraphImage &image);

	/** change() - makes a node another one. @op: its descriptor, for OPERATOR. */
	void change(uint32_t index, const unpu_packet &packet, const unpu_operator *op);

	uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
	const Node *at(uint32_t index) const { return nodes_.data() + index; }
	uint64_t cookie(uint32_t index) const { return tasks_[index].cookie; }
	uint8_t opcode(uint32_t index) const { return tasks_[index].opcode; }

	/** packet() - the node as the command processor takes it. */
	unpu_packet packet(uint32_t index) const;

	/** descriptor() - of an OPERATOR, until the next change(); else nullptr. */
	const unpu_operator *descriptor(uint32_t index) const;

	/** keep() - the node was done in place at @places; from now on Node::run does that. */
	void keep(uint32_t index, const Places &places);

	/** forget() - mappings have changed: nothing that was kept is good. */
	void forget();

	/** plain() - whether the node is work and nothing else, so that an engine could do it. */
	bool plain(uint32_t index) const;

	/** ranges() - what a plain node touches. Return: how many of @out were filled. */
	unsigned ranges(uint32_t index, MemoryRange (&out)[UNPU_OPERATOR_MAX_OPERANDS]) const;

	/** written() - the memory that a node with kept places writes. */
	Written written(uint32_t index) const;

	/** bytes() - of memory that all of this takes. */
	uint64_t bytes() const;

private:
	/* A packet without what most do not have. */
	struct Task {
		uint8_t opcode;
		uint8_t flags;
		uint16_t variant;
		uint32_t stream;
		uint64_t cookie;
		uint64_t words[4];
	};
	static_assert(sizeof(Task) == 48);

	struct Signal {
		uint32_t sem;
		uint8_t op;
		uint64_t value;
	};

	static uint32_t cost_of(const unpu_packet &packet, const unpu_operator *op);
	void put_operator(Node &node, const unpu_operator &op);
	void put_signal(Node &node, const unpu_packet &packet);
	static void run_nothing(const Node &node);

	std::vector<Node> nodes_;
	std::vector<Task> tasks_;
	std::vector<Signal> signals_;
	std::vector<unpu_operator> operators_;
};

} // namespace fw
