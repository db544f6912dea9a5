// SPDX-License-Identifier: MIT
/*
 * DOC: Block host
 *
 * The fibers of the host, and the services: waits between blocks are loops that let the other fibers run. A launch in
 * which no fiber gets any further fails as a deadlock.
 */
#include "block_host.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "kernel_operator.h"

#ifdef UNPU_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace kernel_test {

namespace {

constexpr size_t STACK_BYTES = 512 * 1024;
constexpr uint64_t LOCAL_BYTES[UNPU_KERNEL_MEMORIES] = {196608, 524288, 65536, 65536, 131072};
/* Turns of all fibers without any progress, after which the launch is a deadlock. */
constexpr uint32_t PATIENCE = 10000;

} // namespace

struct Fiber {
	unpu_kernel_block block = {};
	ucontext_t context = {};
	void *stack = nullptr;
	unsigned char *memory = nullptr;
	size_t memory_bytes = 0;
	bool is_done = false;
	std::map<uint32_t, std::pair<uint32_t, uint32_t>>
		flags;		       /* of an id: how often it was set, how often it has to be */
	uint32_t barriers[2] = {0, 0}; /* how many this one has reached */
	void *fake_stack = nullptr;

	~Fiber()
	{
		munmap(memory, memory_bytes);
		munmap(stack, STACK_BYTES);
	}
};

struct Scheduler {
	BlockHost *host = nullptr;
	Fiber *current = nullptr;
	ucontext_t context = {};
	uint64_t progress = 0;
	std::map<std::pair<uint32_t, uint32_t>, uint32_t> block_flags;
	const std::function<void()> *kernel = nullptr;
	const void *stack_bottom = nullptr;
	size_t stack_bytes = 0;
};

static Scheduler scheduler;

/* Leaves the fiber for the scheduler. @is_last: the fiber does not come back. */
static void leave(bool is_last)
{
	Fiber *fiber = scheduler.current;

#ifdef UNPU_ASAN
	__sanitizer_start_switch_fiber(is_last ? nullptr : &fiber->fake_stack,
				       scheduler.stack_bottom, scheduler.stack_bytes);
#else
	(void)is_last;
#endif
	swapcontext(&fiber->context, &scheduler.context);
#ifdef UNPU_ASAN
	__sanitizer_finish_switch_fiber(fiber->fake_stack, nullptr, nullptr);
#endif
}

struct HostServices {
	static unpu_kernel_block *block()
	{
		return scheduler.current ? &scheduler.current->block : nullptr;
	}
	static void yield() { leave(false); }

	template <class Condition> static void wait_until(Condition condition)
	{
		while (!condition())
			leave(false);
		scheduler.progress++;
	}

	static void barrier(uint32_t kind)
	{
		Fiber *me = scheduler.current;
		const uint32_t wanted = ++me->barriers[kind];

		wait_until([=] {
			for (const auto &fiber : scheduler.host->fibers_)
				if ((kind == UNPU_KERNEL_SYNC_ALL ||
				     fiber->block.core == me->block.core) &&
				    fiber->barriers[kind] < wanted)
					return false;
			return true;
		});
	}

	static uint64_t group_of(const unpu_kernel_block &of)
	{
		return of.core == UNPU_KERNEL_CORE_AIC
			       ? of.index
			       : of.index / (of.sub_count ? of.sub_count : 1);
	}

	/* Whether @setter tells @waiter when it sets a flag of this mode. */
	static bool tells(uint32_t mode, const unpu_kernel_block &setter,
			  const unpu_kernel_block &waiter)
	{
		const bool is_same_group = group_of(setter) == group_of(waiter);
		const bool is_same_kind = setter.core == waiter.core;

		return mode == 0   ? is_same_kind
		       : mode == 1 ? is_same_group && is_same_kind
				   : is_same_group && !is_same_kind;
	}
	/* All cores that tell a core have to set the flag before it goes on. */
	static void flag_set(uint32_t mode, uint32_t id)
	{
		for (const auto &fiber : scheduler.host->fibers_) {
			uint32_t tellers = 0;

			if (!tells(mode, scheduler.current->block, fiber->block))
				continue;
			for (const auto &other : scheduler.host->fibers_)
				tellers += tells(mode, other->block, fiber->block);
			fiber->flags[id].first++;
			fiber->flags[id].second = tellers;
		}
		scheduler.progress++;
	}
	static void flag_wait(uint32_t id)
	{
		std::pair<uint32_t, uint32_t> &flag = scheduler.current->flags[id];

		wait_until([&] { return flag.second > 0 && flag.first >= flag.second; });
		flag.first -= flag.second;
	}

	static void block_set(uint32_t of, uint32_t event)
	{
		scheduler.block_flags[{of, event}]++;
		scheduler.progress++;
	}
	static void block_wait(uint32_t of, uint32_t event)
	{
		wait_until([=] { return scheduler.block_flags[{of, event}] > 0; });
		scheduler.block_flags[{of, event}]--;
	}

	[[noreturn]] static void fail(uint32_t failure, const char *file, uint32_t line,
				      const char *sentence)
	{
		scheduler.host->failure_ = {failure, scheduler.current->block.index,
					    file ? file : "", line, sentence};
		scheduler.current->is_done = true;
		leave(true);
		abort();
	}

	static void print(const char *text, size_t bytes)
	{
		scheduler.host->output_.append(text, bytes);
	}

