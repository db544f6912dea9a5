// SPDX-License-Identifier: MIT
/**
 * DOC: placement
 *
 * The cost of a device on another NUMA node: round trips and copies of a program on one node with a
 * device on each node, beside the same with both on one node. Each pair of nodes is measured in a
 * process of its own, because a device is placed when it is opened. A machine with one node has one
 * pair. On an emulated machine the figures only show that the program works.
 */
#include <cstring>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "harness/again.h"
#include "harness/machine.h"
#include "harness/program.h"
#include "process/client.h"
#include "rows/tasks.h"

using namespace bench;

namespace {

constexpr size_t COPY_BYTES = size_t{4} << 20;
constexpr int NODES_MOST = 64;

/* Of the command line: the CPU that the child is to be on. */
int waiter_cpu = -1;

/* One of this process's CPUs on a node, or -1. */
int cpu_of(int node)
{
	for (const int cpu : usable_cpus()) {
		const std::string link = "/sys/devices/system/node/node" + std::to_string(node) +
					 "/cpu" + std::to_string(cpu);
		if (access(link.c_str(), F_OK) == 0)
			return cpu;
	}
	return -1;
}

std::vector<int> nodes()
{
	std::vector<int> all;
	for (int node = 0; node < NODES_MOST; node++) {
		const std::string folder = "/sys/devices/system/node/node" + std::to_string(node);
		if (access(folder.c_str(), F_OK) == 0)
			all.push_back(node);
	}
	return all;
}

Measure copy(const char *key, const std::string &title, void *to, const void *from,
	     aclrtMemcpyKind kind, aclrtStream stream, const Effort &effort)
{
	const Plan plan{2, effort.scaled(40), 1, 0};
	Measure measure{
		key, title, bench::measure(plan, [&] {
			CHECK(aclrtMemcpyAsync(to, COPY_BYTES, from, COPY_BYTES, kind, stream));
			Client::sync(stream);
		})};
	measure.bytes = COPY_BYTES;
	return measure;
}

/* The pair that this process is. */
int measure_pair(const Effort &effort)
{
	Client client;
	Round round;
	void *pinned = nullptr;
	void *device = nullptr;

	pin_thread(waiter_cpu);
	client.open();
	measure_trip(client, effort, "", round);
	CHECK(aclrtMallocHost(&pinned, COPY_BYTES));
	CHECK(aclrtMalloc(&device, COPY_BYTES, ACL_MEM_MALLOC_NORMAL_ONLY));
	memset(pinned, 1, COPY_BYTES);
	round.push_back(copy("copy.to_device.", "4 MiB to the device, ", device, pinned,
			     ACL_MEMCPY_HOST_TO_DEVICE, client.first, effort));
	round.push_back(copy("copy.to_host.", "4 MiB to the host, ", pinned, device,
			     ACL_MEMCPY_DEVICE_TO_HOST, client.first, effort));
	round.push_back({"copy.sync.", "4 MiB by the program's thread, ",
			 measure(Plan{2, effort.scaled(40), 1, 0}, [&] {
				 CHECK(aclrtMemcpy(device, COPY_BYTES, pinned, COPY_BYTES,
						   ACL_MEMCPY_HOST_TO_DEVICE));
			 })});
	CHECK(aclrtFree(device));
	CHECK(aclrtFreeHost(pinned));
	client.close();
	return answer(round);
}

/* The waiter's own node comes first: what the others are compared with. */
void add_pair(int waiter, int device, const Effort &effort, Round &round)
{
	for (const Measure &one :
	     run_again({"--waiter", std::to_string(cpu_of(waiter))}, effort,
		       "sim:memory=64M,caller-runs=off,engines=0,node=" + std::to_string(device))) {
		const std::string key = "placement." + one.key + std::to_string(waiter) + ".";
		Measure measure{key + std::to_string(device),
				one.title + "program on " + std::to_string(waiter) +
					", device on " + std::to_string(device),
				{one.summary.median_ns, one.summary.p99_ns},
				waiter == device ? "" : key + std::to_string(waiter)};
		measure.bytes = one.bytes;
		round.push_back(std::move(measure));
	}
}

std::vector<Round> run_rounds(const Options &options)
{
	std::vector<Round> rounds;
	for (unsigned i = 0; i < options.rounds; i++) {
		Round round;
		progress(options, i, "pairs of nodes");
		for (const int waiter : nodes()) {
			if (cpu_of(waiter) < 0)
				continue;
			add_pair(waiter, waiter, options.effort, round);
			for (const int device : nodes()) {
				if (device != waiter)
					add_pair(waiter, device, options.effort, round);
			}
		}
		rounds.push_back(std::move(round));
	}
	progress_end();
	return rounds;
}

} // namespace

int main(int argc, char **argv)
{
	Program program;
	program.name = "placement";
	program.about = "Measures what it costs to be on another node than the device.";
	program.rounds = run_rounds;
	program.extend = [](CLI::App &app) { app.add_option("--waiter", waiter_cpu)->group(""); };
	program.instead = [](const Options &options) {
		return waiter_cpu < 0 ? -1 : measure_pair(options.effort);
	};
	return run_program(program, argc, argv);
}
