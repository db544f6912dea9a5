// SPDX-License-Identifier: MIT
/*
 * DOC: exceptions - callbacks for failed tasks
 *
 * The program registers a function, and the library calls it for each failed task.
 */
#include <atomic>
#include <future>
#include <mutex>
#include <thread>

#include <sys/syscall.h>
#include <unistd.h>

#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using Exceptions = DeviceTest;

struct Told {
	uint32_t task;
	uint32_t stream;
	uint32_t thread;
	uint32_t device;
	uint32_t code;
	std::thread::id on;
};

std::mutex told_mutex;
std::vector<Told> told_first;
std::vector<Told> told_second;

Told read(const aclrtExceptionInfo *info)
{
	return {aclrtGetTaskIdFromExceptionInfo(info),	  aclrtGetStreamIdFromExceptionInfo(info),
		aclrtGetThreadIdFromExceptionInfo(info),  aclrtGetDeviceIdFromExceptionInfo(info),
		aclrtGetErrorCodeFromExceptionInfo(info), std::this_thread::get_id()};
}

void tell_first(aclrtExceptionInfo *info)
{
	const std::lock_guard lock(told_mutex);
	told_first.push_back(read(info));
}

void tell_second(aclrtExceptionInfo *info)
{
	const std::lock_guard lock(told_mutex);
	told_second.push_back(read(info));
}

/* Adds something at an address where there is nothing. */
void trap(const DeviceBuffer &buffer, aclrtStream stream)
{
	const int64_t one = 1;
	const Tensor self(buffer, ACL_FLOAT, {1});
	const Scalar alpha(1.0f, ACL_FLOAT);
	aclTensor *other = aclCreateTensor(&one, 1, ACL_FLOAT, &one, 0, ACL_FORMAT_ND, &one, 1,
					   reinterpret_cast<void *>(64));

	ASSERT_NE(other, nullptr);
	add(self, other, alpha, self, stream);
	EXPECT_EQ(aclDestroyTensor(other), 0);
}

/* No callback is registered before and after a test, and none was called. */
class Registered {
public:
	Registered()
	{
		told_first.clear();
		told_second.clear();
	}
	~Registered()
	{
		EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
		EXPECT_OK(aclrtExceptionInfoCallbackUnregister(tell_first));
		EXPECT_OK(aclrtExceptionInfoCallbackUnregister(tell_second));
	}
	Registered(const Registered &) = delete;
	Registered &operator=(const Registered &) = delete;
};

} // namespace

TEST_F(Exceptions, TheCallbackRunsBeforeTheFailureIsReturned)
{
	const Registered scope;
	const DeviceBuffer buffer(64);
	const Stream stream;
	int32_t stream_id = -1;
	uint32_t task = 0;

	EXPECT_OK(aclrtExceptionInfoCallbackRegister(tell_first));
	buffer.fill_async(0, stream);
	trap(buffer, stream);
	EXPECT_OK(aclrtGetThreadLastTaskId(&task));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	ASSERT_EQ(told_first.size(), 1u);
	EXPECT_OK(aclrtStreamGetId(stream, &stream_id));
	EXPECT_EQ(told_first[0].stream, static_cast<uint32_t>(stream_id));
	EXPECT_EQ(told_first[0].task, task);
	EXPECT_EQ(told_first[0].task, 1u);
	EXPECT_EQ(told_first[0].device, 0u);
	EXPECT_EQ(told_first[0].code, static_cast<uint32_t>(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION));
	EXPECT_EQ(told_first[0].thread, static_cast<uint32_t>(syscall(SYS_gettid)));
	EXPECT_NE(told_first[0].on, std::this_thread::get_id());
}

