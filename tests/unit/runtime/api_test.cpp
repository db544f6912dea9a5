// SPDX-License-Identifier: MIT
/**
 * DOC: unpu's own C interface
 *
 * The device is stepped, so that each test knows what a step does. Each test begins and ends with
 * an uninitialised library.
 */
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "acl/acl.h"
#include "drv/device.h"
#include "uapi/packet.h"
#include "uapi/status.h"
#include "umd/core/device/devices.h"
#include "unpu/unpu.h"

namespace {

using testing::HasSubstr;
using testing::StrEq;

std::string take_sentence()
{
	const char *text = aclGetRecentErrMsg();
	return text ? text : "";
}

/* The library reads UNPU_DEVICE again after a finalize; the destructor restores the old value. */
class Api : public testing::Test {
protected:
	void SetUp() override
	{
		const char *before = getenv("UNPU_DEVICE");
		if (before)
			before_ = before;
		had_ = before != nullptr;
		use("sim:step,memory=256M");
	}

	void TearDown() override
	{
		finish();
		if (had_)
			setenv("UNPU_DEVICE", before_.c_str(), 1);
		else
			unsetenv("UNPU_DEVICE");
	}

	void use(const char *device_string)
	{
		finish();
		setenv("UNPU_DEVICE", device_string, 1);
		initialised_ = aclInit(nullptr) == ACL_SUCCESS;
		take_sentence();
	}

	static struct unpu_device_info info()
	{
		struct unpu_device_info out = {};
		out.size = sizeof(out);
		EXPECT_EQ(unpu_get_device_info(0, &out), UNPU_STATUS_OK) << take_sentence();
		return out;
	}

private:
	void finish()
	{
		if (initialised_) {
			EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
		}
		initialised_ = false;
		take_sentence();
	}

	std::string before_;
	bool had_ = false;
	bool initialised_ = false;
};

TEST_F(Api, VersionIsTheProjects)
{
	int major = -1;
	int minor = -1;
	int patch = -1;
	unpu_version(&major, &minor, &patch);
	EXPECT_EQ(std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch),
		  UNPU_VERSION_TEXT);
	unpu_version(nullptr, nullptr, nullptr);
}

TEST_F(Api, StatusesHaveNamesAndSentences)
{
	EXPECT_THAT(unpu_status_name(UNPU_STATUS_OK), StrEq("OK"));
	EXPECT_THAT(unpu_status_name(UNPU_STATUS_MMU_FAULT), StrEq("MMU_FAULT"));
	EXPECT_THAT(unpu_status_sentence(UNPU_STATUS_MMU_FAULT), HasSubstr("address"));
	EXPECT_THAT(unpu_status_name(0xffffffff), StrEq("UNKNOWN"));
	EXPECT_STRNE(unpu_status_sentence(0xffffffff), "");
}

