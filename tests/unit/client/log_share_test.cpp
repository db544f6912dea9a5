// SPDX-License-Identifier: MIT
/*
 * DOC: lines of the log that a user may cause
 */
#include "firmware_sim/client/log_share.h"

#include <gtest/gtest.h>

namespace {

using fw::LogShare;

constexpr uid_t USER = 1000, OTHER = 1001;
constexpr uint64_t START_NS = 5;

TEST(LogShare, AUserThatWritesTooMuchIsLeftOutAndCounted)
{
	LogShare share;
	uint64_t left_out = 0;
	for (uint64_t i = 0; i < LogShare::AT_ONCE; i++)
		EXPECT_TRUE(share.admit(USER, START_NS, left_out)) << i;
	for (uint64_t i = 0; i < 3; i++)
		EXPECT_FALSE(share.admit(USER, START_NS, left_out));
	EXPECT_TRUE(share.admit(OTHER, START_NS, left_out))
		<< "one user takes nothing from another one";
	EXPECT_EQ(left_out, 0u);
	EXPECT_TRUE(share.admit(USER, START_NS + LogShare::PERIOD_NS, left_out));
	EXPECT_EQ(left_out, 3u);
	EXPECT_FALSE(share.admit(USER, START_NS + LogShare::PERIOD_NS, left_out));
	EXPECT_TRUE(share.admit(USER, START_NS + 2 * LogShare::PERIOD_NS, left_out));
	EXPECT_EQ(left_out, 1u);
}

TEST(LogShare, AQuietTimeGivesNoMoreThanTheFirstShare)
{
	LogShare share;
	uint64_t left_out = 0;
	for (uint64_t i = 0; i < 2 * LogShare::AT_ONCE; i++)
		(void)share.admit(USER, START_NS, left_out);
	const uint64_t later = START_NS + 1000 * LogShare::AT_ONCE * LogShare::PERIOD_NS;
	for (uint64_t i = 0; i < LogShare::AT_ONCE; i++)
		EXPECT_TRUE(share.admit(USER, later, left_out)) << i;
	EXPECT_FALSE(share.admit(USER, later, left_out));
}

} // namespace
