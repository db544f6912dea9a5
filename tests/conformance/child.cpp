// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 *
 * A test is run again in a new process by starting this program with a filter that names it, so the
 * library there has no past, and no limit or environment of one test reaches another. A child that
 * hangs is ended by its alarm; all of them tell how they ended by the way they exit.
 */
#include "child.h"

#include "firmware.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>

extern char **environ;

namespace conformance {

namespace {

constexpr unsigned kChildSeconds = 100;
constexpr unsigned kForkSeconds = 10;
constexpr size_t kWorkBytes = size_t{1} << 20;
constexpr const char *kRole = "UNPU_CONFORMANCE_CHILD";

/* The device string this run was started with, and a word more. */
std::string device_string(const std::string &words)
{
	const char *given = getenv("UNPU_DEVICE");
	const std::string base = given && *given ? given : "sim:";

	if (words.empty())
		return base;
	return base + (base.back() == ':' ? "" : ",") + words;
}

/*
 * A firmware that others use too is as it was started, so the words become its options: the test gets
 * one of its own. Words it has no option for are left to the device string.
 */
std::vector<std::string> firmware_options(const std::string &words)
{
	std::vector<std::string> options;

	for (size_t begin = 0; begin < words.size();) {
		const size_t end = std::min(words.find(',', begin), words.size());
		const std::string word = words.substr(begin, end - begin);
		const std::string key = word.substr(0, word.find('='));

		begin = end + 1;
		if (key != "memory" && key != "soc" && key != "devices")
			return {};
		options.push_back("--" + key);
		options.push_back(word.substr(key.size() + 1));
	}
	return options;
}

/* This process's environment without what steers its googletest, and with the child's words. */
std::vector<std::string> child_environment(const std::string &device)
{
	std::vector<std::string> result;

	for (char **entry = environ; *entry; ++entry) {
		const std::string text = *entry;

		if (text.rfind("GTEST_", 0) != 0 && text.rfind("UNPU_DEVICE=", 0) != 0)
			result.push_back(text);
	}
	result.push_back("UNPU_DEVICE=" + device);
	result.push_back(std::string(kRole) + "=1");
	return result;
}

std::vector<char *> pointers(std::vector<std::string> &texts)
{
	std::vector<char *> result;

	for (std::string &text : texts)
		result.push_back(text.data());
	result.push_back(nullptr);
	return result;
}

testing::AssertionResult ended_well(pid_t child)
{
	int status = 0;

	if (waitpid(child, &status, 0) != child)
		return testing::AssertionFailure() << "the child is lost";
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return testing::AssertionFailure() << "the child hung";
	if (WIFSIGNALED(status)) {
		return testing::AssertionFailure()
		       << "the child died of signal " << WTERMSIG(status);
	}
	if (WEXITSTATUS(status) != 0)
		return testing::AssertionFailure() << "the child exited " << WEXITSTATUS(status);
	return testing::AssertionSuccess();
}

/* Runs the current test again, in a new process. */
void run_alone(const std::string &words)
{
	std::string device = device_string(words);
	std::unique_ptr<Firmware> firmware;
	const std::vector<std::string> options = firmware_options(words);

	if (device.rfind("unix:", 0) == 0 && !options.empty()) {
		firmware = std::make_unique<Firmware>(options);
		device = firmware->device_string();
	}
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
	std::vector<std::string> arguments = {"unpu_conformance", std::string("--gtest_filter=") +
									  test->test_suite_name() +
									  "." + test->name()};
	std::vector<std::string> environment = child_environment(device);
	std::vector<char *> argv = pointers(arguments);
	std::vector<char *> envp = pointers(environment);
	pid_t child = -1;

	ASSERT_EQ(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), envp.data()),
		  0);
	EXPECT_TRUE(ended_well(child)) << test->name() << " with UNPU_DEVICE=" << device;
}

} // namespace

bool alone(const std::string &words)
{
	if (!getenv(kRole)) {
		run_alone(words);
		return false;
	}
	alarm(kChildSeconds);
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

void open_device()
{
	ASSERT_OK(aclInit(nullptr));
	ASSERT_OK(aclrtSetDevice(0));
}

void close_device()
{
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclFinalize());
}

void expect_device_works()
{
	const DeviceBuffer device(kWorkBytes);
	const Stream stream;

	device.fill_async(3, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(device, 3));
}

} // namespace conformance
