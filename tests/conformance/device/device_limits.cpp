// SPDX-License-Identifier: MIT
/*
 * DOC: limits of devices and caps on cores
 */
#include "support/child_process.h"

#include <fstream>
#include <thread>

using namespace conformance;

namespace {

using Caps = DeviceTest;
using NoDevice = InitTest;

constexpr aclrtDevResLimitType kKinds[] = {ACL_RT_DEV_RES_CUBE_CORE, ACL_RT_DEV_RES_VECTOR_CORE};

int64_t cores_of(aclrtDevResLimitType kind)
{
	int64_t cores = 0;

	EXPECT_OK(aclrtGetDeviceInfo(0,
				     kind == ACL_RT_DEV_RES_CUBE_CORE
					     ? ACL_DEV_ATTR_CUBE_CORE_NUM
					     : ACL_DEV_ATTR_VECTOR_CORE_NUM,
				     &cores));
	return cores;
}

uint32_t of_device(aclrtDevResLimitType kind)
{
	uint32_t value = 999;

	EXPECT_OK(aclrtGetDeviceResLimit(0, kind, &value));
	return value;
}

uint32_t of_stream(aclrtStream stream, aclrtDevResLimitType kind)
{
	uint32_t value = 999;

	EXPECT_OK(aclrtGetStreamResLimit(stream, kind, &value));
	return value;
}

uint32_t of_thread(aclrtDevResLimitType kind)
{
	uint32_t value = 999;

	EXPECT_OK(aclrtGetResInCurrentThread(kind, &value));
	return value;
}

size_t limit(aclrtDeviceLimit which)
{
	size_t value = 999;

	EXPECT_OK(aclrtDeviceGetLimit(which, &value));
	return value;
}

} // namespace

TEST_F(Caps, AllCoresWithoutOne)
{
	const Stream stream;

	for (const auto kind : kKinds) {
		const int64_t cores = cores_of(kind);

		EXPECT_EQ(of_device(kind), cores);
		EXPECT_EQ(of_stream(stream, kind), cores);
		EXPECT_EQ(of_stream(nullptr, kind), cores);
		EXPECT_EQ(of_thread(kind), cores);
	}
}

TEST_F(Caps, StreamBeforeProcessBeforeDevice)
{
	const auto kind = ACL_RT_DEV_RES_VECTOR_CORE;
	const auto other = ACL_RT_DEV_RES_CUBE_CORE;
	const auto all = static_cast<uint32_t>(cores_of(kind));
	const auto all_others = static_cast<uint32_t>(cores_of(other));

	ASSERT_GT(all, 3u);
	{
		const Stream a;
		const Stream b;

		EXPECT_OK(aclrtSetDeviceResLimit(0, kind, 3));
		EXPECT_EQ(of_device(kind), 3u);
		EXPECT_EQ(of_device(other), all_others);
		EXPECT_EQ(of_stream(a, kind), 3u);
		EXPECT_OK(aclrtSetStreamResLimit(a, kind, 2));
		EXPECT_EQ(of_stream(a, kind), 2u);
		EXPECT_EQ(of_stream(b, kind), 3u);
		EXPECT_EQ(of_thread(kind), 3u) << "the thread uses no stream's caps";
		EXPECT_OK(aclrtUseStreamResInCurrentThread(b));
		EXPECT_OK(aclrtUseStreamResInCurrentThread(a));
		EXPECT_EQ(of_thread(kind), 2u) << "the last call wins";
		EXPECT_EQ(of_thread(other), all_others);
		std::thread([&] {
			EXPECT_OK(aclrtSetDevice(0));
			EXPECT_EQ(of_thread(kind), 3u);
			EXPECT_OK(aclrtResetDevice(0));
		}).join();
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "thread",
			     aclrtUnuseStreamResInCurrentThread(b));
		EXPECT_EQ(of_thread(kind), 2u) << "it was not in use";
		EXPECT_OK(aclrtUnuseStreamResInCurrentThread(a));
		EXPECT_EQ(of_thread(kind), 3u);
		EXPECT_OK(aclrtResetStreamResLimit(a));
		EXPECT_EQ(of_stream(a, kind), 3u);
		EXPECT_OK(aclrtResetDeviceResLimit(0));
		EXPECT_EQ(of_device(kind), all);
		EXPECT_OK(aclrtSetStreamResLimit(b, kind, 1));
		EXPECT_OK(aclrtUseStreamResInCurrentThread(b));
		expect_device_works();
	}
	EXPECT_EQ(of_thread(kind), all) << "the stream is gone";
	{
		const Stream again;

		EXPECT_EQ(of_stream(again, kind), all) << "a new stream has no cap";
	}
}

