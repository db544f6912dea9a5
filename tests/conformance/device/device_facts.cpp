// SPDX-License-Identifier: MIT
/*
 * DOC: what devices report about themselves
 *
 * Attributes, numbers, names and places. Two functions for the same fact give the same answer. If
 * the device string decides, the answer is that of the string.
 */
#include "support/child_process.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "acl/acl_platform.h"

using namespace conformance;

namespace {

using Facts = DeviceTest;
using NoDevice = InitTest;

int64_t attribute(aclrtDevAttr attr, uint32_t device = 0)
{
	int64_t value = -99;

	EXPECT_OK(aclrtGetDeviceInfo(device, attr, &value));
	return value;
}

int64_t capability(aclDeviceInfo info)
{
	int64_t value = -99;

	EXPECT_OK(aclGetDeviceCapability(0, info, &value));
	return value;
}

std::string property(aclplatformDevInfo type)
{
	char text[64] = "";

	EXPECT_OK(aclplatformGetDeviceInfo(type, text, sizeof(text)));
	return text;
}

std::string bus_id(int32_t device)
{
	char text[13] = "";

	EXPECT_OK(aclrtDeviceGetPCIBusId(device, text, sizeof(text)));
	return text;
}

std::string uuid(int32_t device)
{
	aclrtUuid id;

	EXPECT_OK(aclrtDeviceGetUuid(device, &id));
	return {id.bytes, sizeof(id.bytes)};
}

int32_t compatible(const char *chip)
{
	int32_t answer = -1;

	EXPECT_OK(aclrtCheckArchCompatibility(chip, &answer));
	return answer;
}

/* A firmware that is started for the program ends with its last device, and the next is another. */
bool lasts()
{
	const char *device = getenv("UNPU_DEVICE");

	return !device || strncmp(device, "sim+proc:", 9) != 0;
}

} // namespace

TEST_F(Facts, CoresAndMemories)
{
	size_t free_bytes = 0;
	size_t total_bytes = 0;

	EXPECT_GE(attribute(ACL_DEV_ATTR_AICORE_CORE_NUM), 1);
	EXPECT_GE(attribute(ACL_DEV_ATTR_AICPU_CORE_NUM), 1);
	EXPECT_EQ(capability(ACL_DEVICE_INFO_AI_CORE_NUM), attribute(ACL_DEV_ATTR_AICORE_CORE_NUM));
	EXPECT_EQ(capability(ACL_DEVICE_INFO_VECTOR_CORE_NUM),
		  attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM));
	EXPECT_EQ(capability(ACL_DEVICE_INFO_L2_SIZE), attribute(ACL_DEV_ATTR_L2_CACHE_SIZE));
	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
	EXPECT_EQ(attribute(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE), static_cast<int64_t>(total_bytes));
	EXPECT_EQ(attribute(ACL_DEV_ATTR_WARP_SIZE), 0) << "there are no cores of this kind";
	EXPECT_EQ(attribute(ACL_DEV_ATTR_PHY_CHIP_ID), 0);
}

TEST_F(Facts, ThePlatformSaysTheSame)
{
	EXPECT_EQ(property(ACL_PLATFORM_AICORE_CNT),
		  std::to_string(attribute(ACL_DEV_ATTR_AICORE_CORE_NUM)));
	EXPECT_EQ(property(ACL_PLATFORM_CUBE_CORE_CNT),
		  std::to_string(attribute(ACL_DEV_ATTR_CUBE_CORE_NUM)));
	EXPECT_EQ(property(ACL_PLATFORM_VECTOR_CORE_CNT),
		  std::to_string(attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM)));
	EXPECT_EQ(property(ACL_PLATFORM_AICORE_UB_SIZE),
		  std::to_string(attribute(ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE)));
	EXPECT_EQ(property(ACL_PLATFORM_L2_SIZE),
		  std::to_string(attribute(ACL_DEV_ATTR_L2_CACHE_SIZE)));
	EXPECT_EQ(property(ACL_PLATFORM_MEMORY_SIZE),
		  std::to_string(attribute(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE)));
	EXPECT_EQ(property(ACL_PLATFORM_NPU_ARCH),
		  std::to_string(attribute(ACL_DEV_ATTR_NPU_ARCH)));
	EXPECT_EQ(property(ACL_PLATFORM_SOC_VERSION), aclrtGetSocName());
	EXPECT_EQ(property(ACL_PLATFORM_MEMORY_TYPE), "HBM");
	for (int type = ACL_PLATFORM_AICORE_CNT; type <= ACL_PLATFORM_L1_SIZE; ++type) {
		const std::string text = property(raw_enum<aclplatformDevInfo>(type));

		EXPECT_EQ(text.find_first_not_of("0123456789"), std::string::npos) << text;
		EXPECT_NE(text, "");
	}
}

