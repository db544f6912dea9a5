// SPDX-License-Identifier: MIT
/*
 * DOC: profiling, marks and ranges
 *
 * A profiled program gets a file in its folder, with its own marks by name. tests/tools checks the
 * rows of the picture.
 */
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "acl/acl_prof.h"
#include "folder.h"
#include "mstx/ms_tools_ext.h"
#include "profiling/aprof_pub.h"
#include "support/fixture.h"

using namespace conformance;

namespace {

namespace fs = std::filesystem;

constexpr size_t kBytes = 4096;

class Profile : public DeviceTest {
protected:
	void SetUp() override
	{
		DeviceTest::SetUp();
		uint32_t device = 0;
		config = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr,
					     ACL_PROF_ACL_API | ACL_PROF_TASK_TIME |
						     ACL_PROF_MSPROFTX);
		ASSERT_NE(config, nullptr);
	}
	void TearDown() override
	{
		EXPECT_OK(aclprofDestroyConfig(config));
		DeviceTest::TearDown();
	}

	void init() { ASSERT_OK(aclprofInit(folder.c_str(), folder.size())); }
	size_t files() const
	{
		size_t count = 0;
		for (const auto &each : fs::directory_iterator(folder))
			count += each.is_regular_file();
		return count;
	}
	/* The one file there is. */
	std::string text() const
	{
		std::stringstream all;
		for (const auto &each : fs::directory_iterator(folder))
			all << std::ifstream(each.path()).rdbuf();
		return all.str();
	}

	const Folder own;
	const std::string folder = own.path();
	aclprofConfig *config = nullptr;
};

#define EXPECT_SAYS(words) EXPECT_NE(text().find("\"" words "\""), std::string::npos) << words

void *make_stamp(const char *words)
{
	void *stamp = aclprofCreateStamp();

	EXPECT_NE(stamp, nullptr);
	EXPECT_OK(aclprofSetStampTraceMessage(stamp, words, static_cast<uint32_t>(strlen(words))));
	return stamp;
}

