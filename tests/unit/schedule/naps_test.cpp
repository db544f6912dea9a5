// SPDX-License-Identifier: MIT
/*
 * DOC: Naps and looks of the device's thread, tested
 *
 * How long a device's thread naps, and when it has napped or looked for work often enough.
 */
#include "firmware_sim/schedule/naps.h"

#include <gtest/gtest.h>

#include "firmware_sim/schedule/looks.h"

namespace {

TEST(Naps, AreShortOnceAfterARest)
{
	fw::Naps naps;
	EXPECT_EQ(naps.next_ns(false), fw::tuning::DOZE_NS);
	EXPECT_EQ(naps.next_ns(true), fw::tuning::MOVED_DOZE_NS);
	naps.note_rest();
	EXPECT_EQ(naps.next_ns(false), fw::tuning::RESTED_DOZE_NS);
	EXPECT_EQ(naps.next_ns(false), fw::tuning::DOZE_NS);
}

TEST(Naps, EndAfterSomeInARowThatWereEmpty)
{
	fw::Naps naps;
	for (unsigned row = 0; row < 3; row++) {
		for (unsigned i = 1; i < fw::tuning::EMPTY_NAPS; i++)
			EXPECT_FALSE(naps.note_empty());
		if (row == 1)
			naps.note_use();
		else
			EXPECT_TRUE(naps.note_empty());
	}
}

TEST(Naps, KnowWhetherCallersCame)
{
	fw::Naps naps;
	EXPECT_FALSE(naps.note_turns(0));
	EXPECT_TRUE(naps.note_turns(3));
	EXPECT_FALSE(naps.note_turns(3));
}

TEST(Looks, CountARoundOfEmptyRings)
{
	fw::Looks looks(100);
	EXPECT_FALSE(looks.note_empty(3));
	EXPECT_FALSE(looks.note_empty(3));
	EXPECT_TRUE(looks.note_empty(3));
	EXPECT_FALSE(looks.note_empty(3));
	looks.note_work();
	EXPECT_FALSE(looks.note_empty(3));
	EXPECT_FALSE(looks.note_empty(3));
	EXPECT_TRUE(looks.note_empty(3));
}

TEST(Looks, ForAMessageEndAsPollsDo)
{
	fw::Looks looks(3);
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_TRUE(looks.is_worth_another());
		EXPECT_TRUE(looks.is_worth_another());
		EXPECT_FALSE(looks.is_worth_another());
	}
	EXPECT_TRUE(looks.is_worth_another());
	looks.note_work();
	EXPECT_TRUE(looks.is_worth_another());
	EXPECT_TRUE(looks.is_worth_another());
	EXPECT_FALSE(looks.is_worth_another());
}

TEST(Looks, OfADeviceThatYieldsTakeThePollingTime)
{
	constexpr uint32_t POLLS = fw::tuning::USUAL_POLL_US * fw::tuning::POLLS_PER_US;
	constexpr uint64_t POLLING_NS = fw::tuning::USUAL_POLL_US * (base::NS_PER_S / 1000000);
	fw::Looks looks(POLLS);
	looks.note_burst(true, 1000);
	looks.note_burst(false, 2000);
	EXPECT_FALSE(looks.is_over(1000 + POLLING_NS));
	EXPECT_TRUE(looks.is_over(1001 + POLLING_NS));
}

} // namespace
