// SPDX-License-Identifier: MIT
/**
 * DOC: the order of a trace, by definition
 *
 * Each record of a trace that has a place in time is a node. The class draws an edge for each promise of the API
 * (Documentation/sanitizer-edges.rst) and closes the edges transitively. It shares no code with the judge but the
 * reading of records, keeps everything, and forgets nothing.
 */
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "san/trace/record.h"

namespace san::recall {

using Node = int;
constexpr Node NONE = -1;

/** class Order - which nodes are over when which others begin. */
class Order {
public:
	/** add() - the next record. Return: its node, or NONE for one that has no place in time. */
	Node add(const Record &record);

	/** host_step() - a step of the host of @client at its call of now. */
	Node host_step(uint32_t client) { return advance(clients_[client], NONE); }

	/** hosts() - the last step of each host; empty where there is one client only. */
	std::map<uint32_t, Node> hosts() const;

	/** body_of() - the host function that the thread of @record runs, if its stream waits for it, else NONE. */
	Node body_of(const Record &record) const;

	/** step_of() - where the latest launch of the graph runs a node. */
	Node step_of(uint64_t graph, uint64_t node) const;

	/** close() - after the last record. Return: false if the nodes wait for each other in a circle. */
	bool close();
	/** before() - whether @a is over when @b begins. */
	bool before(Node a, Node b) const;

	/** unordered_resets() - pairs of a wait for a flag and a reset that may come first; after close(). */
	std::vector<std::pair<Node, Node>> unordered_resets() const;
	/** has_endless_waits() - whether something is waited for that never comes. */
	bool has_endless_waits() const;

private:
	struct StreamState {
		uint16_t flags = 0;
		uint64_t context = 0;
		Node last = NONE;
		bool is_blocking() const
		{
			return (flags & (STREAM_LEGACY | STREAM_NON_BLOCKING)) == 0;
		}
	};
	struct ClientState {
		Profile profile = Profile::ASCENDCL;
		Node host = NONE;
		std::map<uint32_t, StreamState> streams;
		std::vector<StreamState> ended;
		std::map<Node, uint32_t> owners; /* the streams of nodes */
	};
	struct EventState {
		bool is_flag = false;
		Node latest = NONE;
		Node reset = NONE; /* since the latest record */
		std::vector<Node> pending;
		std::vector<Node> waits; /* of the latest record */
	};
	struct Post {
		Record signal;
		uint64_t value; /* that the latch has then */
		Node node;
	};
	struct Await {
		uint64_t value;
		uint16_t flags;
		Node node;
	};
	struct LatchState {
		uint64_t base = 0; /* its value before the posts */
		std::deque<Post> posts;
		std::deque<Await> pending;
	};
	/* A node of a graph: what it does with a latch, and the nodes after it. */
	struct GraphNode {
		Record exchange; /* of kind SIGNAL or AWAIT; of object 0: it does nothing with any */
		std::vector<uint64_t> after;
	};
	struct GraphState {
		std::map<uint64_t, GraphNode> nodes;
		std::map<uint64_t, Node> steps; /* of the nodes, in the latest launch */
		Node last = NONE;
		std::set<uint32_t> streams; /* that it was captured on */
	};
	struct Body {
		Node node;
		bool blocks;
	};
	using Thread = std::pair<uint32_t, uint32_t>;

	Node make();
	void edge(Node from, Node to);
	Node advance(ClientState &client, Node after);
	Node enqueue(ClientState &client, uint32_t stream);
	Node add_host(const Record &record, ClientState &client);
	Node add_actor(const Record &record, ClientState &client);
	Node add_wait(const Record &record, ClientState &client);
	Node add_queued(const Record &record, ClientState &client);
	void add_event(const Record &record, Node node);
	Node add_launch(const Record &record, ClientState &client, Node node);
	Node add_steps(GraphState &graph, Node begin);
	Node add_graph(const Record &record);
	void exchange(const Record &record, Node node);
	Node add_callback(const Record &record, ClientState &client);
	Node wait_for_all(ClientState &client, uint64_t context = 0);
	void let_go(ClientState &client, uint32_t stream);
	void post(const Record &record, Node node);
	void await(uint64_t latch, const Await &wait);
	bool leads(Node from, Node to) const;
	static void take(LatchState &latch, size_t count, uint64_t base);
	static size_t last_needed(const LatchState &latch, const Await &wait);
	static bool satisfy(LatchState &latch, const Await &wait, std::vector<Node> &by);

	std::vector<std::vector<Node>> after_; /* of each node: those that it is after */
	std::vector<std::vector<uint64_t>> closed_;
	std::map<uint32_t, ClientState> clients_;
	std::map<uint64_t, EventState> events_;
	std::map<uint64_t, LatchState> latches_;
	std::map<uint64_t, GraphState> graphs_;
	std::map<uint64_t, Body> bodies_;
	std::map<Thread, uint64_t> running_;
	std::vector<std::pair<Node, Node>>
		resets_; /* a wait, and the reset that has to be after it */
	std::vector<std::pair<Node, Node>>
		early_; /* a wait, and the reset that has to be before it */
};

} // namespace san::recall
