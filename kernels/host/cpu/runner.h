// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_HOST_CPU_RUNNER_H
#define UNPU_KERNELS_HOST_CPU_RUNNER_H

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <ucontext.h>

#include "base/chip/chip.h"
#include "kernels/abi/image.h"

namespace cpu {

// The number of cores of the default chip. If there are more blocks, they run in waves.
static constexpr uint32_t CUBE_CORES = base::chip_named("Ascend910B3").cube_cores;
static constexpr uint32_t VECTOR_CORES = 2 * CUBE_CORES;
static constexpr uint32_t FLAGS = 16;
static constexpr uint32_t FLAG_MAX = 15;

struct Launch {
	const char *kernel;
	uint32_t type; // enum unpu_kernel_type
	uint32_t blocks;
	uint32_t check;
	uint64_t tiling_key;
	std::function<void()> call;
	uint32_t ub_bytes = UNPU_KERNEL_UB_BYTES;
};

// Memories and stack of an instance; waves use them again.
struct Place {
	Place();
	~Place();
	Place(const Place &) = delete;
	Place &operator=(const Place &) = delete;

	// Moves the guard page behind UB.
	void set_ub(uint32_t bytes);

	unsigned char *stack;
	struct unpu_kernel_local local[UNPU_KERNEL_MEMORIES];
	unsigned char *state;
	unsigned char *memories; // all of them
	size_t all_bytes;
};

struct Instance {
	struct unpu_kernel_block block;
	ucontext_t context;
	uint32_t group = 0; // its number among the blocks
	bool has_ended = false;
	bool waits = false;		 // for another instance, in a call of the runner
	const char *wait_file = nullptr; // where it waits
	uint32_t wait_line = 0;
	uint32_t flags[FLAGS] = {};
	uint32_t sets[3][FLAGS] =
		{}; // by mode: how often it has set a flag that some other instance has not set yet
};

// Runs the instances of a launch as fibers of the calling thread. A failed check ends the process with SIGABRT.
class Runner {
public:
	explicit Runner(const Launch &launch) : launch_(launch) {}

	void run();

	// The runner of the thread while it runs a launch.
	static Runner &current();
	static const struct unpu_kernel_services *services();

	struct unpu_kernel_block *block();
	void yield();
	void barrier(uint32_t kind);
	void set_flag(uint32_t mode, uint32_t id);
	void wait_flag(uint32_t id);
	void set_block(uint32_t block, uint32_t event);
	void wait_block(uint32_t block, uint32_t event);
	void wait_at(const char *file, uint32_t line);
	[[noreturn]] void fail(const char *file, uint32_t line, const char *sentence);

private:
	static void enter();
	void run_wave(uint32_t first, uint32_t count);
	void add_instance(uint32_t group, uint32_t core, uint32_t sub);
	void switch_in_turn();
	void wait_until(const std::function<bool()> &is_over, const char *what);
	std::vector<Instance *> reached_by(uint32_t mode);

	const Launch &launch_;
	uint64_t number_ = 0; // of the launch
	ucontext_t scheduler_;
	std::deque<Instance> instances_;
	Instance *running_ = nullptr;
	bool has_progress_ = false;
	uint32_t arrived_[2][2] = {}; // [kind of barrier][kind of core]
	uint64_t generation_[2][2] = {};
	std::map<std::pair<uint32_t, uint32_t>, uint32_t> events_;
};

// Memory of GmAlloc(): the range that holds an address, or 0.
int find_memory(uint64_t address, struct unpu_kernel_memory_range *range);

} // namespace cpu

#endif // UNPU_KERNELS_HOST_CPU_RUNNER_H
