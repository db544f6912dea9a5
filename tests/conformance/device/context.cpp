// SPDX-License-Identifier: MIT
/*
 * DOC: init, devices and contexts
 *
 * Checks 30 to 36: the counted life of the library and of a device, what belongs to a thread and
 * what to the process, and the error state of a thread.
 */
#include "support/fixture.h"

#include <cstdio>
#include <thread>

using namespace conformance;

namespace {

using Init = InitTest;
using Contexts = DeviceTest;

constexpr size_t kBytes = 4096;

uint32_t device_count()
{
	uint32_t count = 0;

	EXPECT_OK(aclrtGetDeviceCount(&count));
	return count;
}

aclrtContext current_context()
{
	aclrtContext context = nullptr;

	EXPECT_OK(aclrtGetCurrentContext(&context));
	return context;
}

/* Some work of every kind succeeds in the current context. */
void expect_usable()
{
	const DeviceBuffer buffer(kBytes);
	const Stream stream;

	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(buffer, 1));
}

void expect_no_context()
{
	aclrtStream stream = nullptr;
	aclrtContext context = nullptr;
	aclrtEvent event = nullptr;
	int32_t device = -1;
	void *memory = nullptr;
	size_t free_bytes = 0;
	size_t total_bytes = 0;

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice", aclrtCreateStream(&stream));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice",
		     aclrtGetCurrentContext(&context));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice", aclrtGetDevice(&device));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice", aclrtCreateEvent(&event));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice",
		     aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice", aclrtSynchronizeDevice());
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice",
		     aclrtSynchronizeStream(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context|SetDevice",
		     aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
}

} // namespace

TEST_F(Init, Check30_NothingWorksBeforeADeviceIsSet)
{
	expect_no_context();
}

TEST_F(Contexts, Check30_AThreadThatSetNoDeviceHasNoContext)
{
	std::thread(expect_no_context).join();
	expect_usable();
}

TEST_F(Contexts, Check31_ThreadsThatSetADeviceShareItsContext)
{
	const aclrtContext mine = current_context();
	aclrtContext theirs = nullptr;

	std::thread([&] {
		EXPECT_OK(aclrtSetDevice(0));
		theirs = current_context();
		expect_usable();
		EXPECT_OK(aclrtResetDevice(0));
	}).join();
	EXPECT_EQ(mine, theirs);
	EXPECT_EQ(current_context(), mine);
	expect_usable();
}

TEST_F(Contexts, Check31_CreateContextChangesOnlyTheCaller)
{
	const aclrtContext mine = current_context();

	std::thread([&] {
		aclrtContext made = nullptr;
		int32_t device = -1;

		EXPECT_OK(aclrtCreateContext(&made, 0));
		EXPECT_NE(made, mine);
		EXPECT_EQ(current_context(), made);
		EXPECT_OK(aclrtGetDevice(&device));
		EXPECT_EQ(device, 0);
		expect_usable();
		EXPECT_OK(aclrtDestroyContext(made));
	}).join();
	EXPECT_EQ(current_context(), mine);
	expect_usable();
}

TEST_F(Contexts, Check31_SetDeviceReplacesAnExplicitContext)
{
	const aclrtContext primary = current_context();
	aclrtContext made = nullptr;

	EXPECT_OK(aclrtCreateContext(&made, 0));
	EXPECT_EQ(current_context(), made);
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_EQ(current_context(), primary);
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_OK(aclrtSetCurrentContext(made));
	EXPECT_EQ(current_context(), made);
	EXPECT_OK(aclrtDestroyContext(made));
	EXPECT_OK(aclrtSetCurrentContext(primary));
	EXPECT_EQ(current_context(), primary);
}

TEST_F(Init, Check32_SetDeviceIsCounted)
{
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtResetDevice(0));
	expect_usable();
	EXPECT_OK(aclrtResetDevice(0));
	expect_no_context();
	take_message();
	EXPECT_NE(aclrtResetDevice(0), ACL_SUCCESS);
	EXPECT_NE(take_message(), "");
	EXPECT_OK(aclrtSetDevice(0));
	expect_usable();
	EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(Init, Check32_ForcedResetBalancesAnyCount)
{
	for (int i = 0; i < 3; ++i)
		EXPECT_OK(aclrtSetDevice(0));
	EXPECT_OK(aclrtResetDeviceForce(0));
	expect_no_context();
	take_message();
	EXPECT_NE(aclrtResetDeviceForce(0), ACL_SUCCESS);
	EXPECT_NE(take_message(), "");
	EXPECT_NE(aclrtResetDevice(0), ACL_SUCCESS);
	EXPECT_OK(aclrtSetDevice(0));
	expect_usable();
	EXPECT_OK(aclrtResetDeviceForce(0));
}

