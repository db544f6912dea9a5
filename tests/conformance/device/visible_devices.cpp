// SPDX-License-Identifier: MIT
/*
 * DOC: visible devices
 *
 * ASCEND_RT_VISIBLE_DEVICES hides devices and renumbers the others. Devices are told apart by the
 * numbers that the driver has for them.
 */
#include "support/child_process.h"

#include <cstdlib>

using namespace conformance;

namespace {

void list_devices(const char *list)
{
	ASSERT_EQ(setenv("ASCEND_RT_VISIBLE_DEVICES", list, 1), 0);
}

uint32_t device_count()
{
	uint32_t count = 99;

	EXPECT_OK(aclrtGetDeviceCount(&count));
	return count;
}

} // namespace

TEST(VisibleDevices, WithoutAListAllAreVisible)
{
	if (!alone("devices=3,memory=64M"))
		return;
	list_devices("");
	EXPECT_EQ(device_count(), 3u);
}

TEST(VisibleDevices, OnlyListedOnesAreCounted)
{
	if (!alone("devices=3,memory=64M"))
		return;
	list_devices("2,0");
	EXPECT_EQ(device_count(), 2u);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "0 to 1, as ASCEND_RT_VISIBLE_DEVICES",
		     aclrtSetDevice(2));
	for (int32_t device : {1, 0}) {
		int32_t current = -1;

		ASSERT_OK(aclrtSetDevice(device));
		EXPECT_OK(aclrtGetDevice(&current));
		EXPECT_EQ(current, device);
		expect_device_works();
		EXPECT_OK(aclrtResetDevice(device));
	}
}

TEST(VisibleDevices, AWrongEntryEndsTheList)
{
	if (!alone("devices=4,memory=64M"))
		return;
	int32_t number = -1;

	list_devices("1,3,8");
	EXPECT_EQ(device_count(), 2u);
	for (const int32_t device : {0, 1}) {
		ASSERT_OK(aclrtSetDevice(device));
		expect_device_works();
		EXPECT_OK(aclrtGetPhyDevIdByUserDevId(device, &number));
		EXPECT_EQ(number, 2 * device + 1);
		EXPECT_OK(aclrtResetDevice(device));
	}
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "no device 8", aclrtSetDevice(2));
	for (const char *list : {"1, 2,3", "1,-1,2", "1,1", "1,"}) {
		ASSERT_OK(aclInit(nullptr));
		ASSERT_OK(aclFinalize());
		list_devices(list);
		EXPECT_EQ(device_count(), 1u) << list;
	}
}

TEST(VisibleDevices, AListWithoutADeviceIsNamed)
{
	if (!alone("devices=2,memory=64M"))
		return;
	uint32_t count = 0;

	for (const char *list : {"2", "4,5", "first", ",0"}) {
		list_devices(list);
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "ASCEND_RT_VISIBLE_DEVICES",
			     aclrtGetDeviceCount(&count));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, list, aclInit(nullptr));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, list, aclrtSetDevice(0));
	}
	list_devices("1");
	EXPECT_EQ(device_count(), 1u);
}

TEST(VisibleDevices, TheListIsReadAgainAfterFinalize)
{
	if (!alone("devices=2,memory=64M"))
		return;
	list_devices("1");
	EXPECT_EQ(device_count(), 1u);
	list_devices("0,1");
	EXPECT_EQ(device_count(), 1u) << "it was read already";
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
	EXPECT_EQ(device_count(), 2u);
}
