// SPDX-License-Identifier: MIT
/**
 * DOC: Levels of checks, measured
 *
 * The kernels and their rows. Each time is that of the fastest launch of a process.
 */
#include "levels.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/clock.h"
#include "harness/samples.h"
#include "process/client.h"

int launch_loop(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements);
int launch_tiles(uint32_t blocks, void *stream, void *x, void *y, void *z, uint32_t elements);

namespace bench {

namespace {

constexpr uint32_t COUNT = 256 << 10; /* floats */

struct Kernel {
	const char *name;
	const char *base; /* key of the row at level 0 */
	const char *key;
	const char *title;
	int (*launch)(uint32_t, void *, void *, void *, void *, uint32_t);
};

constexpr Kernel KERNELS[] = {
	{"loop", "checks.loop.0", "checks.loop.1", "scalar loop over 6 tensors", launch_loop},
	{"tiles", "checks.tiles.0", "checks.tiles.1", "sums of 2 KiB", launch_tiles},
};

double time_at(unsigned level, const char *name, const std::string &self)
{
	const std::string command =
		"UNPU_KERNEL_CHECK=" + std::to_string(level) + " '" + self + "' --time " + name;
	double time_ns = 0;
	FILE *pipe = popen(command.c_str(), "r");
	check(!pipe || fscanf(pipe, "%lf", &time_ns) != 1, command.c_str());
	check(pclose(pipe), command.c_str());
	return time_ns;
}

} // namespace

int time_kernel(const std::string &name)
{
	const Kernel *kernel = nullptr;
	for (const Kernel &one : KERNELS)
		if (name == one.name)
			kernel = &one;
	check(!kernel, "--time: a kernel of this name");
	Client client;
	client.open();
	void *memory[3] = {};
	for (void *&one : memory) {
		CHECK(aclrtMalloc(&one, COUNT * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMemset(one, COUNT * sizeof(float), 0, COUNT * sizeof(float)));
	}
	uint64_t best_ns = ~uint64_t{0};
	for (unsigned i = 0; i < 100; i++) {
		const uint64_t begin_ns = base::now_ns();
		CHECK(kernel->launch(1, client.first, memory[0], memory[1], memory[2], COUNT));
		Client::sync(client.first);
		best_ns = std::min(best_ns, base::now_ns() - begin_ns);
	}
	printf("%llu\n", static_cast<unsigned long long>(best_ns));
	for (void *one : memory)
		CHECK(aclrtFree(one));
	client.close();
	return 0;
}

void measure_levels(const Effort &effort, const std::string &self, Round &round)
{
	for (const Kernel &kernel : KERNELS) {
		std::vector<double> times_ns[2];
		for (unsigned i = 0; i < effort.scaled(32); i++)
			for (unsigned level = 0; level < 2; level++)
				times_ns[level].push_back(time_at(level, kernel.name, self));
		for (unsigned level = 0; level < 2; level++) {
			Measure row;
			row.key = level ? kernel.key : kernel.base;
			row.title = std::string(kernel.title) + ", checks of level " +
				    std::to_string(level);
			row.base = level ? kernel.base : "";
			row.summary = {quantile(times_ns[level], 0.5),
				       quantile(times_ns[level], 0.99)};
			row.items = COUNT;
			round.push_back(row);
		}
	}
}

} // namespace bench
