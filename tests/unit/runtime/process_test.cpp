// SPDX-License-Identifier: MIT
/**
 * DOC: Tests of what a process owns
 *
 * A process has one object of each type, however many threads ask for the first one at a time. The
 * child of a fork gets objects of its own.
 */
#include "umd/core/process/process.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

using umd::Process;

struct Kept {
	int value = 0;
};

struct Raced {
	std::atomic<int> users{0};
};

struct Outer {
	Kept &inner = Process::own<Kept>();
};

/* Return: what the child's @body returned. */
template <class Body> bool in_fork(const Body &body)
{
	const pid_t child = fork();
	if (child == 0)
		_exit(body() ? 0 : 1);
	int status = 0;
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Process, MakesAnObjectOnFirstUse)
{
	struct Late {
		int value = 7;
	};
	EXPECT_EQ(Process::find<Late>(), nullptr);
	EXPECT_EQ(Process::own<Late>().value, 7);
	EXPECT_EQ(Process::find<Late>(), &Process::own<Late>());
}

TEST(Process, MakesObjectsOfObjects)
{
	EXPECT_EQ(&Process::own<Outer>().inner, &Process::own<Kept>());
}

TEST(Process, GivesAllThreadsTheSameObject)
{
	std::array<std::thread, 8> threads;
	std::atomic<unsigned> ready{0};
	for (std::thread &thread : threads)
		thread = std::thread([&] {
			ready++;
			while (ready.load() < threads.size())
				std::this_thread::yield();
			Process::own<Raced>().users++;
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(Process::own<Raced>().users.load(), 8);
}

TEST(Process, MakesObjectsAnewInAFork)
{
	Process::own<Kept>().value = 1;
	EXPECT_TRUE(in_fork([] {
		const bool has_none = !Process::find<Kept>();
		return has_none && Process::own<Kept>().value == 0;
	}));
	EXPECT_EQ(Process::own<Kept>().value, 1);
	/* Once more: the child's list does not disturb the parent's. */
	EXPECT_TRUE(in_fork([] { return !Process::find<Kept>(); }));
}

/* In a process of its own, since other tests use devices. */
TEST(Forks, HaveNoDevicesAfterTheUseOfOne)
{
	EXPECT_EQ(Process::check_fork(), base::Status::OK);
	EXPECT_TRUE(in_fork([] { return Process::begin_use() == base::Status::OK; }));
	EXPECT_EQ(Process::begin_use(), base::Status::OK);
	EXPECT_TRUE(in_fork([] { return Process::check_fork() == base::Status::NOT_INITIALISED; }));
	EXPECT_EQ(Process::check_fork(), base::Status::OK);
}

} // namespace
