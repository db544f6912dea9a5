// SPDX-License-Identifier: MIT
/**
 * DOC: latency
 *
 * What the calls of an ordinary AscendCL program cost, beside what the machine could do at best. All
 * measures run once per round and rounds follow each other, so that a machine that changes its speed
 * changes it for all of them; ratios are taken inside a round. A floor that is missed is marked and
 * is no failure: the figures of a busy machine say nothing about the code.
 */
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "common/child.h"
#include "common/client.h"
#include "common/copies.h"
#include "common/graphs.h"
#include "common/host.h"
#include "common/machine.h"
#include "common/report.h"
#include "common/tasks.h"

using namespace bench;

static constexpr unsigned ROUNDS = 9;
static constexpr unsigned QUICK_ROUNDS = 3;

struct Options {
	Effort effort;
	Part part = Part::ALL;
	unsigned rounds = 0;
	std::string json;
	std::string command;
};

/* As medians, on a machine with two CPUs that nobody else uses. */
static std::vector<Floor> floors()
{
	return {
		{"task.trip.spinning", "round trip by the descriptor's", Figure::RATIO, false, 2},
		{"replay.memset.1000", "replay of 1000 nodes, per node", Figure::ITEM_NS, false,
		 40},
		{"copy.pinned_to_device.67108864", "pinned copy of 64 MiB by memcpy", Figure::RATIO,
		 true, 0.9},
		{"task.trip.one CPU", "round trip on one CPU", Figure::TIME_NS, false, 20000},
		{"task.trip.device in a process", "round trip to a process by the embedded one's",
		 Figure::RATIO, false, 1.15},
	};
}

static void progress(const Options &options, unsigned round, const char *part)
{
	std::fprintf(stderr, "\rround %u of %u: %-12s", round + 1, options.rounds, part);
}

static Round run_round(const Options &options, unsigned number, const Client &client,
		       const Copies &copies)
{
	const Effort &effort = options.effort;
	Round round;
	progress(options, number, "machine");
	measure_machine(effort, round);
	progress(options, number, "tasks");
	measure_submit(client, effort, round);
	measure_trip(client, effort, "spinning", round);
	run_child(Part::BLOCKING, effort, round);
	run_child(Part::ONE_CPU, effort, round);
	run_child(Part::PROCESS, effort, round);
	progress(options, number, "starts");
	measure_start(effort, round);
	progress(options, number, "events");
	measure_events(client, effort, round);
	progress(options, number, "graphs");
	measure_graphs(client, effort, round);
	progress(options, number, "copies");
	copies.run(effort, round);
	return round;
}

static std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	Client client;
	std::fprintf(stderr, "buffers");
	client.open();
	{
		const Copies copies(client);
		for (unsigned i = 0; i < options.rounds; i++)
			rounds.push_back(run_round(options, i, client, copies));
	}
	client.close();
	std::fprintf(stderr, "\r%-40s\r", "");
	return rounds;
}

static int write_json(const Options &options, const Report &report,
		      const nlohmann::ordered_json &host)
{
	nlohmann::ordered_json result;
	result["program"] = "latency";
	result["command"] = options.command;
	result["rounds"] = options.rounds;
	result["quick"] = options.effort.quick;
	result["host"] = host;
	result["measures"] = report.measures();
	result["floors"] = report.floors(floors());
	std::ofstream file(options.json);
	file << result.dump(2) << '\n';
	if (file.flush())
		return 0;
	std::fprintf(stderr, "latency: %s can't be written\n", options.json.c_str());
	return 1;
}

static int run(const Options &options)
{
	const nlohmann::ordered_json host = describe_host();
	const Report report(run_rounds(options));
	std::string head;
	for (const auto &[name, value] : host.items())
		head += fmt::format("{}{}: {}", head.empty() ? "" : ", ", name, value.dump());
	std::printf("%s\n%s", head.c_str(), report.table(floors()).c_str());
	return options.json.empty() ? 0 : write_json(options, report, host);
}

int main(int argc, char **argv)
{
	CLI::App app("Measures what calls of the AscendCL interface cost.", "latency");
	Options options;
	std::string part = part_name(Part::ALL);
	uint64_t since_ns = 0;
	app.add_flag("--quick", options.effort.quick, "fewer rounds and samples");
	app.add_option("--rounds", options.rounds, "rounds over all measures; 9 unless told")
		->check(CLI::Range(1, 1000));
	app.add_option("--json", options.json, "file that receives the results as JSON");
	app.add_option("--part", part)->group("");
	app.add_option("--since", since_ns)->group("");
	CLI11_PARSE(app, argc, argv);
	if (options.rounds == 0)
		options.rounds = options.effort.quick ? QUICK_ROUNDS : ROUNDS;
	for (int i = 0; i < argc; i++)
		options.command += std::string(i ? " " : "") + argv[i];
	for (Part one : PARTS) {
		if (part == part_name(one))
			return answer_parent(one, options.effort, since_ns);
	}
	return run(options);
}
