// SPDX-License-Identifier: MIT
/*
 * DOC: A storm of bad kernels
 *
 * Eight clients run kernels that crash, trap, loop and wait for ever, beside one whose results are checked.
 */
#include <atomic>
#include <cstring>
#include <filesystem>
#include <thread>

#include "kernel_client.h"

namespace {

using namespace kernels;

constexpr unsigned BAD_CLIENTS = 8;
constexpr unsigned ROUNDS = 6;
constexpr uint64_t MS = 1000000;

size_t descriptors()
{
	return static_cast<size_t>(
		std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
			      std::filesystem::directory_iterator()));
}

void be_bad(unsigned seed)
{
	KernelClient client(0, uint64_t{64} << 20);
	client.load_good();
	Memory memory = client.memory(4096);
	for (unsigned i = 0; i < ROUNDS; i++) {
		switch ((seed + i) % 5) {
		case 0:
			EXPECT_EQ(client.run("poke", 1, {16, 1}), Status::KERNEL_FAULT_VECTOR);
			break;
		case 1:
			EXPECT_EQ(client.run("trap", 3), Status::KERNEL_FAULT_VECTOR);
			break;
		case 2:
			EXPECT_EQ(client.run("loop", 1, {}, 20 * MS),
				  Status::KERNEL_TIMEOUT_VECTOR);
			break;
		case 3:
			EXPECT_EQ(client.run("half_sync", 4), Status::KERNEL_FAULT_VECTOR);
			break;
		default:
			EXPECT_EQ(client.run("blocks", 60, {memory.va}), Status::OK);
			break;
		}
	}
	client.launch("loop", 1, {});
}

TEST(KernelStorm, GoodClientIsNotDisturbed)
{
	SKIP_WITHOUT_WORKERS();
	{
		KernelClient warm_up;
		warm_up.load_good();
	}
	const size_t before = descriptors();
	{
		KernelClient good;
		good.load_good();
		Memory memory = good.memory(64 << 10);
		auto *out = memory.as<uint64_t>();
		std::vector<std::thread> bad;
		std::atomic<unsigned> left{BAD_CLIENTS};
		for (unsigned i = 0; i < BAD_CLIENTS; i++) {
			bad.emplace_back([i, &left] {
				be_bad(i);
				left--;
			});
		}
		uint64_t rounds = 0, wrong = 0;
		do {
			memset(out, 0, 100 * sizeof(*out));
			wrong += good.run("blocks", 100, {memory.va}) != Status::OK;
			for (uint64_t i = 0; i < 100; i++)
				wrong += out[i] != 1 + i + (uint64_t{100} << 32);
			rounds++;
		} while (left.load() != 0);
		for (std::thread &thread : bad)
			thread.join();
		EXPECT_EQ(wrong, 0u);
		printf("%llu good launches\n", static_cast<unsigned long long>(rounds));
		EXPECT_EQ(workers().size(), 1u);
	}
	EXPECT_TRUE(workers().empty());
	EXPECT_EQ(descriptors(), before);
}

} // namespace
