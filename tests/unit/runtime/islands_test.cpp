// SPDX-License-Identifier: MIT
/**
 * DOC: which rank is on which firmware
 */
#include "umd/hccl/far/islands.h"

#include <gtest/gtest.h>

namespace umd {

TEST(Islands, OneFirmwareIsOneIsland)
{
	const Islands islands(std::vector<uint64_t>{7, 7, 7}, 1);
	EXPECT_EQ(islands.count(), 1u);
	EXPECT_EQ(islands.near(), (std::vector<uint32_t>{0, 1, 2}));
	ASSERT_EQ(islands.runs().size(), 1u);
	EXPECT_EQ(islands.runs()[0].count, 3u);
	EXPECT_EQ(islands.agent(0, 4), 1u);
}

TEST(Islands, RanksThatDoNotFollowEachOtherAreSeveralRuns)
{
	const Islands islands(std::vector<uint64_t>{5, 9, 9, 5, 3}, 3);
	EXPECT_EQ(islands.count(), 3u);
	EXPECT_EQ(islands.own(), 0u);
	EXPECT_EQ(islands.near(), (std::vector<uint32_t>{0, 3}));
	EXPECT_EQ(islands.members(1), (std::vector<uint32_t>{1, 2}));
	EXPECT_TRUE(islands.is_near(0));
	EXPECT_FALSE(islands.is_near(4));
	EXPECT_EQ(islands.place(3), 1u);
	EXPECT_EQ(islands.most_members(), 2u);
	ASSERT_EQ(islands.runs().size(), 4u);
	EXPECT_EQ(islands.runs()[1].island, 1u);
	EXPECT_EQ(islands.runs()[1].count, 2u);
	EXPECT_EQ(islands.runs()[2].first, 3u);
	/* An island with fewer ranks than parts has one rank for several. */
	EXPECT_EQ(islands.agent(2, 1), 4u);
}

} // namespace umd
