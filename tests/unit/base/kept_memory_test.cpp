// SPDX-License-Identifier: MIT
/*
 * DOC: Kept memory, tested
 *
 * Threads that take and give memory of all sizes write their number into it: no two may have the same.
 */
#include "base/os/kept_memory.h"

#include <cstdint>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "base/sync/ordering.h"

TEST(KeptMemory, IsUsedAgain)
{
	void *memory = base::take_kept(100 << 10);
	base::give_kept(memory, 100 << 10);
	void *again = base::take_kept(128 << 10);
	EXPECT_EQ(again, memory);
	base::give_kept(again, 128 << 10);
}

TEST(KeptMemory, HasRoomForItsSize)
{
	for (size_t bytes :
	     {1u, 65535u, 65536u, 65537u, 131072u, 131073u, 1u << 20, (1u << 20) + 1u}) {
		for (int turn = 0; turn < 2; turn++) {
			void *memory = base::take_kept(bytes);
			memset(memory, 7, bytes);
			base::give_kept(memory, bytes);
		}
	}
}

TEST(KeptMemory, HasOneOwner)
{
	constexpr int THREADS = 4;
	std::vector<std::thread> threads;
	std::vector<uint64_t> foreign(THREADS);
	for (int number = 0; number < THREADS; number++) {
		threads.emplace_back([&foreign, number] {
			for (size_t i = 0; i < 20000; i++) {
				const size_t bytes = size_t{64 << 10} << (i % 5);
				auto *first = static_cast<uint64_t *>(base::take_kept(bytes));
				base::store_relaxed(*first, uint64_t(number));
				for (int look = 0; look < 100; look++)
					base::cpu_relax();
				foreign[number] += base::load_relaxed(*first) != uint64_t(number);
				base::give_kept(first, bytes);
			}
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	for (uint64_t count : foreign)
		EXPECT_EQ(count, 0u);
}

TEST(KeptMemory, IsThatOfVectors)
{
	base::KeptVector<uint32_t> list;
	for (uint32_t i = 0; i < 300000; i++)
		list.push_back(i);
	base::KeptVector<uint32_t> copy = list;
	list.clear();
	for (uint32_t i = 0; i < 300000; i++)
		ASSERT_EQ(copy[i], i);
}
