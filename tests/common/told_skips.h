/* SPDX-License-Identifier: MIT */
/*
 * DOC: skips of tests that run again in a process of their own
 *
 * A child that skips its test exits with 0, as a child that passes does. So the child writes the
 * reason into a pipe, and the parent skips the test with that reason.
 */
#ifndef UNPU_TESTS_TOLD_SKIPS_H
#define UNPU_TESTS_TOLD_SKIPS_H

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

/* The parent's end. */
class ToldSkips {
public:
	ToldSkips() { EXPECT_EQ(pipe2(ends_, O_CLOEXEC | O_NONBLOCK), 0); }
	~ToldSkips()
	{
		close(ends_[0]);
		close(ends_[1]);
	}
	ToldSkips(const ToldSkips &) = delete;
	ToldSkips &operator=(const ToldSkips &) = delete;

	/* The descriptor with which a child calls tell_skips(). */
	int child_end() const { return ends_[1]; }

	/* Skips the current test if a child has skipped it. Call it when the children have ended. */
	void pass_on() const
	{
		char reason[4096];
		const ssize_t bytes = read(ends_[0], reason, sizeof(reason));

		if (bytes > 0)
			GTEST_SKIP() << std::string(reason, static_cast<size_t>(bytes));
	}

private:
	int ends_[2] = {-1, -1};
};

/* The child's end: from now on a skip is told through @fd. A program that takes the child's place has it
 * too, since it may be the one that skips. */
inline void tell_skips(int fd)
{
	class Teller : public testing::EmptyTestEventListener {
	public:
		explicit Teller(int fd) : fd_(fd) {}

		void OnTestPartResult(const testing::TestPartResult &result) override
		{
			if (!result.skipped())
				return;
			const char *reason = result.message();

			EXPECT_GT(write(fd_, reason, strlen(reason)), 0) << reason;
		}

	private:
		int fd_;
	};

	testing::UnitTest::GetInstance()->listeners().Append(new Teller(fd));
}

#endif
