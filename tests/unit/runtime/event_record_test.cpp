// SPDX-License-Identifier: MIT
/*
 * DOC: The word of a record, tested
 *
 * A record gives back the fence that was stored, even one that does not fit into the word.
 */
#include <thread>

#include <gtest/gtest.h>

#include "umd/core/object/event_record.h"

namespace {

constexpr uint64_t LIMIT = uint64_t{1} << umd::EventRecord::VALUE_BITS;
constexpr uint32_t LAST_SEMAPHORE = UNPU_MAX_SEMAPHORES - 1;

TEST(EventRecord, BeginsUnrecorded)
{
	umd::EventRecord record;
	EXPECT_FALSE(record.recorded());
	EXPECT_TRUE(record.fence().empty());
}

TEST(EventRecord, KeepsEveryFence)
{
	umd::EventRecord record;
	for (uint32_t sem : {1u, 3u, LAST_SEMAPHORE}) {
		for (uint64_t value : {uint64_t{0}, uint64_t{1}, LIMIT - 2, LIMIT - 1, LIMIT,
				       LIMIT + 1, UINT64_MAX}) {
			record.set({sem, value});
			EXPECT_TRUE(record.recorded());
			EXPECT_EQ(record.fence().sem, sem) << value;
			EXPECT_EQ(record.fence().value, value) << sem;
		}
	}
	record.clear();
	EXPECT_FALSE(record.recorded());
	EXPECT_TRUE(record.fence().empty());
}

/* Semaphore and value are the same number, so that a mixture is seen. */
TEST(EventRecord, IsReadInOnePiece)
{
	constexpr uint32_t ROUNDS = 20000;
	umd::EventRecord record;
	record.set({1, 1});
	std::thread writer([&] {
		for (uint32_t i = 2; i < ROUNDS; i++) {
			uint64_t wide = i % 3 == 0 ? LIMIT : 0;
			record.set({i, wide + i});
		}
	});
	uint32_t last = 1;
	while (last != ROUNDS - 1) {
		drv::Fence fence = record.fence();
		EXPECT_EQ(fence.value % LIMIT, fence.sem);
		EXPECT_EQ(fence.value >= LIMIT, fence.sem % 3 == 0);
		last = fence.sem;
	}
	writer.join();
}

} // namespace
