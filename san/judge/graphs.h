// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <unordered_map>
#include <vector>

#include "san/judge/accesses.h"
#include "san/order/actors.h"

namespace san {

/** struct Graph - a captured or built graph, as its launches are judged. */
struct Graph {
	explicit Graph(size_t *cells) : parameters(cells) {}

	struct Node {
		uint32_t label = 0;
		uint32_t site = 0;
		uint16_t flags = 0;
		bool is_defined = false;
		std::vector<Operand> operands;
		std::vector<uint32_t> after; /* nodes that this one comes before */
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
	std::set<uint32_t> streams; /* that it was captured on */
	Moment last;		    /* end of the last launch */
	size_t parts = 0;	    /* nodes, operands, edges and known addresses */
	Shadow parameters;	    /* one byte: updates write it, launches read it */

	static constexpr uint32_t MAX_NODES = 4096;
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

	/** join() - a launch is after the last one, and after the streams of the capture. */
	const char *join(uint64_t number, Stream &stream);

	/** launch() - @command: of the launch; its moment is that of all nodes. */
	void launch(uint64_t number, const CommandPointer &command);

	void destroy(uint64_t number);

	/** forget_past() - of launches and updates. */
	void forget_past();

	static constexpr size_t MAX_GRAPHS = 65536;

private:
	Graph *find(uint64_t number);
	static bool sort(Graph &graph);
	bool charge(Graph &graph, size_t parts);
	void refund(Graph &graph, size_t parts);
	void check_races(const Graph &graph);
	void remember(Graph &graph, uint32_t node);
	void check_memory(const Graph &graph, const Command &launch);
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
