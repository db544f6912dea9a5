// SPDX-License-Identifier: MIT
/**
 * DOC: peers
 *
 * Measures one peer for one round, in a process of its own, next to the reference of all
 * comparisons: the round trip of a descriptor between two CPUs. bench/run.py runs this program
 * between rounds of latency.
 */
#include <cstdio>
#include <fstream>
#include <string>

#include <CLI/CLI.hpp>

#include "harness/command_line.h"
#include "harness/machine.h"
#include "harness/report.h"
#include "peers/peer.h"

using namespace bench;

/* BENCH_HAS_X - the library is there and its file was compiled. */
static const Peer PEERS[] = {
	{"standard", run_standard},
#if BENCH_HAS_TBB
	{"tbb", run_tbb},
#else
	{"tbb", nullptr},
#endif
#if BENCH_HAS_TASKFLOW
	{"taskflow", run_taskflow},
#else
	{"taskflow", nullptr},
#endif
#if BENCH_HAS_BOOST
	{"boost", run_boost},
#else
	{"boost", nullptr},
#endif
#if BENCH_HAS_ZEROMQ
	{"zeromq", run_zeromq},
#else
	{"zeromq", nullptr},
#endif
#if BENCH_HAS_DPDK
	{"dpdk", run_dpdk},
#else
	{"dpdk", nullptr},
#endif
#if BENCH_HAS_OPENCL
	{"pocl-basic", run_opencl_basic},
	{"pocl-threads", run_opencl_threads},
#else
	{"pocl-basic", nullptr},    {"pocl-threads", nullptr},
#endif
#if BENCH_HAS_VULKAN
	{"lavapipe", run_lavapipe},
#else
	{"lavapipe", nullptr},
#endif
#if BENCH_HAS_HIP_CPU
	{"hip-cpu", run_hip_cpu},
#else
	{"hip-cpu", nullptr},
#endif
};

static int list()
{
	for (const Peer &peer : PEERS)
		std::printf("%s %s\n", peer.name, peer.run ? "found" : "absent");
	return 0;
}

static int run(const std::string &name, const Effort &effort, const std::string &path)
{
	for (const Peer &peer : PEERS) {
		if (peer.name != name || !peer.run)
			continue;
		std::ofstream file(path);
		if (!file)
			return not_written("peers", path);
		Round round;
		measure_machine(effort, round);
		peer.run(effort, round);
		const Report report({round});
		file << nlohmann::ordered_json{{"measures", report.measures()}}.dump() << '\n';
		return file.flush() ? 0 : not_written("peers", path);
	}
	std::fprintf(stderr, "peers: %s is not among those that were found\n", name.c_str());
	return 1;
}

int main(int argc, char **argv)
{
	CLI::App app("Measures what handing work to a peer costs.", "peers");
	Effort effort;
	std::string name;
	std::string json = "/dev/stdout";
	app.add_flag("--quick", effort.quick, "fewer samples");
	app.add_option("--peer", name, "the one to measure; without it, lists them");
	app.add_option("--json", json, "file that receives the results as JSON");
	if (const int status = parse(app, argc, argv); status >= 0)
		return status;
	return name.empty() ? list() : run(name, effort, json);
}
