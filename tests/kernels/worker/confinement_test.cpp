// SPDX-License-Identifier: MIT
/*
 * DOC: What a worker gives up beside system calls, tested
 *
 * The filter of calls hides it from kernels. So this program gives it up without the filter, in a process of its own.
 */
#include <csignal>
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/worker/process/confine.h"

namespace {

/* The version of the kernel's Landlock; < 1: it has none. */
long landlock_version()
{
	return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* Return: what @work returns in a process that has given up what a worker gives up; 255: it could not. */
int confined(const std::function<int()> &work)
{
	const pid_t child = fork();
	if (child == 0)
		_exit(worker::close_files() ? work() : 255);
	int status = 0;
	EXPECT_EQ(waitpid(child, &status, 0), child);
	EXPECT_TRUE(WIFEXITED(status)) << status;
	return WEXITSTATUS(status);
}

bool can_connect()
{
	const int peer = socket(AF_INET, SOCK_STREAM, 0);
	sockaddr_in address{};
	address.sin_family = AF_INET;
	address.sin_port = htons(9);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return connect(peer, reinterpret_cast<const sockaddr *>(&address), sizeof(address)) == 0 ||
	       errno != EACCES;
}

} // namespace

class Confinement : public testing::Test {
protected:
	void SetUp() override
	{
		if (landlock_version() < 1)
			GTEST_SKIP() << "this kernel has no Landlock, and runs no workers";
	}
};

/* A bit for each thing that it could do. */
TEST_F(Confinement, LeavesNoPaths)
{
	EXPECT_EQ(confined([] {
			  int could = 0;
			  could |= open("/etc/passwd", O_RDONLY) >= 0 ? 1 : 0;
			  could |= open("/", O_RDONLY | O_DIRECTORY) >= 0 ? 2 : 0;
			  could |= open("/dev/null", O_RDWR) >= 0 ? 4 : 0;
			  could |= mkdir("/tmp/unpu-confined", 0700) == 0 ? 8 : 0;
			  could |= open("/proc/self/mem", O_RDWR) >= 0 ? 16 : 0;
			  could |= open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0 ? 32 : 0;
			  return could;
		  }),
		  0);
}

TEST_F(Confinement, LeavesNoNetworkAndNoSignals)
{
	const long version = landlock_version();
	if (version < 4)
		GTEST_SKIP() << "Landlock of version " << version << " knows no network";
	EXPECT_EQ(confined([version] {
			  int could = can_connect() ? 1 : 0;
			  could |= version >= 6 && kill(getppid(), 0) == 0 ? 2 : 0;
			  return could;
		  }),
		  0);
}

TEST_F(Confinement, LeavesNoPrivileges)
{
	EXPECT_EQ(confined([] {
			  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
			  __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3]{};
			  int could = syscall(SYS_capget, &head, has) != 0 ? 1 : 0;
			  for (const __user_cap_data_struct &one : has)
				  could |=
					  one.effective || one.permitted || one.inheritable ? 2 : 0;
			  could |= prctl(PR_CAPBSET_READ, CAP_CHOWN) != 0 ? 4 : 0;
			  could |= prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 ? 8 : 0;
			  could |= prctl(PR_GET_DUMPABLE) != 0 ? 16 : 0;
			  return could;
		  }),
		  0);
}
