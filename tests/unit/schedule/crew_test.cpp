// SPDX-License-Identifier: MIT
/*
 * DOC: Crew, tested
 *
 * Which devices a thread moves beside its own, and that each of them moves alone again when that thread sleeps.
 */
#include "firmware_sim/engine/crew.h"

#include <thread>

#include <gtest/gtest.h>

namespace {

struct Device final : fw::Moved {
	bool move_here() override
	{
		moves++;
		return work != 0 && work-- != 0;
	}
	void move_alone() override { is_alone = true; }

	unsigned work = 0;
	unsigned moves = 0;
	bool is_alone = false;
};

TEST(Crew, IsCrowdedWhereDevicesAndProgramsAreMoreThanCpus)
{
	fw::Crew crew(4);
	crew.count_used(1);
	crew.count_used(1);
	EXPECT_FALSE(crew.is_crowded());
	crew.count_used(1);
	EXPECT_TRUE(crew.is_crowded());
	crew.count_used(-1);
	EXPECT_FALSE(crew.is_crowded());
}

TEST(Crew, OneDeviceIsNoCrowd)
{
	fw::Crew crew(1);
	crew.count_used(1);
	EXPECT_FALSE(crew.is_crowded());
}

TEST(Crew, MovesWhatItWasGivenUntilThatEnds)
{
	fw::Crew crew(2);
	Device one, two;
	EXPECT_FALSE(crew.has_given());
	EXPECT_FALSE(crew.move());
	crew.give(1, one, 0);
	crew.give(2, two, 0);
	two.work = 1;
	EXPECT_TRUE(crew.has_given());
	EXPECT_TRUE(crew.move());
	EXPECT_FALSE(crew.move());
	EXPECT_EQ(one.moves, 2u);
	EXPECT_EQ(two.moves, 2u);
	crew.end(1);
	EXPECT_TRUE(crew.has_given());
	EXPECT_FALSE(crew.move());
	EXPECT_EQ(one.moves, 2u);
	EXPECT_EQ(two.moves, 3u);
	crew.end(2);
	crew.end(2);
	EXPECT_FALSE(crew.has_given());
}

TEST(Crew, AThreadThatSleepsLeavesItsOwnDevicesAlone)
{
	fw::Crew crew(2);
	Device one, two;
	crew.give(1, one, 0);
	crew.give(2, two, 1);
	crew.part(0);
	EXPECT_TRUE(one.is_alone);
	EXPECT_FALSE(two.is_alone);
	/* Its signal was left to the thread of device 0. */
	crew.keep(2, 0);
	crew.part(1);
	EXPECT_FALSE(two.is_alone);
	crew.part(0);
	EXPECT_TRUE(two.is_alone);
	crew.end(1);
	crew.end(2);
}

/* A device that ends is not moved any more once end() has returned. */
TEST(Crew, TheEndOfADeviceWaitsForItsMover)
{
	fw::Crew crew(2);
	std::atomic<bool> stops{false};
	std::thread mover([&] {
		while (!stops.load())
			(void)crew.move();
	});
	for (unsigned i = 0; i < 2000; i++) {
		Device device;
		crew.give(3, device, 0);
		crew.end(3);
	}
	stops = true;
	mover.join();
	EXPECT_FALSE(crew.has_given());
}

} // namespace
