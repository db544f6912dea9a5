// SPDX-License-Identifier: MIT
/*
 * DOC: limits of the process
 *
 * The system grants less than usual: locked memory, open files, address space, threads. A call that
 * needs more reports that and takes nothing. Objects from before keep working.
 */
#include "support/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <vector>

using namespace conformance;

#if defined(UNPU_TSAN) || defined(UNPU_ASAN)
#define SKIP_UNDER_SANITIZERS(why) GTEST_SKIP() << why
#else
#define SKIP_UNDER_SANITIZERS(why) \
	do { \
	} while (0)
#endif

namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;
constexpr uid_t kNobody = 65534;

/* The limit does not apply to root, so the test runs as another user. */
void become_nobody()
{
	if (geteuid() != 0)
		return;
	ASSERT_EQ(setgroups(0, nullptr), 0);
	ASSERT_EQ(setgid(kNobody), 0);
	ASSERT_EQ(setuid(kNobody), 0);
	/* Else /proc/self would be root's, and a leak checker could not look at this process. */
	ASSERT_EQ(prctl(PR_SET_DUMPABLE, 1), 0);
}

/* A soft limit, and the former one again at the end of the scope. */
class Limit {
public:
	Limit(__rlimit_resource resource, rlim_t value) : resource_(resource)
	{
		rlimit changed = {};

		EXPECT_EQ(getrlimit(resource_, &former_), 0);
		changed = former_;
		changed.rlim_cur = value;
		EXPECT_EQ(setrlimit(resource_, &changed), 0);
	}

	~Limit() { EXPECT_EQ(setrlimit(resource_, &former_), 0); }

	Limit(const Limit &) = delete;
	Limit &operator=(const Limit &) = delete;

private:
	__rlimit_resource resource_;
	rlimit former_ = {};
};

void copy_there_and_back(const PinnedBuffer &out, const DeviceBuffer &device,
			 const PinnedBuffer &back, aclrtStream stream)
{
	EXPECT_OK(aclrtMemcpyAsync(device.data(), device.size(), out.data(), out.size(),
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpyAsync(back.data(), back.size(), device.data(), back.size(),
				   ACL_MEMCPY_DEVICE_TO_HOST, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

void expect_copies_right(const PinnedBuffer &out, const PinnedBuffer &back)
{
	const DeviceBuffer device(out.size());
	const Stream stream;

	out.fill(0x5a);
	back.fill(0);
	copy_there_and_back(out, device, back, stream);
	EXPECT_TRUE(holds(back, 0x5a));
}

/* The lowest number that no open file has; with it as the limit nothing can be opened. */
rlim_t lowest_free_file()
{
	const int lowest = dup(STDIN_FILENO);

	EXPECT_GE(lowest, 0);
	close(lowest);
	return static_cast<rlim_t>(lowest);
}

/*
 * Tries the call with room for no file, for one, and so on, until it succeeds. As long as it fails
 * it has to give a sentence and to take nothing. Returns the number of files that it took.
 */
rlim_t files_needed_by(const std::function<aclError()> &call)
{
	constexpr rlim_t kMost = 64;
	const World before = World::look();
	const rlim_t lowest = lowest_free_file();

	for (rlim_t files = 0; files < kMost; ++files) {
		aclError rc = ACL_SUCCESS;

		take_message();
		{
			const Limit limit(RLIMIT_NOFILE, lowest + files);

			rc = call();
		}
		if (rc == ACL_SUCCESS)
			return files;

		const World after = World::look();

		EXPECT_NE(take_message(), "") << rc << " with room for " << files << " files";
		/* A call that lacks room gives memory back that was kept for later, with its file. */
		EXPECT_LE(after.fds, before.fds) << "with room for " << files << " files";
		EXPECT_LE(after.memfd_maps, before.memfd_maps)
			<< "with room for " << files << " files";
		/* The device may start its thread that frees large memory, once. */
		EXPECT_LE(after.threads, before.threads + 1)
			<< "with room for " << files << " files";
	}
	return kMost;
}

void set_flag(void *flag)
{
	*static_cast<bool *>(flag) = true;
}

} // namespace

TEST(MemlockLimit, SmallObjectsFitAndLargeOnesAreRefused)
{
	SKIP_UNDER_SANITIZERS("sanitizers make mlock do nothing");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(become_nobody());
	const Limit limit(RLIMIT_MEMLOCK, 64 * kKiB);
	ASSERT_NO_FATAL_FAILURE(open_device());
	void *large = nullptr;

	for (int round = 0; round < 3; ++round) {
		const PinnedBuffer out(16 * kKiB);
		const PinnedBuffer back(16 * kKiB);
		const PinnedBuffer odd(100);

		expect_copies_right(out, back);
		EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "RLIMIT_MEMLOCK",
			     aclrtMallocHost(&large, kMiB));
		EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "65536 bytes, of which 36864 are locked",
			     aclrtMallocHost(&large, kMiB));
		expect_copies_right(out, back);
	}
	/* Allocates the whole limit at once: freed and refused memory is no longer locked. */
	{
		const PinnedBuffer all(64 * kKiB);

		EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "RLIMIT_MEMLOCK",
			     aclrtMallocHost(&large, 64));
	}
	expect_device_works();
	close_device();
}