TEST_F(Facts, ThePlatformRefuses)
{
	char text[64] = "untouched";
	const std::string chip = aclrtGetSocName();
	const auto size = static_cast<uint32_t>(chip.size());

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, std::to_string(size + 1).c_str(),
		     aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, size));
	EXPECT_STREQ(text, "untouched");
	EXPECT_OK(aclplatformGetDeviceInfo(ACL_PLATFORM_SOC_VERSION, text, size + 1));
	EXPECT_EQ(text, chip);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "maxLen",
		     aclplatformGetDeviceInfo(ACL_PLATFORM_AICORE_CNT, text, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclplatformGetDeviceInfo(ACL_PLATFORM_AICORE_CNT, nullptr, 8));
	for (const int type : {-1, 17})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "infoType",
			     aclplatformGetDeviceInfo(raw_enum<aclplatformDevInfo>(type), text,
						      sizeof(text)));
}

TEST_F(Facts, Instructions)
{
	char text[128] = "";

	for (const auto type :
	     {ACL_PLATFORM_CORE_TYPE_AI_CORE, ACL_PLATFORM_CORE_TYPE_VECTOR_CORE}) {
		EXPECT_OK(aclplatformGetInstructionInfo(type, "ADD", text, sizeof(text)));
		EXPECT_NE(std::string(text).find("f32"), std::string::npos) << text;
		EXPECT_NE(std::string(text).find("bf16"), std::string::npos) << text;
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ADD",
		     aclplatformGetInstructionInfo(ACL_PLATFORM_CORE_TYPE_AI_CORE, "SUMMON", text,
						   sizeof(text)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "maxLen",
		     aclplatformGetInstructionInfo(ACL_PLATFORM_CORE_TYPE_AI_CORE, "ADD", text, 3));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "instruction",
		     aclplatformGetInstructionInfo(ACL_PLATFORM_CORE_TYPE_AI_CORE, nullptr, text,
						   sizeof(text)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclplatformGetInstructionInfo(ACL_PLATFORM_CORE_TYPE_AI_CORE, "ADD", nullptr,
						   sizeof(text)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     aclplatformGetInstructionInfo(raw_enum<aclplatformCoreType>(2), "ADD", text,
						   sizeof(text)));
}

TEST_F(NoDevice, FactsNeedNoContext)
{
	EXPECT_GE(attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM), 1);
	EXPECT_EQ(property(ACL_PLATFORM_SOC_VERSION), aclrtGetSocName());
	if (lasts()) {
		EXPECT_EQ(uuid(0), uuid(0)) << "the device opens for each call";
	}
	EXPECT_EQ(bus_id(0), bus_id(0));
	aclrtContext context = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtGetCurrentContext(&context));
}

TEST_F(Facts, EveryAttributeHasAnAnswer)
{
	for (const int attr :
	     {1,   101, 102, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211,
	      212, 301, 302, 401, 402, 403, 404, 405, 406, 407, 408, 409, 501, 601})
		EXPECT_GE(attribute(raw_enum<aclrtDevAttr>(attr)), 0) << attr;
}

TEST_F(Facts, WrongArguments)
{
	int64_t value = 0;
	int32_t answer = 0;
	uint64_t link = 0;

	for (const int attr : {-1, 0, 2, 213, 602})
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "attr",
			     aclrtGetDeviceInfo(0, raw_enum<aclrtDevAttr>(attr), &value));
	for (const int info : {-1, 3})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "deviceInfo",
			     aclGetDeviceCapability(0, raw_enum<aclDeviceInfo>(info), &value));
	for (const int feature : {0, 2, 20, 22})
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devFeatureType",
			     aclrtGetDeviceCapability(0, raw_enum<aclrtDevFeatureType>(feature),
						      &answer));
	for (const uint32_t device : {99u, UINT32_MAX}) {
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclrtGetDeviceInfo(device, ACL_DEV_ATTR_AICORE_CORE_NUM, &value));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclGetDeviceCapability(device, ACL_DEVICE_INFO_L2_SIZE, &value));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclrtGetDevicesTopo(0, device, &link));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
			     aclrtGetDevicesTopo(device, 0, &link));
	}
	EXPECT_FAILS(
		ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		aclrtGetDeviceCapability(-1, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &answer));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value", aclrtGetDevicesTopo(0, 0, nullptr));
}

