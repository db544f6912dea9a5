// SPDX-License-Identifier: MIT
/**
 * DOC: Machine
 *
 * The time that two CPUs need to answer each other, which is the lower bound of every round trip to
 * a polled device. Three exchanges: one cache line, a 64-byte descriptor that is answered by a
 * completion word, and 4 KiB that one side writes and the other copies. Both sides poll with a
 * pause instruction, each on a CPU of its own. The same when both sides sleep, on two CPUs and on
 * one. Also a call that loads a word, which is the lower bound of a query.
 */
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

#include <sched.h>

#include "base/sync/futex.h"
#include "base/sync/ordering.h"

namespace bench {

namespace {

/* Two lines, because CPUs prefetch lines in pairs. */
constexpr size_t APART_BYTES = 128;
constexpr unsigned SLOTS = 64;
constexpr size_t PAGE_BYTES = 4096;

struct alignas(APART_BYTES) Word {
	uint64_t value = 0;
	uint32_t low = 0; /* for a futex */
};

struct alignas(64) Descriptor {
	uint64_t payload[7] = {};
	uint64_t valid = 0;
};

struct Board {
	Word line;
	Word done;
	Word sum; /* keeps the answerer's reads alive */
	alignas(APART_BYTES) Descriptor ring[SLOTS];
	alignas(PAGE_BYTES) std::byte page[PAGE_BYTES];
	alignas(PAGE_BYTES) std::byte copy[PAGE_BYTES];
};

void wait_for(const uint64_t &word, uint64_t value)
{
	while (base::load_acquire(word) != value)
		base::cpu_relax();
}

/* One line there and back. */
struct LineTrip {
	static void ask(Board &board, uint64_t trip)
	{
		base::store_release(board.line.value, 2 * trip - 1);
		wait_for(board.line.value, 2 * trip);
	}

	static void answer(Board &board, uint64_t trip)
	{
		wait_for(board.line.value, 2 * trip - 1);
		base::store_release(board.line.value, 2 * trip);
	}
};

/* A descriptor with its valid word inside, answered by a completion word in a line of its own. */
struct DescriptorTrip {
	static void ask(Board &board, uint64_t trip)
	{
		Descriptor &slot = board.ring[trip % SLOTS];
		for (uint64_t &word : slot.payload)
			base::store_relaxed(word, trip);
		base::store_release(slot.valid, trip);
		wait_for(board.done.value, trip);
	}

	static void answer(Board &board, uint64_t trip)
	{
		const Descriptor &slot = board.ring[trip % SLOTS];
		wait_for(slot.valid, trip);
		uint64_t sum = 0;
		for (const uint64_t &word : slot.payload)
			sum += base::load_relaxed(word);
		board.sum.value = sum;
		base::store_release(board.done.value, trip);
	}
};

/* 4 KiB that are copied on the other side. */
struct PageTrip {
	static void ask(Board &board, uint64_t trip)
	{
		memset(board.page, static_cast<int>(trip), sizeof(board.page));
		base::store_release(board.line.value, trip);
		wait_for(board.done.value, trip);
	}

	static void answer(Board &board, uint64_t trip)
	{
		wait_for(board.line.value, trip);
		memcpy(board.copy, board.page, sizeof(board.copy));
		base::store_release(board.done.value, trip);
	}
};

/* Both sides sleep until they are woken. */
struct FutexTrip {
	static void ask(Board &board, uint64_t trip)
	{
		tell(board.line, trip);
		hear(board.done, trip);
	}

	static void answer(Board &board, uint64_t trip)
	{
		hear(board.line, trip);
		tell(board.done, trip);
	}

private:
	static void tell(Word &word, uint64_t trip)
	{
		base::store_release(word.low, static_cast<uint32_t>(trip));
		base::futex_wake_all(word.low, false);
	}

	static void hear(const Word &word, uint64_t trip)
	{
		uint32_t seen;
		while ((seen = base::load_acquire(word.low)) != static_cast<uint32_t>(trip))
			(void)base::futex_wait(word.low, seen, base::NO_DEADLINE, false);
	}
};

/* A call that stays one, as those into a library are. */
[[gnu::noinline]] uint64_t load_word(const uint64_t *word)
{
	return base::load_acquire(*word);
}

Summary measure_call(const Effort &effort)
{
	const uint64_t word = 1;
	uint64_t sum = 0;
	const Plan plan{256, effort.scaled(200), 256, 0};
	Summary summary = measure(plan, [&] { sum += load_word(&word); });
	if (sum == 0)
		std::abort();
	return summary;
}

template <class Trip> Summary ping_pong(const Plan &plan, int ask_cpu, int answer_cpu)
{
	auto board = std::make_unique<Board>();
	Summary summary;
	std::thread answerer([&] {
		pin_thread(answer_cpu);
		for (uint64_t trip = 1; trip <= plan.operations(); trip++)
			Trip::answer(*board, trip);
	});
	/* In a thread too, so that the main thread stays free to run where it likes. */
	std::thread asker([&] {
		pin_thread(ask_cpu);
		uint64_t trip = 0;
		summary = measure(plan, [&] { Trip::ask(*board, ++trip); });
	});
	asker.join();
	answerer.join();
	return summary;
}

} // namespace

std::vector<int> usable_cpus()
{
	cpu_set_t set;
	std::vector<int> cpus;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return {0};
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &set))
			cpus.push_back(cpu);
	}
	return cpus;
}

void pin_thread(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) == 0)
		return;
	std::fprintf(stderr, "latency: CPU %d can't be had\n", cpu);
	std::exit(1);
}

void measure_machine(const Effort &effort, Round &round)
{
	const std::vector<int> cpus = usable_cpus();
	round.push_back({KEY_CALL, "a call that loads one word", measure_call(effort)});
	const Plan sleeping{50, effort.scaled(50), 20, effort.scaled(1000)};
	round.push_back({KEY_FUTEX_ONE_CPU, "futex, there and back on one CPU",
			 ping_pong<FutexTrip>(sleeping, cpus.back(), cpus.back())});
	if (cpus.size() < 2)
		return;
	round.push_back({KEY_FUTEX, "futex, there and back",
			 ping_pong<FutexTrip>(sleeping, cpus[0], cpus[1])});
	const Plan plan{1000, effort.scaled(400), 50, effort.scaled(8000)};
	round.push_back({KEY_LINE, "one line, there and back",
			 ping_pong<LineTrip>(plan, cpus[0], cpus[1])});
	round.push_back({KEY_DESCRIPTOR, "64-byte descriptor, completion word back (base)",
			 ping_pong<DescriptorTrip>(plan, cpus[0], cpus[1])});
	round.push_back({KEY_PAGE, "4 KiB written here, copied there (base)",
			 ping_pong<PageTrip>(plan, cpus[0], cpus[1])});
	measure_ring(effort, 1, round);
	measure_ring(effort, 8, round);
}

} // namespace bench
