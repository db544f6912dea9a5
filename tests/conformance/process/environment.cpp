// SPDX-License-Identifier: MIT
/*
 * DOC: device strings and forks
 *
 * The device string decides what the program sees; a wrong string is refused with a sentence that
 * quotes it. After a fork, every call in the child is refused, because rings and threads belong to
 * the parent.
 */
#include "support/child_process.h"

#include <cstdlib>

using namespace conformance;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

struct MemInfo {
	size_t free_bytes;
	size_t total_bytes;
};

MemInfo memory_info()
{
	MemInfo info = {};

	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &info.free_bytes, &info.total_bytes));
	return info;
}

/* Allocates pieces until the device has no more, and looks at how it says so. */
std::vector<void *> exhaust(size_t piece_bytes)
{
	std::vector<void *> pieces;
	aclError rc = ACL_SUCCESS;

	for (int i = 0; i < 1000 && rc == ACL_SUCCESS; ++i) {
		void *piece = nullptr;

		rc = aclrtMalloc(&piece, piece_bytes, ACL_MEM_MALLOC_NORMAL_ONLY);
		if (rc == ACL_SUCCESS)
			pieces.push_back(piece);
	}
	EXPECT_EQ(rc, ACL_ERROR_RT_MEMORY_ALLOCATION);
	return pieces;
}

void release(std::vector<void *> &pieces)
{
	for (void *piece : pieces)
		EXPECT_OK(aclrtFree(piece));
	pieces.clear();
}

/* The call is refused, by whatever code, and says why. */
void expect_refused(const char *name, aclError rc)
{
	const std::string text = take_message();

	EXPECT_NE(rc, ACL_SUCCESS) << name << " in a fork of a process that uses the device";
	if (rc == ACL_SUCCESS)
		return;
	EXPECT_NE(text.find("fork"), std::string::npos)
		<< name << " returned " << rc << " and said \"" << text << "\"";
}

} // namespace

