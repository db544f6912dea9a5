// SPDX-License-Identifier: MIT
/*
 * DOC: The step token, tested
 *
 * One thread at a time has the token, the next one sees what it wrote, and each thread that waits
 * gets the token.
 */
#include "firmware_sim/schedule/step_token.h"

#include <mutex>

#include <gtest/gtest.h>

namespace {

TEST(StepToken, IsHeldByOneThreadAtATime)
{
	constexpr unsigned THREADS = 4;
	constexpr unsigned TURNS = 5000;
	fw::StepToken token;
	uint64_t guarded = 0;
	uint64_t tried = 0;
	std::vector<std::thread> threads;
	threads.reserve(THREADS);
	for (unsigned i = 0; i < THREADS; i++)
		threads.emplace_back([&] {
			for (unsigned turn = 0; turn < TURNS; turn++) {
				std::lock_guard lock(token);
				guarded++;
			}
			for (unsigned turn = 0; turn < TURNS;) {
				std::unique_lock lock(token, std::try_to_lock);
				if (!lock.owns_lock())
					continue;
				tried++;
				turn++;
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(guarded, THREADS * TURNS);
	EXPECT_EQ(tried, THREADS * TURNS);
}

TEST(StepToken, AThreadThatFindsItHeldGetsItLater)
{
	fw::StepToken token;
	bool held = true;
	token.lock();
	EXPECT_FALSE(token.try_lock());
	std::thread waiting([&] {
		std::lock_guard lock(token);
		EXPECT_FALSE(held);
	});
	held = false;
	token.unlock();
	waiting.join();
	EXPECT_TRUE(token.try_lock());
	token.unlock();
}

} // namespace