TEST_F(Exceptions, EachCallbackGetsEachFailedTask)
{
	const Registered scope;
	const DeviceBuffer buffer(64);
	const Stream stream;

	EXPECT_OK(aclrtExceptionInfoCallbackRegister(tell_first));
	EXPECT_OK(aclrtExceptionInfoCallbackRegister(tell_first));
	EXPECT_OK(aclrtSetExceptionInfoCallback(tell_first));
	EXPECT_OK(aclrtSetExceptionInfoCallback(tell_second));
	for (int i = 0; i < 3; ++i)
		trap(buffer, stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	EXPECT_EQ(told_first.size(), 3u);
	EXPECT_EQ(told_second.size(), 3u);
	EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
	EXPECT_OK(aclrtExceptionInfoCallbackUnregister(tell_first));
	EXPECT_OK(aclrtExceptionInfoCallbackUnregister(tell_first));
	trap(buffer, stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	EXPECT_EQ(told_first.size(), 3u);
	EXPECT_EQ(told_second.size(), 3u);
}

TEST_F(Exceptions, AFailedNodeOfAModelIsReported)
{
	const Registered scope;
	const DeviceBuffer buffer(64);
	const Stream stream;
	aclmdlRI model = nullptr;
	int32_t stream_id = -1;

	EXPECT_OK(aclrtExceptionInfoCallbackRegister(tell_first));
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	buffer.fill_async(0, stream);
	trap(buffer, stream);
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	ASSERT_EQ(told_first.size(), 1u);
	EXPECT_OK(aclrtStreamGetId(stream, &stream_id));
	EXPECT_EQ(told_first[0].stream, static_cast<uint32_t>(stream_id));
	EXPECT_EQ(told_first[0].task, 1u);
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(Exceptions, AFunctionMaySynchroniseTheStreamThatFailed)
{
	static aclrtStream failed;
	static aclrtContext context;
	static std::promise<aclError> said;
	const Registered scope;
	const DeviceBuffer buffer(64);
	const Stream stream;

	failed = stream;
	said = {};
	EXPECT_OK(aclrtGetCurrentContext(&context));
	EXPECT_OK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo *) {
		EXPECT_OK(aclrtSetCurrentContext(context));
		said.set_value(aclrtSynchronizeStream(failed));
	}));
	trap(buffer, stream);
	(void)aclrtSynchronizeStream(stream);
	/* One of the two threads gets the report; it may be this one while the other still runs. */
	const aclError other = said.get_future().get();
	EXPECT_TRUE(other == ACL_SUCCESS || other == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION) << other;
}

TEST_F(Exceptions, ManyFaultsAreAllReported)
{
	const Registered scope;
	const DeviceBuffer buffer(64);
	const Stream stream;

	EXPECT_OK(aclrtExceptionInfoCallbackRegister(tell_first));
	for (int i = 0; i < 300; ++i)
		trap(buffer, stream);
	EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	ASSERT_EQ(told_first.size(), 300u);
	for (uint32_t i = 0; i < 300; ++i)
		EXPECT_EQ(told_first[i].task, i);
}

TEST_F(Exceptions, GettersOfNull)
{
	EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
	EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
	EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
	EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
	EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFu);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "callback",
		     aclrtExceptionInfoCallbackRegister(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "callback",
		     aclrtExceptionInfoCallbackUnregister(nullptr));
}

TEST_F(Exceptions, FaultsOfADeviceAreDescribedUntilItIsRepaired)
{
	const DeviceBuffer buffer(64);
	aclrtErrorInfo info = {};

	{
		const Stream stream;
		EXPECT_OK(aclrtGetErrorVerbose(0, &info));
		EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
		EXPECT_EQ(info.hasDetail, 0);
		trap(buffer, stream);
		EXPECT_FAILS(ACL_ERROR_RT_VECTOR_CORE_EXCEPTION, "",
			     aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtGetErrorVerbose(0, &info));
		EXPECT_EQ(info.errorType, ACL_RT_ERROR_AICORE);
		EXPECT_EQ(info.hasDetail, 1);
		EXPECT_EQ(info.detail.aicoreErrType, ACL_RT_AICORE_ERROR_SW);
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "abort", aclrtRepairError(0, &info));
		EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
		EXPECT_OK(aclrtRepairError(0, &info));
		EXPECT_OK(aclrtGetErrorVerbose(0, &info));
		EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
	}
	turn_device();
	info.errorType = raw_enum<aclrtErrorType>(99);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "errorType", aclrtRepairError(0, &info));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "errorInfo", aclrtRepairError(0, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "errorInfo", aclrtGetErrorVerbose(0, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "device", aclrtGetErrorVerbose(99, &info));
}

