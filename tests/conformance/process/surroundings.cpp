// SPDX-License-Identifier: MIT
/*
 * DOC: surroundings of the process
 *
 * The kernel forbids something, the machine lacks something, or the process ends in the middle of
 * an operation. The device works or reports what is missing, and leaves nothing behind. If this
 * machine does not let a test arrange its case, the test is skipped with a sentence.
 */
#include "abilities.h"
#include "firmware_process.h"
#include "support/child_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/memfd.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <random>

using namespace conformance;

extern char **environ;

namespace {

constexpr size_t kBytes = 4096;
constexpr size_t kMiB = size_t{1} << 20;
constexpr int kManyStreams = 8;

/* A system call of a number that has one of these bits in an argument fails; any call without bits. */
struct Forbidden {
	uint32_t number;
	uint32_t argument;
	uint32_t bits;
	uint32_t error;
};

bool forbid(const Forbidden &call)
{
	const uint32_t argument = offsetof(seccomp_data, args) + 8 * call.argument;
	const uint8_t skip = call.bits ? 3 : 1;
	std::vector<sock_filter> filter = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call.number, 0, skip),
	};

	if (call.bits) {
		filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument));
		filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, call.bits, 0, 1));
	}
	filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | call.error));
	filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Mounts that are this process's own. A process without privileges becomes root of its own users. */
bool own_mounts()
{
	if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
		return false;
	return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

void expect_all_works()
{
	open_device();
	expect_device_works();
	{
		const PinnedBuffer host(kBytes);
		const DeviceBuffer device(kBytes);
		const Stream stream;

		host.fill(7);
		EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, host.data(), kBytes,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(device, 7));
	}
	close_device();
}

/* A firmware that is started under the same conditions works too. */
void expect_firmware_works()
{
	Firmware firmware({"--memory", "256M"});

	ASSERT_TRUE(firmware.ready());
	setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1);
	expect_all_works();
}

void write_text(const std::string &path, const std::string &text)
{
	std::ofstream(path) << text;
}

/* A control group with a fifth of a CPU, of either kind of hierarchy. */
class FifthOfACpu {
public:
	FifthOfACpu()
	{
		for (const char *root : {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"}) {
			const std::string folder =
				std::string(root) + "/unpu-test-" + std::to_string(getpid());

			if (mkdir(folder.c_str(), 0755) != 0)
				continue;
			folder_ = folder;
			write_text(folder + "/cpu.max", "20000 100000");
			write_text(folder + "/cpu.cfs_period_us", "100000");
			write_text(folder + "/cpu.cfs_quota_us", "20000");
			write_text(folder + "/cgroup.procs", std::to_string(getpid()));
			if (limited() && inside())
				return;
			leave();
		}
	}
	~FifthOfACpu() { leave(); }
	FifthOfACpu(const FifthOfACpu &) = delete;
	FifthOfACpu &operator=(const FifthOfACpu &) = delete;

	bool made() const { return !folder_.empty(); }

private:
	bool holds(const char *file, const std::string &wanted) const
	{
		std::ifstream in(folder_ + "/" + file);
		std::string line;

		while (std::getline(in, line)) {
			if (line == wanted)
				return true;
		}
		return false;
	}
	bool limited() const
	{
		return holds("cpu.max", "20000 100000") || holds("cpu.cfs_quota_us", "20000");
	}
	bool inside() const { return holds("cgroup.procs", std::to_string(getpid())); }
	void leave()
	{
		if (folder_.empty())
			return;
		const std::string root = folder_.substr(0, folder_.rfind('/'));

		write_text(root + "/cgroup.procs", std::to_string(getpid()));
		rmdir(folder_.c_str());
		folder_.clear();
	}

	std::string folder_;
};

bool drop_capabilities()
{
	__user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	const __user_cap_data_struct none[2] = {};

	for (int capability = 0; capability <= CAP_LAST_CAP; ++capability)
		(void)prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_capset, &header, none) == 0;
}

/* Open files that a program started from here has, but for the standard ones. */
int inherited_files()
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	while (const dirent *entry = readdir(folder)) {
		const int fd = atoi(entry->d_name);

		count += fd > STDERR_FILENO && fd != dirfd(folder);
	}
	closedir(folder);
	return count;
}

void leave_by_exit(void *)
{
	exit(0);
}

/* A program that ends by exit() with all kinds of things open, and work that is not done. */
[[noreturn]] void exit_in_the_middle()
{
	open_device();
	aclrtStream stream = nullptr;
	void *memory = nullptr;

	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtMalloc(&memory, kMiB, ACL_MEM_MALLOC_NORMAL_ONLY));
	for (int i = 0; i < 100; ++i)
		EXPECT_OK(aclrtMemsetAsync(memory, kMiB, i, kMiB, stream));
	exit(0);
}

/* Returns when a process has ended, or after so long. */
void wait_at_most(pid_t pid, long microseconds)
{
	const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
	const timespec patience = {0, 1000 * microseconds};
	pollfd entry = {fd, POLLIN, 0};

	(void)ppoll(&entry, 1, &patience, nullptr);
	close(fd);
}

} // namespace

TEST(Surroundings, IoUringIsForbidden)
{
	SKIP_WITHOUT_CALL_FILTERS();
	if (!alone())
		return;
	ASSERT_TRUE(forbid({SYS_io_uring_setup, 0, 0, EPERM}));
	expect_all_works();
	expect_firmware_works();
}