TEST_F(Init, Check32_LastResetWaitsForTheWorkOfTheDefaultContext)
{
	constexpr int kCalls = 100;
	int calls = 0;

	EXPECT_OK(aclrtSetDevice(0));
	for (int i = 0; i < kCalls; ++i) {
		EXPECT_OK(aclrtLaunchHostFunc(
			nullptr, [](void *args) { ++*static_cast<int *>(args); }, &calls));
	}
	EXPECT_OK(aclrtResetDevice(0));
	EXPECT_EQ(calls, kCalls);
}

TEST_F(Contexts, Check33_DeviceNumbersPastTheCount)
{
	const int32_t past = static_cast<int32_t>(device_count());
	aclrtContext context = nullptr;

	ASSERT_GT(past, 0);
	for (const int32_t device : {past, past + 1000, -1, INT32_MAX, INT32_MIN}) {
		SCOPED_TRACE(device);
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "device", aclrtSetDevice(device));
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "device",
			     aclrtCreateContext(&context, device));
		take_message();
		EXPECT_NE(aclrtResetDevice(device), ACL_SUCCESS);
		EXPECT_NE(take_message(), "");
		EXPECT_NE(aclrtResetDeviceForce(device), ACL_SUCCESS);
		EXPECT_NE(take_message(), "");
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "count", aclrtGetDeviceCount(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "device", aclrtGetDevice(nullptr));
	expect_usable();
}

TEST_F(Contexts, Check33_NullAndDeadContexts)
{
	const aclrtContext primary = current_context();
	aclrtContext dead = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "context", aclrtSetCurrentContext(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "context", aclrtDestroyContext(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "context", aclrtGetCurrentContext(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "context", aclrtCreateContext(nullptr, 0));
	EXPECT_OK(aclrtCreateContext(&dead, 0));
	EXPECT_OK(aclrtDestroyContext(dead));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtSetCurrentContext(dead));
	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtDestroyContext(dead));
	EXPECT_OK(aclrtSetCurrentContext(primary));
	expect_usable();
}

TEST_F(Contexts, Check33_PrimaryContextCannotBeDestroyed)
{
	take_message();
	EXPECT_NE(aclrtDestroyContext(current_context()), ACL_SUCCESS);
	EXPECT_NE(take_message(), "");
	expect_usable();
}

TEST_F(Contexts, DestroyOfAContextDestroysItsStreams)
{
	aclrtContext home = current_context();
	aclrtContext made = nullptr;
	aclrtStream stream = nullptr;

	EXPECT_OK(aclrtCreateContext(&made, 0));
	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtDestroyContext(made));
	EXPECT_OK(aclrtSetCurrentContext(home));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtSynchronizeStream(stream));
}

TEST_F(Contexts, PrimaryContextStateFollowsSetAndReset)
{
	int32_t active = -1;
	uint32_t flags = 0;

	EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &active));
	EXPECT_EQ(active, 1);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags", aclrtGetPrimaryCtxState(0, &flags, &active));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "active",
		     aclrtGetPrimaryCtxState(0, nullptr, nullptr));
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &active));
	EXPECT_EQ(active, 0);
}

TEST_F(Init, Check34_InitAndFinalizeAreCounted)
{
	uint64_t count = 99;

	EXPECT_FAILS(ACL_ERROR_REPEAT_INITIALIZE, "init", aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(0));
	expect_usable();
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclFinalizeReference(&count));
	EXPECT_EQ(count, 1u);
	EXPECT_OK(aclFinalizeReference(&count));
	EXPECT_EQ(count, 0u);
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "finalize|init", aclFinalizeReference(&count));
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "finalize|init", aclFinalize());
}

TEST_F(Init, Check34_FinalizeEndsAllInitsAtOnce)
{
	static_cast<void>(aclInit(nullptr));
	static_cast<void>(aclInit(nullptr));
	EXPECT_OK(aclFinalize());
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "finalize|init", aclFinalize());
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "finalize|init", aclFinalizeReference(nullptr));
	EXPECT_OK(aclInit(nullptr));
	EXPECT_OK(aclrtSetDevice(0));
	expect_usable();
}

