// SPDX-License-Identifier: MIT
/*
 * DOC: Movers, tested
 *
 * Which devices a thread moves beside its own, and that each of them moves alone again when that thread sleeps.
 */
#include "firmware_sim/engine/movers.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "firmware_sim/schedule/tuning.h"

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

TEST(Movers, IsCrowdedWhereDevicesAndProgramsAreMoreThanCpus)
{
	fw::Movers movers(4);
	movers.count_used(1);
	movers.count_used(1);
	EXPECT_FALSE(movers.is_crowded());
	movers.count_used(1);
	EXPECT_TRUE(movers.is_crowded());
	movers.count_used(-1);
	EXPECT_FALSE(movers.is_crowded());
}

TEST(Movers, OneDeviceIsNoCrowd)
{
	fw::Movers movers(1);
	movers.count_used(1);
	EXPECT_FALSE(movers.is_crowded());
}

TEST(Movers, MovesWhatItWasGivenUntilThatEnds)
{
	fw::Movers movers(2);
	Device one, two;
	EXPECT_FALSE(movers.has_given());
	EXPECT_FALSE(movers.move());
	movers.give(1, one, 0);
	movers.give(2, two, 0);
	two.work = 1;
	EXPECT_TRUE(movers.has_given());
	EXPECT_TRUE(movers.move());
	EXPECT_FALSE(movers.move());
	EXPECT_EQ(one.moves, 2u);
	EXPECT_EQ(two.moves, 2u);
	movers.end(1);
	EXPECT_TRUE(movers.has_given());
	EXPECT_FALSE(movers.move());
	EXPECT_EQ(one.moves, 2u);
	EXPECT_EQ(two.moves, 3u);
	movers.end(2);
	movers.end(2);
	EXPECT_FALSE(movers.has_given());
}

TEST(Movers, AThreadThatSleepsLeavesItsOwnDevicesAlone)
{
	fw::Movers movers(2);
	Device one, two;
	movers.give(1, one, 0);
	movers.give(2, two, 1);
	movers.part(0);
	EXPECT_TRUE(one.is_alone);
	EXPECT_FALSE(two.is_alone);
	/* Its signal was left to the thread of device 0. */
	movers.keep(2, 0);
	movers.part(1);
	EXPECT_FALSE(two.is_alone);
	movers.part(0);
	EXPECT_TRUE(two.is_alone);
	movers.end(1);
	movers.end(2);
}

TEST(Handover, IsGivenToTheThreadThatWasAskedFor)
{
	fw::Movers movers(2);
	Device device;
	fw::Handover handover(movers, 1, device);
	EXPECT_FALSE(handover.is_wanted());
	handover.want(0);
	EXPECT_TRUE(handover.is_wanted());
	EXPECT_FALSE(handover.is_given());
	handover.give();
	EXPECT_TRUE(handover.is_given());
	EXPECT_FALSE(handover.is_wanted());
	EXPECT_TRUE(movers.has_given());
	movers.part(0);
	EXPECT_TRUE(device.is_alone);
	handover.take_back();
	EXPECT_FALSE(handover.is_given());
	EXPECT_FALSE(movers.has_given());
}

TEST(Handover, IsDueAfterManySignalsAndNotAfterLongWork)
{
	fw::Movers movers(2);
	Device device;
	fw::Handover handover(movers, 1, device);
	/* A thread without a CPU may send a signal so late that the count begins again. */
	bool is_due = false;
	for (unsigned i = 0; i < 1000 * fw::tuning::MOVER_SIGNALS && !is_due; i++)
		is_due = handover.note_signal();
	EXPECT_TRUE(is_due);
	handover.note_turn(false);
	EXPECT_FALSE(handover.must_be_alone());
	handover.note_turn(true);
	const uint64_t begin_ns = base::coarse_ns();
	EXPECT_TRUE(handover.must_be_alone());
	const bool is_due_again = handover.note_signal();
	if (base::coarse_ns() - begin_ns < fw::tuning::MOVED_ALONE_NS) {
		EXPECT_FALSE(is_due_again);
	}
}

/* A device that ends is not moved any more once end() has returned. */
TEST(Movers, TheEndOfADeviceWaitsForItsMover)
{
	fw::Movers movers(2);
	std::atomic<bool> stops{false};
	std::thread mover([&] {
		while (!stops.load())
			(void)movers.move();
	});
	for (unsigned i = 0; i < 2000; i++) {
		Device device;
		movers.give(3, device, 0);
		movers.end(3);
	}
	stops = true;
	mover.join();
	EXPECT_FALSE(movers.has_given());
}

} // namespace
