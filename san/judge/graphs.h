// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <set>
#include <unordered_map>
#include <vector>

#include "san/judge/accesses.h"
#include "san/order/actors.h"

namespace san {

/** struct Graph - a captured or built graph, as its launches are judged. */
struct Graph {
	explicit Graph(size_t *cells) : parameters(cells) {}

	/* struct Exchange - what a node has to do with a latch: it signals it, or waits for it. */
	struct Exchange {
		uint64_t latch = 0; /* 0: nothing */
		uint64_t value = 0;
		uint16_t flags = 0; /* SignalOp, or LatchFlag */
		bool waits = false;
	};

	struct Node {
		uint32_t label = 0;
		uint32_t site = 0;
		uint16_t flags = 0;
		bool is_defined = false;
		std::vector<Operand> operands;
		std::vector<uint32_t> after; /* nodes that this one comes before */
		Exchange exchange;
	};

	/* struct Use - which memory an operand meant when the graph was made. */
	struct Known {
		uint32_t node;
		Range addresses;
		uint64_t block;
		uint64_t generation;
	};

	uint32_t client = 0;
	std::vector<Node> nodes;
	std::vector<uint32_t> order; /* the nodes, each after those before it */
	std::vector<Known> known;
	std::set<uint32_t> streams;   /* that it was captured on */
	Moment last;		      /* end of the last launch */
	size_t parts = 0;	      /* nodes, operands, edges and known addresses */
	size_t exchanges = 0;	      /* nodes that signal or wait */
	size_t held = 0;	      /* launches that streams hold */
	bool is_destroyed = false;    /* but launches are held */
	bool is_opaque = false;	      /* a node is COMMAND_OPAQUE */
	bool is_listed = false;	      /* @sources are those of now */
	std::vector<Operand> sources; /* see Graphs::sources_of() */
	Shadow parameters;	      /* a byte for each node: updates write it, launches read it */

	static constexpr uint32_t MAX_NODES = 4096;
};

/**
 * class Launch - how far a launch is whose nodes signal other streams, or wait for them. Its nodes run one after the
 * other: signals and what leads to them first, waits only when nothing else is left, so that the judge assumes as
 * little order as it can that the edges do not have.
 */
class Launch {
public:
	explicit Launch(const Graph &graph);

	/** is_of() - whether the graph still has the nodes that it had. */
	bool is_of(const Graph &graph) const { return graph.nodes.size() == left_.size(); }

	/** next() - a node other than a wait that can run now, or NONE. */
	uint32_t next();
	/** waits() - the waits that are next. */
	const std::vector<uint32_t> &waits() const { return ready_[WAIT]; }
	/** end_wait() - one of waits() is over. */
	void end_wait(uint32_t node) { std::erase(ready_[WAIT], node); }
	/** finish() - the node has run; those after it may be next. */
	void finish(const Graph &graph, uint32_t node);
	bool has_run(uint32_t node) const { return node < has_run_.size() && has_run_[node]; }

	static constexpr uint32_t NONE = UINT32_MAX;

private:
	/* In the order in which they run. */
	enum Rank : uint8_t { SIGNAL, TO_SIGNAL, OTHER, WAIT, RANKS };

	std::vector<Rank> rank_;     /* of each node */
	std::vector<uint32_t> left_; /* how many nodes before it have not run */
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

	/* Each returns why the record can't be, or nullptr. */
	const char *add_node(const Record &record);
	const char *add_edge(const Record &record);
	const char *make_ready(const Record &record);
	const char *update(const Record &record, const CommandPointer &command);
	const char *set_exchange(const Record &record);
	const char *follow(const Record &record);

	/** join() - a launch is after the last one, and after the streams of the capture. */
	const char *join(uint64_t number, Stream &stream);

	/** begin() - a launch begins. @command: of the launch */
	void begin(Graph &graph, const CommandPointer &command);
	/** use_parameters() - @nodes: that a launch runs at the moment of @command. begin() does it for all nodes of a
	 * graph without signals, and waits for them. */
	void use_parameters(Graph &graph, Range nodes, const CommandPointer &command);
	/** run_node() - a node runs at the moment of @command. */
	void run_node(const Graph &graph, uint32_t node, const CommandPointer &command);
	/** end() - @command: its moment is the end of the launch */
	void end(Graph &graph, const CommandPointer &command);

	/** sources_of() - what copies read of the host's memory that no node writes. */
	const std::vector<Operand> &sources_of(Graph &graph) const;
	/** reader_of() - the first copy that reads of @range, as a command of @launch. Return: nullptr: none does */
	CommandPointer reader_of(uint64_t graph, const Operand &range, const Command &launch);

	/** find() - nullptr if there is none. */
	Graph *find(uint64_t number);

	/** hold(), let_go() - a stream holds a launch, which may run when the graph is destroyed. */
	void hold(uint64_t number);
	void let_go(uint64_t number);
	void destroy(uint64_t number);

	/** forget_past() - of launches and updates. */
	void forget_past();

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
	size_t parts_ = 0; /* of all graphs */
	std::unordered_map<uint64_t, Graph> graphs_;
};

} // namespace san
