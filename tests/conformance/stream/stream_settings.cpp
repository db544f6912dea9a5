// SPDX-License-Identifier: MIT
/*
 * DOC: streams - flags, attributes, limits
 *
 * Checks 28 and 29, and what a program can set for a stream and learn of it.
 */
#include <thread>

#include "operator/operator_objects.h"

using namespace conformance;

namespace {

using StreamSettings = DeviceTest;

constexpr size_t kBytes = 4096;
constexpr uint32_t kCollecting[] = {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE,
				    ACL_STREAM_DEVICE_USE_ONLY};

} // namespace

TEST_F(StreamSettings, Check28_StreamsOfModelsRunNothing)
{
	const DeviceBuffer buffer(kBytes);
	const PinnedBuffer pinned(kBytes);
	Gate gate;

	for (const uint32_t flag : kCollecting) {
		SCOPED_TRACE(flag);
		const Stream stream(0, flag);
		uint32_t flags = 0;

		EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
		EXPECT_EQ(flags, flag);
		buffer.fill_async(1, stream);
		EXPECT_OK(aclrtMemcpyAsync(pinned.data(), kBytes, buffer.data(), kBytes,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		gate.block(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 1));
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_COMPLETE);
		EXPECT_OK(aclrtSynchronizeDevice());
	}
	turn_device();
	EXPECT_TRUE(holds(buffer, 0));
	EXPECT_TRUE(holds(pinned, 0));
}

/* The host synchronises the stream first, which such a stream answers at once. Its collected tasks
 * have not run then. */
