// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "uapi/graph.h"
#include "uapi/operator.h"
#include "umd/host_function.h"

namespace umd {

/** enum class TaskKind - what a node of a graph is, for whoever asks; the packet says the rest. */
enum class TaskKind : uint8_t {
	EMPTY, /* nothing; also a task that was disabled */
	COPY,  /* of any shape */
	FILL,
	OPERATOR, /* arithmetic */
	HOST,	  /* a function of the program */
	RECORD,	  /* an event, by each launch anew */
	WAIT,	  /* for an event as it was recorded when the launch was made */
	SET_FLAG, /* of an event that is a flag */
	AWAIT_FLAG,
	RESET_FLAG,
	VALUE_WRITE,
	VALUE_WAIT,
	CHILD,	  /* a graph of its own */
	COND,	  /* graphs that run or do not */
	JUMP,	  /* the chain goes on at another node of its own */
	ACTIVATE, /* starts a chain that is dormant otherwise */
	OTHER,
};

/** struct GraphTask - what a node does. @packet: without its place in the cookie */
struct GraphTask {
	TaskKind kind = TaskKind::OTHER;
	unpu_packet packet{};
	const unpu_operator *op = nullptr; /* if the packet wants one; copied */
	HostFunction host;		   /* HOST */
	uint64_t event = 0;		   /* RECORD, WAIT and the flags: handle of the event */
};

/** graph_task() - the task of a packet that says all there is to say. */
GraphTask graph_task(const unpu_packet &packet, const unpu_operator *op);

/** record_task(), wait_task() - of an event, as each launch finds it.
 * @stamped: also takes the time */
GraphTask record_task(uint64_t cookie, uint64_t event, bool stamped);
GraphTask wait_task(uint64_t cookie, uint64_t event);

/**
 * class Graph - tasks and what each of them follows: made node by node or by a capture, cloned,
 * put into other graphs, and compiled by GraphExec. It knows no device and no API.
 *
 * A node is known by its number, which it keeps; a clone has the same ones. Context: the caller's
 * lock.
 */
class Graph {
public:
	static constexpr uint32_t NONE = ~0u;

	Graph() = default;
	Graph(const Graph &) = delete;
	Graph &operator=(const Graph &) = delete;

	/** add() - a node that follows the nodes in @after.
	 * @stream: number of the captured stream it came from, for people. Return: its number. */
	uint32_t add(const GraphTask &task, uint32_t stream, std::span<const uint32_t> after);

	/** add_child() - a node that is a whole graph, a clone of @child. */
	uint32_t add_child(const Graph &child, uint32_t stream, std::span<const uint32_t> after);

	/** add_cond() - a node that runs one of @count graphs or none.
	 * @kind: by which rule, enum unpu_cond_kind
	 * @va: device address of the 64-bit value that decides. The graphs are empty; see body(). */
	uint32_t add_cond(unpu_cond_kind kind, uint64_t va, uint32_t count, uint64_t cookie,
			  uint32_t stream, std::span<const uint32_t> after);

	/** add_jump() - @targets: nodes of the same chain of nodes that follow each other and nothing
	 * else; NONE is its end. The 32-bit value at @va chooses, the last target if it is too large;
	 * @va 0 takes the first. */
	uint32_t add_jump(uint64_t va, std::vector<uint32_t> targets, uint64_t cookie,
			  uint32_t stream, std::span<const uint32_t> after);

	/** set_targets() - of a JUMP; nodes that were not there yet when it was added. */
	void set_targets(uint32_t node, std::vector<uint32_t> targets);

	/** add_activate() - starts the chain that begins with node @head, which nothing else starts.
	 * @rule: condition, without the line. */
	uint32_t add_activate(const unpu_activate &rule, uint32_t head, uint64_t cookie,
			      uint32_t stream, std::span<const uint32_t> after);

	/** set() - makes a node another task. Kinds that hold graphs or targets stay what they are. */
	void set(uint32_t node, const GraphTask &task);

	/** depend(), undepend() - adds or takes away that @node follows @on.
	 * Return: false when it was so already. */
	bool depend(uint32_t node, uint32_t on);
	bool undepend(uint32_t node, uint32_t on);

	/** remove() - takes a node away, and all that it follows and that follows it. */
	void remove(uint32_t node);

	/** set_label() - says for an API what a node stands for. */
	void set_label(uint32_t node, uint8_t label) { nodes_[node].label = label; }
	uint8_t label(uint32_t node) const { return nodes_[node].label; }

	/** add_cell() - 8 bytes of device memory that each launch stores before it begins. */
	void add_cell(uint64_t va, uint64_t value) { cells_.push_back({va, value}); }

	/** clone() - the same again, nodes with the same numbers. */
	std::unique_ptr<Graph> clone() const;

	/** size() - numbers given so far; not all need be live(). */
	uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
	bool live(uint32_t node) const { return node < size() && !nodes_[node].removed; }
	TaskKind kind(uint32_t node) const { return nodes_[node].kind; }
	uint32_t stream(uint32_t node) const { return nodes_[node].stream; }
	std::span<const uint32_t> after(uint32_t node) const;
	const unpu_packet &packet(uint32_t node) const { return nodes_[node].packet; }

	/** task() - what @node does, as set() takes it. */
	GraphTask task(uint32_t node) const;

	/** child() - of a CHILD node. body() - of a COND node, one of bodies(). */
	Graph &child(uint32_t node) const { return *graphs_[nodes_[node].extra]; }
	Graph &body(uint32_t node, uint32_t i) const { return *graphs_[nodes_[node].extra + i]; }
	uint32_t bodies(uint32_t node) const { return nodes_[node].packet.cond.count; }

	/** targets() - of a JUMP; head() of an ACTIVATE. */
	const std::vector<uint32_t> &targets(uint32_t node) const
	{
		return targets_[nodes_[node].extra];
	}
	uint32_t head(uint32_t node) const { return nodes_[node].extra; }

	const std::vector<unpu_graph_cell> &cells() const { return cells_; }

private:
	struct Node {
		unpu_packet packet;
		uint32_t first_after; /* in after_ */
		uint32_t afters;
		uint32_t stream;
		uint32_t extra; /* by kind: index of what it has beside the packet */
		TaskKind kind;
		bool removed;
		uint8_t label = 0;
	};

	uint32_t append(const unpu_packet &packet, TaskKind kind, uint32_t stream, uint32_t extra,
			std::span<const uint32_t> after);
	void put_extra(Node &node, const GraphTask &task);

	std::vector<Node> nodes_;
	std::vector<uint32_t> after_;
	std::vector<unpu_operator> operators_;
	std::vector<HostFunction> hosts_;
	std::vector<uint64_t> events_;
	std::vector<std::unique_ptr<Graph>> graphs_;
	std::vector<std::vector<uint32_t>> targets_;
	std::vector<unpu_graph_cell> cells_;
};

} // namespace umd