TEST(MemlockLimit, ZeroLeavesDeviceMemory)
{
	SKIP_UNDER_SANITIZERS("sanitizers make mlock do nothing");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(become_nobody());
	const Limit limit(RLIMIT_MEMLOCK, 0);
	ASSERT_NO_FATAL_FAILURE(open_device());
	void *pinned = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "RLIMIT_MEMLOCK", aclrtMallocHost(&pinned, 64));
	EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "RLIMIT_MEMLOCK",
		     aclrtMallocHost(&pinned, 16 * kMiB));
	expect_device_works();
	close_device();
}

/* As many small objects as fit into the limit, less the room that keeps them apart. */
TEST(MemlockLimit, SmallObjectsShareLockedPages)
{
	SKIP_UNDER_SANITIZERS("sanitizers make mlock do nothing");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(become_nobody());
	const Limit limit(RLIMIT_MEMLOCK, 64 * kKiB);
	ASSERT_NO_FATAL_FAILURE(open_device());
	constexpr size_t kLeast = 500;
	void *large = nullptr;

	for (int round = 0; round < 2; ++round) {
		std::vector<void *> small;
		void *pointer = nullptr;

		while (small.size() < 4096 && aclrtMallocHost(&pointer, 32) == ACL_SUCCESS)
			small.push_back(pointer);
		EXPECT_GT(small.size(), kLeast);
		EXPECT_LT(small.size(), 4096u) << "nothing is locked";
		for (void *object : small)
			EXPECT_OK(aclrtFreeHost(object));
		/* With the last object of a page its lock is gone. */
		EXPECT_OK(aclrtMallocHost(&large, 64 * kKiB));
		EXPECT_OK(aclrtFreeHost(large));
	}
	close_device();
}

/* The firmware that a program starts has its limits. */
TEST(FileLimit, StartingAFirmware)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone())
		return;
	setenv("UNPU_DEVICE", "sim+proc:", 1);
	ASSERT_OK(aclInit(nullptr));
	unsigned refusals = 0;

	for (rlim_t files = 4; files < 64; ++files) {
		const rlimit limit = {files, 64};

		ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
		if (aclrtSetDevice(0) == ACL_SUCCESS)
			break;
		const std::string sentence = take_message();
		EXPECT_NE(sentence.find("RLIMIT_NOFILE"), std::string::npos)
			<< files << ": " << sentence;
		++refusals;
	}
	EXPECT_GE(refusals, 4u);
}

TEST(FileLimit, OpeningADevice)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone())
		return;
	ASSERT_OK(aclInit(nullptr));
	const rlim_t needed = files_needed_by([] { return aclrtSetDevice(0); });

	EXPECT_GT(needed, 0u);
	EXPECT_LT(needed, 64u);
	expect_device_works();
	close_device();
}

TEST(FileLimit, CreatingAStream)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	turn_device();
	for (int round = 0; round < 3; ++round) {
		aclrtStream stream = nullptr;

		EXPECT_LT(files_needed_by([&] { return aclrtCreateStream(&stream); }), 64u);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtDestroyStream(stream));
		expect_device_works();
	}
	close_device();
}

