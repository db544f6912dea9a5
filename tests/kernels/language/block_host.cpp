// SPDX-License-Identifier: MIT
/*
 * DOC: Block host
 *
 * A launch of the runner, with services of the test where it looks at what kernels ask for.
 */
#include "block_host.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernel_operator.h"
#include "kernels/runner/launch.h"

namespace kernel_test {

/* A chip that has a core for each block: no block waits for the end of another one. */
static constexpr uint32_t CUBE_CORES = UNPU_KERNEL_WIRE_MAX_BLOCKS;

static BlockHost *running = nullptr;

struct HostServices {
	[[noreturn]] static void fail(uint32_t failure, const char *file, uint32_t line,
				      const char *sentence)
	{
		running->failure_.file = file ? file : "";
		running->failure_.line = line;
		runner::Launch::current()->launch->fail(failure, nullptr, 0, sentence);
	}

	static void print(const char *text, size_t bytes) { running->output_.append(text, bytes); }

	static int find_memory(uint64_t address, unpu_kernel_memory_range *range)
	{
		*range = {0, 0};
		for (const unpu_kernel_memory_range &known : running->ranges_) {
			if (address >= known.start && address < known.start + known.bytes) {
				*range = known;
				return 1;
			}
			if (known.start <= address && known.start >= range->start)
				*range = known;
		}
		return 0;
	}

	static void observe(uint64_t address, uint64_t bytes, uint32_t write, const char *,
			    uint32_t line)
	{
		running->observed_.push_back({address, bytes, write, line});
	}

	/* A clock that a test can rely on: it goes on by 1 us at each look. */
	static uint64_t now_ns()
	{
		static uint64_t now = 0;

		return now += 1000;
	}

	static void enter(const unsigned char *)
	{
		const unpu_kernel_local &ub =
			runner::Launch::current()->block.local[UNPU_KERNEL_UB];

		/* What a kernel before has left. */
		memset(ub.base, 0xa5, ub.bytes);
		unpu::lang::run_kernel(*running->kernel_);
	}
};

static unpu_kernel_services make_services()
{
	unpu_kernel_services all = runner::services();

	all.fail = HostServices::fail;
	all.print = HostServices::print;
	all.find_memory = HostServices::find_memory;
	all.observe = HostServices::observe;
	all.now_ns = HostServices::now_ns;
	return all;
}

static unpu_kernel_services services_of_host = make_services();

BlockHost::BlockHost(uint32_t level) : level_(level)
{
	running = this;
	unpu::lang::services = &services_of_host;
	observe(false);
}

void BlockHost::observe(bool does)
{
	services_of_host.observes = does;
}

BlockHost::~BlockHost()
{
	for (const unpu_kernel_memory_range &range : ranges_)
		free(reinterpret_cast<void *>(range.start));
}

void *BlockHost::allocate(size_t bytes)
{
	/* A page behind the end is not part of the allocation, and so is no other one. */
	void *memory = aligned_alloc(512, (bytes + 4096 + 511) / 512 * 512);

	memset(memory, 0, bytes);
	ranges_.push_back({reinterpret_cast<uint64_t>(memory), bytes});
	return memory;
}

bool BlockHost::run(uint32_t blocks, const std::function<void()> &kernel)
{
	static uint64_t launches = 0;
	unpu_kernel_entry entry = {};
	unpu_kernel_launch head = {};

	failure_ = {};
	output_.clear();
	observed_.clear();
	kernel_ = &kernel;
	running = this;
	entry.name = "kernel";
	entry.type = type;
	entry.run = HostServices::enter;
	head.blocks = blocks;
	head.check = level_;
	head.flags = saturate ? UNPU_KERNEL_LAUNCH_SATURATE : 0;
	head.tiling_key = tiling_key;
	head.workspace = workspace;
	runner::Launch launch({entry, head, nullptr, CUBE_CORES, ++launches, {}});
	launch.run();
	failure_.kind = launch.failure().kind;
	failure_.block = launch.failure().block;
	failure_.sentence = launch.failure().sentence;
	return failure_.kind == 0;
}

} // namespace kernel_test