TEST_F(StreamSettings, StreamsOfModelsCopyPageableMemoryAtOnce)
{
	for (const uint32_t flag : kCollecting) {
		SCOPED_TRACE(flag);
		const DeviceBuffer buffer(kBytes);
		const Stream stream(0, flag);
		std::vector<uint8_t> pageable(kBytes, 7);

		buffer.fill_async(1, stream);
		EXPECT_OK(aclrtMemcpyAsync(buffer.data(), kBytes, pageable.data(), kBytes,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_TRUE(holds(buffer, 7));
		pageable.assign(kBytes, 8);
		EXPECT_OK(aclrtMemcpy2dAsync(buffer.data(), 64, pageable.data(), 64, 32, 2,
					     ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_EQ(buffer.load<uint8_t>()[64 + 31], 8);
		EXPECT_EQ(buffer.load<uint8_t>()[32], 7);
		EXPECT_OK(aclrtMemcpyAsync(pageable.data(), 64, buffer.data(), 64,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		EXPECT_EQ(pageable[40], 7);
	}
}

/* What a model's tasks work on is put there while it is built, in the order of the calls. */
TEST_F(StreamSettings, AModelRunsAfterTheCopiesThatWereMadeWhileItWasBuilt)
{
	const DeviceBuffer buffer(kBytes);
	const DeviceBuffer result(kBytes);
	const std::vector<uint8_t> first(kBytes, 3);
	const std::vector<uint8_t> second(kBytes, 4);
	const Stream stream(0, ACL_STREAM_PERSISTENT);
	aclmdlRI model = nullptr;

	ASSERT_OK(aclmdlRIBuildBegin(&model, 0));
	EXPECT_OK(aclmdlRIBindStream(model, stream, ACL_MODEL_STREAM_FLAG_HEAD));
	EXPECT_OK(aclrtMemcpyAsync(buffer.data(), kBytes, first.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpyAsync(result.data(), kBytes, buffer.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpyAsync(buffer.data(), kBytes / 2, second.data(), kBytes / 2,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_TRUE(holds(result, 0));
	EXPECT_OK(aclmdlRIEndTask(model, stream));
	EXPECT_OK(aclmdlRIBuildEnd(model, nullptr));
	EXPECT_OK(aclmdlRIExecute(model, -1));
	EXPECT_EQ(result.load<uint8_t>()[0], 4);
	EXPECT_EQ(result.load<uint8_t>()[kBytes - 1], 3);
	EXPECT_OK(aclmdlRIUnbindStream(model, stream));
	EXPECT_OK(aclmdlRIDestroy(model));
}

TEST_F(StreamSettings, Check28_TasksOfAPersistentStreamCanBeDropped)
{
	const DeviceBuffer buffer(kBytes);
	const Stream persistent(0, ACL_STREAM_PERSISTENT);
	const Stream plain;

	buffer.fill_async(1, persistent);
	EXPECT_OK(aclrtPersistentTaskClean(persistent));
	EXPECT_OK(aclrtPersistentTaskClean(persistent));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "PERSISTENT", aclrtPersistentTaskClean(plain));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtPersistentTaskClean(nullptr));
}

TEST_F(StreamSettings, EveryFlagMakesAStream)
{
	const DeviceBuffer buffer(kBytes);

	for (uint32_t flags = 0; flags < 64; ++flags) {
		SCOPED_TRACE(flags);
		const Stream stream(0, flags);
		uint32_t told = ~0u;

		EXPECT_OK(aclrtStreamGetFlags(stream, &told));
		EXPECT_EQ(told, flags);
	}
	for (const uint32_t flags : {ACL_STREAM_FAST_LAUNCH, ACL_STREAM_FAST_SYNC, ACL_STREAM_HUGE,
				     ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC}) {
		SCOPED_TRACE(flags);
		const Stream stream(0, flags);

		for (int i = 0; i <= 20; ++i)
			buffer.fill_async(i, stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(buffer, 20));
	}
}

TEST_F(StreamSettings, HugeStreamHoldsMoreThanAPlainOne)
{
	const DeviceBuffer buffer(64);
	const Stream stream(0, ACL_STREAM_HUGE);
	Gate gate;

	gate.block(stream);
	for (int i = 0; i < 10000; ++i)
		EXPECT_OK(aclrtMemsetAsync(buffer.data(), 64, i & 0x7f, 64, stream));
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(buffer, 9999 & 0x7f));
}

TEST_F(StreamSettings, StreamsAreMadeFromAConfiguration)
{
	aclrtStreamConfigHandle *config = aclrtCreateStreamConfigHandle();
	aclrtStream stream = nullptr;
	size_t flag = ACL_STREAM_FAST_SYNC;
	uint32_t priority = 6;
	uint32_t told = 0;
	void *work = &flag;

	ASSERT_NE(config, nullptr);
	EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, sizeof(flag)));
	EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority,
					  sizeof(priority)));
	EXPECT_OK(
		aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_ADDR_PTR, &work, sizeof(work)));
	EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_SIZE, &flag, sizeof(flag)));
	for (const size_t size : {0, 2, 5, 16})
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "Size",
			     aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &flag, size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attr",
		     aclrtSetStreamConfigOpt(config, raw_enum<aclrtStreamConfigAttr>(9), &flag,
					     sizeof(flag)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attrValue",
		     aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, nullptr, sizeof(flag)));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle",
		     aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_FLAG, &flag, sizeof(flag)));
	priority = 8;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "priority",
		     aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, &priority,
					     sizeof(priority)));
	EXPECT_OK(aclrtCreateStreamV2(&stream, config));
	EXPECT_OK(aclrtStreamGetFlags(stream, &told));
	EXPECT_EQ(told, ACL_STREAM_FAST_SYNC);
	EXPECT_OK(aclrtStreamGetPriority(stream, &told));
	EXPECT_EQ(told, 6u);
	EXPECT_OK(aclrtDestroyStream(stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtCreateStreamV2(nullptr, config));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", aclrtCreateStreamV2(&stream, nullptr));
	EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", aclrtDestroyStreamConfigHandle(nullptr));
}

/* As wide as the flags are, or as the attribute is. Nothing behind four bytes is read. */
TEST_F(StreamSettings, FlagsOfAConfigurationHaveFourBytesOrEight)
{
	aclrtStreamConfigHandle *config = aclrtCreateStreamConfigHandle();
	const uint32_t narrow[] = {ACL_STREAM_FAST_LAUNCH, ~0u};
	const uint64_t wide = ACL_STREAM_FAST_SYNC;
	const auto flags_of_made = [&] {
		aclrtStream stream = nullptr;
		uint32_t told = 0;

		EXPECT_OK(aclrtCreateStreamV2(&stream, config));
		EXPECT_OK(aclrtStreamGetFlags(stream, &told));
		EXPECT_OK(aclrtDestroyStream(stream));
		return told;
	};

	ASSERT_NE(config, nullptr);
	EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, &wide, sizeof(wide)));
	EXPECT_EQ(flags_of_made(), ACL_STREAM_FAST_SYNC);
	EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, narrow, sizeof(narrow[0])));
	EXPECT_EQ(flags_of_made(), ACL_STREAM_FAST_LAUNCH);
	EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
}

