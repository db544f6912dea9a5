// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <set>
#include <unordered_map>
#include <vector>

#include "san/judge/accesses.h"
#include "san/order/actors.h"

namespace san {

/** struct Graph - a captured or built graph, with the data for judging its launches. */
struct Graph {
	explicit Graph(size_t *cells) : parameters(cells) {}

	/* struct Exchange - how a node uses a latch: it signals the latch, or waits for it. */
	struct Exchange {
		uint64_t latch = 0; /* 0: the node uses no latch */
		uint64_t value = 0;
		uint16_t flags = 0; /* SignalOp of a signal, LatchFlag of a wait */
		bool waits = false;
	};

	struct Node {
		uint32_t label = 0;
		uint32_t site = 0;
		uint16_t flags = 0;
		bool is_defined = false;
		std::vector<Operand> operands;
		std::vector<uint32_t> after; /* successors of the node */
		Exchange exchange;
	};

	/* struct Known - the memory that an operand referred to when the graph was made. */
	struct Known {
		uint32_t node;
		Range addresses;
		uint64_t block;
		uint64_t generation;
	};

	uint32_t client = 0;
	std::vector<Node> nodes;
	std::vector<uint32_t> order; /* the nodes in topological order */
	std::vector<Known> known;
	std::set<uint32_t> streams;   /* the streams on which it was captured */
	Moment last;		      /* end of the last launch */
	size_t parts = 0;	      /* size: nodes, operands, edges and known addresses */
	size_t exchanges = 0;	      /* number of nodes that signal or wait */
	size_t held = 0;	      /* number of launches that wait in streams */
	bool is_destroyed = false;    /* destroyed by the program, but launches still wait */
	bool is_opaque = false;	      /* at least one node is COMMAND_OPAQUE */
	bool is_listed = false;	      /* @sources is up to date */
	std::vector<Operand> sources; /* see Graphs::sources_of() */
	/* has a byte for each node: an update writes it, a launch reads it */
	Shadow parameters;

	static constexpr uint32_t MAX_NODES = 4096;
};

/**
 * class Launch - the progress of a launch whose nodes signal other streams or wait for them. The judge runs
 * the nodes one after the other: first the nodes that signal, with the nodes before them, and last the nodes that
 * wait. So it assumes as little order as possible beyond the order of the edges.
 */
class Launch {
public:
	explicit Launch(const Graph &graph);

	/** is_of() - whether the graph still has the same number of nodes. */
	bool is_of(const Graph &graph) const { return graph.nodes.size() == left_.size(); }

	/** next() - a node that can run now and is no wait, or NONE. */
	uint32_t next();
	/** waits() - the waits whose predecessors have run. */
	const std::vector<uint32_t> &waits() const { return ready_[WAIT]; }
	/** end_wait() - removes a wait that has ended from waits(). */
	void end_wait(uint32_t node) { std::erase(ready_[WAIT], node); }
	/** finish() - records that the node has run, so that its successors may run. */
	void finish(const Graph &graph, uint32_t node);
	bool has_run(uint32_t node) const { return node < has_run_.size() && has_run_[node]; }

	static constexpr uint32_t NONE = UINT32_MAX;

private:
	/* The classes of nodes, in the order in which they run. */
	enum Rank : uint8_t { SIGNAL, TO_SIGNAL, OTHER, WAIT, RANKS };

	std::vector<Rank> rank_;     /* indexed by node */
	std::vector<uint32_t> left_; /* by node: how many of its predecessors have not run */
	std::vector<bool> has_run_;
	std::array<std::vector<uint32_t>, RANKS> ready_;
};

/** class Graphs - judges graphs when they are made, updated and launched. */
class Graphs {
public:
	Graphs(Actors &actors, Memory &memory, Accesses &accesses, Reporter &reporter,
	       const Bounds &bounds)
		: actors_(actors), memory_(memory), accesses_(accesses), reporter_(reporter),
		  bounds_(bounds)
	{
	}

	/* Each of these functions applies a record. It returns nullptr, or the reason why the record is
	 * impossible. */
	const char *add_node(const Record &record);
	const char *add_edge(const Record &record);
	const char *make_ready(const Record &record);
	const char *update(const Record &record, const CommandPointer &command);
	const char *set_exchange(const Record &record);
	const char *follow(const Record &record);

	/** join() - orders a launch after the previous launch, and after the streams of the capture. */
	const char *join(uint64_t number, Stream &stream);

	/** begin() - begins a launch. @command: the launch */
	void begin(Graph &graph, const CommandPointer &command);
	/** use_parameters() - notes that a launch reads the parameters of @nodes at the moment of @command.
	 * For a graph without signals and waits, begin() does it for all nodes. */
	void use_parameters(Graph &graph, Range nodes, const CommandPointer &command);
	/** run_node() - judges a node that runs at the moment of @command. */
	void run_node(const Graph &graph, uint32_t node, const CommandPointer &command);
	/** end() - ends a launch. @command: its moment is the end of the launch */
	void end(Graph &graph, const CommandPointer &command);

	/** sources_of() - the host memory that copies of the graph read and that no node writes. */
	const std::vector<Operand> &sources_of(Graph &graph) const;
	/** reader_of() - the first copy of the graph that reads a part of @range, as a command of @launch.
	 * Return: nullptr if there is none */
	CommandPointer reader_of(uint64_t graph, const Operand &range, const Command &launch);

	/** find() - the graph with this number; nullptr if there is none. */
	Graph *find(uint64_t number);

	/** hold(), let_go() - a launch begins or ends to wait in a stream. The graph stays until then, even
	 * if the program destroys it. */
	void hold(uint64_t number);
	void let_go(uint64_t number);
	void destroy(uint64_t number);

	/** reset_history() - forgets the moments of launches and updates. */
	void reset_history();

	static constexpr size_t MAX_GRAPHS = 65536;

private:
	void erase(const Graph &graph, uint64_t number);
	static bool sort(Graph &graph);
	bool charge(Graph &graph, size_t parts);
	void refund(Graph &graph, size_t parts);
	void check_races(const Graph &graph);
	void remember(Graph &graph, uint32_t node);
	void check_memory(const Graph &graph, const Command &launch);
	bool is_of_host(uint32_t client, const Operand &operand) const;
	Command command_of(const Graph &graph, uint32_t node, const Command &launch) const;

	Actors &actors_;
	Memory &memory_;
	Accesses &accesses_;
	Reporter &reporter_;
	const Bounds &bounds_;
	size_t parts_ = 0; /* size of all graphs */
	std::unordered_map<uint64_t, Graph> graphs_;
};

} // namespace san