TEST_F(Profile, MarksAndRangesAreInTheFile)
{
	aclrtStream stream = nullptr;
	void *memory = nullptr;
	uint32_t range = 0;
	std::array<uint8_t, 19> stamp = {0xc0, 0xff, 0xee};

	ASSERT_OK(aclrtCreateStream(&stream));
	ASSERT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	init();
	ASSERT_OK(aclprofStart(config));
	void *moment = make_stamp("a moment");
	void *inner = make_stamp("an inner range");
	void *wide = make_stamp("a range of threads");
	EXPECT_OK(aclprofMark(moment));
	EXPECT_OK(aclprofPush(inner));
	EXPECT_OK(aclprofRangeStart(wide, &range));
	EXPECT_OK(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream));
	EXPECT_OK(aclprofMarkEx("a place in the stream", 21, stream));
	EXPECT_OK(aclrtProfTrace(stamp.data(), 18, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "length",
		     aclrtProfTrace(stamp.data(), 19, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "length", aclrtProfTrace(stamp.data(), 0, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "userdata", aclrtProfTrace(nullptr, 1, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclprofRangeStop(range));
	EXPECT_OK(aclprofPop());
	EXPECT_OK(aclprofStop(config));
	aclprofDestroyStamp(moment);
	aclprofDestroyStamp(inner);
	aclprofDestroyStamp(wide);
	EXPECT_EQ(files(), 1u);
	EXPECT_SAYS("a moment");
	EXPECT_SAYS("an inner range");
	EXPECT_SAYS("a range of threads");
	EXPECT_SAYS("a place in the stream");
	EXPECT_SAYS("stamp c0ffee000000000000000000000000000000");
	EXPECT_SAYS("aclrtMemsetAsync");
	EXPECT_OK(aclprofFinalize());
	EXPECT_EQ(files(), 1u);
	EXPECT_OK(aclrtFree(memory));
	EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(Profile, OperatorsAndSteps)
{
	aclrtStream stream = nullptr;
	aclprofTensor tensor = {};
	aclprofTensorInfo info = {};
	aclprofEventAttributes attributes = {};

	ASSERT_OK(aclrtCreateStream(&stream));
	init();
	ASSERT_OK(aclprofStart(config));
	tensor.shapeDim = 2;
	tensor.shape[0] = 3;
	tensor.shape[1] = 4;
	info.opNameId = aclprofStr2Id("layer 1");
	info.opTypeId = aclprofStr2Id("MatMul");
	EXPECT_NE(info.opNameId, 0u);
	EXPECT_EQ(aclprofStr2Id("layer 1"), info.opNameId);
	EXPECT_NE(info.opTypeId, info.opNameId);
	info.tensorNum = 1;
	info.tensors = &tensor;
	attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
	attributes.size = sizeof(attributes);
	attributes.message.tensorInfo = &info;
	EXPECT_OK(aclprofRangePushEx(&attributes));
	EXPECT_OK(aclprofRangePop());
	attributes.version = 0;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "version", aclprofRangePushEx(&attributes));

	aclprofStepInfo *step = aclprofCreateStepInfo();
	ASSERT_NE(step, nullptr);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "tag",
		     aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
	EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
	EXPECT_OK(aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
	aclprofDestroyStepInfo(step);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclprofFinalize());
	EXPECT_SAYS("layer 1");
	EXPECT_SAYS("MatMul in 0[3, 4]");
	EXPECT_NE(text().find("\"step "), std::string::npos);
	EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(Profile, NothingGoesWithoutAStart)
{
	void *stamp = make_stamp("words");
	uint32_t range = 0;

	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "aclprofInit", aclprofStart(config));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "aclprofStart", aclprofStop(config));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "aclprofInit", aclprofFinalize());
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "profiled", aclprofMark(stamp));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "profiled", aclprofPush(stamp));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "profiled", aclprofRangeStart(stamp, &range));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "profiled", aclprofMarkEx("m", 1, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "rangeId", aclprofRangeStop(12345));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stamp", aclprofMark(nullptr));
	aclprofDestroyStamp(stamp);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stamp", aclprofMark(stamp));
	init();
	EXPECT_FAILS(ACL_ERROR_PROF_ALREADY_RUN, "already",
		     aclprofInit(folder.c_str(), folder.size()));
	ASSERT_OK(aclprofStart(config));
	EXPECT_FAILS(ACL_ERROR_PROF_ALREADY_RUN, "already", aclprofStart(config));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "range", aclprofPop());
	EXPECT_OK(aclprofStop(config));
	EXPECT_FAILS(ACL_ERROR_PROF_NOT_RUN, "profiled", aclprofPop());
	ASSERT_OK(aclprofStart(config));
	EXPECT_OK(aclprofStop(config));
	EXPECT_EQ(files(), 2u);
	EXPECT_OK(aclprofFinalize());
}

TEST_F(Profile, ConfigurationsAreChecked)
{
	uint32_t device = 1000;
	std::string nowhere = folder + "/no/folder";

	EXPECT_EQ(aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API),
		  nullptr);
	EXPECT_EQ(aclprofCreateConfig(nullptr, 0, ACL_AICORE_NONE, nullptr, 0), nullptr);
	EXPECT_EQ(aclprofCreateConfig(nullptr, 0, raw_enum<aclprofAicoreMetrics>(99), nullptr,
				      ACL_PROF_ACL_API),
		  nullptr);
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "folder",
		     aclprofInit(nowhere.c_str(), nowhere.size()));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "length", aclprofInit(folder.c_str(), 3));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "profilerResultPath", aclprofInit(nullptr, 3));
	EXPECT_OK(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 5));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "storage",
		     aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "199", 3));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "storage",
		     aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200GB", 5));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "configType",
		     aclprofSetConfig(ACL_PROF_ARGS_MAX, "read", 4));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "profilerConfig", aclprofDestroyConfig(nullptr));
}

