// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 */
#include "support/child.h"

#include "told_skips.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

extern char **environ;

namespace cuda_test {

static constexpr unsigned kChildSeconds = 100;
static constexpr unsigned kForkSeconds = 10;
static constexpr int kSkipFd = 3;
static constexpr const char *kRole = "UNPU_CUDA_CHILD";

static std::string device_string(const std::string &words)
{
	const char *given = getenv("UNPU_DEVICE");
	std::string base = given && *given ? given : "sim:";

	/* The devices of a firmware that is there already are as it has them. */
	if (base.rfind("unix:", 0) == 0 && !words.empty())
		base = "sim:";
	if (words.empty())
		return base;
	return base + (base.back() == ':' ? "" : ",") + words;
}

static testing::AssertionResult ended_well(pid_t child)
{
	int status = 0;

	if (TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) != child)
		return testing::AssertionFailure() << "the child is lost";
	if (WIFSIGNALED(status))
		return testing::AssertionFailure()
		       << "the child died of signal " << WTERMSIG(status)
		       << (WTERMSIG(status) == SIGALRM ? ": it hung" : "");
	if (WEXITSTATUS(status) != 0)
		return testing::AssertionFailure() << "the child exited " << WEXITSTATUS(status);
	return testing::AssertionSuccess();
}

static void run_alone(const std::string &words, const std::vector<std::string> &additions)
{
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
	std::string filter =
		std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
	std::string program = "unpu_cuda_conformance";
	std::vector<std::string> texts;
	std::vector<char *> environment;
	char *arguments[] = {program.data(), filter.data(), nullptr};
	posix_spawn_file_actions_t actions;
	const ToldSkips skips;
	pid_t child = -1;

	for (char **entry = environ; *entry; ++entry) {
		const std::string text = *entry;

		if (text.rfind("GTEST_", 0) != 0 && text.rfind("UNPU_DEVICE=", 0) != 0)
			texts.push_back(text);
	}
	texts.push_back("UNPU_DEVICE=" + device_string(words));
	texts.push_back(std::string(kRole) + "=1");
	texts.insert(texts.end(), additions.begin(), additions.end());
	for (std::string &text : texts)
		environment.push_back(text.data());
	environment.push_back(nullptr);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, skips.child_end(), kSkipFd);
	const int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments,
				       environment.data());
	posix_spawn_file_actions_destroy(&actions);
	ASSERT_EQ(failed, 0);
	EXPECT_TRUE(ended_well(child))
		<< test->name() << " with UNPU_DEVICE=" << device_string(words);
	skips.pass_on();
}

bool alone(const std::string &words, const std::vector<std::string> &environment)
{
	if (!getenv(kRole)) {
		run_alone(words, environment);
		return false;
	}
	alarm(kChildSeconds);
	tell_skips(kSkipFd);
	return true;
}

testing::AssertionResult in_fork(const std::function<void()> &body)
{
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
	const int failures = test->result()->total_part_count();
	const pid_t child = fork();

	if (child == 0) {
		alarm(kForkSeconds);
		body();
		/* The fork has inherited what failed before it. */
		_exit(test->result()->total_part_count() == failures ? 0 : 1);
	}
	if (child < 0)
		return testing::AssertionFailure() << "there is no fork";
	return ended_well(child);
}

} // namespace cuda_test
