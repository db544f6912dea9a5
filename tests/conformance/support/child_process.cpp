// SPDX-License-Identifier: MIT
/*
 * DOC: tests in a process of their own
 *
 * A test starts this program again, with a filter that names the test. So the library has no state
 * in the new process, and limits and environment of one test do not reach another. An alarm ends a
 * child that hangs. The parent learns the result from the exit status.
 */
#include "support/child_process.h"

#include "firmware_process.h"
#include "told_skips.h"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

extern char **environ;

namespace conformance {

namespace {

constexpr unsigned kChildSeconds = 100;
constexpr unsigned kForkSeconds = 10;
constexpr size_t kWorkBytes = size_t{1} << 20;
/* Descriptors of a child: the first ones after its output, so that it can count those it opens. */
constexpr int kSkipFd = 3;
constexpr int kPeerFd = 4;
constexpr const char *kFirst = "first";
constexpr const char *kSecond = "second";
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
		if (key == "faults" && word.find("call=") == word.npos) {
			options.push_back("--faults");
			options.push_back(word.substr(key.size() + 1));
			continue;
		}
		if (key == "engine_cpus") {
			std::string list = word.substr(key.size() + 1);
			std::replace(list.begin(), list.end(), '+', ',');
			options.insert(options.end(), {"--engine-cpus", list});
			continue;
		}
		if (key == "node" || key == "watchdog_ms") {
			options.push_back(key == "node" ? "--numa-node" : "--watchdog-ms");
			options.push_back(word.substr(key.size() + 1));
			continue;
		}
		if (key != "memory" && key != "soc" && key != "devices" && key != "engines")
			return {};
		options.push_back("--" + key);
		options.push_back(word.substr(key.size() + 1));
	}
	return options;
}

/* This process's environment without what steers its googletest, and with the child's words. */
std::vector<std::string> child_environment(const std::string &device, const char *role)
{
	std::vector<std::string> result;

	for (char **entry = environ; *entry; ++entry) {
		const std::string text = *entry;

		if (text.rfind("GTEST_", 0) != 0 && text.rfind("UNPU_DEVICE=", 0) != 0)
			result.push_back(text);
	}
	result.push_back("UNPU_DEVICE=" + device);
	result.push_back(std::string(kRole) + "=" + role);
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

testing::AssertionResult ended_well(pid_t child, int signal = 0)
{
	int status = 0;

	if (TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) != child)
		return testing::AssertionFailure() << "the child is lost";
	if (signal && WIFSIGNALED(status) && WTERMSIG(status) == signal)
		return testing::AssertionSuccess();
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return testing::AssertionFailure() << "the child hung";
	if (WIFSIGNALED(status)) {
		return testing::AssertionFailure()
		       << "the child died of signal " << WTERMSIG(status);
	}
	if (signal)
		return testing::AssertionFailure() << "the child did not die of signal " << signal;
	if (WEXITSTATUS(status) != 0)
		return testing::AssertionFailure() << "the child exited " << WEXITSTATUS(status);
	return testing::AssertionSuccess();
}

/* Starts the current test again in a new process, which has fd as kPeerFd and tells its skips. */
pid_t start_again(const std::string &device, const char *role, const ToldSkips &skips, int fd)
{
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();
	std::vector<std::string> arguments = {"unpu_conformance", std::string("--gtest_filter=") +
									  test->test_suite_name() +
									  "." + test->name()};
	std::vector<std::string> environment = child_environment(device, role);
	std::vector<char *> argv = pointers(arguments);
	std::vector<char *> envp = pointers(environment);
	posix_spawn_file_actions_t actions;
	pid_t child = -1;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, skips.child_end(), kSkipFd);
	if (fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, fd, kPeerFd);
	EXPECT_EQ(
		posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), envp.data()),
		0);
	posix_spawn_file_actions_destroy(&actions);
	return child;
}

/* The device string of both processes of a pair; firmware is theirs, if they need one. */
std::string pair_device(On on, std::unique_ptr<Firmware> &firmware)
{
	const std::string given = device_string("");
	const bool shared = given.rfind("unix:", 0) == 0;

	if (on == On::ONE_EACH)
		return shared ? "sim:" : given;
	if (shared)
		return given;
	firmware = std::make_unique<Firmware>(std::vector<std::string>{"--memory", "256M"});
	return firmware->device_string();
}

void run_pair(int signal, On on)
{
	std::unique_ptr<Firmware> firmware;
	const std::string device = pair_device(on, firmware);
	const ToldSkips skips;
	int ends[2] = {-1, -1};

	ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	const pid_t first = start_again(device, kFirst, skips, ends[0]);
	const pid_t second = start_again(device, kSecond, skips, ends[1]);

	close(ends[0]);
	close(ends[1]);
	EXPECT_TRUE(ended_well(first, signal)) << "the first one, with UNPU_DEVICE=" << device;
	EXPECT_TRUE(ended_well(second)) << "the second one, with UNPU_DEVICE=" << device;
	skips.pass_on();
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
	const ToldSkips skips;

	EXPECT_TRUE(ended_well(start_again(device, "1", skips, -1)))
		<< "with UNPU_DEVICE=" << device;
	skips.pass_on();
}

} // namespace

bool alone(const std::string &words)
{
	if (!getenv(kRole)) {
		run_alone(words);
		return false;
	}
	alarm(kChildSeconds);
	tell_skips(kSkipFd);
	return true;
}

void Peer::introduce()
{
	int32_t own = 0;

	EXPECT_OK(aclrtDeviceGetBareTgid(&own));
	send(own);
	pid_ = receive<int32_t>();
}

void Peer::send_bytes(const void *from, size_t size) const
{
	EXPECT_EQ(TEMP_FAILURE_RETRY(::send(fd_, from, size, MSG_NOSIGNAL)),
		  static_cast<ssize_t>(size));
}

bool Peer::receive_bytes(void *to, size_t size) const
{
	return TEMP_FAILURE_RETRY(recv(fd_, to, size, 0)) == static_cast<ssize_t>(size);
}

void Peer::wait_for_its_end() const
{
	char byte = 0;

	EXPECT_LE(TEMP_FAILURE_RETRY(recv(fd_, &byte, 1, 0)), 0) << "it is still there";
}

void together(const Half &first, const Half &second, int signal, On on)
{
	const char *role = getenv(kRole);

	if (!role) {
		run_pair(signal, on);
		return;
	}
	alarm(kChildSeconds);
	tell_skips(kSkipFd);
	Peer peer(kPeerFd);

	open_device();
	peer.introduce();
	(strcmp(role, kFirst) == 0 ? first : second)(peer);
	close_device();
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
