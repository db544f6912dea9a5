// SPDX-License-Identifier: MIT
/**
 * DOC: the syntax of schedules
 */
#include <gtest/gtest.h>

#include "base/schedule.h"

using base::SchedulePlan;
using Strategy = base::SchedulePlan::Strategy;

static SchedulePlan read(const std::string &text)
{
	std::string why;
	const auto plan = base::parse_schedule(text, why);
	EXPECT_TRUE(plan) << why;
	return plan ? **plan : SchedulePlan();
}

static std::string problem_of(const std::string &text)
{
	std::string why;
	EXPECT_FALSE(base::parse_schedule(text, why)) << text;
	return why;
}

TEST(Schedule, has_a_strategy_and_keys)
{
	const SchedulePlan plan = read("pct:seed=7,depth=2,steps=40,log=/tmp/decisions");
	EXPECT_EQ(plan.strategy, Strategy::PCT);
	EXPECT_EQ(plan.seed, 7u);
	EXPECT_EQ(plan.depth, 2u);
	EXPECT_EQ(plan.steps, 40u);
	EXPECT_EQ(plan.log, "/tmp/decisions");
	EXPECT_EQ(read("starve:stream=3").stream, 3);
	EXPECT_EQ(read("confirm:address=0x7f00,bytes=64").address, 0x7f00u);
	EXPECT_EQ(read("replay:from=@1w 1c").from, "@1w 1c");
}

TEST(Schedule, portfolio_has_each_strategy_within_six_seeds)
{
	const Strategy wanted[] = {Strategy::EAGER, Strategy::LAZY, Strategy::STARVE,
				   Strategy::PCT,   Strategy::PCT,  Strategy::RANDOM};
	for (uint64_t seed = 0; seed < 12; seed++) {
		const SchedulePlan plan = read("portfolio:seed=" + std::to_string(seed));
		EXPECT_EQ(plan.strategy, wanted[seed % 6]);
		EXPECT_EQ(plan.seed, seed);
	}
	EXPECT_EQ(read("portfolio:seed=3").depth, 2u);
	EXPECT_EQ(read("portfolio:seed=4").depth, 3u);
}

TEST(Schedule, description_is_read_as_the_same_plan)
{
	for (const char *text :
	     {"fifo", "eager", "lazy", "starve:stream=2", "starve:seed=9", "random:seed=3",
	      "pct:seed=4,depth=2,steps=100", "confirm:address=0x1000,bytes=64",
	      "confirm:address=0x1000,bytes=64,kernels=1", "replay:from=/tmp/x"})
		EXPECT_EQ(base::describe_schedule(read(text)), text);
}

TEST(Schedule, mistakes_are_explained)
{
	EXPECT_NE(problem_of("fast").find("known are fifo"), std::string::npos);
	EXPECT_NE(problem_of("random:speed=3").find("seed="), std::string::npos);
	EXPECT_NE(problem_of("random:seed=x").find("seed=x"), std::string::npos);
	EXPECT_NE(problem_of("pct:depth=0").find("from 1 to 16"), std::string::npos);
	EXPECT_NE(problem_of("confirm:address=0x1000").find("bytes="), std::string::npos);
	EXPECT_NE(problem_of("replay").find("from="), std::string::npos);
}
