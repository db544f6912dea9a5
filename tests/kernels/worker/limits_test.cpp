// SPDX-License-Identifier: MIT
/*
 * DOC: Limits of kernels, tested
 *
 * Images that are none, launches that do not fit, output without end, and what is left when a client has gone.
 */
#include <atomic>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/os/machine.h"
#include "firmware_sim/worker/link.h"
#include "kernel_client.h"

namespace {

using namespace kernels;

class KernelLimits : public testing::Test {
protected:
	void SetUp() override { SKIP_WITHOUT_WORKERS(); }
};

TEST_F(KernelLimits, RefusesImagesThatAreNone)
{
	KernelClient client;
	uint32_t image = 0;
	const std::pair<const char *, const char *> bad[] = {
		{"no_image", "without unpu_kernel_image()"},
		{"old_image", "the image has version 2"},
		{"empty_image", "no kernels"},
		{"crashing_image", "ended while it loaded the image"},
		{"beside_image", "the parameters of kernel beside do not fit"},
	};
	for (const auto &[name, why] : bad) {
		EXPECT_EQ(client.load(name, image), Status::BAD_KERNEL) << name;
		EXPECT_NE(client.load_failure().find(why), std::string::npos)
			<< client.load_failure();
	}
	client.load_good();
	EXPECT_EQ(client.run("say", 1), Status::OK) << client.failure();
}

TEST_F(KernelLimits, RefusesLaunchesThatDoNotFit)
{
	KernelClient client;
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, 1);
	packet.tensor.bytes = sizeof(unpu_kernel_launch);
	unpu_operator page{};
	EXPECT_EQ(client.channel().run(packet, &page), Status::BAD_KERNEL);
	client.load_good();
	auto run = [&](auto change) {
		unpu_kernel_launch head{};
		head.image = client.image();
		head.entry = client.entry("say");
		head.blocks = 1;
		change(head);
		memcpy(&page, &head, sizeof(head));
		return client.channel().run(packet, &page);
	};
	EXPECT_EQ(run([](unpu_kernel_launch &) {}), Status::OK);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.image++; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.entry = 9999; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.blocks = 0; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.blocks = 65536; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.check = 4; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) { h.flags = 8; }), Status::BAD_KERNEL);
	EXPECT_EQ(run([&](unpu_kernel_launch &h) { h.entry = client.entry("add"); }),
		  Status::BAD_KERNEL);
	EXPECT_EQ(run([](unpu_kernel_launch &h) {
			  h.flags = UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
			  h.args_va = 64;
			  h.args_bytes = 8;
		  }),
		  Status::MMU_FAULT);
	packet.tensor.bytes = sizeof(unpu_kernel_launch) + 8;
	EXPECT_EQ(run([](unpu_kernel_launch &) {}), Status::BAD_KERNEL);
	packet.tensor.bytes = UNPU_KERNEL_MAX_BYTES + 8;
	EXPECT_EQ(run([](unpu_kernel_launch &) {}), Status::BAD_PACKET);
}

TEST_F(KernelLimits, ReadsArgumentsWhenTheTaskRuns)
{
	KernelClient client;
	client.load_good();
	Memory memory = client.memory(8192);
	auto *words = memory.as<uint64_t>();
	words[0] = 0;
	words[1] = 5;
	unpu_packet write = drv::packet(UNPU_OP_VALUE_WRITE, 1);
	write.value_write = {memory.va, memory.va + 4096, 8, 0, 0};
	unpu_kernel_launch head{};
	head.image = client.image();
	head.entry = client.entry("poke");
	head.blocks = 1;
	head.flags = UNPU_KERNEL_LAUNCH_ARGS_IN_MEMORY;
	head.args_va = memory.va;
	head.args_bytes = 16;
	unpu_operator page{};
	memcpy(&page, &head, sizeof(head));
	unpu_packet packet = drv::packet(UNPU_OP_KERNEL, 2);
	packet.tensor.bytes = sizeof(head);
	client.channel().publish(write);
	client.channel().publish(packet, &page);
	ASSERT_EQ(client.channel().finish(), Status::OK);
	EXPECT_EQ(words[512], 5u);
}

