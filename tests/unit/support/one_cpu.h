// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <sched.h>

/* Keeps the calling thread, and those that it starts, on the CPU where it is. Gives it all others back at the end. */
class OneCpu {
public:
	OneCpu()
	{
		EXPECT_EQ(sched_getaffinity(0, sizeof(before_), &before_), 0);
		CPU_ZERO(&here_);
		CPU_SET(sched_getcpu(), &here_);
		bind(0);
	}
	~OneCpu() { EXPECT_EQ(sched_setaffinity(0, sizeof(before_), &before_), 0); }
	OneCpu(const OneCpu &) = delete;
	OneCpu &operator=(const OneCpu &) = delete;

	/* Moves another thread to the same CPU. */
	void bind(pid_t thread) const
	{
		EXPECT_EQ(sched_setaffinity(thread, sizeof(here_), &here_), 0);
	}

private:
	cpu_set_t before_;
	cpu_set_t here_;
};