TEST_F(StreamSettings, AttributesAreSetAndRead)
{
	const Stream stream;
	aclrtStreamAttrValue value = {};
	uint32_t told = 0;

	value.overflowSwitch = 1;
	EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
	EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &told));
	EXPECT_EQ(told, 1u);
	value.overflowSwitch = 2;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "switch",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
	value.userCustomTag = 77;
	EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
	value = {};
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
	EXPECT_EQ(value.userCustomTag, 77u);
	value.streamPriority = 5;
	EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
	EXPECT_OK(aclrtStreamGetPriority(stream, &told));
	EXPECT_EQ(told, 5u);
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
	EXPECT_EQ(value.streamPriority, 5u);
	value.streamPriority = 8;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "priority",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
	for (const int bad : {0, 6, -1}) {
		EXPECT_FAILS(
			ACL_ERROR_RT_PARAM_INVALID, "stmAttrType",
			aclrtSetStreamAttribute(stream, raw_enum<aclrtStreamAttr>(bad), &value));
		EXPECT_FAILS(
			ACL_ERROR_RT_PARAM_INVALID, "stmAttrType",
			aclrtGetStreamAttribute(stream, raw_enum<aclrtStreamAttr>(bad), &value));
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "value",
		     aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, nullptr));
}

TEST_F(StreamSettings, CachedOperatorInfoIsOnOnlyWhileCapturing)
{
	const Stream stream;
	aclrtStreamAttrValue value = {};
	aclmdlRI model = nullptr;

	value.cacheOpInfoSwitch = 1;
	EXPECT_OK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
	EXPECT_EQ(value.cacheOpInfoSwitch, 0u);
	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
	EXPECT_EQ(value.cacheOpInfoSwitch, 1u);
	value.userCustomTag = 1;
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, "tag",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
	EXPECT_EQ(value.cacheOpInfoSwitch, 0u);
}

TEST_F(StreamSettings, AvailableStreamsAreCounted)
{
	uint32_t before = 0;
	uint32_t with = 0;
	uint32_t after = 0;

	turn_device();
	EXPECT_OK(aclrtGetStreamAvailableNum(&before));
	EXPECT_GT(before, 1000u);
	{
		const Stream one;
		const Stream two(3, ACL_STREAM_PERSISTENT);
		EXPECT_OK(aclrtGetStreamAvailableNum(&with));
	}
	EXPECT_OK(aclrtGetStreamAvailableNum(&after));
	EXPECT_EQ(with, before - 2);
	EXPECT_EQ(after, before);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "streamCount", aclrtGetStreamAvailableNum(nullptr));
}