TEST_F(KernelLimits, BoundsOutput)
{
	KernelClient client;
	client.load_good();
	ASSERT_EQ(client.run("shout", 1, {4096}), Status::OK) << client.failure();
	auto printed = client.printed();
	ASSERT_EQ(printed.size(), 1u);
	EXPECT_EQ(printed[0].text.size(), 1u << 20);
	EXPECT_EQ(printed[0].head.dropped, 1u);
	ASSERT_EQ(client.run("shout", 48, {4096}), Status::OK) << client.failure();
	printed = client.printed();
	EXPECT_EQ(printed.size(), 48u) << "a block without room tells so";
	for (const Printed &one : printed)
		EXPECT_EQ(one.head.dropped, 1u);
	for (int i = 0; i < 3; i++)
		ASSERT_EQ(client.run("shout", 48, {4096}), Status::OK) << client.failure();
	uint64_t bytes = 0;
	for (const Printed &one : client.printed())
		bytes += sizeof(one.head) + one.text.size();
	EXPECT_LE(bytes, UNPU_KERNEL_MAX_TEXT_BYTES);
	EXPECT_GT(bytes, UNPU_KERNEL_MAX_TEXT_BYTES / 2);
}

TEST_F(KernelLimits, UnloadsWhileLaunchesAreQueued)
{
	KernelClient client;
	client.load_good();
	for (int i = 0; i < 4; i++)
		client.launch("say", 2, {});
	unpu_message message{};
	message.type = UNPU_MSG_KERNEL_UNLOAD;
	message.kernel.image = client.image();
	ASSERT_EQ(client.host().call(message), Status::OK);
	EXPECT_EQ(client.host().call(message), Status::INVALID_HANDLE);
	const Status status = client.channel().finish();
	EXPECT_TRUE(status == Status::OK || status == Status::BAD_KERNEL)
		<< base::status_sentence(status) << ": " << client.failure(client.cookie() - 3)
		<< client.failure(client.cookie() - 2) << client.failure(client.cookie() - 1)
		<< client.failure();
	EXPECT_EQ(client.run("say", 1), Status::BAD_KERNEL);
	client.load_good();
	EXPECT_EQ(client.run("say", 1), Status::OK);
}

#ifdef HAS_CLANG_IMAGE
TEST_F(KernelLimits, FindsLinesOfImagesByClang)
{
	KernelClient client;
	client.load_good("clang_image");
	EXPECT_EQ(client.run("poke", 1, {8, 1}), Status::KERNEL_FAULT_VECTOR);
	EXPECT_NE(client.failure().find("good_image.cpp:"), std::string::npos) << client.failure();
}
#endif

TEST(KernelLink, SaysThatAWorkerDoesNotAnswer)
{
	const std::string program = testing::TempDir() + "silent_worker";
	std::ofstream(program) << "#!/bin/sh\nexec /bin/sleep 60\n";
	ASSERT_EQ(chmod(program.c_str(), 0700), 0);
	setenv("UNPU_KERNEL_WORKER", program.c_str(), 1);
	fw::Lanes lanes;
	fw::WorkerLink link;
	ASSERT_EQ(lanes.init(), Status::OK);
	ASSERT_EQ(
		link.init(1, fw::WorkerProcess::start, uint64_t{1} << 30, lanes, 0, base::NS_PER_S),
		Status::OK);
	const Status status = link.start();
	unsetenv("UNPU_KERNEL_WORKER");
	unlink(program.c_str());
	EXPECT_EQ(status, Status::TIMEOUT);
	EXPECT_FALSE(link.is_running());
	fw::KernelJob job;
	job.image = std::make_shared<fw::KernelImage>();
	job.image->infos.push_back({});
	strcpy(job.image->infos[0].name, "add");
	link.refuse(job, status);
	EXPECT_EQ(job.status, Status::KERNEL_TIMEOUT_VECTOR);
	EXPECT_EQ(job.sentence, "kernel add: its worker process was started and does not answer");
}

