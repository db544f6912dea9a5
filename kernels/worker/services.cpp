// SPDX-License-Identifier: MIT
/**
 * DOC: What a worker gives to images
 */
#include <time.h>

#include "base/sync/ordering.h"
#include "session.h"

namespace worker {

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

static unpu_kernel_services &all_services()
{
	static unpu_kernel_services all = {
		.bytes = sizeof(unpu_kernel_services),
		.observes = 0,
		.block = [] { return &Launch::current()->block; },
		.yield = [] { launch().yield(); },
		.barrier = [](uint32_t kind) { launch().barrier(kind); },
		.flag_set = [](uint32_t mode, uint32_t id) { launch().flag_set(mode, id); },
		.flag_wait = [](uint32_t id) { launch().flag_wait(id); },
		.block_set = [](uint32_t block,
				uint32_t event) { launch().block_set(block, event); },
		.block_wait = [](uint32_t block,
				 uint32_t event) { launch().block_wait(block, event); },
		.fail = fail,
		.print = [](const char *text, size_t bytes) { launch().print(text, bytes); },
		.find_memory =
			[](uint64_t address, unpu_kernel_memory_range *range) {
				Launch &running = launch();
				return static_cast<int>(running.session().find_memory(
					address, running.freed_objects(), *range,
					running.is_exact()));
			},
		.observe = [](uint64_t address, uint64_t bytes, uint32_t write, const char *,
			      uint32_t) { launch().observe(address, bytes, write); },
		.now_ns = now_ns,
		.atomic_begin = [] { launch().atomic.lock(); },
		.atomic_end = [] { launch().atomic.unlock(); },
		.asked_bytes =
			[](const unpu_kernel_memory_range *range) {
				return launch().session().asked_bytes(*range);
			},
		.wait_at =
			[](const char *file, uint32_t line) {
				Launch::current()->wait_at = {file, line};
			},
	};
	return all;
}

const unpu_kernel_services &services()
{
	return all_services();
}

void begin_to_observe()
{
	base::store_relaxed(all_services().observes, uint32_t{1});
}

} // namespace worker