TEST_F(Api, TopologyIsThatOfTheMachine)
{
	struct unpu_topology machine = {};
	machine.size = sizeof(machine);
	ASSERT_EQ(unpu_get_topology(&machine), UNPU_STATUS_OK);
	EXPECT_EQ(machine.size, sizeof(machine));
	EXPECT_GE(machine.nodes, 1u);
	EXPECT_GE(machine.cpus, 1u);
	EXPECT_EQ(machine.page_bytes, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
	EXPECT_GT(machine.memory_bytes, 0u);
	EXPECT_GT(machine.memlock_limit_bytes, 0u);
}

TEST_F(Api, ALaterVersionsStructIsFilledAndCleared)
{
	struct Later {
		struct unpu_topology known;
		uint64_t appended[2];
	} later = {};
	later.known.size = sizeof(later);
	later.appended[0] = later.appended[1] = 7;
	ASSERT_EQ(unpu_get_topology(&later.known), UNPU_STATUS_OK);
	EXPECT_EQ(later.known.size, sizeof(later));
	EXPECT_GE(later.known.cpus, 1u);
	EXPECT_EQ(later.appended[0], 0u);
	EXPECT_EQ(later.appended[1], 0u);
}

TEST_F(Api, SizesNoVersionHadAreRefused)
{
	for (uint64_t size : {uint64_t{0}, sizeof(struct unpu_topology) - 1, uint64_t{1} << 40}) {
		struct unpu_topology machine = {};
		machine.size = size;
		EXPECT_EQ(unpu_get_topology(&machine), UNPU_STATUS_INVALID_ARGUMENT);
		EXPECT_THAT(take_sentence(), HasSubstr("sizeof"));
		struct unpu_device_info device = {};
		device.size = size == 0 ? 0 : sizeof(device) - 1;
		EXPECT_EQ(unpu_get_device_info(0, &device), UNPU_STATUS_INVALID_ARGUMENT);
		EXPECT_EQ(machine.cpus, 0u);
	}
	EXPECT_EQ(unpu_get_topology(nullptr), UNPU_STATUS_NULL_POINTER);
	EXPECT_EQ(unpu_get_device_info(0, nullptr), UNPU_STATUS_NULL_POINTER);
}

TEST_F(Api, DeviceInfoOpensTheDeviceForItself)
{
	const struct unpu_device_info device = info();
	EXPECT_STREQ(device.name, aclrtGetSocName());
	EXPECT_EQ(device.memory_total_bytes, uint64_t{256} << 20);
	EXPECT_LE(device.memory_free_bytes, device.memory_total_bytes);
	EXPECT_EQ(device.features & UNPU_DEVICE_STEPPED, UNPU_DEVICE_STEPPED);
	EXPECT_EQ(device.features & UNPU_DEVICE_NULL, 0u);
	EXPECT_EQ(device.abi_major, UNPU_ABI_MAJOR);
	EXPECT_EQ(device.abi_minor, UNPU_ABI_MINOR);

	int32_t active = -1;
	ASSERT_EQ(aclrtGetPrimaryCtxState(0, nullptr, &active), ACL_SUCCESS);
	EXPECT_EQ(active, 0) << "looking made a context";
	uint32_t moved = 9;
	EXPECT_EQ(unpu_device_step(0, 1, &moved), UNPU_STATUS_DEVICE_SET_MISSING)
		<< "looking left the device open";
	EXPECT_EQ(moved, 0u);
}

TEST_F(Api, DeviceInfoSeesAllocations)
{
	void *memory = nullptr;
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	const struct unpu_device_info before = info();
	ASSERT_EQ(aclrtMalloc(&memory, 64 << 20, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	const struct unpu_device_info after = info();
	EXPECT_GE(before.memory_free_bytes - after.memory_free_bytes, uint64_t{64} << 20);
	EXPECT_GT(after.segments_4k + after.segments_thp + after.segments_huge,
		  before.segments_4k + before.segments_thp + before.segments_huge);
	EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(Api, DevicesThatDoNotExist)
{
	struct unpu_device_info out = {};
	out.size = sizeof(out);
	for (int32_t device : {-1, 1, INT32_MAX}) {
		EXPECT_EQ(unpu_get_device_info(device, &out), UNPU_STATUS_INVALID_DEVICE);
		EXPECT_EQ(unpu_dump(device, nullptr, 0, nullptr), UNPU_STATUS_INVALID_DEVICE);
		EXPECT_EQ(unpu_device_step(device, 1, nullptr), UNPU_STATUS_INVALID_DEVICE);
		EXPECT_THAT(take_sentence(), HasSubstr(std::to_string(device)));
	}
}

TEST_F(Api, AMalformedDeviceStringIsNamed)
{
	use("sim:nonsense");
	struct unpu_device_info out = {};
	out.size = sizeof(out);
	EXPECT_EQ(unpu_get_device_info(0, &out), UNPU_STATUS_INVALID_ARGUMENT);
	EXPECT_THAT(take_sentence(), HasSubstr("nonsense"));
}

TEST_F(Api, DumpIsCutToFit)
{
	size_t needed = 0;
	ASSERT_EQ(unpu_dump(0, nullptr, 0, &needed), UNPU_STATUS_OK);
	ASSERT_GT(needed, 16u);
	std::vector<char> whole(needed);
	ASSERT_EQ(unpu_dump(0, whole.data(), whole.size(), nullptr), UNPU_STATUS_OK);
	EXPECT_THAT(whole.data(), HasSubstr("device 0"));

	char cut[8];
	memset(cut, 'x', sizeof(cut));
	ASSERT_EQ(unpu_dump(0, cut, sizeof(cut) - 1, &needed), UNPU_STATUS_OK);
	EXPECT_EQ(std::string(cut), std::string(whole.data()).substr(0, sizeof(cut) - 2));
	EXPECT_EQ(cut[sizeof(cut) - 1], 'x') << "wrote past the buffer";
	EXPECT_EQ(unpu_dump(0, nullptr, 1, nullptr), UNPU_STATUS_NULL_POINTER);
}

TEST_F(Api, StepsMoveWhatIsQueued)
{
	constexpr size_t BYTES = 64;
	void *memory = nullptr;
	aclrtStream stream = nullptr;
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
	ASSERT_EQ(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	ASSERT_EQ(aclrtMemset(memory, BYTES, 0, BYTES), ACL_SUCCESS);
	uint32_t moved = 0;
	ASSERT_EQ(unpu_device_step(0, 1000, &moved), UNPU_STATUS_OK);
	ASSERT_LT(moved, 1000u) << "an idle device keeps moving";

	ASSERT_EQ(aclrtMemsetAsync(memory, BYTES, 0x33, BYTES, stream), ACL_SUCCESS);
	aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
	ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
	EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY) << "moved without a step";
	ASSERT_EQ(unpu_device_step(0, 0, &moved), UNPU_STATUS_OK);
	EXPECT_EQ(moved, 0u);
	ASSERT_EQ(unpu_device_step(0, 1000, &moved), UNPU_STATUS_OK);
	EXPECT_GE(moved, 1u);
	ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
	EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);

	ASSERT_EQ(unpu_device_step(0, 1000, &moved), UNPU_STATUS_OK);
	EXPECT_EQ(moved, 0u) << "nothing was left to do";
	EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
	EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

/* A step retires one packet at most. */
TEST_F(Api, ABatchOfCopiesIsFewPackets)
{
	constexpr size_t COPIES = 190;
	constexpr size_t EACH = 64;
	char *memory = nullptr;
	aclrtStream stream = nullptr;
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
	ASSERT_EQ(aclrtMalloc(reinterpret_cast<void **>(&memory), COPIES * EACH,
			      ACL_MEM_MALLOC_NORMAL_ONLY),
		  ACL_SUCCESS);
	void *host = nullptr;
	ASSERT_EQ(aclrtMallocHost(&host, EACH), ACL_SUCCESS);
	std::vector<void *> to(COPIES);
	std::vector<void *> from(COPIES, host);
	std::vector<size_t> sizes(COPIES, EACH);
	for (size_t i = 0; i < COPIES; i++)
		to[i] = memory + i * EACH;
	aclrtMemcpyBatchAttr place = {};
	place.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	size_t first = 0;
	size_t failed = 0;
	uint32_t moved = 0;
	ASSERT_EQ(unpu_device_step(0, 1000, &moved), UNPU_STATUS_OK);
	ASSERT_EQ(aclrtMemcpyBatchAsync(to.data(), sizes.data(), from.data(), sizes.data(), COPIES,
					&place, &first, 1, &failed, stream),
		  ACL_SUCCESS);
	ASSERT_EQ(unpu_device_step(0, 1000, &moved), UNPU_STATUS_OK);
	EXPECT_GE(moved, 10u);
	EXPECT_LE(moved, 12u) << "19 copies are a packet";
	EXPECT_EQ(aclrtFreeHost(host), ACL_SUCCESS);
	EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
	EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

/* The interface's own limits are seconds; a fill of this size takes longer than a nanosecond. */
TEST_F(Api, WorkThatTakesTooLongIsNotCalledAWait)
{
	constexpr size_t BYTES = size_t{256} << 20;
	use("sim:engines=1,memory=512M");
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	void *memory = nullptr;
	ASSERT_EQ(aclrtMalloc(&memory, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY), ACL_SUCCESS);
	ASSERT_EQ(umd::Devices::get().set_execute_limit(1), base::Status::OK);
	EXPECT_EQ(aclrtMemsetAsync(memory, BYTES, 1, BYTES, nullptr), ACL_SUCCESS);
	EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_TASK_TIMEOUT);
	const std::string sentence = take_sentence();
	EXPECT_THAT(sentence, HasSubstr("aclrtMemsetAsync"));
	EXPECT_THAT(sentence, HasSubstr("took longer than the limit"));
	EXPECT_EQ(umd::Devices::get().set_execute_limit(0), base::Status::OK);
	EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(Api, ADeviceThatMovesByItselfIsNotStepped)
{
	use("sim:memory=64M");
	ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
	uint32_t moved = 9;
	EXPECT_EQ(unpu_device_step(0, 1, &moved), UNPU_STATUS_NOT_SUPPORTED);
	EXPECT_EQ(moved, 0u);
	EXPECT_THAT(take_sentence(), HasSubstr("sim:step"));
}

} // namespace
