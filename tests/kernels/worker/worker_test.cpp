// SPDX-License-Identifier: MIT
/*
 * DOC: Workers, tested
 *
 * Kernels run, wait for each other, and fail. Each failure has its status, a sentence with what a developer needs,
 * and leaves a device that runs the next kernel.
 */
#include <csignal>
#include <cstring>

#include <sched.h>

#include "kernel_client.h"

namespace {

using namespace kernels;

constexpr uint64_t MS = 1000000;

class KernelWorker : public testing::TestWithParam<uint32_t> {
protected:
	void SetUp() override
	{
		SKIP_WITHOUT_WORKERS();
		client.load_good();
	}

	/* fails() - the launch fails with @status, the sentence has all @parts, and the next kernel is good. */
	void fails(const std::string &name, uint32_t blocks, const std::vector<uint64_t> &args,
		   Status status, const std::vector<std::string> &parts, uint64_t timeout_ns = 0)
	{
		EXPECT_EQ(client.run(name, blocks, args, timeout_ns), status) << client.failure();
		const std::string text = client.failure();
		for (const std::string &part : parts)
			EXPECT_NE(text.find(part), std::string::npos)
				<< part << " is not in: " << text;
		adds();
	}

	void adds()
	{
		constexpr uint64_t COUNT = 10000;
		auto *values = memory.as<float>();
		for (uint64_t i = 0; i < COUNT; i++) {
			values[i] = static_cast<float>(i);
			values[COUNT + i] = 0.5f;
			values[2 * COUNT + i] = 0;
		}
		const uint64_t part = COUNT * sizeof(float);
		ASSERT_EQ(client.run("add", 7,
				     {memory.va, memory.va + part, memory.va + 2 * part, COUNT}),
			  Status::OK)
			<< client.failure();
		for (uint64_t i = 0; i < COUNT; i++)
			ASSERT_EQ(values[2 * COUNT + i], static_cast<float>(i) + 0.5f) << i;
	}

