// SPDX-License-Identifier: MIT
/**
 * DOC: CPU mode
 *
 * What tikicpulib.h declares: memory that kernels may use, and launches. Kernels are functions of the program, so that
 * a debugger sees both, and their blocks are fibers of the thread that launches.
 */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "base/chip/chip.h"
#include "kernels/host/cpu/cpu_launch.h"
#include "kernels/host/include/unpu_cpu_mode.h"
#include "kernels/runner/launch.h"

namespace {

struct Ranges {
	std::mutex mutex;
	std::map<uint64_t, uint64_t> bytes; // by start
};

Ranges &ranges()
{
	static Ranges *all = new Ranges;
	return *all;
}

uint64_t tiling_key;

/* What unpu_cpu_run() is to call, as the arguments of a kernel. */
struct Call {
	void (*function)(void *);
	void *context;
};

} // namespace

/* The range that holds an address, or the one below. Return: 0: no memory of GmAlloc(). */
static int find_memory(uint64_t address, struct unpu_kernel_memory_range *range)
{
	Ranges &all = ranges();
	const std::lock_guard lock(all.mutex);
	auto found = all.bytes.upper_bound(address);
	if (found == all.bytes.begin()) {
		*range = {0, 0};
		return 0;
	}
	--found;
	*range = {found->first, found->second};
	return address - found->first < found->second;
}

[[noreturn]] static void give_up(const char *kernel, uint64_t block, const char *sentence)
{
	std::fprintf(stderr, "kernel %s, block %llu: %s\n", kernel,
		     static_cast<unsigned long long>(block), sentence);
	std::abort();
}

/* A debugger then stops in the kernel. clang tells [[noreturn]] from the attribute of the service. */
static void __attribute__((noreturn))
fail(uint32_t, const char *file, uint32_t line, const char *sentence)
{
	const struct unpu_kernel_block &block = runner::Launch::current()->block;
	std::fflush(stdout);
	if (file != nullptr)
		std::fprintf(stderr, "%s:%u: ", file, line);
	give_up(block.kernel, block.index, sentence);
}

static struct unpu_kernel_services make_services()
{
	struct unpu_kernel_services all = runner::services();
	all.fail = fail;
	all.print = [](const char *text, size_t bytes) { std::fwrite(text, 1, bytes, stdout); };
	all.find_memory = find_memory;
	return all;
}

static uint32_t level_of_checks()
{
	const char *level = std::getenv("UNPU_KERNEL_CHECK");
	return level == nullptr || level[0] < '0' || level[0] > '3' || level[1] != '\0'
		       ? 1
		       : uint32_t(level[0] - '0');
}

void cpu::run(const unpu_kernel_entry &entry, uint32_t blocks, uint64_t key,
	      const unsigned char *args)
{
	// The chip that a device is unless it is asked to be another one.
	constexpr uint32_t CUBE_CORES = base::chip_named("Ascend910B3").cube_cores;
	static std::atomic<uint64_t> launches{0};
	struct unpu_kernel_launch head = {};
	head.blocks = blocks;
	head.check = level_of_checks();
	head.tiling_key = key;
	runner::Launch launch({entry, head, args, CUBE_CORES, ++launches, {}});
	launch.run();
	const runner::Failure &failure = launch.failure();
	if (failure.kind == 0)
		return;
	std::fflush(stdout);
	give_up(entry.name, failure.block, failure.sentence.c_str());
}

void *unpu_cpu_alloc(size_t bytes)
{
	static constexpr size_t ALIGNMENT = 512;
	const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	void *memory = std::aligned_alloc(ALIGNMENT, rounded == 0 ? ALIGNMENT : rounded);
	if (memory == nullptr)
		return nullptr;
	Ranges &all = ranges();
	const std::lock_guard lock(all.mutex);
	all.bytes[reinterpret_cast<uint64_t>(memory)] = bytes;
	return memory;
}

void unpu_cpu_free(void *memory)
{
	Ranges &all = ranges();
	const std::lock_guard lock(all.mutex);
	if (all.bytes.erase(reinterpret_cast<uint64_t>(memory)) != 0)
		std::free(memory);
}

void unpu_cpu_set_tiling_key(uint64_t key)
{
	tiling_key = key;
}

const struct unpu_kernel_services *unpu_cpu_services(void)
{
	static const struct unpu_kernel_services all = make_services();
	return &all;
}

int unpu_cpu_run(const char *kernel, uint32_t type, uint32_t blocks, void (*call)(void *),
		 void *context)
{
	if (blocks == 0 || blocks > 65535) {
		std::fprintf(stderr, "kernel %s: %u blocks, 1 to 65535 are possible\n", kernel,
			     blocks);
		return 1;
	}
	const Call what = {call, context};
	struct unpu_kernel_entry entry = {};
	entry.name = kernel;
	entry.type = type & ~UNPU_CPU_UB_310P;
	entry.flags = type & UNPU_CPU_UB_310P ? UNPU_KERNEL_HAS_UB_310P : 0;
	entry.run = [](const unsigned char *args) {
		const Call &own = *reinterpret_cast<const Call *>(args);
		own.function(own.context);
	};
	cpu::run(entry, blocks, tiling_key, reinterpret_cast<const unsigned char *>(&what));
	return 0;
}