TEST(FileLimit, Allocating)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	/* Threads are counted, so none is to come and go by itself. */
	if (!alone("prefault=0"))
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	turn_device();
	void *device = nullptr;
	void *pinned = nullptr;
	constexpr size_t kLarge = 48 * kMiB;

	EXPECT_LT(files_needed_by(
			  [&] { return aclrtMalloc(&device, kLarge, ACL_MEM_MALLOC_HUGE_FIRST); }),
		  64u);
	EXPECT_LT(files_needed_by([&] { return aclrtMallocHost(&pinned, kMiB); }), 64u);
	EXPECT_OK(aclrtMemcpy(device, kMiB, pinned, kMiB, ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_OK(aclrtFree(device));
	EXPECT_OK(aclrtFreeHost(pinned));
	expect_device_works();
	close_device();
}

/* A thread that sleeps in accept() has a number without a file, and lets go of it at each signal. */
TEST(FileLimit, NoNumberIsTakenWithoutAFile)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone("prefault=0"))
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	turn_device();
	std::vector<int> files;
	for (int i = 0; i < 8; ++i)
		files.push_back(dup(STDIN_FILENO));
	for (int file = 0; file < files.back(); ++file)
		EXPECT_NE(fcntl(file, F_GETFD), -1) << file;
	for (const int file : files)
		close(file);
	close_device();
}

TEST(FileLimit, AnEventThatProcessesShareNamesFiles)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	aclrtEvent event = nullptr;

	take_message();
	{
		const Limit limit(RLIMIT_NOFILE, lowest_free_file());

		EXPECT_NE(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_SUCCESS);
	}
	EXPECT_NE(take_message().find("RLIMIT_NOFILE"), std::string::npos);
	EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
	EXPECT_OK(aclrtDestroyEvent(event));
	close_device();
}

/* Memory of a device is files, so a limit on their size must not end the program. */
TEST(FileSizeLimit, OpeningADeviceNamesIt)
{
	SKIP_UNDER_SANITIZERS("sanitizers write files of their own");
	if (!alone())
		return;
	ASSERT_OK(aclInit(nullptr));
	const World before = World::look();

	take_message();
	{
		const Limit limit(RLIMIT_FSIZE, 64 * kKiB);
		const aclError rc = aclrtSetDevice(0);

		/* A firmware that was started before has memory of its own. */
		if (rc != ACL_SUCCESS) {
			EXPECT_TRUE(
				failed_with(rc, ACL_ERROR_RT_MEMORY_ALLOCATION, "RLIMIT_FSIZE"));
		} else {
			EXPECT_OK(aclrtResetDevice(0));
		}
	}
	EXPECT_EQ(World::look().fds, before.fds);
	ASSERT_OK(aclrtSetDevice(0));
	expect_device_works();
	close_device();
}

TEST(FileSizeLimit, AllocatingNamesIt)
{
	SKIP_UNDER_SANITIZERS("sanitizers write files of their own");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	void *large = nullptr;

	take_message();
	{
		const Limit limit(RLIMIT_FSIZE, kMiB);
		const aclError rc = aclrtMalloc(&large, 48 * kMiB, ACL_MEM_MALLOC_HUGE_FIRST);

		if (rc != ACL_SUCCESS) {
			EXPECT_TRUE(
				failed_with(rc, ACL_ERROR_RT_MEMORY_ALLOCATION, "RLIMIT_FSIZE"));
		} else {
			EXPECT_OK(aclrtFree(large));
		}
	}
	expect_device_works();
	close_device();
}

TEST(FileLimit, StreamsGoOnWithoutAnyFile)
{
	SKIP_UNDER_SANITIZERS("sanitizers open files of their own to check addresses");
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	{
		const PinnedBuffer out(64 * kKiB);
		const PinnedBuffer back(64 * kKiB);
		const DeviceBuffer device(64 * kKiB);
		const Stream stream;
		const Limit limit(RLIMIT_NOFILE, lowest_free_file());

		out.fill(0x5a);
		copy_there_and_back(out, device, back, stream);
		EXPECT_TRUE(holds(back, 0x5a));
	}
	expect_device_works();
	close_device();
}

#if defined(UNPU_TSAN) || defined(UNPU_ASAN)