	KernelClient client{GetParam()};
	Memory memory = client.memory(4 << 20);
};

INSTANTIATE_TEST_SUITE_P(, KernelWorker, testing::Values(0u, UNPU_FEATURE_STEPPED));

TEST_P(KernelWorker, DescribesItsEntries)
{
	for (size_t i = 1; i < client.infos().size(); i++)
		EXPECT_LT(std::string(client.infos()[i - 1].name), client.infos()[i].name);
	const unpu_kernel_info &add = client.infos()[client.entry("add")];
	EXPECT_EQ(add.args_bytes, 32u);
	EXPECT_EQ(add.param_count, 4u);
	EXPECT_EQ(add.type, 0u);
	EXPECT_EQ(add.params[3].offset, 24u);
	EXPECT_EQ(client.infos()[client.entry("mix")].type, 5u);
}

TEST_P(KernelWorker, ComputesInDeviceMemory)
{
	adds();
}

TEST_P(KernelWorker, RunsMoreBlocksThanCores)
{
	for (const uint32_t count : {1u, 48u, 49u, 1000u}) {
		auto *out = memory.as<uint64_t>();
		memset(out, 0, 8 * count);
		ASSERT_EQ(client.run("blocks", count, {memory.va}), Status::OK) << client.failure();
		for (uint64_t i = 0; i < count; i++)
			ASSERT_EQ(out[i], 1 + i + (uint64_t{count} << 32)) << i;
	}
}

TEST_P(KernelWorker, WaitsForAllBlocks)
{
	for (const uint32_t count : {1u, 2u, 48u}) {
		auto *words = memory.as<uint64_t>();
		words[0] = 0;
		ASSERT_EQ(client.run("sync_all", count, {memory.va, memory.va + 64}), Status::OK)
			<< client.failure();
		for (uint32_t i = 0; i < count; i++)
			EXPECT_EQ(words[8 + i], 3 * count);
	}
}

TEST_P(KernelWorker, RunsCubeAndVectorCores)
{
	auto *out = memory.as<uint64_t>();
	ASSERT_EQ(client.run("mix", 24, {memory.va}), Status::OK) << client.failure();
	for (uint32_t i = 0; i < 24; i++)
		EXPECT_EQ(out[3 * i], 1 + 11 + 11);
}

TEST_P(KernelWorker, LetsBlocksPollMemory)
{
	auto *word = memory.as<uint64_t>();
	*word = 0;
	EXPECT_EQ(client.run("spin", 48, {memory.va}), Status::OK) << client.failure();
	*word = 0;
	ASSERT_EQ(client.run("pass_on", 5, {memory.va}), Status::OK) << client.failure();
	EXPECT_EQ(*word, (((4u * 3 + 3) * 3 + 2) * 3 + 1) * 3);
}

TEST_P(KernelWorker, NamesADeadlock)
{
	fails("half_sync", 8, {}, Status::KERNEL_FAULT_VECTOR,
	      {"half_sync",
	       "deadlock: 4 block(s) wait at SyncAll, 4 have ended, 0 are not started"});
	fails("sync_all", 60, {memory.va, memory.va + 64}, Status::KERNEL_FAULT_VECTOR,
	      {"48 block(s) wait at SyncAll, 0 have ended, 12 are not started", "48 such cores"});
}

TEST_P(KernelWorker, ReportsWildPointers)
{
	fails("poke", 1, {8, 1}, Status::KERNEL_FAULT_VECTOR,
	      {"kernel poke, vector block 0 of 1", "SIGSEGV", "address 0x8", "no device memory",
	       "good_image.cpp:"});
	EXPECT_EQ(client.channel().failure().fault_address, 8u);
	fails("poke", 1, {memory.va + memory.bytes + 16, 1}, Status::KERNEL_FAULT_VECTOR,
	      {"it is 16 bytes behind the device memory ["});
	EXPECT_EQ(client.channel().failure().fault_address, memory.va + memory.bytes + 16);
#if defined(__x86_64__)
	fails("poke", 1, {uint64_t{1} << 50, 1}, Status::KERNEL_FAULT_VECTOR,
	      {"SIGSEGV: the pointer has more bits than an address", "good_image.cpp:"});
#endif
}

TEST_P(KernelWorker, ReportsOverflowsOfLocalMemory)
{
	fails("beyond_ub", 3, {}, Status::KERNEL_FAULT_VECTOR,
	      {"outside of UB", "good_image.cpp:"});
	fails("deep", 1, {}, Status::KERNEL_FAULT_VECTOR,
	      {"the stack of the block, 1 MiB, is full"});
}

TEST_P(KernelWorker, ReportsTrapsAndArithmetic)
{
	fails("trap", 4, {}, Status::KERNEL_FAULT_VECTOR, {"user.cpp:17: Trap() was called"});
	fails("trap_of_mix", 1, {}, Status::KERNEL_FAULT_CORE,
	      {"vector block 1 of 2: user.cpp:18: Trap() was called"});
	*memory.as<uint64_t>() = 0;
	fails("divide", 1, {memory.va}, Status::KERNEL_FAULT_VECTOR, {"SIGFPE", "good_image.cpp:"});
}

TEST_P(KernelWorker, EndsEndlessLoops)
{
	fails("loop", 2, {}, Status::KERNEL_TIMEOUT_VECTOR, {"kernel loop", "within 50 ms"},
	      50 * MS);
}

TEST_P(KernelWorker, TakesOutput)
{
	ASSERT_EQ(client.run("say", 3, {}), Status::OK);
	EXPECT_EQ(client.output_bytes(), 3 * strlen("block 0\n"));
	const std::vector<Printed> printed = client.printed();
	ASSERT_EQ(printed.size(), 3u);
	for (uint32_t i = 0; i < 3; i++) {
		EXPECT_EQ(printed[i].head.block, i);
		EXPECT_EQ(printed[i].head.dropped, 0u);
		EXPECT_EQ(printed[i].text, "block " + std::to_string(i) + "\n");
	}
	EXPECT_TRUE(client.printed().empty());
}

TEST_P(KernelWorker, FollowsTheAddressSpace)
{
	adds();
	Memory late = client.memory(4096);
	ASSERT_EQ(client.run("poke", 1, {late.va, 77}), Status::OK) << client.failure();
	EXPECT_EQ(*late.as<uint64_t>(), 77u);
	const uint64_t va = late.va;
	ASSERT_EQ(client.host().drop(late), Status::OK);
	EXPECT_EQ(client.run("poke", 1, {va, 78}), Status::KERNEL_FAULT_VECTOR);
	Memory fixed;
	ASSERT_EQ(client.host().create(UNPU_SEGMENT_DEVICE, 4096, fixed), Status::OK);
	ASSERT_EQ(client.host().place(fixed, UNPU_ACCESS_READ), Status::OK);
	EXPECT_EQ(client.run("poke", 1, {fixed.va, 78}), Status::KERNEL_FAULT_VECTOR);
	EXPECT_NE(client.failure().find("the access is not allowed"), std::string::npos);
}

TEST_P(KernelWorker, StartsAnotherProcessAfterAKill)
{
	adds();
	for (int pid : workers())
		kill(pid, SIGKILL);
	const Status status = client.run("say", 1, {});
	EXPECT_TRUE(status == Status::OK || status == Status::KERNEL_FAULT_VECTOR);
	adds();
	auto *word = memory.as<uint64_t>();
	*word = 0;
	client.launch("loop_after", 1, {memory.va}, 5000 * MS);
	while (base::load_acquire(*word) == 0)
		sched_yield();
	for (int pid : workers())
		kill(pid, SIGKILL);
	EXPECT_EQ(client.channel().finish(), Status::KERNEL_FAULT_VECTOR);
	EXPECT_NE(client.failure().find("its worker process ended"), std::string::npos);
	adds();
}

TEST_P(KernelWorker, CanBeAborted)
{
	if (GetParam() & UNPU_FEATURE_STEPPED)
		GTEST_SKIP() << "a step waits for the kernel";
	adds();
	self_test::Channel other(client.host());
	ASSERT_EQ(other.open(), Status::OK);
	auto *word = memory.as<uint64_t>();
	*word = 0;
	client.launch("loop_after", 1, {memory.va}, 5000 * MS);
	EXPECT_EQ(other.run(drv::nop_packet(1)), Status::OK);
	/* An abort before it is fetched would not find it. */
	while (base::load_acquire(*word) == 0)
		sched_yield();
	ASSERT_EQ(client.channel().abort(UNPU_ABORT_CURRENT, 0), Status::OK);
	EXPECT_EQ(client.channel().finish(), Status::CHANNEL_STOPPED);
	adds();
	client.launch("loop", 1, {}, 5000 * MS);
	ASSERT_EQ(client.channel().abort(), Status::OK);
	adds();
	EXPECT_EQ(other.close(), Status::OK);
}

TEST_P(KernelWorker, HasNoFilesNetworkOrProcesses)
{
	*memory.as<uint64_t>() = ~uint64_t{0};
	ASSERT_EQ(client.run("escape", 1, {memory.va}), Status::OK) << client.failure();
	EXPECT_EQ(*memory.as<uint64_t>(), 0u);
}

} // namespace
