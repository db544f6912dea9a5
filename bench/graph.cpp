// SPDX-License-Identifier: MIT
/**
 * DOC: graph
 *
 * The cost of a node of a captured graph in a replay, beside plain function calls and the graphs of
 * other libraries. Also the cost of capture and instantiation.
 */
#include <cstdio>
#include <string>
#include <vector>

#include "harness/machine.h"
#include "harness/program.h"
#include "process/client.h"
#include "rows/peers.h"
#include "rows/replays.h"

using namespace bench;

/* As medians, on a machine with two CPUs that runs nothing else. */
static std::vector<Floor> floors()
{
	return {
		{"replay.nothing.1000", "1000 nodes that do nothing, per node", Figure::ITEM_NS,
		 false, 10},
		{"replay.add.1000", "1000 additions of 8 floats, per node", Figure::ITEM_NS, false,
		 20},
		{"replay.memset.1", "replay of one node by the descriptor's trip", Figure::RATIO,
		 false, 1.15},
		{"capture.tasks", "capture of 10000 nodes, per node", Figure::ITEM_NS, false, 100},
		{"capture.end", "instantiation of 10000 nodes, per node", Figure::ITEM_NS, false,
		 80},
	};
}

static std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	Client client;
	client.open();
	for (unsigned i = 0; i < options.rounds; i++) {
		Round &round = rounds.emplace_back();
		progress(options, i, "machine");
		measure_machine(options.effort, round);
		progress(options, i, "replays");
		measure_replays(client, options.effort, round);
		progress(options, i, "captures");
		measure_instantiation(client, options.effort, round);
		progress(options, i, "peers");
		measure_peers(options.effort, round);
	}
	progress_end();
	std::printf("device memory of a graph: %.1f bytes a node\n", graph_bytes_per_node(client));
	const std::string missing = missing_peers();
	if (!missing.empty())
		std::printf("absent when this was built:%s\n", missing.c_str());
	client.close();
	return rounds;
}

int main(int argc, char **argv)
{
	Program program;
	program.name = "graph";
	program.about = "Measures what a node of a graph costs.";
	program.floors = floors();
	program.rounds = run_rounds;
	return run_program(program, argc, argv);
}
