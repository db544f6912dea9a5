// SPDX-License-Identifier: MIT
/*
 * DOC: whether devices work, and how much
 */
#include "support/child_process.h"

using namespace conformance;

namespace {

using DeviceStatus = DeviceTest;
using NoDevice = InitTest;

aclrtUtilizationInfo use_of(int32_t device)
{
	aclrtUtilizationInfo info = {-7, -7, -7, -7, nullptr};

	EXPECT_OK(aclrtGetDeviceUtilizationRate(device, &info));
	return info;
}

bool moves_by_itself()
{
	const char *device = getenv("UNPU_DEVICE");

	return !device || !strstr(device, "step");
}

} // namespace

TEST_F(NoDevice, AnUnusedDeviceIsNormal)
{
	aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;

	EXPECT_OK(aclrtQueryDeviceStatus(0, &status));
	EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
}

TEST_F(DeviceStatus, ADeviceInUseIsNormal)
{
	aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;

	EXPECT_OK(aclrtQueryDeviceStatus(0, &status));
	EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "deviceStatus", aclrtQueryDeviceStatus(0, nullptr));
	for (const int32_t device : {-1, 99})
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclrtQueryDeviceStatus(device, &status));
}

TEST_F(DeviceStatus, WorkIsMeasured)
{
	constexpr size_t kBytes = size_t{8} << 20;
	const DeviceBuffer buffer(kBytes);

	aclrtUtilizationInfo info = use_of(0);

	/* The device counts a burst of work when it ends, which may be after this thread has asked. */
	for (int round = 0; round < 20 && info.vectorUtilization <= 0; ++round) {
		for (int i = 0; i < 20; ++i)
			buffer.fill_async(i, nullptr);
		EXPECT_OK(aclrtSynchronizeDevice());
		info = use_of(0);
	}

	EXPECT_EQ(info.memoryUtilization, -1);
	EXPECT_EQ(info.utilizationExtend, nullptr);
	if (!moves_by_itself()) {
		EXPECT_EQ(info.vectorUtilization, -1) << "a stepped device has no time of its own";
		EXPECT_EQ(info.aicpuUtilization, -1);
		return;
	}
	EXPECT_GT(info.vectorUtilization, 0);
	for (const int32_t rate :
	     {info.cubeUtilization, info.vectorUtilization, info.aicpuUtilization}) {
		EXPECT_GE(rate, -1);
		EXPECT_LE(rate, 100);
	}
}

TEST_F(DeviceStatus, UtilizationRefuses)
{
	int32_t something = 0;
	aclrtUtilizationInfo info = {};

	info.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo *>(&something);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "utilizationExtend",
		     aclrtGetDeviceUtilizationRate(0, &info));
	info.utilizationExtend = nullptr;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "utilizationInfo",
		     aclrtGetDeviceUtilizationRate(0, nullptr));
	for (const int32_t device : {-1, 99})
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclrtGetDeviceUtilizationRate(device, &info));
}

TEST_F(DeviceStatus, OneSchedulerHasBothNames)
{
	EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AIVECTOR));
	expect_device_works();
	EXPECT_OK(aclrtSetTsDevice(ACL_TS_ID_AICORE));
	expect_device_works();
	for (const int id : {-1, 2, 3})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "tsId",
			     aclrtSetTsDevice(raw_enum<aclrtTsId>(id)));
}

TEST_F(DeviceStatus, FlushingTheCacheChangesNothing)
{
	const DeviceBuffer buffer(4096);
	int reserved = 0;

	buffer.fill_async(5, nullptr);
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_OK(aclrtDeviceL2CacheFlush(nullptr));
	EXPECT_TRUE(holds(buffer, 5));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "rsv", aclrtDeviceL2CacheFlush(&reserved));
}

TEST_F(NoDevice, FlushingTheCacheNeedsAContext)
{
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtDeviceL2CacheFlush(nullptr));
}
