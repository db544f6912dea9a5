// SPDX-License-Identifier: MIT
/*
 * DOC: Retire list and semaphore pool, tested
 *
 * Nothing runs before the last of its fences has passed, nothing runs twice, and an action may use
 * the list itself.
 */
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "drv/packet/retire_list.h"
#include "drv/packet/semaphore_pool.h"

namespace {

using drv::Fence;

class Retire : public testing::Test {
protected:
	void reap()
	{
		list.reap([this](const Fence &fence) { return values[fence.sem] >= fence.value; });
	}

	drv::RetireList list;
	uint64_t values[8] = {};
	unsigned ran = 0;
};

TEST_F(Retire, WaitsForEveryFence)
{
	list.add({{3, 10}, {4, 1}}, [this] { ran++; });
	reap();
	values[3] = 10;
	reap();
	EXPECT_EQ(ran, 0u);
	values[3] = 9;
	values[4] = 2;
	reap();
	EXPECT_EQ(ran, 0u);
	values[3] = 11;
	reap();
	EXPECT_EQ(ran, 1u);
	reap();
	EXPECT_EQ(ran, 1u) << "once only";
}

TEST_F(Retire, ChecksAsManyAsItIsAsked)
{
	constexpr unsigned MANY = 1000;
	for (unsigned i = 0; i < MANY; i++)
		list.add({{3, i + 1}}, [this] { ran++; });
	list.add({{4, 1}}, [this] { ran++; });
	values[4] = 1;
	auto done = [this](const Fence &fence) { return values[fence.sem] >= fence.value; };
	list.reap(done, SIZE_MAX);
	EXPECT_EQ(ran, 1u) << "the youngest is behind all the others";
}

/* A thread that needs what an action gives back waits for the thread that runs it. */
TEST_F(Retire, ActionsThatAnotherThreadRunsAreWaitedFor)
{
	base::Bell begun;
	base::Mutex mutex{"RetireTest::mutex"};
	bool has_begun = false;
	bool may_end = false;
	list.add({}, [&] {
		std::unique_lock lock(mutex);
		has_begun = true;
		begun.ring();
		while (!may_end)
			begun.wait(lock, base::NO_DEADLINE);
		ran++;
	});
	const uint64_t seen = list.finished();
	std::thread runner([this] { reap(); });
	{
		std::unique_lock lock(mutex);
		while (!has_begun)
			begun.wait(lock, base::NO_DEADLINE);
		lock.unlock();
		EXPECT_TRUE(list.oldest().empty());
		EXPECT_FALSE(list.wait_running(seen, base::now_ns())) << "the deadline has passed";
		lock.lock();
		may_end = true;
		begun.ring();
	}
	EXPECT_TRUE(list.wait_running(seen, base::NO_DEADLINE));
	EXPECT_EQ(ran, 1u);
	runner.join();
	EXPECT_FALSE(list.wait_running(list.finished(), base::NO_DEADLINE)) << "no thread runs any";
}

/* Gathered actions wait for the work that is pending when the batch is closed. */
TEST_F(Retire, WhatIsGatheredWaitsToBeClosed)
{
	EXPECT_EQ(list.gathers_since(), 0u);
	EXPECT_EQ(list.gather([this] { ran++; }, 1), 1u);
	EXPECT_EQ(list.gather([this] { ran++; }, 5), 6u);
	EXPECT_NE(list.gathers_since(), 0u);
	reap();
	EXPECT_EQ(ran, 0u);
	list.close([] { return std::vector<Fence>{{3, 10}}; });
	EXPECT_EQ(list.gathers_since(), 0u);
	EXPECT_EQ(list.gather([this] { ran += 10; }, 1), 1u) << "counted anew";
	reap();
	EXPECT_EQ(ran, 0u);
	values[3] = 10;
	reap();
	EXPECT_EQ(ran, 2u);
	list.close([] { return std::vector<Fence>{}; });
	EXPECT_EQ(ran, 12u) << "nothing is pending";
	list.close([] { return std::vector<Fence>{{3, 11}}; });
	EXPECT_TRUE(list.oldest().empty()) << "nothing was gathered";
}

TEST_F(Retire, WhatWaitsForTheSameWaitsTogether)
{
	list.add({{3, 10}}, [this] { ran++; });
	list.add({{3, 10}}, [this] { ran++; });
	list.add({{3, 10}, {4, 1}}, [this] { ran++; });
	values[3] = 10;
	reap();
	EXPECT_EQ(ran, 2u);
	values[4] = 1;
	reap();
	EXPECT_EQ(ran, 3u);
}

TEST_F(Retire, NoFencesMeansAtOnce)
{
	list.add({}, [this] { ran++; });
	reap();
	EXPECT_EQ(ran, 1u);
}

TEST_F(Retire, LaterOnesMayPassEarlierOnes)
{
	list.add({{3, 1}}, [this] { ran |= 1; });
	list.add({{4, 1}}, [this] { ran |= 2; });
	values[4] = 1;
	reap();
	EXPECT_EQ(ran, 2u);
	ASSERT_EQ(list.oldest().size(), 1u);
	EXPECT_EQ(list.oldest()[0].sem, 3u);
	values[3] = 1;
	reap();
	EXPECT_EQ(ran, 3u);
	EXPECT_TRUE(list.oldest().empty());
}

TEST_F(Retire, AnActionMayUseTheList)
{
	list.add({{3, 1}}, [this] {
		ran++;
		list.add({{3, 2}}, [this] { ran += 10; });
		reap();
	});
	values[3] = 1;
	reap();
	EXPECT_EQ(ran, 1u);
	values[3] = 2;
	reap();
	EXPECT_EQ(ran, 11u);
}

TEST(SemaphorePool, HandsOutEachOneOnce)
{
	drv::SemaphorePool pool;
	std::set<uint32_t> taken;
	for (unsigned i = 0; i < 1000; i++) {
		auto sem = pool.allocate();
		ASSERT_TRUE(sem.ok());
		EXPECT_GE(*sem, UNPU_SEM_FIRST_FREE);
		EXPECT_TRUE(taken.insert(*sem).second);
	}
	EXPECT_EQ(pool.in_use(), 1000u);
	pool.release(*taken.begin());
	EXPECT_EQ(pool.in_use(), 999u);
	EXPECT_EQ(*pool.allocate(), *taken.begin());
}

TEST(SemaphorePool, RunsOut)
{
	drv::SemaphorePool pool;
	uint32_t count = 0;
	while (pool.allocate().ok())
		count++;
	EXPECT_EQ(count, UNPU_MAX_SEMAPHORES - UNPU_SEM_FIRST_FREE);
	EXPECT_EQ(pool.allocate().status(), base::Status::NO_RESOURCE);
	pool.release(77);
	EXPECT_EQ(*pool.allocate(), 77u);
}

TEST(SemaphorePool, ReclaimsEachRetiredOneThatIsDue)
{
	drv::SemaphorePool pool;
	std::set<uint32_t> due;
	for (uint32_t i = 0; i < 100; i++)
		ASSERT_TRUE(pool.retire(*pool.allocate(), {7, i}));
	pool.reclaim([](const Fence &fence) { return fence.value % 2 == 1; });
	EXPECT_EQ(pool.in_use(), 0u);
	for (unsigned i = 0; i < 50; i++)
		due.insert(*pool.allocate());
	EXPECT_EQ(due.size(), 50u);
	for (uint32_t i = 0; i < 50; i++) {
		uint32_t sem = pool.reuse([](const Fence &) { return true; });
		EXPECT_EQ(sem, UNPU_SEM_FIRST_FREE + 2 * i) << "in the order of their end";
		EXPECT_FALSE(due.count(sem));
	}
	EXPECT_EQ(pool.reuse([](const Fence &) { return true; }), UNPU_SEM_NONE);
}

} // namespace
