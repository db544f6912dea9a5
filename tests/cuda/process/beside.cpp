// SPDX-License-Identifier: MIT
/*
 * DOC: a machine that has a real device (check X1)
 *
 * The process gets a /dev of its own in which there is the node of a real device, if the machine
 * permits that.
 */
#include "support/child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

using namespace cuda_test;

namespace {

bool write_file(const char *path, const std::string &text)
{
	std::ofstream file(path);

	file << text;
	return static_cast<bool>(file.flush());
}

/* A process that is not root becomes root of a user namespace. */
bool leave_mounts()
{
	const std::string user = "0 " + std::to_string(getuid()) + " 1";
	const std::string group = "0 " + std::to_string(getgid()) + " 1";

	if (geteuid() == 0)
		return unshare(CLONE_NEWNS) == 0;
	return unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0 &&
	       write_file("/proc/self/setgroups", "deny") &&
	       write_file("/proc/self/uid_map", user) && write_file("/proc/self/gid_map", group);
}

bool make_node(const char *path)
{
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool pretend_a_device(const char *node)
{
	if (!leave_mounts() || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
		return false;
	/* Of this namespace's mounts, or it could not be bound. */
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const std::string same = "/proc/self/fd/" + std::to_string(null);

	return null >= 0 && mount("tmpfs", "/dev", "tmpfs", 0, nullptr) == 0 &&
	       make_node("/dev/null") &&
	       mount(same.c_str(), "/dev/null", nullptr, MS_BIND, nullptr) == 0 && make_node(node);
}

} // namespace

TEST(BesideAlone, X1_NotSilentlyBesideARealDevice)
{
	if (!dlsym(RTLD_DEFAULT, "unpu_cuEventQuery"))
		GTEST_SKIP() << "another driver, whose device that is";
	if (!alone())
		return;
	unsetenv("UNPU_CUDA_BESIDE_NVIDIA");
	if (!pretend_a_device("/dev/nvidiactl"))
		GTEST_SKIP() << "no mounts of its own for this process";
	CUdevice device = -1;

	EXPECT_CU(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, cuInit(0));
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
	setenv("UNPU_CUDA_BESIDE_NVIDIA", "1", 1);
	EXPECT_OK(cuInit(0));
	EXPECT_OK(cuDeviceGet(&device, 0));
	EXPECT_EQ(device, 0);
}