TEST_F(Facts, FeaturesAreThereOrNot)
{
	for (const auto feature : {ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV,
				   ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV}) {
		int32_t value = -1;

		EXPECT_OK(aclrtGetDeviceCapability(0, feature, &value));
		EXPECT_TRUE(value == ACL_DEV_FEATURE_SUPPORT ||
			    value == ACL_DEV_FEATURE_NOT_SUPPORT)
			<< value;
	}
}

TEST(Chip, TheNameDecidesTheArchitecture)
{
	if (!alone("soc=Ascend910_9382"))
		return;
	EXPECT_EQ(attribute(ACL_DEV_ATTR_NPU_ARCH), DAV_2201);
	EXPECT_EQ(property(ACL_PLATFORM_NPU_ARCH), "2201");
	for (const char *chip : {"Ascend910_9382", "Ascend910B1", "Ascend910B4"})
		EXPECT_EQ(compatible(chip), 1) << chip;
	for (const char *chip : {"Ascend910A", "Ascend310P3", "Ascend950PR", "", "910B1"})
		EXPECT_EQ(compatible(chip), 0) << chip;
}

TEST(Chip, AnUnknownOneIsLikeItself)
{
	if (!alone("soc=Wombat"))
		return;
	EXPECT_EQ(attribute(ACL_DEV_ATTR_NPU_ARCH), DAV_RESV);
	EXPECT_EQ(compatible("Wombat"), 1);
	EXPECT_EQ(compatible("Womble"), 0);
	int32_t answer = 0;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "socVersion",
		     aclrtCheckArchCompatibility(nullptr, &answer));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "canCompatible",
		     aclrtCheckArchCompatibility("Wombat", nullptr));
}

TEST(Chip, EnginesAreCoresOfAChipThatIsNotKnown)
{
	if (!alone("engines=3,memory=64M,soc=Wombat"))
		return;
	const bool stepped = std::string(getenv("UNPU_DEVICE")).find("step") != std::string::npos;

	EXPECT_EQ(attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM), stepped ? 1 : 4);
	EXPECT_EQ(attribute(ACL_DEV_ATTR_CUBE_CORE_NUM), stepped ? 1 : 4);
	EXPECT_EQ(attribute(ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE), 64 << 20);
}

/* The chip has more than one core for vectors beside each one for matrices. */
TEST(Chip, HasItsNumberOfCoresHoweverManyEnginesThereAre)
{
	if (!alone("engines=3,memory=64M,soc=Ascend910B3"))
		return;
	EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
	EXPECT_EQ(attribute(ACL_DEV_ATTR_AICORE_CORE_NUM), 20);
	EXPECT_EQ(attribute(ACL_DEV_ATTR_CUBE_CORE_NUM), 20);
	EXPECT_EQ(attribute(ACL_DEV_ATTR_VECTOR_CORE_NUM), 40);
	EXPECT_EQ(capability(ACL_DEVICE_INFO_AI_CORE_NUM), 20);
	EXPECT_EQ(capability(ACL_DEVICE_INFO_VECTOR_CORE_NUM), 40);
	EXPECT_EQ(property(ACL_PLATFORM_AICORE_CNT), "20");
	EXPECT_EQ(property(ACL_PLATFORM_VECTOR_CORE_CNT), "40");
}

TEST(TwoDevices, HaveNamesOfTheirOwn)
{
	if (!alone("devices=3,memory=64M"))
		return;
	ASSERT_EQ(setenv("ASCEND_RT_VISIBLE_DEVICES", "2,0", 1), 0);
	EXPECT_NE(uuid(0), uuid(1));
	EXPECT_NE(uuid(0), std::string(16, '\0'));
	EXPECT_NE(bus_id(0), bus_id(1));
	for (const int32_t device : {0, 1}) {
		int32_t found = -1;

		EXPECT_EQ(bus_id(device).size(), 12u);
		EXPECT_OK(aclrtDeviceGetByPCIBusId(bus_id(device).c_str(), &found));
		EXPECT_EQ(found, device);
	}
	EXPECT_EQ(attribute(ACL_DEV_ATTR_PHY_CHIP_ID, 0), 2);
	EXPECT_EQ(attribute(ACL_DEV_ATTR_PHY_CHIP_ID, 1), 0);
	const std::string before = uuid(0);

	ASSERT_NO_FATAL_FAILURE(open_device());
	EXPECT_EQ(uuid(0), uuid(0));
	if (lasts()) {
		EXPECT_EQ(uuid(0), before) << "it is the same device, open or not";
	}
	close_device();
}