/* Programs request every kind of data of the chip. The results lack the kinds that this device does not have. */
TEST_F(Profile, CountersOfHardwareAreTakenWithValidValues)
{
	struct Case {
		aclprofConfigType type;
		const char *good;
		const char *also_good;
		const char *bad;
	};
	const Case cases[] = {
		{ACL_PROF_STORAGE_LIMIT, "200", "4294967295", "4294967296"},
		{ACL_PROF_SYS_HARDWARE_MEM_FREQ, "1", "100", "101"},
		{ACL_PROF_LLC_MODE, "read", "write", "execute"},
		{ACL_PROF_SYS_IO_FREQ, "1", "100", "0"},
		{ACL_PROF_SYS_INTERCONNECTION_FREQ, "1", "50", "51"},
		{ACL_PROF_DVPP_FREQ, "1", "100", "1Hz"},
		{ACL_PROF_HOST_SYS, "cpu", "cpu,mem", "cpu,,mem"},
		{ACL_PROF_HOST_SYS_USAGE, "mem", "mem,cpu", "cpu,"},
		{ACL_PROF_HOST_SYS_USAGE_FREQ, "1", "50", "-1"},
		{ACL_PROF_LOW_POWER_FREQ, "1", "100", "1.5"},
		{ACL_PROF_SYS_CPU_FREQ, "1", "50", "fast"},
		{ACL_PROF_SYS_MEM_SERVICEFLOW, "one", "one,two", nullptr},
		{ACL_PROF_OPTYPE, "Add", "Add,Mul", nullptr},
		{ACL_PROF_NTS_METRICS, "any", "other", nullptr},
	};

	for (const Case &one : cases) {
		SCOPED_TRACE(one.type);
		EXPECT_OK(aclprofSetConfig(one.type, one.good, strlen(one.good)));
		EXPECT_OK(aclprofSetConfig(one.type, one.also_good, strlen(one.also_good)));
		if (one.bad) {
			EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, one.bad,
				     aclprofSetConfig(one.type, one.bad, strlen(one.bad)));
		}
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "config",
			     aclprofSetConfig(one.type, nullptr, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "configLength",
			     aclprofSetConfig(one.type, one.good, strlen(one.good) + 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "configLength",
			     aclprofSetConfig(one.type, one.good, 0));
	}
	const std::string longest(256, 'x');
	const std::string longer(257, 'x');
	EXPECT_OK(aclprofSetConfig(ACL_PROF_OPTYPE, longest.c_str(), longest.size()));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "256",
		     aclprofSetConfig(ACL_PROF_OPTYPE, longer.c_str(), longer.size()));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclprofInit",
		     aclprofSetConfig(ACL_PROF_PATH, "folder", 6));
	for (const int none : {-1, 0, 2, 17})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "configType",
			     aclprofSetConfig(raw_enum<aclprofConfigType>(none), "1", 1));
	/* The default size of the rings again. */
	EXPECT_OK(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 5));
}