TEST(Surroundings, ThereAreNoHugePages)
{
	SKIP_WITHOUT_CALL_FILTERS();
	if (!alone())
		return;
	ASSERT_TRUE(forbid({SYS_memfd_create, 1, MFD_HUGETLB, ENOENT}));
	open_device();
	for (auto policy : {ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY}) {
		void *memory = nullptr;

		EXPECT_OK(aclrtMalloc(&memory, 4 * kMiB, policy));
		EXPECT_OK(aclrtMemset(memory, 4 * kMiB, 3, 4 * kMiB));
		EXPECT_OK(aclrtFree(memory));
	}
	expect_device_works();
	close_device();
	expect_firmware_works();
}

/* 64 files are enough for a device, its streams and memory of both kinds. */
TEST(Surroundings, SixtyFourFiles)
{
	if (!alone())
		return;
	const rlimit limit = {64, 64};

	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	expect_all_works();
	open_device();
	{
		std::vector<Stream> streams(kManyStreams);
		const DeviceBuffer memory(32 * kMiB);
		const size_t part = memory.size() / kManyStreams;

		for (int i = 0; i < kManyStreams; ++i)
			EXPECT_OK(aclrtMemsetAsync(static_cast<char *>(memory.data()) + i * part,
						   part, 1, part, streams[i]));
		for (const Stream &stream : streams)
			EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	close_device();
	expect_firmware_works();
}

TEST(Surroundings, ThereIsNoDevShm)
{
	if (!alone())
		return;
	if (!own_mounts())
		GTEST_SKIP() << "this process may not have mounts of its own";
	/* A folder with only /dev/null, which a process needs to start a program. */
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const std::string source = "/proc/self/fd/" + std::to_string(null);

	ASSERT_EQ(mount("none", "/dev", "tmpfs", 0, nullptr), 0);
	close(open("/dev/null", O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	ASSERT_EQ(mount(source.c_str(), "/dev/null", nullptr, MS_BIND, nullptr), 0);
	close(null);
	ASSERT_NE(access("/dev/shm", F_OK), 0);
	expect_all_works();
}

TEST(Surroundings, TheFileSystemIsReadOnly)
{
	if (!alone())
		return;
	mount_attr read_only = {};

	read_only.attr_set = MOUNT_ATTR_RDONLY;
	if (!own_mounts() || syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &read_only,
				     sizeof(read_only)) != 0)
		GTEST_SKIP() << "this process may not make its file systems read-only";
	ASSERT_LT(open("/tmp/unpu-read-only", O_CREAT | O_WRONLY | O_CLOEXEC, 0600), 0);
	ASSERT_EQ(errno, EROFS);
	expect_all_works();
}

TEST(Surroundings, OneCpu)
{
	if (!alone())
		return;
	cpu_set_t all;
	cpu_set_t one;
	int cpu = 0;

	ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		++cpu;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
	expect_all_works();
	expect_firmware_works();
}

TEST(Surroundings, AFifthOfACpu)
{
	if (!alone())
		return;
	const FifthOfACpu group;

	if (!group.made())
		GTEST_SKIP() << "this process may not make a control group with a CPU quota";
	expect_all_works();
}

TEST(Surroundings, NoCapabilities)
{
	if (!alone())
		return;
	ASSERT_TRUE(drop_capabilities());
	expect_all_works();
	expect_firmware_works();
}

/* A program that is started in the place of one with a device has nothing of it, and its own. */
TEST(Surroundings, ExecWithAnOpenDevice)
{
	constexpr const char *kExecuted = "UNPU_CONFORMANCE_EXECUTED";

	if (!alone())
		return;
	if (getenv(kExecuted)) {
		EXPECT_EQ(inherited_files(), atoi(getenv(kExecuted)));
		EXPECT_EQ(World::look().memfd_maps, 0u);
		expect_all_works();
		return;
	}
	setenv(kExecuted, std::to_string(inherited_files()).c_str(), 1);
	open_device();
	expect_device_works();
	std::string filter = "--gtest_filter=Surroundings.ExecWithAnOpenDevice";
	char name[] = "unpu_conformance";
	char *arguments[] = {name, filter.data(), nullptr};

	execve("/proc/self/exe", arguments, environ);
	FAIL() << "there is no exec";
}

/* Host functions run on a thread of the library. If one calls exit(), that thread runs the functions
 * of atexit(). */
TEST(Surroundings, ExitFromAHostFunction)
{
	if (!alone())
		return;
	EXPECT_TRUE(in_fork([] {
		open_device();
		aclrtStream stream = nullptr;

		EXPECT_OK(aclrtCreateStream(&stream));
		EXPECT_OK(aclrtLaunchHostFunc(stream, leave_by_exit, nullptr));
		(void)aclrtSynchronizeStream(stream);
		/* Not before the function has ended the process; the alarm ends a test that fails. */
		for (;;)
			pause();
	}));
	expect_all_works();
}

TEST(Surroundings, KilledInTheMiddleOfExit)
{
	constexpr int kKills = 20;
	constexpr unsigned kMostMicroseconds = 60000;

	if (!alone())
		return;
	std::mt19937 random(7);

	/* A firmware of the killed one's own is a child of this process then. */
	ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	for (int i = 0; i < kKills; ++i) {
		const pid_t child = fork();

		ASSERT_GE(child, 0);
		if (child == 0)
			exit_in_the_middle();
		wait_at_most(child, static_cast<long>(random() % kMostMicroseconds));
		kill(child, SIGKILL);
		ASSERT_EQ(TEMP_FAILURE_RETRY(waitpid(child, nullptr, 0)), child);
	}
	/* A firmware that outlives its program is waited for until the alarm ends this test. */
	while (TEMP_FAILURE_RETRY(wait(nullptr)) > 0)
		;
	expect_all_works();
}
