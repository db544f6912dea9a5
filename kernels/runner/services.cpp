// SPDX-License-Identifier: MIT
/**
 * DOC: What a launch gives to images
 */
#include <time.h>

#include "launch.h"

namespace runner {

static Launch &launch()
{
	return *Launch::current()->launch;
}

/* clang tells [[noreturn]] from the attribute of the service. */
static void __attribute__((noreturn))
fail(uint32_t failure, const char *file, uint32_t line, const char *sentence)
{
	launch().fail(failure, file, line, sentence);
}

static uint64_t now_ns()
{
	timespec now{};
	clock_gettime(CLOCK_MONOTONIC, &now);
	return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

static unpu_kernel_block *block_here()
{
	Instance *instance = Launch::current();
	return instance ? &instance->block : nullptr;
}

static void wait_at(const char *file, uint32_t line)
{
	Launch::current()->wait_at = {file, line};
}

unpu_kernel_services services()
{
	unpu_kernel_services all{};
	all.bytes = sizeof(all);
	all.block = block_here;
	all.yield = [] { launch().yield(); };
	all.barrier = [](uint32_t kind) { launch().barrier(kind); };
	all.flag_set = [](uint32_t mode, uint32_t id) { launch().flag_set(mode, id); };
	all.flag_wait = [](uint32_t id) { launch().flag_wait(id); };
	all.block_set = [](uint32_t of, uint32_t event) { launch().block_set(of, event); };
	all.block_wait = [](uint32_t of, uint32_t event) { launch().block_wait(of, event); };
	all.fail = fail;
	all.print = [](const char *text, size_t bytes) { launch().print(text, bytes); };
	all.observe = [](uint64_t address, uint64_t bytes, uint32_t write, const char *, uint32_t) {
		launch().observe(address, bytes, write);
	};
	all.now_ns = now_ns;
	all.atomic_begin = [] { launch().atomic.lock(); };
	all.atomic_end = [] { launch().atomic.unlock(); };
	all.wait_at = wait_at;
	return all;
}

} // namespace runner