/* In a forked child the call returns, with an error. */
#define EXPECT_REFUSED_IN_FORK(...) \
	EXPECT_TRUE(in_fork([&] { expect_refused(#__VA_ARGS__, (__VA_ARGS__)); })) << #__VA_ARGS__

TEST(Fork, BeforeTheFirstCallIsAProcessLikeAnyOther)
{
	if (!alone())
		return;
	EXPECT_TRUE(in_fork([] {
		open_device();
		expect_device_works();
		close_device();
	}));
	open_device();
	expect_device_works();
	close_device();
}

TEST(Fork, AfterQuestionsAloneIsAProcessLikeAnyOther)
{
	if (!alone("devices=2,memory=64M"))
		return;
	uint32_t count = 0;
	int32_t version[3] = {};
	int32_t device = -1;

	EXPECT_OK(aclrtGetDeviceCount(&count));
	EXPECT_NE(aclrtGetSocName(), nullptr);
	EXPECT_OK(aclrtGetVersion(&version[0], &version[1], &version[2]));
	EXPECT_OK(aclrtGetPhyDevIdByUserDevId(1, &device));
	EXPECT_NE(aclrtGetDevice(&device), ACL_SUCCESS);
	for (const int32_t number : {0, 1})
		EXPECT_TRUE(in_fork([number] {
			uint32_t again = 0;

			ASSERT_OK(aclInit(nullptr));
			EXPECT_OK(aclrtGetDeviceCount(&again));
			EXPECT_EQ(again, 2u);
			ASSERT_OK(aclrtSetDevice(number));
			expect_device_works();
			EXPECT_OK(aclrtResetDevice(number));
			EXPECT_OK(aclFinalize());
		}));
	open_device();
	expect_device_works();
	close_device();
}

TEST(Fork, OfAnInitialisedProcessIsRefused)
{
	if (!alone())
		return;
	ASSERT_OK(aclInit(nullptr));
	aclrtContext context = nullptr;

	EXPECT_REFUSED_IN_FORK(aclInit(nullptr));
	EXPECT_REFUSED_IN_FORK(aclrtSetDevice(0));
	EXPECT_REFUSED_IN_FORK(aclrtCreateContext(&context, 0));
	ASSERT_OK(aclrtSetDevice(0));
	expect_device_works();
	close_device();
}

TEST(Fork, OfAProcessWithADeviceIsRefused)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	aclrtContext context = nullptr;

	turn_device();
	EXPECT_REFUSED_IN_FORK(aclInit(nullptr));
	EXPECT_REFUSED_IN_FORK(aclrtSetDevice(0));
	EXPECT_REFUSED_IN_FORK(aclrtCreateContext(&context, 0));
	EXPECT_TRUE(in_fork([] { std::quick_exit(0); }));
	expect_device_works();
	close_device();
}

TEST(Fork, CanNotUseWhatTheParentMade)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	turn_device();
	{
		const DeviceBuffer buffer(64);
		const Stream stream;
		aclrtStream another = nullptr;
		void *memory = nullptr;
		uint64_t word = ~uint64_t{0};

		EXPECT_REFUSED_IN_FORK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
		EXPECT_REFUSED_IN_FORK(aclrtMemcpy(buffer.data(), sizeof(word), &word, sizeof(word),
						   ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_REFUSED_IN_FORK(aclrtMemsetAsync(buffer.data(), 64, 1, 64, stream));
		EXPECT_REFUSED_IN_FORK(aclrtCreateStream(&another));
		EXPECT_REFUSED_IN_FORK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(buffer, 0)) << "a fork wrote to its parent's device";
	}
	expect_device_works();
	close_device();
}

TEST(Fork, SharesPinnedAndManagedMemoryWithItsParent)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	void *pinned = nullptr, *managed = nullptr;
	std::vector<char> own(kMiB, 1);

	ASSERT_OK(aclrtMallocHost(&pinned, kMiB));
	ASSERT_OK(aclrtMemAllocManaged(&managed, kMiB, ACL_RT_MEM_ATTACH_GLOBAL));
	memset(pinned, 1, kMiB);
	memset(managed, 1, kMiB);
	EXPECT_TRUE(in_fork([&] {
		for (void *memory : {pinned, managed, static_cast<void *>(own.data())})
			memset(memory, 2, kMiB);
	}));
	EXPECT_EQ(static_cast<char *>(pinned)[kMiB - 1], 2);
	EXPECT_EQ(static_cast<char *>(managed)[kMiB - 1], 2);
	EXPECT_EQ(own[kMiB - 1], 1);
	EXPECT_OK(aclrtFree(managed));
	EXPECT_OK(aclrtFreeHost(pinned));
	close_device();
}

TEST(Fork, CanNotCloseWhatTheParentOpened)
{
	if (!alone())
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	turn_device();
	EXPECT_REFUSED_IN_FORK(aclrtResetDevice(0));
	EXPECT_REFUSED_IN_FORK(aclFinalize());
	expect_device_works();
	close_device();
}

TEST(DeviceString, MemoryEndsWithASentence)
{
	if (!alone("memory=64M"))
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	EXPECT_EQ(memory_info().total_bytes, 64 * kMiB);

	std::vector<void *> pieces = exhaust(7 * kMiB);
	const std::string text = take_message();
	const MemInfo info = memory_info();

	EXPECT_GT(pieces.size(), 0u);
	EXPECT_LT(pieces.size(), 10u);
	EXPECT_NE(text.find("free"), std::string::npos) << text;
	EXPECT_NE(text.find(std::to_string(info.total_bytes)), std::string::npos) << text;
	EXPECT_NE(text.find(std::to_string(info.free_bytes)), std::string::npos) << text;
	release(pieces);
	pieces = exhaust(7 * kMiB);
	EXPECT_GT(pieces.size(), 0u) << "what was freed is to be had again";
	release(pieces);
	expect_device_works();
	close_device();
}

TEST(DeviceString, NameOfTheChip)
{
	if (!alone("soc=Ascend310P3"))
		return;
	EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
	ASSERT_NO_FATAL_FAILURE(open_device());
	EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
	expect_device_works();
	close_device();
	EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3");
}

TEST(DeviceString, AnUnknownWordIsNamed)
{
	if (!alone("tunnels=3"))
		return;
	uint32_t count = 0;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "tunnels", aclInit(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "tunnels", aclrtSetDevice(0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "tunnels", aclrtGetDeviceCount(&count));
}

TEST(DeviceString, TwoDevicesAreApart)
{
	if (!alone("devices=2,memory=64M"))
		return;
	uint32_t count = 0;

	ASSERT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtGetDeviceCount(&count));
	EXPECT_EQ(count, 2u);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2", aclrtSetDevice(2));
	ASSERT_OK(aclrtSetDevice(0));
	std::vector<void *> pieces = exhaust(7 * kMiB);
	ASSERT_OK(aclrtSetDevice(1));
	const MemInfo second = memory_info();

	EXPECT_EQ(second.total_bytes, 64 * kMiB);
	EXPECT_EQ(second.free_bytes, second.total_bytes);
	{
		const DeviceBuffer here(kMiB);

		here.fill_async(9, nullptr);
		EXPECT_OK(aclrtSynchronizeDevice());
		ASSERT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtMemset(pieces[0], kMiB, 1, kMiB));
		EXPECT_OK(aclrtSynchronizeDevice());
		EXPECT_TRUE(holds(here, 9));
		EXPECT_NE(pieces[0], here.data());
		release(pieces);
	}
	EXPECT_OK(aclrtResetDeviceForce(1));
	expect_device_works();
	close_device();
}
