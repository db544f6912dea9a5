// SPDX-License-Identifier: MIT
/*
 * DOC: Times of launches
 *
 * Prints how long an empty launch takes beside a round trip of two futexes with another process. Nothing is asserted,
 * so the test is disabled: --gtest_also_run_disabled_tests --gtest_filter='KernelTimes.*'
 */
#include <algorithm>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sync/futex.h"
#include "base/sync/ordering.h"
#include "kernel_client.h"

namespace {

using namespace kernels;

constexpr unsigned ROUNDS = 2000;
constexpr unsigned QUEUED = 12;

/* The median of what @round takes, in ns. */
template <class Round> uint64_t median_ns(Round round)
{
	std::vector<uint64_t> times(ROUNDS);
	for (uint64_t &time : times) {
		const uint64_t start_ns = base::now_ns();
		round();
		time = base::now_ns() - start_ns;
	}
	std::nth_element(times.begin(), times.begin() + ROUNDS / 2, times.end());
	return times[ROUNDS / 2];
}

uint64_t futex_round_trip_ns()
{
	void *shared =
		mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	auto *words = static_cast<uint32_t *>(shared);
	const pid_t child = fork();
	if (child == 0) {
		for (uint32_t i = 0; i < ROUNDS; i++) {
			while (base::load_acquire(words[0]) == i)
				(void)base::futex_wait(words[0], i, base::NO_DEADLINE, true);
			base::store_release(words[16], i + 1);
			base::futex_wake_all(words[16], true);
		}
		_exit(0);
	}
	uint32_t turn = 0;
	const uint64_t time = median_ns([&] {
		base::store_release(words[0], ++turn);
		base::futex_wake_all(words[0], true);
		while (base::load_acquire(words[16]) != turn)
			(void)base::futex_wait(words[16], turn - 1, base::NO_DEADLINE, true);
	});
	waitpid(child, nullptr, 0);
	munmap(shared, 4096);
	return time;
}

TEST(KernelTimes, DISABLED_Launch)
{
	const uint64_t limit = futex_round_trip_ns();
	KernelClient client;
	client.load_good();
	Memory memory = client.memory(4096);
	const std::vector<uint64_t> args = {memory.va, 1};
	const uint64_t one = median_ns([&] { EXPECT_EQ(client.run("poke", 1, args), Status::OK); });
	const uint64_t many = median_ns([&] {
		for (unsigned i = 0; i < QUEUED; i++)
			client.launch("poke", 1, args);
		EXPECT_EQ(client.channel().finish(), Status::OK);
	});
	printf("futex round trip %.1f us, launch and wait %.1f us, each of %u queued %.1f us\n",
	       static_cast<double>(limit) / 1e3, static_cast<double>(one) / 1e3, QUEUED,
	       static_cast<double>(many) / 1e3 / QUEUED);
}

} // namespace