/* Host functions have channels of their own, which no stream can have then. */
TEST_F(StreamSettings, AllStreamsThatAreAvailableCanBeCreatedAfterAHostFunction)
{
	uint32_t left = 0;
	std::vector<Stream> streams;
	{
		const Stream stream;
		EXPECT_OK(aclrtLaunchHostFunc(
			stream, [](void *) {}, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_OK(aclrtGetStreamAvailableNum(&left));
	streams.reserve(left);
	for (uint32_t i = 0; i < left; ++i)
		streams.emplace_back();
	EXPECT_OK(aclrtGetStreamAvailableNum(&left));
	EXPECT_EQ(left, 0u);
	aclrtStream more = nullptr;
	EXPECT_FAILS(ACL_ERROR_RT_NO_STREAM_RESOURCE, "stream", aclrtCreateStream(&more));
}

TEST_F(StreamSettings, StreamsRunOutAndComeBack)
{
	uint32_t left = 0;
	std::vector<Stream> streams;
	aclrtStream more = nullptr;

	EXPECT_OK(aclrtGetStreamAvailableNum(&left));
	streams.reserve(left);
	for (uint32_t i = 0; i < left; ++i)
		streams.emplace_back();
	EXPECT_FAILS(ACL_ERROR_RT_NO_STREAM_RESOURCE, "stream", aclrtCreateStream(&more));
	EXPECT_OK(aclrtGetStreamAvailableNum(&left));
	EXPECT_EQ(left, 0u);
	streams.pop_back();
	EXPECT_OK(aclrtCreateStream(&more));
	EXPECT_OK(aclrtDestroyStream(more));
}

namespace {

struct Seen {
	std::vector<std::pair<aclrtStream, int>> states;
};

void note_state(aclrtStream stream, aclrtStreamState state, void *args)
{
	static_cast<Seen *>(args)->states.emplace_back(stream, state);
}

} // namespace

TEST_F(StreamSettings, StateCallbacksSeeStreamsComeAndGo)
{
	Seen first;
	Seen second;

	EXPECT_OK(aclrtRegStreamStateCallback("first", note_state, &first));
	EXPECT_OK(aclrtRegStreamStateCallback("second", note_state, &second));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "first",
		     aclrtRegStreamStateCallback("first", note_state, &first));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "regName",
		     aclrtRegStreamStateCallback(nullptr, note_state, &first));
	aclrtStream stream = nullptr;
	EXPECT_OK(aclrtCreateStream(&stream));
	EXPECT_OK(aclrtRegStreamStateCallback("second", nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "second",
		     aclrtRegStreamStateCallback("second", nullptr, nullptr));
	EXPECT_OK(aclrtDestroyStream(stream));
	using States = std::vector<std::pair<aclrtStream, int>>;
	EXPECT_EQ(first.states, (States{{stream, ACL_RT_STREAM_STATE_CREATE_POST},
					{stream, ACL_RT_STREAM_STATE_DESTROY_PRE}}));
	EXPECT_EQ(second.states, (States{{stream, ACL_RT_STREAM_STATE_CREATE_POST}}));

	/* Callbacks also get the default stream and the streams that a context still has. */
	first.states.clear();
	{
		const ForeignContext context;
		aclrtStream own = nullptr;

		EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&own));
		EXPECT_EQ(first.states, (States{{own, ACL_RT_STREAM_STATE_CREATE_POST}}));
	}
	EXPECT_EQ(first.states.size(), 2u);
	EXPECT_OK(aclrtRegStreamStateCallback("first", nullptr, nullptr));
}

TEST_F(StreamSettings, HigherPriorityRunsFirst)
{
	const Stream low(7, 0);
	const Stream high(0, 0);
	const Event low_end = Event::ex(ACL_EVENT_TIME_LINE);
	const Event high_end = Event::ex(ACL_EVENT_TIME_LINE);
	const DeviceBuffer buffer(64);
	Gate gate;
	float ms = 0;

	gate.block(low);
	gate.block(high);
	for (int i = 0; i < 8; ++i) {
		buffer.fill_async(1, low);
		buffer.fill_async(1, high);
	}
	EXPECT_OK(aclrtRecordEvent(low_end, low));
	EXPECT_OK(aclrtRecordEvent(high_end, high));
	turn_device();
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(low));
	EXPECT_OK(aclrtSynchronizeStream(high));
	EXPECT_OK(aclrtEventElapsedTime(&ms, low_end, high_end));
	EXPECT_LT(ms, 0);
}

TEST_F(StreamSettings, Check26_TheModeOfAStreamIsSetOnce)
{
	const ForeignContext context;
	const Stream stream;
	const Stream goes_on;
	aclrtStreamAttrValue value = {};

	EXPECT_OK(aclrtSetStreamFailureMode(goes_on, ACL_CONTINUE_ON_FAILURE));
	EXPECT_OK(aclrtSetStreamFailureMode(goes_on, ACL_CONTINUE_ON_FAILURE));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "back",
		     aclrtSetStreamFailureMode(goes_on, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "back",
		     aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "mode", aclrtSetStreamFailureMode(stream, 2));
	EXPECT_OK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
	EXPECT_EQ(value.failureMode, ACL_STOP_ON_FAILURE);
	value.failureMode = ACL_CONTINUE_ON_FAILURE;
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "back",
		     aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value));
}
