// SPDX-License-Identifier: MIT
/**
 * DOC: Runner of CPU mode
 *
 * In CPU mode kernels are functions of the program, so that a debugger sees both. All instances of a launch are fibers
 * of the thread that launches: they run in turn, each until it ends or has to wait for another one.
 */
#include "kernels/host/cpu/runner.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cpu {

static constexpr size_t STACK_BYTES = 1u << 20;
static constexpr size_t LOCAL_BYTES[UNPU_KERNEL_MEMORIES] = {UNPU_KERNEL_UB_310P_BYTES, 524288,
							     65536, 65536, 131072};

static Runner *runner_of_thread;

// Each memory is aligned to pages of the system, and has an inaccessible page at both ends. All sizes are multiples of
// each possible page size, except that of the state, which comes last.
Place::Place()
{
	const size_t page = getauxval(AT_PAGESZ);
	all_bytes = STACK_BYTES + 2 * page + UNPU_KERNEL_STATE_BYTES;
	for (const size_t bytes : LOCAL_BYTES)
		all_bytes += bytes + page;
	void *memory = mmap(nullptr, all_bytes, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		std::perror("tikicpulib: memory of a block");
		std::abort();
	}
	memories = static_cast<unsigned char *>(memory);
	unsigned char *at = memories + page;
	const auto take = [&at, page](size_t bytes) {
		unsigned char *taken = at;
		if (mprotect(taken, bytes, PROT_READ | PROT_WRITE) != 0)
			std::abort();
		at += bytes + page;
		return taken;
	};
	stack = take(STACK_BYTES);
	for (size_t i = 0; i < UNPU_KERNEL_MEMORIES; i++)
		local[i] = {take(LOCAL_BYTES[i]), LOCAL_BYTES[i]};
	state = take(UNPU_KERNEL_STATE_BYTES);
}

void Place::set_ub(uint32_t bytes)
{
	unpu_kernel_local &ub = local[UNPU_KERNEL_UB];
	if (ub.bytes == bytes)
		return;
	const int access = bytes > UNPU_KERNEL_UB_BYTES ? PROT_READ | PROT_WRITE : PROT_NONE;
	if (mprotect(ub.base + UNPU_KERNEL_UB_BYTES,
		     UNPU_KERNEL_UB_310P_BYTES - UNPU_KERNEL_UB_BYTES, access) != 0)
		std::abort();
	ub.bytes = bytes;
}

Place::~Place()
{
	munmap(memories, all_bytes);
}

// The memories are kept for the next launch of the program.
static Place &place(size_t number)
{
	static std::vector<std::unique_ptr<Place>> *places =
		new std::vector<std::unique_ptr<Place>>;
	while (places->size() <= number)
		places->push_back(std::make_unique<Place>());
	return *(*places)[number];
}

static bool is_mix(uint32_t type)
{
	return type == UNPU_KERNEL_MIX_AIC_1_1 || type == UNPU_KERNEL_MIX_AIC_1_2;
}

static uint32_t vectors_of_group(uint32_t type)
{
	if (type == UNPU_KERNEL_AIC_ONLY || type == UNPU_KERNEL_MIX_AIC_1_0)
		return 0;
	return type == UNPU_KERNEL_MIX_AIC_1_2 ? 2 : 1;
}

static bool has_cube(uint32_t type)
{
	return type == UNPU_KERNEL_AIC_ONLY || type == UNPU_KERNEL_MIX_AIC_1_0 || is_mix(type);
}

void Runner::run()
{
	static uint64_t launches = 0;
	number_ = ++launches;
	Runner *outer = runner_of_thread;
	runner_of_thread = this;
	const uint32_t wave = has_cube(launch_.type) ? CUBE_CORES : VECTOR_CORES;
	for (uint32_t first = 0; first < launch_.blocks; first += wave)
		run_wave(first, std::min(wave, launch_.blocks - first));
	runner_of_thread = outer;
}

Runner &Runner::current()
{
	return *runner_of_thread;
}

