// SPDX-License-Identifier: MIT
/**
 * DOC: Biased lock litmus
 *
 * L1 and L2 of base/sync/biased_lock.h: an owner takes the lock as fast as it can, other threads
 * revoke its bias at any point, and the lock protects a word that is not atomic.
 */
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "base/sync/biased_lock.h"
#include "hammer.h"

namespace {

using litmus::FENCE_ROUNDS;
using litmus::Jitter;

struct Guarded {
	base::BiasedLock lock{"test"};
	uint64_t count = 0;
	uint64_t inside = 0;

	/* Two threads that are inside at once lose counts or see each other. */
	bool enter()
	{
		base::BiasedGuard guard(lock);
		bool alone = inside == 0;
		inside = 1;
		count++;
		inside = 0;
		return alone;
	}
};

TEST(BiasedLock, OneThreadKeepsOwnership)
{
	Guarded guarded;
	EXPECT_TRUE(guarded.lock.lock());
	guarded.lock.unlock(true);
	for (unsigned i = 0; i < 100; i++) {
		bool biased = guarded.lock.lock();
		EXPECT_TRUE(biased);
		guarded.lock.unlock(biased);
	}
	std::thread([&] {
		bool biased = guarded.lock.lock();
		EXPECT_FALSE(biased);
		guarded.lock.unlock(biased);
	}).join();
	bool biased = guarded.lock.lock();
	EXPECT_FALSE(biased);
	guarded.lock.unlock(biased);
}

/* L1: the bias of a lock is revoked once, so every round has a new lock. */
TEST(BiasedLock, L1OwnershipIsTakenFromAnOwnerInTheMiddle)
{
	const unsigned ROUNDS = FENCE_ROUNDS / 10;
	constexpr unsigned TURNS = 64;
	std::vector<std::unique_ptr<Guarded>> rounds;
	for (unsigned i = 0; i < ROUNDS; i++)
		rounds.push_back(std::make_unique<Guarded>());
	uint64_t owner_at = 0;
	uint64_t crowded = 0;
	std::thread owner([&] {
		for (unsigned i = 0; i < ROUNDS; i++) {
			rounds[i]->enter();
			base::store_release(owner_at, uint64_t{i + 1});
			for (unsigned k = 1; k < TURNS; k++)
				base::fetch_add(crowded, uint64_t{!rounds[i]->enter()});
		}
	});
	Jitter jitter(5);
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (!litmus::until([&] { return base::load_acquire(owner_at) > i; }))
			break;
		jitter.pause();
		base::fetch_add(crowded, uint64_t{!rounds[i]->enter()});
	}
	owner.join();
	EXPECT_EQ(crowded, 0u);
	for (unsigned i = 0; i < ROUNDS; i++)
		ASSERT_EQ(rounds[i]->count, TURNS + 1) << "round " << i;
}

TEST(BiasedLock, L2ManyThreadsShareIt)
{
	constexpr unsigned THREADS = 4;
	const unsigned TURNS = FENCE_ROUNDS / 10;
	Guarded guarded;
	uint64_t crowded = 0;
	std::vector<std::thread> threads;
	for (unsigned t = 0; t < THREADS; t++)
		threads.emplace_back([&] {
			for (unsigned i = 0; i < TURNS; i++)
				base::fetch_add(crowded, uint64_t{!guarded.enter()});
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(crowded, 0u);
	EXPECT_EQ(guarded.count, uint64_t{THREADS} * TURNS);
}

/* Voluntary context switches of a thread: it slept so often. A yield is none. */
uint64_t sleeps_of(pid_t thread)
{
	std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
	std::string key;
	uint64_t count = 0;
	while (status >> key && key != "voluntary_ctxt_switches:") {
	}
	status >> count;
	return count;
}

/* One that yields takes the CPU from an owner of a lower scheduling class for as long as it likes. */
TEST(BiasedLock, ARevokerSleepsUntilTheOwnerLeaves)
{
	Guarded guarded;
	const bool biased = guarded.lock.lock();
	pid_t taker_id = 0;
	std::thread taker([&] {
		base::store_release(taker_id, gettid());
		guarded.enter();
	});
	EXPECT_TRUE(litmus::until([&] { return base::load_acquire(taker_id) != 0; }));
	const uint64_t before = sleeps_of(taker_id);
	EXPECT_TRUE(litmus::until([&] { return sleeps_of(taker_id) > before + 3; }));
	guarded.lock.unlock(biased);
	taker.join();
	EXPECT_EQ(guarded.count, 1u);
}

/* A thread that has ended may leave its mark to another one. */
TEST(BiasedLock, L2ThreadsFollowEachOther)
{
	Guarded guarded;
	for (unsigned i = 0; i < 100; i++)
		std::thread([&] { guarded.enter(); }).join();
	EXPECT_EQ(guarded.count, 100u);
}

} // namespace
