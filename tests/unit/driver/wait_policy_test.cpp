// SPDX-License-Identifier: MIT
/*
 * DOC: How threads wait, tested
 *
 * When callers begin to run the device, when they stop, and when waits skip polling.
 */
#include <gtest/gtest.h>

#include "hal/wait_policy.h"

namespace {

using hal::CallerRuns;
using hal::WaitPolicy;

constexpr uint64_t SPIN_NS = 50000;

WaitPolicy made(CallerRuns mode, uint64_t spin_ns = SPIN_NS, bool adapts = true)
{
	WaitPolicy policy;
	policy.configure(mode, spin_ns, adapts);
	return policy;
}

/* Return: how many short waits it took until callers ran, or 0. */
unsigned waits_until_callers_run(WaitPolicy &policy)
{
	for (unsigned i = 1; i <= 2 * hal::tuning::STREAK_MOST; i++) {
		if (policy.note_polled(1, 10))
			return i;
	}
	return 0;
}

TEST(WaitPolicy, ShortWaitsInARowLetCallersRun)
{
	WaitPolicy policy = made(CallerRuns::AUTO);
	EXPECT_FALSE(policy.callers_run());
	EXPECT_EQ(waits_until_callers_run(policy), hal::tuning::STREAK);
	EXPECT_TRUE(policy.callers_run());
}

TEST(WaitPolicy, OneLongWaitBreaksTheRow)
{
	WaitPolicy policy = made(CallerRuns::AUTO);
	for (unsigned i = 0; i < 100; i++) {
		for (unsigned k = 1; k < hal::tuning::STREAK; k++)
			EXPECT_FALSE(policy.note_polled(1, 10));
		EXPECT_FALSE(policy.note_polled(1, hal::tuning::SHORT_POLLS + 1));
	}
	for (unsigned i = 0; i < 100; i++)
		EXPECT_FALSE(policy.note_polled(hal::tuning::FEW_TASKS + 1, 10));
}

TEST(WaitPolicy, ShortSleepsCountWhereNoThreadPolls)
{
	WaitPolicy policy = made(CallerRuns::AUTO, 0);
	for (unsigned i = 1; i < hal::tuning::STREAK; i++)
		EXPECT_FALSE(policy.note_slept(1, 5000));
	EXPECT_TRUE(policy.note_slept(1, 5000));
	EXPECT_TRUE(policy.callers_run());
}

TEST(WaitPolicy, EachStopMakesTheRowLonger)
{
	WaitPolicy policy = made(CallerRuns::AUTO);
	for (uint32_t wanted = hal::tuning::STREAK; wanted < hal::tuning::STREAK_MOST;
	     wanted *= 2) {
		EXPECT_EQ(waits_until_callers_run(policy), wanted);
		policy.stop_callers();
		EXPECT_FALSE(policy.callers_run());
		policy.stop_callers();
	}
	EXPECT_EQ(waits_until_callers_run(policy), hal::tuning::STREAK_MOST);
	policy.stop_callers();
	EXPECT_EQ(waits_until_callers_run(policy), hal::tuning::STREAK_MOST);
	for (uint32_t i = 0; i < hal::tuning::STREAK_MOST; i++)
		policy.note_run();
	policy.stop_callers();
	EXPECT_EQ(waits_until_callers_run(policy), 2 * hal::tuning::STREAK) << "forgiven";
}

TEST(WaitPolicy, APauseLeavesTheRowAsItIs)
{
	WaitPolicy policy = made(CallerRuns::AUTO);
	for (unsigned i = 0; i < 10; i++) {
		EXPECT_EQ(waits_until_callers_run(policy), hal::tuning::STREAK);
		EXPECT_TRUE(policy.pause_callers());
		EXPECT_FALSE(policy.callers_run());
		EXPECT_FALSE(policy.pause_callers());
	}
}

TEST(WaitPolicy, OnAndOffStayAsTheyAre)
{
	WaitPolicy on = made(CallerRuns::ON);
	EXPECT_TRUE(on.callers_run());
	on.stop_callers();
	EXPECT_FALSE(on.pause_callers());
	EXPECT_TRUE(on.callers_run());
	WaitPolicy off = made(CallerRuns::OFF);
	EXPECT_EQ(waits_until_callers_run(off), 0u);
	EXPECT_FALSE(off.callers_run());
}

/* Waits until polls in vain have used the budget up. Return: how many of them polled. */
unsigned polls_in_vain(WaitPolicy &policy)
{
	unsigned polls = 0;
	for (; policy.next_poll_ns() == SPIN_NS && polls < 1000; polls++)
		policy.note_slept(1, 10 * SPIN_NS);
	policy.note_slept(1, 10 * SPIN_NS);
	return polls;
}

TEST(WaitPolicy, PollingInVainIsLeftOut)
{
	WaitPolicy policy = made(CallerRuns::OFF);
	EXPECT_EQ(polls_in_vain(policy), 4u);
	unsigned polls = 0;
	for (unsigned i = 1; i < 64; i++) {
		const uint64_t poll_ns = policy.next_poll_ns();
		EXPECT_TRUE(poll_ns == 0 || poll_ns == SPIN_NS) << "all or nothing";
		polls += poll_ns != 0;
		policy.note_slept(1, 10 * SPIN_NS);
	}
	EXPECT_EQ(polls, 4u)
		<< "each 16th of 64 waits, the first of which polls_in_vain() has made";
}

/* Whether it was a poll that met the end, or a short sleep that a poll would have met. */
TEST(WaitPolicy, OneWaitThatPollingMeetsGivesTheBudgetBack)
{
	WaitPolicy policy = made(CallerRuns::OFF);
	(void)polls_in_vain(policy);
	policy.note_slept(1, SPIN_NS / 2);
	EXPECT_EQ(polls_in_vain(policy), 4u);
	policy.note_polled(1, 1);
	EXPECT_EQ(polls_in_vain(policy), 4u);
}

TEST(WaitPolicy, APollingTimeThatWasAskedForIsKept)
{
	WaitPolicy policy = made(CallerRuns::OFF, SPIN_NS, false);
	for (unsigned i = 0; i < 100; i++) {
		policy.note_slept(1, 10 * SPIN_NS);
		EXPECT_EQ(policy.next_poll_ns(), SPIN_NS);
	}
}

} // namespace