void Runner::enter()
{
	Runner &runner = current();
	runner.launch_.call();
	runner.running_->has_ended = true;
	runner.has_progress_ = true;
	swapcontext(&runner.running_->context, &runner.scheduler_);
	std::abort();
}

void Runner::add_instance(uint32_t group, uint32_t core, uint32_t sub)
{
	Place &where = place(instances_.size());
	instances_.emplace_back();
	Instance &instance = instances_.back();
	const uint32_t vectors = std::max(vectors_of_group(launch_.type), 1u);
	const uint32_t of_kind = core == UNPU_KERNEL_CORE_AIV ? vectors : 1;
	instance.group = group;
	instance.block = {};
	instance.block.index = uint64_t(group) * of_kind + sub;
	instance.block.count = launch_.blocks;
	instance.block.sub_index = sub;
	instance.block.sub_count = of_kind;
	instance.block.core = core;
	instance.block.type = launch_.type;
	instance.block.check = launch_.check;
	instance.block.exact = launch_.check > 1;
	instance.block.tiling_key = launch_.tiling_key;
	where.set_ub(launch_.ub_bytes);
	memcpy(instance.block.local, where.local, sizeof(where.local));
	memset(where.state, 0, UNPU_KERNEL_STATE_BYTES);
	instance.block.state = where.state;
	instance.block.kernel = launch_.kernel;
	instance.block.launch = number_;
	getcontext(&instance.context);
	instance.context.uc_stack = {where.stack, 0, STACK_BYTES};
	instance.context.uc_link = nullptr;
	makecontext(&instance.context, &Runner::enter, 0);
}

void Runner::run_wave(uint32_t first, uint32_t count)
{
	instances_.clear();
	for (uint32_t group = first; group < first + count; group++) {
		if (has_cube(launch_.type))
			add_instance(group, UNPU_KERNEL_CORE_AIC, 0);
		for (uint32_t sub = 0; sub < vectors_of_group(launch_.type); sub++)
			add_instance(group, UNPU_KERNEL_CORE_AIV, sub);
	}
	switch_in_turn();
}

// It is a deadlock if all remaining instances wait, and none of them made progress in a round.
void Runner::switch_in_turn()
{
	for (;;) {
		bool has_living = false;
		bool all_wait = true;
		has_progress_ = false;
		for (Instance &instance : instances_) {
			if (instance.has_ended)
				continue;
			has_living = true;
			running_ = &instance;
			swapcontext(&scheduler_, &instance.context);
			all_wait = all_wait && (instance.waits || instance.has_ended);
		}
		if (!has_living) {
			running_ = nullptr;
			return;
		}
		if (all_wait && !has_progress_)
			fail(running_->wait_file, running_->wait_line,
			     "all blocks that have not ended wait for each other");
	}
}

struct unpu_kernel_block *Runner::block()
{
	return running_ ? &running_->block : nullptr;
}

void Runner::wait_at(const char *file, uint32_t line)
{
	running_->wait_file = file;
	running_->wait_line = line;
}

void Runner::yield()
{
	Instance *self = running_;
	swapcontext(&self->context, &scheduler_);
}

void Runner::wait_until(const std::function<bool()> &is_over, const char *what)
{
	(void)what;
	while (!is_over()) {
		running_->waits = true;
		yield();
	}
	running_->waits = false;
	has_progress_ = true;
}

void Runner::barrier(uint32_t kind)
{
	const uint32_t core = kind == UNPU_KERNEL_SYNC_ALL ? 0 : running_->block.core;
	uint32_t total = 0;
	for (const Instance &instance : instances_)
		total += kind == UNPU_KERNEL_SYNC_ALL || instance.block.core == core;
	uint64_t &generation = generation_[kind][core];
	if (++arrived_[kind][core] == total) {
		arrived_[kind][core] = 0;
		generation++;
		has_progress_ = true;
		return;
	}
	const uint64_t mine = generation;
	wait_until([&] { return generation != mine; }, "a barrier");
}

