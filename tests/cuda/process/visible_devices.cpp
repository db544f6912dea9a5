// SPDX-License-Identifier: MIT
/*
 * DOC: visible devices of the CUDA driver interface
 *
 * CUDA_VISIBLE_DEVICES hides devices from a program and renumbers the others.
 */
#include "support/child.h"

#include <cstring>

using namespace cuda_test;

namespace {

using VisibleDevices = testing::Test;

constexpr const char *FOUR = "devices=4";

std::vector<std::string> list(const std::string &value)
{
	return {"CUDA_VISIBLE_DEVICES=" + value};
}

int count()
{
	int devices = -1;

	EXPECT_OK(cuDeviceGetCount(&devices));
	return devices;
}

/* The device's number in the machine, which its address on the bus shows. */
int place_of(CUdevice device)
{
	int bus = 0;

	EXPECT_OK(cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device));
	return bus - 1;
}

std::vector<int> places()
{
	std::vector<int> found;

	for (CUdevice device = 0; device < count(); ++device)
		found.push_back(place_of(device));
	return found;
}

/* The UUID of device 3 of the machine, in the form that the variable takes. */
std::string uuid_of_the_last()
{
	return "GPU-756e7075-0000-0000-0000-000000000003";
}

} // namespace

TEST_F(VisibleDevices, NumbersSelectAndOrder)
{
	CUdevice device = -1;

	if (!alone(FOUR, list("2, 0")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), (std::vector<int>{2, 0}));
	EXPECT_OK(cuDeviceGet(&device, 1));
	EXPECT_EQ(device, 1);
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 2));
	EXPECT_OK(cuDeviceGetByPCIBusId(&device, "0000:03:00.0"));
	EXPECT_EQ(device, 0);
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:02:00.0"));
}

TEST_F(VisibleDevices, ContextsStreamsAndMemoryHaveTheNewNumbers)
{
	if (!alone(FOUR, list("3,1")))
		return;
	ASSERT_OK(cuInit(0));
	for (CUdevice number = 0; number < 2; ++number) {
		const Context context(number);
		CUdevice device = -1;
		int ordinal = -1;

		EXPECT_OK(cuCtxGetDevice(&device));
		EXPECT_EQ(device, number);
		const Stream stream;
		EXPECT_OK(cuStreamGetDevice(stream, &device));
		EXPECT_EQ(device, number);
		const Words words(4, 7);
		EXPECT_OK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
						words));
		EXPECT_EQ(ordinal, number);
		EXPECT_EQ(words.load(), std::vector<uint32_t>(4, 7));
	}
	CUcontext primary = nullptr;
	unsigned flags = 0;
	int active = 0;
	ASSERT_OK(cuDevicePrimaryCtxRetain(&primary, 1));
	EXPECT_OK(cuDevicePrimaryCtxGetState(1, &flags, &active));
	EXPECT_EQ(active, 1);
	EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT_EQ(active, 0);
	EXPECT_OK(cuDevicePrimaryCtxRelease(1));
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&primary, 3));
}

TEST_F(VisibleDevices, AUuidNamesADevice)
{
	CUuuid uuid = {};

	if (!alone(FOUR, list(uuid_of_the_last() + ",1")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), (std::vector<int>{3, 1}));
	EXPECT_OK(cuDeviceGetUuid(&uuid, 0));
	EXPECT_EQ(memcmp(uuid.bytes, "unpu", 4), 0);
	EXPECT_EQ(uuid.bytes[15], 3);
}

TEST_F(VisibleDevices, TheBeginningOfAUuidIsEnoughIfOneDeviceHasIt)
{
	if (!alone("devices=1", list("GPU-75")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), std::vector<int>{0});
}

TEST_F(VisibleDevices, AnAmbiguousUuidNamesNone)
{
	if (!alone(FOUR, list("2,GPU-75,1")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), std::vector<int>{2});
}

TEST_F(VisibleDevices, AListEndsBeforeAnUnknownNumber)
{
	if (!alone(FOUR, list("0,2,-1,1")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), (std::vector<int>{0, 2}));
}

TEST_F(VisibleDevices, AListEndsBeforeAnUnknownWord)
{
	if (!alone(FOUR, list("1,4,0")))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), std::vector<int>{1});
}

TEST_F(VisibleDevices, ADeviceThatIsThereTwiceHidesAll)
{
	if (!alone(FOUR, list("1,0,1")))
		return;
	EXPECT_CU(CUDA_ERROR_NO_DEVICE, cuInit(0));
	CUdevice device = 0;
	EXPECT_CU(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
}

TEST_F(VisibleDevices, ADeviceByNumberAndByUuidIsThereTwice)
{
	if (!alone(FOUR, list("3," + uuid_of_the_last())))
		return;
	EXPECT_CU(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

TEST_F(VisibleDevices, AnEmptyListHidesAll)
{
	if (!alone(FOUR, list("")))
		return;
	EXPECT_CU(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

TEST_F(VisibleDevices, AListOfNoDeviceHidesAll)
{
	if (!alone(FOUR, list("NoDevFiles")))
		return;
	EXPECT_CU(CUDA_ERROR_NO_DEVICE, cuInit(0));
}

/* The words name what the other variable leaves, and the UUID is that of the machine's device. */
TEST_F(VisibleDevices, BesideTheVariableOfTheOtherInterface)
{
	if (!alone(FOUR, {"ASCEND_RT_VISIBLE_DEVICES=3,2,1", "CUDA_VISIBLE_DEVICES=2,0"}))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), (std::vector<int>{1, 3}));
}

TEST_F(VisibleDevices, TheVariableOfTheOtherInterfaceAlone)
{
	if (!alone(FOUR, {"ASCEND_RT_VISIBLE_DEVICES=3,2"}))
		return;
	ASSERT_OK(cuInit(0));
	EXPECT_EQ(places(), (std::vector<int>{3, 2}));
}
