// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/os/kept_memory.h"
#include "uapi/graph.h"
#include "uapi/operator.h"
#include "umd/core/task/task.h"

namespace umd {

/**
 * class Graph - tasks and their dependencies. Code builds it node by node or by a capture, clones it,
 * puts it into other graphs, and GraphExec compiles it. It does not depend on a device or an API.
 *
 * The number of a node never changes, and is the same in a clone. Context: the caller's lock.
 */
class Graph {
public:
	static constexpr uint32_t NONE = ~0u;

	Graph() = default;
	Graph(const Graph &) = delete;
	Graph &operator=(const Graph &) = delete;

	/** add() - adds a node that follows the nodes in @after, whose order is kept.
	 * @stream: number of the captured stream it came from, for drawings. Return: the node's number. */
	uint32_t add(const GraphTask &task, uint32_t stream, std::span<const uint32_t> after);

	/** add_child() - adds a node that runs a clone of @child. */
	uint32_t add_child(const Graph &child, uint32_t stream, std::span<const uint32_t> after);

	/** add_cond() - adds a node that runs one of @count graphs or none. The graphs are empty at first;
	 * see body().
	 * @kind: the rule for the choice
	 * @va: device address of the 64-bit value that decides */
	uint32_t add_cond(unpu_cond_kind kind, uint64_t va, uint32_t count, uint64_t cookie,
			  uint32_t stream, std::span<const uint32_t> after);

	/** add_jump() - adds a node that continues at one of @targets.
	 * @targets: nodes of the same chain (nodes that follow only each other); NONE is the chain's end
	 * @va: address of the 32-bit index into @targets, an index past the end selects the last one; @va 0
	 * selects the first */
	uint32_t add_jump(uint64_t va, std::vector<uint32_t> targets, uint64_t cookie,
			  uint32_t stream, std::span<const uint32_t> after);

	/** set_targets() - sets the targets of a JUMP, to nodes that were added after it. */
	void set_targets(uint32_t node, std::vector<uint32_t> targets);

	/** add_activate() - adds a node that starts the chain beginning with node @head, which nothing else
	 * starts. @rule: the condition; its `line` is not set yet. */
	uint32_t add_activate(const unpu_activate &rule, uint32_t head, uint64_t cookie,
			      uint32_t stream, std::span<const uint32_t> after);

	/** set() - replaces the task of a node. A node with graphs or targets keeps its kind. */
	void set(uint32_t node, const GraphTask &task);

	/** set_child() - makes a node run a clone of @child from now on, whatever it did before. */
	void set_child(uint32_t node, const Graph &child);

	/** depend(), undepend() - adds or removes the dependency of @node on @on.
	 * Return: false if nothing had to change. */
	bool depend(uint32_t node, uint32_t on);
	bool undepend(uint32_t node, uint32_t on);

	/** remove() - removes a node and its dependencies in both directions. */
	void remove(uint32_t node);

	/** sinks() - the nodes that no node follows. They are in the order in which they became sinks: when
	 * they were added, or later when they lost their last follower. */
	std::vector<uint32_t> sinks() const;

	/** set_label() - sets a number that an API attaches to a node. */
	void set_label(uint32_t node, uint8_t label) { nodes_[node].label = label; }
	uint8_t label(uint32_t node) const { return nodes_[node].label; }

	/** set_home() - moves a node without graphs to @home. */
	void set_home(uint32_t node, const NodePlacement &home);

	bool has_home(uint32_t node) const { return nodes_[node].home != NO_HOME; }

	/** home() - where a node runs. A node with graphs has no home of its own. */
	NodePlacement home(uint32_t node) const
	{
		const uint32_t index = nodes_[node].home;
		return index == NO_HOME ? NodePlacement{} : homes_[index];
	}

	/** add_cell() - makes each launch store @value to 8 bytes of device memory before it starts. */
	void add_cell(uint64_t va, uint64_t value) { cells_.push_back({va, value}); }

	/** clone() - a copy in which the nodes have the same numbers. */
	std::unique_ptr<Graph> clone() const;

	/** size() - how many node numbers were given out, including those of removed nodes. */
	uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
	bool live(uint32_t node) const { return node < size() && !nodes_[node].is_removed; }
	TaskKind kind(uint32_t node) const { return nodes_[node].kind; }
	uint32_t stream(uint32_t node) const { return nodes_[node].stream; }
	/** after() - the nodes that @node follows, in the order in which the dependencies were added. */
	std::span<const uint32_t> after(uint32_t node) const;
	const unpu_packet &packet(uint32_t node) const { return nodes_[node].packet; }
	/** site() - the recorder's number of the call site that added the node; 0 if nothing is recorded. */
	uint32_t site(uint32_t node) const { return nodes_[node].site; }

	/** task() - the task of @node, in the form that set() takes. */
	GraphTask task(uint32_t node) const;

	/** child() - the graph of a CHILD node. body() - one of the bodies() graphs of a COND node. */
	Graph &child(uint32_t node) const { return *graphs_[nodes_[node].extra]; }
	Graph &body(uint32_t node, uint32_t i) const { return *graphs_[nodes_[node].extra + i]; }
	uint32_t bodies(uint32_t node) const { return nodes_[node].packet.cond.count; }

	/** targets() - the targets of a JUMP node. head() - the first node of the chain that an ACTIVATE node
	 * starts. */
	const std::vector<uint32_t> &targets(uint32_t node) const
	{
		return targets_[nodes_[node].extra];
	}
	uint32_t head(uint32_t node) const { return nodes_[node].extra; }

	const std::vector<unpu_graph_cell> &cells() const { return cells_; }

	/** any_words() - whether @test is true for the descriptor of a task, also of one in a graph inside. */
	template <class F> bool any_words(F test) const
	{
		for (const TensorWords &words : tensors_)
			if (words && test(*words))
				return true;
		for (const auto &inside : graphs_)
			if (inside && inside->any_words(test))
				return true;
		return false;
	}

private:
	struct Node {
		unpu_packet packet;
		uint32_t first_after; /* index of its first entry in after_ */
		uint32_t afters;
		uint32_t stream;
		uint32_t extra; /* index into the array that belongs to @kind */
		TaskKind kind;
		bool is_removed;
		uint8_t label = 0;
		uint32_t home = NO_HOME; /* index into homes_ */
		uint32_t site = 0;
	};

	static constexpr uint32_t NO_HOME = ~0u;

	/* The time at which a node lost a follower, as the number of nodes and of losses before it. */
	struct Loss {
		uint32_t nodes;
		uint32_t losses;

		auto operator<=>(const Loss &) const = default;
	};

	void note_loss(uint32_t on);
	uint32_t append(const unpu_packet &packet, TaskKind kind, uint32_t stream, uint32_t extra,
			std::span<const uint32_t> after);
	void put_extra(Node &node, const GraphTask &task);
	uint32_t home_index(const NodePlacement &home);

	base::KeptVector<Node> nodes_;
	std::vector<uint32_t> after_;
	std::vector<unpu_operator> operators_;
	std::vector<TensorWords> tensors_;
	std::vector<HostFunction> hosts_;
	std::vector<uint64_t> events_;
	std::vector<std::unique_ptr<Graph>> graphs_;
	std::vector<std::vector<uint32_t>> targets_;
	std::vector<unpu_graph_cell> cells_;
	std::vector<NodePlacement> homes_;   /* a list without duplicates */
	std::map<uint32_t, Loss> last_loss_; /* indexed by node */
	uint32_t losses_ = 0;
};

} // namespace umd
