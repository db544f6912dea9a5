// SPDX-License-Identifier: MIT
/*
 * DOC: The crews of the engines, tested
 *
 * While several clients have work, threads of a lower priority begin new work. Afterwards the usual
 * threads do.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include <sys/resource.h>
#include <unistd.h>

#include "firmware_sim/engine/engine.h"

namespace {

constexpr int MORE_NICE = 10;
constexpr int MOST_NICE = 19;

/* The priority that a job is done with, which waits until it is let go. */
class Look {
public:
	explicit Look(fw::Engines &engines, uint64_t bytes = 0, const void *client_queue = nullptr)
	{
		auto job = std::make_unique<fw::Job>();
		job->client_queue = client_queue ? client_queue : this;
		job->bytes = bytes;
		job->work = [this] {
			nice_ = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
			begun_ = true;
			while (!let_go_)
				std::this_thread::yield();
		};
		engines.submit(std::move(job));
	}

	int take()
	{
		let_go_ = true;
		while (!begun_)
			std::this_thread::yield();
		return nice_;
	}

	bool has_begun() const { return begun_; }

	void await_begin() const
	{
		while (!begun_)
			std::this_thread::yield();
	}

private:
	std::atomic<int> nice_{0};
	std::atomic<bool> begun_{false};
	std::atomic<bool> let_go_{false};
};

void drain(fw::Engines &engines, unsigned jobs)
{
	while (jobs != 0) {
		if (engines.take_finished())
			jobs--;
		else
			std::this_thread::yield();
	}
}

TEST(Crews, AreChosenByHowManyClientsThereAre)
{
	fw::Engines engines(1, [] {});
	const int own = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
	for (bool several : {false, true, false, true}) {
		engines.let_in(several);
		Look look(engines);
		const int wanted = several ? std::min(own + MORE_NICE, MOST_NICE) : own;
		EXPECT_EQ(look.take(), wanted);
		drain(engines, 1);
	}
	EXPECT_TRUE(engines.stop());
}

/* Threads at work continue; queued work waits for the other crew. */
TEST(Crews, TakeOverWhatWaits)
{
	fw::Engines engines(1, [] {});
	const int own = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
	Look first(engines);
	first.await_begin();
	Look second(engines);
	engines.let_in(true);
	EXPECT_EQ(first.take(), own);
	EXPECT_EQ(second.take(), std::min(own + MORE_NICE, MOST_NICE));
	Look third(engines);
	third.await_begin();
	Look fourth(engines);
	engines.let_in(false);
	EXPECT_EQ(third.take(), std::min(own + MORE_NICE, MOST_NICE));
	EXPECT_EQ(fourth.take(), own);
	drain(engines, 4);
	EXPECT_TRUE(engines.stop());
}

/* What can't be cut and takes long leaves an engine to others. Jobs with a @client_queue are of one client, the
 * others each of its own. */
static void leave_one_engine(const void *client_queue)
{
	constexpr uint64_t HEAVY = uint64_t{1} << 32;
	fw::Engines engines(2, [] {});
	Look heavy(engines, HEAVY, client_queue);
	heavy.await_begin();
	Look waits(engines, HEAVY, client_queue);
	for (unsigned i = 0; i < 10; i++) {
		Look light(engines, 0, client_queue);
		light.take();
		drain(engines, 1);
	}
	EXPECT_FALSE(waits.has_begun());
	heavy.take();
	waits.take();
	drain(engines, 2);
	EXPECT_TRUE(engines.stop());
}

TEST(Crews, HeavyWorkLeavesOneEngineToOthers)
{
	leave_one_engine(nullptr);
}

/* Streams of one program are one client. */
TEST(Crews, HeavyWorkLeavesOneEngineToWorkOfTheSameClient)
{
	const int client_queue = 0;
	leave_one_engine(&client_queue);
}

/* Light jobs pass heavy ones only while these can't begin. */
TEST(Crews, JobsOfOneClientComeInOrder)
{
	constexpr uint64_t HEAVY = uint64_t{1} << 32;
	const int client_queue = 0;
	fw::Engines engines(1, [] {});
	Look first(engines, 0, &client_queue);
	first.await_begin();
	Look heavy(engines, HEAVY, &client_queue);
	Look light(engines, 0, &client_queue);
	first.take();
	heavy.await_begin();
	EXPECT_FALSE(light.has_begun());
	heavy.take();
	light.take();
	drain(engines, 3);
	EXPECT_TRUE(engines.stop());
}

TEST(Crews, AnAbandonedHeavyJobMakesRoomForAnother)
{
	constexpr uint64_t HEAVY = uint64_t{1} << 32;
	fw::Engines engines(2, [] {});
	Look heavy(engines, HEAVY);
	heavy.await_begin();
	engines.give_up(&heavy);
	Look next(engines, HEAVY);
	next.await_begin();
	next.take();
	heavy.take();
	while (engines.running())
		std::this_thread::yield();
	EXPECT_TRUE(engines.stop());
}

} // namespace
