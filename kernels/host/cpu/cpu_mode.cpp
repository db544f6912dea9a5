// SPDX-License-Identifier: MIT
/**
 * DOC: Functions of CPU mode
 *
 * What tikicpulib.h declares: memory that kernels may use, and launches.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "kernels/host/cpu/runner.h"
#include "kernels/host/include/unpu_cpu_mode.h"

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

} // namespace

int cpu::find_memory(uint64_t address, struct unpu_kernel_memory_range *range)
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
	return cpu::Runner::services();
}

static uint32_t level_of_checks()
{
	const char *level = std::getenv("UNPU_KERNEL_CHECK");
	return level == nullptr || level[0] < '0' || level[0] > '3' || level[1] != '\0'
		       ? 1
		       : uint32_t(level[0] - '0');
}

int unpu_cpu_run(const char *kernel, uint32_t type, uint32_t blocks, void (*call)(void *),
		 void *context)
{
	if (blocks == 0 || blocks > 65535) {
		std::fprintf(stderr, "kernel %s: %u blocks, 1 to 65535 are possible\n", kernel,
			     blocks);
		return 1;
	}
	const cpu::Launch launch = {kernel,
				    type & ~UNPU_CPU_UB_310P,
				    blocks,
				    level_of_checks(),
				    tiling_key,
				    [=] { call(context); },
				    type & UNPU_CPU_UB_310P ? UNPU_KERNEL_UB_310P_BYTES
							    : UNPU_KERNEL_UB_BYTES};
	cpu::Runner(launch).run();
	return 0;
}