TEST(CapsOfAChip, GoUpToItsNumberOfCores)
{
	if (!alone("engines=1,soc=Ascend910B3"))
		return;
	ASSERT_NO_FATAL_FAILURE(open_device());
	EXPECT_OK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 20));
	EXPECT_OK(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 40));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "20 cores",
		     aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, 21));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "40 cores",
		     aclrtSetStreamResLimit(nullptr, ACL_RT_DEV_RES_VECTOR_CORE, 41));
	close_device();
}

TEST_F(Caps, WrongArguments)
{
	uint32_t value = 0;
	const auto kind = ACL_RT_DEV_RES_VECTOR_CORE;
	const auto strange = raw_enum<aclrtDevResLimitType>(2);

	for (const uint32_t wrong : {0u, static_cast<uint32_t>(cores_of(kind)) + 1, UINT32_MAX}) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "value",
			     aclrtSetDeviceResLimit(0, kind, wrong));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "value",
			     aclrtSetStreamResLimit(nullptr, kind, wrong));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type", aclrtSetDeviceResLimit(0, strange, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type",
		     aclrtGetDeviceResLimit(0, strange, &value));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type",
		     aclrtSetStreamResLimit(nullptr, strange, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type",
		     aclrtGetStreamResLimit(nullptr, strange, &value));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "type",
		     aclrtGetResInCurrentThread(strange, &value));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value", aclrtGetDeviceResLimit(0, kind, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtGetStreamResLimit(nullptr, kind, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value", aclrtGetResInCurrentThread(kind, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		     aclrtSetDeviceResLimit(99, kind, 1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId", aclrtResetDeviceResLimit(-1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		     aclrtGetDeviceResLimit(99, kind, &value));
}

TEST_F(Caps, StreamsThatAreNone)
{
	const auto kind = ACL_RT_DEV_RES_VECTOR_CORE;
	uint32_t value = 0;
	Stream stream;
	aclrtStream dead = stream.release();

	EXPECT_OK(aclrtDestroyStream(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
		     aclrtGetStreamResLimit(dead, kind, &value));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtSetStreamResLimit(dead, kind, 1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtResetStreamResLimit(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtUseStreamResInCurrentThread(dead));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream",
		     aclrtUnuseStreamResInCurrentThread(dead));
}

TEST_F(NoDevice, CapsOfAThreadNeedAContext)
{
	uint32_t value = 0;

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context",
		     aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &value));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context",
		     aclrtUseStreamResInCurrentThread(nullptr));
}

TEST(Limits, AreKeptForTheProcess)
{
	if (!alone())
		return;
	for (const auto which :
	     {ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE}) {
		EXPECT_EQ(limit(which), 0u) << "nothing was configured";
		EXPECT_OK(aclrtDeviceSetLimit(which, 65536));
		EXPECT_EQ(limit(which), 65536u);
		std::thread([which] { EXPECT_EQ(limit(which), 65536u); }).join();
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "value",
		     aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, SIZE_MAX));
	EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE), 65536u);
}

TEST(Limits, ComeFromTheConfiguration)
{
	if (!alone())
		return;
	const std::string path = testing::TempDir() + "unpu-limits-" + std::to_string(getpid());

	std::ofstream(path) << "{\"StackSize\": {\"aicore_stack_size\": \"49152\"},"
			       " \"simd_printf_fifo_size_per_core\": 2097152}";
	EXPECT_OK(aclInit(path.c_str()));
	EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE), 49152u);
	EXPECT_EQ(limit(ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE), 2097152u);
	EXPECT_OK(aclFinalize());
	std::remove(path.c_str());
}

TEST_F(NoDevice, LimitsThatTheDeviceHasNot)
{
	size_t value = 0;

	for (const int which : {0, 1, 4, 5, -1}) {
		const auto strange = raw_enum<aclrtDeviceLimit>(which);

		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "limit",
			     aclrtDeviceSetLimit(strange, 1));
		EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "limit",
			     aclrtDeviceGetLimit(strange, &value));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, nullptr));
}