// The instances that have to set a flag of this mode, and those that can wait for it afterwards.
std::vector<Instance *> Runner::reached_by(uint32_t mode)
{
	std::vector<Instance *> found;
	const Instance &self = *running_;
	for (Instance &instance : instances_) {
		const bool is_same_kind = instance.block.core == self.block.core;
		const bool is_same_group = instance.group == self.group;
		if ((mode == 0 && is_same_kind) || (mode == 1 && is_same_kind && is_same_group) ||
		    (mode == 2 && !is_same_kind && is_same_group))
			found.push_back(&instance);
	}
	return found;
}

void Runner::set_flag(uint32_t mode, uint32_t id)
{
	if (mode > 2 || id >= FLAGS)
		fail(nullptr, 0, "a flag between cores has a mode above 2 or a number above 15");
	running_->sets[mode][id]++;
	has_progress_ = true;
	std::vector<Instance *> setters;
	for (Instance &instance : instances_)
		if (instance.block.core == running_->block.core &&
		    (mode == 0 || instance.group == running_->group))
			setters.push_back(&instance);
	for (const Instance *setter : setters)
		if (setter->sets[mode][id] == 0)
			return;
	for (Instance *setter : setters)
		setter->sets[mode][id]--;
	for (Instance *instance : reached_by(mode))
		if (++instance->flags[id] > FLAG_MAX)
			fail(nullptr, 0, "a flag between cores was set 16 times without a wait");
}

void Runner::wait_flag(uint32_t id)
{
	if (id >= FLAGS)
		fail(nullptr, 0, "a flag between cores has a number above 15");
	Instance *self = running_;
	wait_until([&] { return self->flags[id] != 0; }, "a flag");
	self->flags[id]--;
}

void Runner::set_block(uint32_t block, uint32_t event)
{
	events_[{block, event}]++;
	has_progress_ = true;
}

void Runner::wait_block(uint32_t block, uint32_t event)
{
	uint32_t &count = events_[{block, event}];
	wait_until([&] { return count != 0; }, "a flag of a block");
	count--;
}

void Runner::fail(const char *file, uint32_t line, const char *sentence)
{
	const unsigned long long index = running_ == nullptr ? 0 : running_->block.index;
	std::fflush(stdout);
	if (file != nullptr)
		std::fprintf(stderr, "%s:%u: ", file, line);
	std::fprintf(stderr, "kernel %s, block %llu: %s\n", launch_.kernel, index, sentence);
	std::abort();
}

static uint64_t now_ns()
{
	timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return uint64_t(now.tv_sec) * 1000000000u + uint64_t(now.tv_nsec);
}

static void print(const char *text, size_t bytes)
{
	std::fwrite(text, 1, bytes, stdout);
}

/* For clang, [[noreturn]] and __attribute__((noreturn)) give different types. The service has the attribute. */
static void __attribute__((noreturn))
give_up(uint32_t, const char *file, uint32_t line, const char *text)
{
	Runner::current().fail(file, line, text);
}

const struct unpu_kernel_services *Runner::services()
{
	static const struct unpu_kernel_services table = {
		sizeof(table),
		0,
		[] { return current().block(); },
		[] { current().yield(); },
		[](uint32_t kind) { current().barrier(kind); },
		[](uint32_t mode, uint32_t id) { current().set_flag(mode, id); },
		[](uint32_t id) { current().wait_flag(id); },
		[](uint32_t block, uint32_t event) { current().set_block(block, event); },
		[](uint32_t block, uint32_t event) { current().wait_block(block, event); },
		give_up,
		print,
		find_memory,
		[](uint64_t, uint64_t, uint32_t, const char *, uint32_t) {},
		now_ns,
		[] {},
		[] {},
		nullptr, /* an allocation has no bytes that the program did not ask for */
		[](const char *file, uint32_t line) { current().wait_at(file, line); },
	};
	return &table;
}

} // namespace cpu
