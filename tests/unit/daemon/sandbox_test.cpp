// SPDX-License-Identifier: MIT
/*
 * DOC: Sandbox
 *
 * What a firmware can do behind its sandbox, and what it can't, in a process that ends with the test.
 */
#include "firmware_sim/daemon/sandbox.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/common/abilities.h"

namespace {

enum End { GOOD, NO_SANDBOX, STILL_ALLOWED, REFUSED };

/* behind_the_sandbox() - how a process ends that asks @holds in its sandbox. */
template <typename Check> int behind_the_sandbox(Check holds, End otherwise)
{
	const pid_t pid = fork();
	if (pid == 0) {
		std::string why;
		_exit(!fwd::enter_sandbox(why) ? NO_SANDBOX : holds() ? GOOD : otherwise);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <typename Call> bool is_refused(Call call)
{
	errno = 0;
	return call() == -1 && errno == EPERM;
}

TEST(Sandbox, ServingContinues)
{
	SKIP_WITHOUT_CALL_FILTERS();
	const auto serves = [] {
		const int fd = memfd_create("memory", MFD_CLOEXEC);
		if (fd < 0 || ftruncate(fd, 4096) != 0)
			return false;
		void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		rlimit limit{};
		return page != MAP_FAILED && munmap(page, 4096) == 0 && close(fd) == 0 &&
		       getrlimit(RLIMIT_NOFILE, &limit) == 0;
	};
	EXPECT_EQ(behind_the_sandbox(serves, REFUSED), GOOD);
}

TEST(Sandbox, FilesSocketsRingsAndProgramsAreForbidden)
{
	SKIP_WITHOUT_CALL_FILTERS();
	const auto holds = [] {
		char name[] = "/bin/true";
		char *argv[] = {name, nullptr};
		char *none[] = {nullptr};
		const rlimit limit{64, 64};
		return is_refused([] { return open("/dev/null", O_RDONLY); }) &&
		       is_refused([] { return socket(AF_UNIX, SOCK_STREAM, 0); }) &&
		       is_refused([] { return syscall(SYS_io_uring_setup, 8, nullptr); }) &&
		       is_refused([&] { return execve(name, argv, none); }) &&
		       is_refused([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }) &&
		       is_refused([&] { return setrlimit(RLIMIT_NOFILE, &limit); });
	};
	EXPECT_EQ(behind_the_sandbox(holds, STILL_ALLOWED), GOOD);
}

TEST(Sandbox, HoldsForThreadsThatWereThereBefore)
{
	SKIP_WITHOUT_CALL_FILTERS();
	const pid_t pid = fork();
	if (pid == 0) {
		std::atomic<bool> has_started{false}, is_entered{false};
		bool refused = false;
		std::thread thread([&] {
			has_started = true;
			has_started.notify_one();
			is_entered.wait(false);
			refused = is_refused([] { return socket(AF_UNIX, SOCK_STREAM, 0); });
		});
		/* UBSan opens a pipe to check the start of a thread, which the sandbox refuses. */
		has_started.wait(false);
		std::string why;
		const bool entered = fwd::enter_sandbox(why);
		is_entered = true;
		is_entered.notify_one();
		thread.join();
		_exit(!entered ? NO_SANDBOX : refused ? GOOD : STILL_ALLOWED);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), GOOD);
}

} // namespace