	static int find_memory(uint64_t address, unpu_kernel_memory_range *range)
	{
		*range = {0, 0};
		for (const unpu_kernel_memory_range &known : scheduler.host->ranges_) {
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
		scheduler.host->observed_.push_back({address, bytes, write, line});
	}

	/* A clock that a test can rely on: it goes on by 1 us at each look. */
	static uint64_t now_ns()
	{
		static uint64_t now = 0;

		return now += 1000;
	}
	static void atomic_begin() {}
	static void atomic_end() {}
};

static unpu_kernel_services services_of_host = {
	sizeof(unpu_kernel_services),
	0,
	HostServices::block,
	HostServices::yield,
	HostServices::barrier,
	HostServices::flag_set,
	HostServices::flag_wait,
	HostServices::block_set,
	HostServices::block_wait,
	HostServices::fail,
	HostServices::print,
	HostServices::find_memory,
	HostServices::observe,
	HostServices::now_ns,
	HostServices::atomic_begin,
	HostServices::atomic_end,
	nullptr,
	[](const char *, uint32_t) {},
};

BlockHost::BlockHost(uint32_t level) : level_(level)
{
	scheduler.host = this;
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

void BlockHost::add_block(uint64_t index, uint64_t count, uint32_t core, uint32_t sub_index,
			  uint32_t sub_count)
{
	auto fiber = std::make_unique<Fiber>();
	size_t bytes = UNPU_KERNEL_STATE_BYTES;

	for (uint64_t local : LOCAL_BYTES)
		bytes += local;
	fiber->memory_bytes = bytes;
	fiber->memory = static_cast<unsigned char *>(
		mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	fiber->stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fiber->block.index = index;
	fiber->block.count = count;
	fiber->block.sub_index = sub_index;
	fiber->block.sub_count = sub_count;
	fiber->block.core = core;
	fiber->block.type = type;
	fiber->block.check = level_;
	fiber->block.exact = level_ > 1;
	fiber->block.saturate = saturate;
	fiber->block.tiling_key = tiling_key;
	fiber->block.workspace = workspace;
	fiber->block.kernel = "kernel";
	fiber->block.launch = launch_;
	fiber->block.state = fiber->memory;
	unsigned char *next = fiber->memory + UNPU_KERNEL_STATE_BYTES;

	for (uint32_t i = 0; i < UNPU_KERNEL_MEMORIES; i++) {
		fiber->block.local[i] = {next, LOCAL_BYTES[i]};
		next += LOCAL_BYTES[i];
	}
	/* What a kernel before has left. */
	memset(fiber->block.local[UNPU_KERNEL_UB].base, 0xa5, LOCAL_BYTES[UNPU_KERNEL_UB]);
	fibers_.push_back(std::move(fiber));
}

void BlockHost::start_blocks(uint32_t blocks)
{
	const uint32_t vectors = type == AscendC::KERNEL_TYPE_MIX_AIC_1_2 ? 2
				 : type == AscendC::KERNEL_TYPE_MIX_AIC_1_1 ||
						 type == AscendC::KERNEL_TYPE_AIV_ONLY ||
						 type == AscendC::KERNEL_TYPE_MIX_AIV_1_0
					 ? 1
					 : 0;
	const bool has_cube =
		type != AscendC::KERNEL_TYPE_AIV_ONLY && type != AscendC::KERNEL_TYPE_MIX_AIV_1_0;

	for (uint32_t i = 0; i < blocks; i++) {
		if (has_cube)
			add_block(i, blocks, UNPU_KERNEL_CORE_AIC, 0, 1);
		for (uint32_t k = 0; k < vectors; k++)
			add_block(uint64_t(i) * vectors + k, blocks, UNPU_KERNEL_CORE_AIV, k,
				  vectors);
	}
}

static void run_fiber(void)
{
#ifdef UNPU_ASAN
	__sanitizer_finish_switch_fiber(nullptr, &scheduler.stack_bottom, &scheduler.stack_bytes);
#endif
	unpu::lang::run_kernel(*scheduler.kernel);
	scheduler.current->is_done = true;
	scheduler.progress++;
	leave(true);
}

void BlockHost::enter(Fiber &fiber)
{
	scheduler.current = &fiber;
	scheduler.kernel = kernel_;
#ifdef UNPU_ASAN
	void *saved = nullptr;

	__sanitizer_start_switch_fiber(&saved, fiber.stack, STACK_BYTES);
#endif
	swapcontext(&scheduler.context, &fiber.context);
#ifdef UNPU_ASAN
	__sanitizer_finish_switch_fiber(saved, nullptr, nullptr);
#endif
	scheduler.current = nullptr;
}

bool BlockHost::run(uint32_t blocks, const std::function<void()> &kernel)
{
	static uint64_t launches = 0;
	uint32_t idle = 0;

	failure_ = {};
	output_.clear();
	observed_.clear();
	launch_ = ++launches;
	kernel_ = &kernel;
	scheduler.host = this;
	scheduler.block_flags.clear();
	start_blocks(blocks);
	for (const auto &fiber : fibers_) {
		getcontext(&fiber->context);
		fiber->context.uc_stack.ss_sp = fiber->stack;
		fiber->context.uc_stack.ss_size = STACK_BYTES;
		fiber->context.uc_link = nullptr;
		makecontext(&fiber->context, run_fiber, 0);
	}
	while (failure_.kind == 0 &&
	       !std::all_of(fibers_.begin(), fibers_.end(),
			    [](const auto &fiber) { return fiber->is_done; })) {
		const uint64_t before = scheduler.progress;

		for (const auto &fiber : fibers_)
			if (!fiber->is_done && failure_.kind == 0)
				enter(*fiber);
		idle = scheduler.progress == before ? idle + 1 : 0;
		if (idle > PATIENCE && failure_.kind == 0)
			failure_ = {UNPU_KERNEL_FAIL_DEADLOCK, 0, "", 0, "all blocks wait"};
	}
	fibers_.clear();
	return failure_.kind == 0;
}

} // namespace kernel_test