TEST_F(Profile, MarksOfToolsAreInTheSameFile)
{
	aclrtStream stream = nullptr;
	mstxDomainHandle_t domain = mstxDomainCreateA("loading");

	ASSERT_NE(domain, nullptr);
	ASSERT_OK(aclrtCreateStream(&stream));
	EXPECT_EQ(mstxRangeStartA("unheard", nullptr), uint64_t{MSTX_INVALID_RANGE_ID});
	init();
	ASSERT_OK(aclprofStart(config));
	mstxMarkA("of the thread", nullptr);
	mstxMarkA("of the stream", stream);
	mstxDomainMarkA(domain, "in the domain", nullptr);
	const mstxRangeId range = mstxRangeStartA("a range", stream);
	const mstxRangeId other = mstxDomainRangeStartA(domain, "another range", nullptr);
	EXPECT_NE(range, uint64_t{MSTX_INVALID_RANGE_ID});
	EXPECT_NE(range, other);
	mstxRangeEnd(range);
	mstxDomainRangeEnd(domain, other);
	take_message();
	mstxRangeEnd(range);
	EXPECT_NE(take_message().find("range"), std::string::npos);
	EXPECT_EQ(mstxRangeStartA(nullptr, nullptr), uint64_t{MSTX_INVALID_RANGE_ID});
	EXPECT_EQ(mstxDomainCreateA(nullptr), nullptr);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclprofStop(config));
	mstxDomainDestroy(domain);
	EXPECT_SAYS("of the thread");
	EXPECT_SAYS("of the stream");
	EXPECT_SAYS("in the domain");
	EXPECT_SAYS("loading");
	EXPECT_SAYS("a range");
	EXPECT_SAYS("a range ends");
	EXPECT_SAYS("another range");
	EXPECT_EQ(text().find("unheard"), std::string::npos);
	EXPECT_OK(aclprofFinalize());
	EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(Profile, ReportsOfFrameworksAreInTheSameFile)
{
	MsprofApi api = {};
	api.itemId = MsprofGetHashId("launch of a kernel, and more", 18);
	api.beginTime = MsprofSysCycleTime();
	api.endTime = api.beginTime + 1234;

	EXPECT_NE(api.itemId, 0U);
	EXPECT_EQ(api.itemId, MsprofGetHashId("launch of a kernel", 18));
	EXPECT_EQ(MsprofReportApi(0, &api), MSPROF_ERROR_NONE) << "nothing is recorded";
	init();
	ASSERT_OK(aclprofStart(config));
	EXPECT_EQ(MsprofReportApi(0, &api), MSPROF_ERROR_NONE);
	EXPECT_OK(aclprofStop(config));
	EXPECT_SAYS("launch of a kernel took 1234 ns");
	EXPECT_OK(aclprofFinalize());
}

/* @call fails, and its sentence has @word. */
void expect_refused(int32_t code, const char *word)
{
	EXPECT_EQ(code, MSPROF_ERROR);
	EXPECT_NE(take_message().find(word), std::string::npos) << word;
}

TEST_F(Profile, ReportsAreChecked)
{
	MsprofApi api = {};
	api.itemId = MsprofGetHashId("name", 4);

	take_message();
	expect_refused(MsprofReportApi(0, nullptr), "api is NULL");
	api.magicNumber = 1;
	expect_refused(MsprofReportApi(0, &api), "MSPROF_REPORT_DATA_MAGIC_NUM");
	api.magicNumber = MSPROF_REPORT_DATA_MAGIC_NUM;
	api.beginTime = 1;
	expect_refused(MsprofReportApi(0, &api), "endTime");
	api.endTime = 1;
	api.itemId = UINT64_MAX;
	expect_refused(MsprofReportApi(0, &api), "MsprofGetHashId");
	EXPECT_EQ(MsprofGetHashId("", 0), 0U);
	EXPECT_NE(take_message().find("length is 0"), std::string::npos);
}

TEST_F(Profile, ModelsHaveTheDeviceThatTheProgramTells)
{
	EXPECT_EQ(MsprofSetDeviceIdByGeModelIdx(7, 0), MSPROF_ERROR_NONE);
	EXPECT_EQ(MsprofSetDeviceIdByGeModelIdx(7, 0), MSPROF_ERROR_NONE);
	take_message();
	expect_refused(MsprofSetDeviceIdByGeModelIdx(7, 99), "deviceId is 99");
	expect_refused(MsprofUnsetDeviceIdByGeModelIdx(8, 0), "geModelIdx 8");
	EXPECT_EQ(MsprofUnsetDeviceIdByGeModelIdx(7, 0), MSPROF_ERROR_NONE);
	expect_refused(MsprofUnsetDeviceIdByGeModelIdx(7, 0), "geModelIdx 7");
}

TEST(ProfileWithoutInit, IsRefused)
{
	const std::string folder = "/tmp";

	EXPECT_FAILS(ACL_ERROR_UNINITIALIZE, "aclInit", aclprofInit(folder.c_str(), folder.size()));
}

} // namespace
