// SPDX-License-Identifier: MIT
/*
 * DOC: Lanes of a worker, tested
 *
 * Launches come at each moment in which one of the two sides goes to sleep. Kernels of several streams run at once, and
 * fail together. A worker that lies harms its own client alone.
 */
#include <random>

#include <sched.h>

#include "kernel_client.h"

namespace {

using namespace kernels;

constexpr uint64_t MS = 1000000;

class KernelLanes : public testing::Test {
protected:
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		client.load_good();
		EXPECT_EQ(other.open(), Status::OK);
		words = memory.as<uint64_t>();
	}

	void launch_beside(const std::string &name, uint32_t blocks,
			   const std::vector<uint64_t> &args, uint64_t timeout_ns = 0)
	{
		client.launch(name, blocks, args, timeout_ns, &other);
	}

	void await(const uint64_t &word) const
	{
		while (base::load_acquire(word) == 0)
			sched_yield();
	}

	KernelClient client;
	self_test::Channel other{client.host()};
	Memory memory = client.memory(4096);
	uint64_t *words = nullptr;
};

TEST_F(KernelLanes, NoLaunchAndNoEndIsLost)
{
	std::mt19937_64 random(7);
	for (uint64_t i = 1; i <= 20000; i++) {
		ASSERT_EQ(client.run("poke", 1, {memory.va, i}), Status::OK) << client.failure();
		ASSERT_EQ(words[0], i);
		/* Pauses up to the time after which both sides sleep; short ones as often as long ones. */
		const uint64_t draw = random();
		const uint64_t pause_ns = (draw >> 8) & ((uint64_t{1} << draw % 18) - 1);
		for (const uint64_t end = base::now_ns() + pause_ns; base::now_ns() < end;)
			base::cpu_relax();
	}
}

TEST_F(KernelLanes, RunsQueuedLaunchesInOrder)
{
	for (uint64_t i = 0; i < 200; i++) {
		for (uint64_t j = 0; j < 12; j++)
			client.launch("poke", 1, {memory.va + 8 * j, i + j});
		ASSERT_EQ(client.channel().finish(), Status::OK) << client.failure();
		for (uint64_t j = 0; j < 12; j++)
			ASSERT_EQ(words[j], i + j);
	}
}

TEST_F(KernelLanes, LetsAKernelWaitForOneOfAnotherStream)
{
	for (const uint32_t blocks : {1u, 8u}) {
		words[0] = 0;
		client.launch("await_word", blocks, {memory.va});
		/* A change of memory and an image in between. */
		Memory late = client.memory(4096);
		uint32_t image = 0;
		EXPECT_EQ(client.load("good_image", image), Status::OK);
		launch_beside("poke", 1, {late.va, 5});
		EXPECT_EQ(other.finish(), Status::OK) << client.failure();
		EXPECT_EQ(*late.as<uint64_t>(), 5u);
		launch_beside("poke", 1, {memory.va, 1});
		EXPECT_EQ(other.finish(), Status::OK) << client.failure();
		EXPECT_EQ(client.channel().finish(), Status::OK) << client.failure();
	}
}

TEST_F(KernelLanes, EndsKernelsBesideOneThatFails)
{
	words[0] = 0;
	client.launch("loop_after", 1, {memory.va}, 60000 * MS);
	await(words[0]);
	launch_beside("trap", 1, {});
	EXPECT_EQ(other.finish(), Status::KERNEL_FAULT_VECTOR);
	EXPECT_NE(client.failure().find("Trap() was called"), std::string::npos);
	EXPECT_EQ(client.channel().finish(), Status::KERNEL_FAULT_VECTOR);
	EXPECT_NE(client.failure(client.cookie() - 1).find("ran beside a kernel that failed"),
		  std::string::npos)
		<< client.failure(client.cookie() - 1);
	EXPECT_EQ(client.run("poke", 1, {memory.va, 3}), Status::OK) << client.failure();
}

TEST_F(KernelLanes, KeepsLaunchesThatWaitWhenOneIsAborted)
{
	words[0] = words[1] = 0;
	client.launch("loop_after", 1, {memory.va}, 60000 * MS);
	await(words[0]);
	launch_beside("poke", 1, {memory.va + 8, 9});
	ASSERT_EQ(client.channel().abort(), Status::OK);
	const Status status = other.finish();
	EXPECT_TRUE(status == Status::OK || status == Status::KERNEL_FAULT_VECTOR);
	EXPECT_EQ(words[1], status == Status::OK ? 9u : words[1]);
	EXPECT_EQ(client.run("poke", 1, {memory.va, 3}), Status::OK) << client.failure();
}

TEST_F(KernelLanes, BelievesNoWorker)
{
	KernelClient good;
	good.load_good();
	Memory page = good.memory(4096);
	for (uint64_t round = 0; round < 3; round++) {
		for (uint64_t kind = 0; kind < 5; kind++) {
			const Status status = client.run("lie", 1, {kind}, 50 * MS);
			if (kind == 0)
				EXPECT_EQ(status, Status::OK);
			else
				EXPECT_NE(status, Status::OK) << kind;
			for (const char c : client.failure())
				EXPECT_GE(static_cast<unsigned char>(c), ' ');
			(void)client.printed();
			ASSERT_EQ(good.run("poke", 1, {page.va, kind}), Status::OK)
				<< good.failure();
			EXPECT_EQ(*page.as<uint64_t>(), kind);
			/* After a lie about its end the kernel still runs: the next launch waits behind it. */
			client.launch("poke", 1, {memory.va, 1}, 50 * MS);
			(void)client.channel().finish();
		}
	}
	EXPECT_EQ(workers().size(), 2u);
}

} // namespace