/* Kernels have a low priority. */
TEST_F(KernelLimits, CountNoTimeInWhichAKernelWaitsForACpu)
{
	constexpr uint64_t MS = base::NS_PER_MS;
	KernelClient client;
	client.load_good();
	ASSERT_EQ(client.run("work", 1, {MS}), Status::OK) << client.failure();
	std::atomic<bool> ends{false};
	std::vector<std::thread> busy;
	for (uint32_t i = 0; i < base::usable_cpus(); i++)
		busy.emplace_back([&ends] {
			while (!ends.load())
				continue;
		});
	EXPECT_EQ(client.run("work", 1, {100 * MS}, 150 * MS), Status::OK) << client.failure();
	EXPECT_EQ(client.run("loop", 1, {}, 20 * MS), Status::KERNEL_TIMEOUT_VECTOR);
	ends.store(true);
	for (std::thread &thread : busy)
		thread.join();
}

TEST_F(KernelLimits, LeavesNoWorker)
{
	{
		KernelClient client;
		client.load_good();
		EXPECT_EQ(client.run("say", 1), Status::OK);
		EXPECT_EQ(workers().size(), 1u);
		client.launch("loop", 1, {});
	}
	EXPECT_TRUE(workers().empty());
}

/* Hard limits of a process, by their names; UINT64_MAX: none. */
std::map<std::string, uint64_t> limits_of(int pid)
{
	constexpr size_t NAME = 26, FIELD = 21; /* columns */
	std::map<std::string, uint64_t> found;
	std::ifstream file("/proc/" + std::to_string(pid) + "/limits");
	for (std::string line; std::getline(file, line);) {
		if (line.size() <= NAME + FIELD)
			continue;
		const std::string name = line.substr(0, line.find_last_not_of(' ', NAME - 1) + 1);
		const std::string hard = line.substr(NAME + FIELD);
		found[name] = hard.rfind("unlimited", 0) == 0 ? UINT64_MAX
							      : strtoull(hard.c_str(), nullptr, 10);
	}
	return found;
}

TEST_F(KernelLimits, LeavesAWorkerNothingElse)
{
	KernelClient client;
	client.load_good();
	ASSERT_EQ(client.run("say", 1), Status::OK) << client.failure();
	const std::vector<int> found = workers();
	ASSERT_EQ(found.size(), 1u);
	auto limits = limits_of(found[0]);
	for (const char *name : {"Max file size", "Max core file size", "Max locked memory",
				 "Max msgqueue size", "Max processes"}) {
		ASSERT_TRUE(limits.contains(name)) << name;
		EXPECT_EQ(limits[name], 0u) << name;
	}
	for (const char *name : {"Max data size", "Max address space"}) {
		ASSERT_TRUE(limits.contains(name)) << name;
		EXPECT_NE(limits[name], UINT64_MAX) << name;
	}
}

/* A quarter of the quota is for the worker's own memory, and the cores of the chip have theirs besides. */
TEST_F(KernelLimits, BoundsMemoryOfAWorkerByTheQuota)
{
	constexpr uint64_t QUOTA = uint64_t{1} << 30, OWN = QUOTA / 4;
	KernelClient client(0, uint64_t{256} << 20, QUOTA);
	client.load_good();
	Memory memory = client.memory(4096);
	ASSERT_EQ(client.run("hoard", 1, {memory.va, 4 * QUOTA}), Status::OK) << client.failure();
	const uint64_t has = *memory.as<uint64_t>();
	EXPECT_GE(has, OWN / 2);
	EXPECT_LT(has, QUOTA);
}

} // namespace
