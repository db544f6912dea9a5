// SPDX-License-Identifier: MIT
/*
 * DOC: upkeep, tested
 *
 * Jobs of several clients take turns; a job ends on the thread on which it began.
 */
#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/os/thread.h"
#include "firmware_sim/engine/background_work.h"

namespace {

using namespace fw;

constexpr int MOST_NICE = 19;
constexpr uint64_t PATIENCE_NS = 20 * base::NS_PER_S;

struct Owner final : Waiter {
	void woken(base::Status, uint64_t, uint64_t) override {}
};

class UpkeepTurns : public testing::Test {
protected:
	~UpkeepTurns() override { background.stop(); }

	std::unique_ptr<Job> make(const void *client_queue, std::function<void()> work)
	{
		auto job = std::make_unique<Job>();
		job->client_queue = client_queue;
		job->owner = &owner;
		job->work = std::move(work);
		return job;
	}

	bool ends(unsigned count)
	{
		const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
		while (count != 0 && base::now_ns() < end_ns) {
			while (background.take_finished())
				count--;
			std::this_thread::yield();
		}
		return count == 0;
	}

	/* works_until() - a job that works until @flag is set, which a job of another client does. */
	std::function<void()> works_until(const std::atomic<bool> &flag)
	{
		return [&flag] {
			const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
			const auto thread = std::this_thread::get_id();
			while (!flag && base::now_ns() < end_ns)
				BackgroundWork::note_work(BackgroundWork::SLICE_BYTES);
			EXPECT_TRUE(flag) << "no other client had a turn";
			EXPECT_EQ(std::this_thread::get_id(), thread);
		};
	}

	Owner owner;
	BackgroundWork background{true, [] {}, [] {}};
	int clients[64];
};

TEST_F(UpkeepTurns, AShortJobDoesNotWaitForLongOnes)
{
	std::atomic<bool> over{false};
	for (unsigned i = 0; i < 3; i++)
		background.submit(make(&clients[i], works_until(over)));
	background.submit(make(&clients[3], [&] { over = true; }));
	EXPECT_TRUE(ends(4));
}

TEST_F(UpkeepTurns, OneJobWorksAtATime)
{
	std::atomic<int> working{0}, most{0};
	for (int &client : clients) {
		background.submit(make(&client, [&] {
			for (unsigned i = 0; i < 50; i++) {
				most = std::max<int>(most, ++working);
				working--;
				BackgroundWork::note_work(BackgroundWork::SLICE_BYTES);
			}
		}));
	}
	EXPECT_TRUE(ends(std::size(clients)));
	EXPECT_EQ(most, 1);
}

TEST_F(UpkeepTurns, JobsOfOneClientKeepTheirOrder)
{
	std::vector<int> order;
	for (int i = 0; i < 5; i++) {
		background.submit(make(&clients[0], [&order, i] {
			BackgroundWork::note_work(2 * BackgroundWork::SLICE_BYTES);
			order.push_back(i);
		}));
	}
	EXPECT_TRUE(ends(5));
	EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST_F(UpkeepTurns, AJobThatIsDroppedDoesNotBegin)
{
	std::atomic<bool> began{false}, dropped{false}, wrong{false};
	background.submit(make(&clients[0], [&] {
		began = true;
		while (!dropped)
			std::this_thread::yield();
	}));
	background.submit(make(&clients[1], [&] { wrong = true; }));
	background.submit(make(&clients[2], [] {}));
	while (!began)
		std::this_thread::yield();
	background.drop_client(&clients[1]);
	dropped = true;
	EXPECT_TRUE(ends(2));
	EXPECT_FALSE(wrong);
}

TEST_F(UpkeepTurns, MemoryThatRunsOutCostsTheJob)
{
	background.submit(make(&clients[0], [] { throw std::bad_alloc(); }));
	const uint64_t end_ns = base::deadline_after(PATIENCE_NS);
	while (!background.finished() && base::now_ns() < end_ns)
		std::this_thread::yield();
	const auto job = background.take_finished();
	ASSERT_TRUE(job);
	EXPECT_EQ(job->status, base::Status::NO_MEMORY);
}

/* A thread starts with the priority of the one that starts it, and upkeep threads start each other. */
TEST_F(UpkeepTurns, ThreadsHaveOneLowPriority)
{
	std::atomic<bool> all_wait{false};
	std::vector<int> seen;
	for (unsigned i = 0; i < 4; i++) {
		background.submit(make(&clients[i], [&] {
			while (!all_wait)
				std::this_thread::yield();
			seen.push_back(base::nice_value());
			for (unsigned turn = 0; turn < 4; turn++)
				BackgroundWork::note_work(BackgroundWork::SLICE_BYTES);
		}));
	}
	all_wait = true;
	EXPECT_TRUE(ends(4));
	const int wanted = std::min(base::nice_value() + BackgroundWork::NICE, MOST_NICE);
	EXPECT_EQ(seen, std::vector<int>(4, wanted));
}

TEST_F(UpkeepTurns, TheEndWaitsForAllJobs)
{
	std::atomic<int> done{0};
	for (int &client : clients) {
		background.submit(make(&client, [&] {
			BackgroundWork::note_work(BackgroundWork::SLICE_BYTES);
			done++;
		}));
	}
	background.stop();
	EXPECT_EQ(done, static_cast<int>(std::size(clients)));
}

} // namespace
