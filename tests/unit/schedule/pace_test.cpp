// SPDX-License-Identifier: MIT
/**
 * DOC: Pace of a device that polls
 */
#include <gtest/gtest.h>

#include "firmware_sim/schedule/pace.h"

namespace {

using fw::Pace;

/* Packets come in runs, the next one while the device pauses. */
TEST(Pace, AProducerThatStreamsIsLeftAlone)
{
	Pace pace;
	for (int i = 0; i < 10; i++) {
		pace.worked(8);
		pace.worked(3);
		EXPECT_EQ(pace.found_nothing(1), Pace::CAUGHT_UP_PAUSES);
	}
}

/* One packet, an answer, and a while until the next one. */
TEST(Pace, AProducerThatWaitsIsNot)
{
	Pace pace;
	for (int i = 0; i < 10; i++) {
		pace.worked(2);
		for (int look = 0; look < 5; look++)
			EXPECT_EQ(pace.found_nothing(1), 1u);
	}
}

/* The next packet is there at once, though each comes alone: it crossed for itself. */
TEST(Pace, WhoBeginsToStreamIsNoticed)
{
	Pace pace;
	pace.worked(2);
	for (int look = 0; look < 5; look++)
		pace.found_nothing(1);
	pace.worked(2);
	EXPECT_EQ(pace.found_nothing(1), 1u);
	pace.worked(4);
	EXPECT_EQ(pace.found_nothing(1), Pace::CAUGHT_UP_PAUSES);
}

TEST(Pace, NoPauseWhileOneOfSeveralHasPackets)
{
	Pace pace;
	for (int i = 0; i < 10; i++) {
		pace.worked(1);
		EXPECT_EQ(pace.found_nothing(3), 0u);
		EXPECT_EQ(pace.found_nothing(3), 0u);
	}
	EXPECT_EQ(pace.found_nothing(3), Pace::CAUGHT_UP_PAUSES);
}

} // namespace