TEST_F(Exceptions, MemoryHasNoErrors)
{
	aclrtMemUceInfo list[4] = {};
	size_t count = 9;

	EXPECT_OK(aclrtGetMemUceInfo(0, list, 4, &count));
	EXPECT_EQ(count, 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "arraySize", aclrtGetMemUceInfo(0, list, 0, &count));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "arraySize", aclrtMemUceRepair(0, list, 129));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "address", aclrtMemUceRepair(0, list, 1));
}

TEST_F(Exceptions, LimitsOnTheTimeOfTasks)
{
	uint64_t step_us = 0;
	uint64_t actual_us = 0;
	uint32_t ms = 0;

	EXPECT_OK(aclrtGetOpTimeOutInterval(&step_us));
	EXPECT_GT(step_us, 0u);
	EXPECT_OK(aclrtSetOpExecuteTimeOutV2(step_us + 1, &actual_us));
	EXPECT_EQ(actual_us, 2 * step_us);
	EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
	EXPECT_EQ(ms, 2 * step_us / 1000);
	EXPECT_OK(aclrtSetOpExecuteTimeOutV2(1000 * step_us, &actual_us));
	EXPECT_EQ(actual_us, 254 * step_us);
	EXPECT_OK(aclrtSetOpExecuteTimeOutV2(UINT64_MAX, &actual_us));
	EXPECT_EQ(actual_us, UINT64_MAX);
	EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
	EXPECT_EQ(ms, UINT32_MAX);
	EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(1));
	EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
	EXPECT_EQ(ms, step_us / 1000);
	EXPECT_OK(aclrtSetOpExecuteTimeOut(0));
	EXPECT_OK(aclrtGetOpExecuteTimeout(&ms));
	EXPECT_EQ(ms, 254 * step_us / 1000);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "interval", aclrtGetOpTimeOutInterval(nullptr));
}

/* A function of the program that uses the context while a synchronisation waits for it. */
struct User {
	aclrtContext context = nullptr;
	std::atomic<bool> made{false};
};
User user;

void make_stream(aclrtExceptionInfo *)
{
	EXPECT_OK(aclrtSetCurrentContext(user.context));
	const Stream stream;
	EXPECT_OK(aclrtSynchronizeStream(stream));
	user.made = true;
}

TEST_F(Exceptions, TheProgramsFunctionMayUseTheContextThatIsWaitedFor)
{
	user.made = false;
	EXPECT_OK(aclrtGetCurrentContext(&user.context));
	EXPECT_OK(aclrtSetExceptionInfoCallback(make_stream));
	const DeviceBuffer buffer(64);
	const Stream stream;

	trap(buffer, stream);
	EXPECT_NE(aclrtSynchronizeDevice(), ACL_SUCCESS);
	take_message();
	EXPECT_TRUE(user.made) << "the synchronisation gave up waiting for the function";
	EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
}

TEST_F(Exceptions, TheLastTaskOfAThreadIsItsOwn)
{
	const DeviceBuffer buffer(64);
	const Stream stream;
	uint32_t mine = 0;
	uint32_t other = 0;

	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtGetThreadLastTaskId(&mine));
	std::thread thread([&] {
		EXPECT_OK(aclrtSetDevice(0));
		buffer.fill_async(1, stream);
		EXPECT_OK(aclrtGetThreadLastTaskId(&other));
		EXPECT_OK(aclrtResetDevice(0));
	});
	thread.join();
	EXPECT_EQ(other, mine + 1);
	EXPECT_OK(aclrtGetThreadLastTaskId(&other));
	EXPECT_EQ(other, mine);
	EXPECT_OK(aclrtSynchronizeStream(stream));
}
