// SPDX-License-Identifier: MIT
/*
 * DOC: CPU of the device's thread, tested
 *
 * When the thread is to leave a CPU, and that it does.
 */
#include "firmware_sim/schedule/cpu.h"

#include <gtest/gtest.h>
#include <sched.h>

#include "firmware_sim/schedule/tuning.h"
#include "tests/unit/support/one_cpu.h"

namespace {

/* CPUs that the calling thread may use. */
int usable()
{
	cpu_set_t allowed;
	return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

TEST(Cpu, StaysUnlessAskedToLeaveThisOne)
{
	const OneCpu one;
	fw::Cpu cpu;
	EXPECT_TRUE(cpu.settle());
	EXPECT_EQ(cpu.number(), fw::cpu_here());
	EXPECT_FALSE(cpu.settle());
	EXPECT_FALSE(cpu.wants_to_move());
	cpu.leave(cpu.number()); /* the next one */
	EXPECT_FALSE(cpu.wants_to_move());
	cpu.leave(cpu.number() - 1);
	cpu.stay();
	EXPECT_FALSE(cpu.wants_to_move());
	cpu.leave(cpu.number() - 1);
	EXPECT_TRUE(cpu.wants_to_move());
	EXPECT_FALSE(cpu.wants_to_move()) << "a request counts once";
}

TEST(Cpu, DoesNotMoveWhereThereIsOneCpu)
{
	const OneCpu one;
	fw::Cpu cpu;
	cpu.settle();
	cpu.leave(cpu.number() - 1);
	ASSERT_TRUE(cpu.wants_to_move());
	cpu.move();
	EXPECT_FALSE(cpu.settle());
}

TEST(Cpu, MovesAndThenWaitsBeforeTheNextMove)
{
	if (usable() < 2)
		GTEST_SKIP() << "this process may use one CPU";
	const int before = usable();
	fw::Cpu cpu;
	/* The kernel may move the thread as well; so some tries. */
	bool has_moved = false;
	for (int i = 0; i < 20 && !has_moved; i++) {
		cpu.settle();
		const uint64_t begun_ns = base::now_ns();
		cpu.leave(cpu.number() - 1);
		if (!cpu.wants_to_move())
			continue;
		cpu.move();
		has_moved = cpu.settle();
		cpu.leave(fw::cpu_here() - 1);
		const bool wants = cpu.wants_to_move();
		EXPECT_TRUE(!wants || base::now_ns() - begun_ns >= fw::tuning::HOP_LEAST_NS);
	}
	EXPECT_TRUE(has_moved);
	EXPECT_EQ(usable(), before);
}

TEST(Cpu, GivesWayToAThreadThatKicksOnIt)
{
	const OneCpu one;
	fw::Cpu cpu;
	cpu.note_kick(fw::cpu_here() + 1);
	cpu.give_way();
	EXPECT_FALSE(cpu.gives_way()) << "the kick came from another CPU";
	cpu.note_kick(fw::cpu_here());
	cpu.give_way();
	EXPECT_TRUE(cpu.gives_way());
	EXPECT_EQ(cpu.take_way(), fw::Way::SLEEPS);
	EXPECT_EQ(cpu.take_way(), fw::Way::POLLS);
}

TEST(Cpu, PollsAgainOnAnotherCpuThanThatOfTheKick)
{
	const OneCpu one;
	fw::Cpu cpu;
	cpu.note_kick(fw::cpu_here());
	cpu.give_way();
	cpu.note_kick(fw::cpu_here() + 1);
	cpu.settle();
	EXPECT_FALSE(cpu.gives_way());
}

} // namespace