TEST(TwoDevices, ABusIdIsFoundOrRefused)
{
	if (!alone("devices=2,memory=64M"))
		return;
	char text[13] = "";
	int32_t found = -1;
	std::string upper = bus_id(1);

	for (char &c : upper)
		c = static_cast<char>(toupper(c));
	EXPECT_OK(aclrtDeviceGetByPCIBusId(upper.c_str(), &found));
	EXPECT_EQ(found, 1);
	for (const char *place : {"", "0000:00:00.0", "ffff:00:00", "ffff:00:1f.0"})
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "pciBusId",
			     aclrtDeviceGetByPCIBusId(place, &found));
	ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
	const std::string hidden = bus_id(0);

	ASSERT_EQ(setenv("ASCEND_RT_VISIBLE_DEVICES", "1", 1), 0);
	ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
	ASSERT_EQ(aclFinalize(), ACL_SUCCESS);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, hidden.c_str(),
		     aclrtDeviceGetByPCIBusId(hidden.c_str(), &found));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "12", aclrtDeviceGetPCIBusId(0, text, 12));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len", aclrtDeviceGetPCIBusId(0, text, -1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		     aclrtDeviceGetPCIBusId(1, text, sizeof(text)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pciBusId", aclrtDeviceGetPCIBusId(0, nullptr, 13));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pciBusId",
		     aclrtDeviceGetByPCIBusId(nullptr, &found));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "deviceId", aclrtDeviceGetByPCIBusId("x", nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "uuid", aclrtDeviceGetUuid(0, nullptr));
}

TEST(TwoDevices, AreConnected)
{
	if (!alone("devices=2,memory=64M"))
		return;
	uint64_t link = 0;
	uint64_t back = 0;

	EXPECT_OK(aclrtGetDevicesTopo(0, 1, &link));
	EXPECT_OK(aclrtGetDevicesTopo(1, 0, &back));
	EXPECT_EQ(link, back);
	EXPECT_TRUE(link == ACL_RT_DEVS_TOPOLOGY_PHB || link == ACL_RT_DEVS_TOPOLOGY_SYS) << link;
}

TEST(TwoDevices, AreTranslatedByTheVisibleList)
{
	if (!alone("devices=4,memory=64M"))
		return;
	using Translate = aclError (*)(int32_t, int32_t *);
	const Translate to_driver[] = {
		[](int32_t in, int32_t *out) { return aclrtGetLogicDevIdByUserDevId(in, out); },
		[](int32_t in, int32_t *out) { return aclrtGetPhyDevIdByUserDevId(in, out); },
		[](int32_t in, int32_t *out) { return aclrtGetPhyDevIdByLogicDevId(in, out); },
	};
	const Translate to_program[] = {
		[](int32_t in, int32_t *out) { return aclrtGetUserDevIdByLogicDevId(in, out); },
		[](int32_t in, int32_t *out) { return aclrtGetUserDevIdByPhyDevId(in, out); },
		[](int32_t in, int32_t *out) { return aclrtGetLogicDevIdByPhyDevId(in, out); },
	};
	const int32_t visible[] = {3, 1};
	int32_t number = -99;

	ASSERT_EQ(setenv("ASCEND_RT_VISIBLE_DEVICES", "3,1", 1), 0);
	for (const Translate call : to_driver) {
		for (int32_t user = 0; user < 2; ++user) {
			EXPECT_OK(call(user, &number));
			EXPECT_EQ(number, visible[user]);
		}
		for (const int32_t wrong : {-1, 2, 3})
			EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "0 to 1", call(wrong, &number));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "DevId", call(0, nullptr));
	}
	for (const Translate call : to_program) {
		for (int32_t user = 0; user < 2; ++user) {
			EXPECT_OK(call(visible[user], &number));
			EXPECT_EQ(number, user);
		}
		for (const int32_t wrong : {-1, 0, 2, 4})
			EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "ASCEND_RT_VISIBLE_DEVICES",
				     call(wrong, &number));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "DevId", call(0, nullptr));
	}
}