TEST_F(Init, Check34_MissingConfigurationFile)
{
	EXPECT_OK(aclFinalize());
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "/no/such/file", aclInit("/no/such/file.json"));
	EXPECT_FAILS(ACL_ERROR_REPEAT_FINALIZE, "finalize|init", aclFinalize());
	EXPECT_OK(aclInit(""));
}

TEST_F(Contexts, Check35_SynchronizeDeviceCoversAllContexts)
{
	const DeviceBuffer x(kBytes);
	const Stream a;
	const ForeignContext foreign;
	const Stream elsewhere;
	Gate gate;
	int32_t id = -1;
	char context[32];

	gate.block(elsewhere);
	EXPECT_OK(aclrtStreamGetId(elsewhere, &id));
	(void)std::snprintf(context, sizeof(context), "%p", static_cast<aclrtContext>(foreign));
	foreign.leave();
	x.fill_async(1, a);
	/* The sentence names the stream of the other context and that context. */
	EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
	const std::string said = take_message();
	EXPECT_NE(said.find("stream " + std::to_string(id) + " of context " + context),
		  std::string::npos)
		<< said;
	EXPECT_EQ(query(a), ACL_STREAM_STATUS_COMPLETE);
	EXPECT_TRUE(holds(x, 1));

	foreign.enter();
	EXPECT_EQ(query(elsewhere), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	foreign.leave();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(query(elsewhere), ACL_STREAM_STATUS_COMPLETE);
	foreign.enter();
}

TEST_F(Contexts, Check35_SynchronizeDeviceCoversTheDefaultStream)
{
	const DeviceBuffer buffer(kBytes);
	Gate gate;

	gate.block(nullptr);
	buffer.fill_async(1, nullptr);
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "10|limit|timeout",
		     aclrtSynchronizeDeviceWithTimeout(10));
	gate.open();
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_TRUE(holds(buffer, 1));
}

TEST_F(Contexts, Check36_LastErrorIsKeptPerThreadUntilTaken)
{
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
	EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
	expect_usable();
	EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
	EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
	std::thread([] {
		EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
		EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
	}).join();
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
	EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
	EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
	EXPECT_EQ(aclrtPeekAtLastError(raw_enum<aclrtLastErrLevel>(1)), ACL_ERROR_INVALID_PARAM);
	EXPECT_EQ(aclrtGetLastError(raw_enum<aclrtLastErrLevel>(1)), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Contexts, Check36_ErrorTextIsGivenOnce)
{
	EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
	EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);

	const char *text = aclGetRecentErrMsg();

	ASSERT_NE(text, nullptr);
	EXPECT_NE(std::string(text), "");
	EXPECT_EQ(aclGetRecentErrMsg(), nullptr);
}

TEST_F(Init, VersionNameAndMode)
{
	int32_t major = -1;
	int32_t minor = -1;
	int32_t patch = -1;
	aclrtRunMode mode = ACL_DEVICE;

	EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
	EXPECT_EQ(major, ACL_MAJOR_VERSION);
	EXPECT_EQ(minor, ACL_MINOR_VERSION);
	EXPECT_EQ(patch, ACL_PATCH_VERSION);
	EXPECT_OK(aclrtGetRunMode(&mode));
	EXPECT_EQ(mode, ACL_HOST);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "mode", aclrtGetRunMode(nullptr));
	ASSERT_NE(aclrtGetSocName(), nullptr);
	EXPECT_EQ(std::string(aclrtGetSocName()).find("Ascend"), 0u);
	EXPECT_GE(device_count(), 1u);
}

TEST_F(Init, DataTypeSizes)
{
	const struct {
		aclDataType type;
		size_t size;
	} table[] = {
		{ACL_FLOAT, 4},	       {ACL_FLOAT16, 2},     {ACL_INT8, 1},   {ACL_INT32, 4},
		{ACL_UINT8, 1},	       {ACL_INT16, 2},	     {ACL_UINT16, 2}, {ACL_UINT32, 4},
		{ACL_INT64, 8},	       {ACL_UINT64, 8},	     {ACL_DOUBLE, 8}, {ACL_BOOL, 1},
		{ACL_COMPLEX64, 8},    {ACL_COMPLEX128, 16}, {ACL_BF16, 2},   {ACL_INT4, 1},
		{ACL_COMPLEX32, 4},    {ACL_STRING, 0},	     {ACL_UINT1, 1},  {ACL_HIFLOAT8, 1},
		{ACL_DT_UNDEFINED, 0},
	};

	for (const auto &row : table)
		EXPECT_EQ(aclDataTypeSize(row.type), row.size) << "type " << row.type;
}