TEST(AddressSpaceLimit, SkippedBecauseTheSanitizerReservesTerabytes)
{
	GTEST_SKIP() << "RLIMIT_AS counts the sanitizer's shadow memory";
}

#else

/* Bytes of address space in use. */
static size_t address_space()
{
	std::ifstream statm("/proc/self/statm");
	size_t pages = 0;

	statm >> pages;
	return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

/* Memory can be had and used; or the message says why not. */
static bool allocates(std::string &message)
{
	void *memory = nullptr;

	if (aclrtMalloc(&memory, 64 * kKiB, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
		message = take_message();
		return false;
	}
	EXPECT_OK(aclrtMemset(memory, 64 * kKiB, 3, 64 * kKiB));
	EXPECT_OK(aclrtFree(memory));
	return true;
}

/* Opens the device with so much room: it works, or says why not, and then takes nothing.
 * Return: whether it works. */
static bool opens_within(size_t headroom_bytes)
{
	const World before = World::look();
	aclError rc = ACL_SUCCESS;
	std::string message;

	take_message();
	{
		const Limit limit(RLIMIT_AS, address_space() + headroom_bytes);

		rc = aclrtSetDevice(0);
		message = take_message();
		if (rc == ACL_SUCCESS && allocates(message)) {
			EXPECT_OK(aclrtResetDevice(0));
			return true;
		}
	}
	if (rc == ACL_SUCCESS) {
		EXPECT_OK(aclrtResetDevice(0));
		rc = ACL_ERROR_RT_MEMORY_ALLOCATION;
	}
	/* A thread that has no room for its stack is a resource, not memory. */
	EXPECT_TRUE(rc == ACL_ERROR_RT_RESOURCE_ALLOC_FAIL || rc == ACL_ERROR_RT_MEMORY_ALLOCATION)
		<< rc;
	EXPECT_NE(message.find("RLIMIT_AS"), std::string::npos)
		<< message << " with " << headroom_bytes << " bytes of room";

	const World after = World::look();

	EXPECT_EQ(after.fds, before.fds) << "with " << headroom_bytes << " bytes of room";
	EXPECT_EQ(after.memfd_maps, before.memfd_maps)
		<< "with " << headroom_bytes << " bytes of room";
	return false;
}

TEST(AddressSpaceLimit, TheDefaultDeviceWorksInFourGibibytes)
{
	if (!alone())
		return;
	ASSERT_OK(aclInit(nullptr));
	EXPECT_TRUE(opens_within(size_t{4096} * kMiB));
	ASSERT_OK(aclrtSetDevice(0));
	expect_device_works();
	close_device();
}

/* The room ends at one thing after the other: shared memory, a thread's stack, the windows. */
TEST(AddressSpaceLimit, LittleRoom)
{
	if (!alone())
		return;
	ASSERT_OK(aclInit(nullptr));
	for (size_t headroom = 4 * kMiB; headroom <= 512 * kMiB; headroom += 4 * kMiB)
		(void)opens_within(headroom);
	ASSERT_OK(aclrtSetDevice(0));
	expect_device_works();
	close_device();
}

#endif

TEST(ProcessLimit, NoThreadForTheDevice)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(become_nobody());
	ASSERT_OK(aclInit(nullptr));
	{
		const Limit limit(RLIMIT_NPROC, 0);

		/* A stepped device needs no thread. */
		if (aclrtSetDevice(0) == ACL_SUCCESS) {
			EXPECT_OK(aclrtResetDevice(0));
		} else {
			EXPECT_NE(take_message(), "");
		}
	}
	ASSERT_OK(aclrtSetDevice(0));
	expect_device_works();
	close_device();
}

TEST(ProcessLimit, NoThreadForHostFunctions)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(become_nobody());
	ASSERT_NO_FATAL_FAILURE(open_device());
	{
		const Stream stream;
		bool called = false;
		aclError rc = ACL_SUCCESS;

		{
			const Limit limit(RLIMIT_NPROC, 0);

			rc = aclrtLaunchHostFunc(stream, set_flag, &called);
		}
		EXPECT_NE(rc, ACL_SUCCESS);
		EXPECT_NE(take_message(), "");
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_FALSE(called);
		EXPECT_OK(aclrtLaunchHostFunc(stream, set_flag, &called));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(called);
	}
	expect_device_works();
	close_device();
}
