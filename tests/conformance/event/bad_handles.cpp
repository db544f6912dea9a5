// SPDX-License-Identifier: MIT
/*
 * DOC: handles that are not what they should be
 *
 * Each function that takes a stream, an event or a model is called with a handle that is stale, of
 * another type, or no handle at all. The answer is 107017 and a sentence, never a crash. A context
 * that is not alive is 107002.
 */
#include "support/fixture.h"

#include <array>
#include <functional>

using namespace conformance;

namespace {

using BadHandles = DeviceTest;

constexpr size_t kBytes = 64;

template <typename Handle> struct Call {
	const char *name;
	std::function<aclError(Handle)> call;
};

/* Things a program may take for a handle. The one that fits is left out by the caller. */
struct Impostors {
	Stream stream;
	Event event = Event::plain();
	DeviceBuffer device = DeviceBuffer(kBytes);
	PinnedBuffer pinned = PinnedBuffer(kBytes);
	aclrtContext context = nullptr;
	std::array<uint64_t, 64> zeros = {};
	std::array<uint64_t, 64> ones = {};

	Impostors()
	{
		EXPECT_OK(aclrtGetCurrentContext(&context));
		ones.fill(~uint64_t{0});
	}

	std::vector<void *> list(const void *but)
	{
		std::vector<void *> all = {
			stream,
			event,
			context,
			device.data(),
			pinned.data(),
			zeros.data(),
			ones.data(),
			reinterpret_cast<void *>(uintptr_t{1}),
			reinterpret_cast<void *>(uintptr_t{0xdeadbeef}),
			reinterpret_cast<void *>(~uintptr_t{0}),
			reinterpret_cast<void *>(uintptr_t{1} << 63),
		};

		std::erase(all, but);
		return all;
	}
};

template <typename Row> std::vector<Row> joined(std::vector<Row> first, std::vector<Row> second)
{
	first.insert(first.end(), second.begin(), second.end());
	return first;
}

std::vector<Call<aclrtStream>> stream_lookups()
{
	return {
		{"DestroyStream", aclrtDestroyStream},
		{"DestroyStreamForce", aclrtDestroyStreamForce},
		{"SynchronizeStream", aclrtSynchronizeStream},
		{"SynchronizeStreamWithTimeout",
		 [](aclrtStream stream) { return aclrtSynchronizeStreamWithTimeout(stream, 10); }},
		{"StreamQuery",
		 [](aclrtStream stream) {
			 aclrtStreamStatus status;

			 return aclrtStreamQuery(stream, &status);
		 }},
		{"StreamGetId",
		 [](aclrtStream stream) {
			 int32_t id;

			 return aclrtStreamGetId(stream, &id);
		 }},
		{"StreamGetPriority",
		 [](aclrtStream stream) {
			 uint32_t priority;

			 return aclrtStreamGetPriority(stream, &priority);
		 }},
		{"StreamGetFlags",
		 [](aclrtStream stream) {
			 uint32_t flags;

			 return aclrtStreamGetFlags(stream, &flags);
		 }},
	};
}

std::vector<Call<aclrtStream>> stream_tasks(aclrtEvent event, const DeviceBuffer &memory)
{
	return {
		{"StreamWaitEvent",
		 [event](aclrtStream stream) { return aclrtStreamWaitEvent(stream, event); }},
		{"RecordEvent",
		 [event](aclrtStream stream) { return aclrtRecordEvent(event, stream); }},
		{"ResetEvent",
		 [event](aclrtStream stream) { return aclrtResetEvent(event, stream); }},
		{"MemsetAsync",
		 [&memory](aclrtStream stream) {
			 return aclrtMemsetAsync(memory.data(), kBytes, 1, kBytes, stream);
		 }},
		{"MemcpyAsync",
		 [&memory](aclrtStream stream) {
			 return aclrtMemcpyAsync(memory.data(), kBytes / 2, memory.at(kBytes / 2),
						 kBytes / 2, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
		 }},
		{"MemcpyBatchAsync of nothing",
		 [](aclrtStream stream) {
			 void *none = nullptr;
			 size_t zero = 0, failed = 0;

			 return aclrtMemcpyBatchAsync(&none, &zero, &none, &zero, 1, nullptr,
						      nullptr, 0, &failed, stream);
		 }},
		{"LaunchHostFunc",
		 [](aclrtStream stream) {
			 return aclrtLaunchHostFunc(
				 stream, [](void *) {}, nullptr);
		 }},
		{"CaptureBegin",
		 [](aclrtStream stream) {
			 return aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
		 }},
		{"CaptureEnd",
		 [](aclrtStream stream) {
			 aclmdlRI model;

			 return aclmdlRICaptureEnd(stream, &model);
		 }},
		{"CaptureGetInfo",
		 [](aclrtStream stream) {
			 aclmdlRICaptureStatus status;
			 aclmdlRI model;

			 return aclmdlRICaptureGetInfo(stream, &status, &model);
		 }},
	};
}

std::vector<Call<aclrtStream>> stream_calls(aclrtEvent event, const DeviceBuffer &memory)
{
	return joined(stream_lookups(), stream_tasks(event, memory));
}

std::vector<Call<aclrtEvent>> event_tasks(aclrtStream stream)
{
	return {
		{"DestroyEvent", aclrtDestroyEvent},
		{"RecordEvent",
		 [stream](aclrtEvent event) { return aclrtRecordEvent(event, stream); }},
		{"RecordEventWithFlag",
		 [stream](aclrtEvent event) {
			 return aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT);
		 }},
		{"ResetEvent",
		 [stream](aclrtEvent event) { return aclrtResetEvent(event, stream); }},
		{"StreamWaitEvent",
		 [stream](aclrtEvent event) { return aclrtStreamWaitEvent(stream, event); }},
		{"StreamWaitEventWithTimeout",
		 [stream](aclrtEvent event) {
			 return aclrtStreamWaitEventWithTimeout(stream, event, 10);
		 }},
		{"StreamWaitEventWithFlag",
		 [stream](aclrtEvent event) {
			 return aclrtStreamWaitEventWithFlag(stream, event, 0,
							     ACL_EVENT_WAIT_DEFAULT);
		 }},
	};
}

std::vector<Call<aclrtEvent>> event_lookups()
{
	return {
		{"QueryEvent",
		 [](aclrtEvent event) {
			 aclrtEventStatus status;

			 return aclrtQueryEvent(event, &status);
		 }},
		{"QueryEventStatus",
		 [](aclrtEvent event) {
			 aclrtEventRecordedStatus status;

			 return aclrtQueryEventStatus(event, &status);
		 }},
		{"QueryEventWaitStatus",
		 [](aclrtEvent event) {
			 aclrtEventWaitStatus status;

			 return aclrtQueryEventWaitStatus(event, &status);
		 }},
		{"SynchronizeEvent", aclrtSynchronizeEvent},
		{"SynchronizeEventWithTimeout",
		 [](aclrtEvent event) { return aclrtSynchronizeEventWithTimeout(event, 10); }},
		{"EventElapsedTime",
		 [](aclrtEvent event) {
			 float ms;

			 return aclrtEventElapsedTime(&ms, event, event);
		 }},
		{"EventGetTimestamp",
		 [](aclrtEvent event) {
			 uint64_t stamp_us;

			 return aclrtEventGetTimestamp(event, &stamp_us);
		 }},
		{"GetEventId",
		 [](aclrtEvent event) {
			 uint32_t id;

			 return aclrtGetEventId(event, &id);
		 }},
	};
}

std::vector<Call<aclrtEvent>> event_calls(aclrtStream stream)
{
	return joined(event_tasks(stream), event_lookups());
}

aclrtStream dead_stream()
{
	Stream stream;
	const aclrtStream handle = stream.release();

	EXPECT_OK(aclrtDestroyStream(handle));
	return handle;
}

aclrtEvent dead_event()
{
	Event event = Event::plain();
	const aclrtEvent handle = event.release();

	EXPECT_OK(aclrtDestroyEvent(handle));
	return handle;
}

} // namespace

TEST_F(BadHandles, StaleStream)
{
	const Event event = Event::with_flag(ACL_EVENT_SYNC);
	const DeviceBuffer memory(kBytes);
	const aclrtStream dead = dead_stream();

	for (const auto &row : stream_calls(event, memory)) {
		SCOPED_TRACE(row.name);
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", row.call(dead));
	}
}

TEST_F(BadHandles, StaleStreamWhoseSlotIsTakenAgain)
{
	const Event event = Event::with_flag(ACL_EVENT_SYNC);
	const DeviceBuffer memory(kBytes);
	const aclrtStream dead = dead_stream();
	const Stream next;

	EXPECT_NE(dead, aclrtStream(next));
	for (const auto &row : stream_calls(event, memory)) {
		SCOPED_TRACE(row.name);
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", row.call(dead));
	}
}

TEST_F(BadHandles, SomethingElseAsStream)
{
	const Event event = Event::with_flag(ACL_EVENT_SYNC);
	const DeviceBuffer memory(kBytes);
	Impostors impostors;

	for (const auto &row : stream_calls(event, memory)) {
		for (void *impostor : impostors.list(aclrtStream(impostors.stream))) {
			SCOPED_TRACE(row.name);
			EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", row.call(impostor))
				<< impostor;
		}
	}
}

TEST_F(BadHandles, NullEvent)
{
	const Stream stream;

	for (const auto &row : event_calls(stream)) {
		SCOPED_TRACE(row.name);
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", row.call(nullptr));
	}
}

TEST_F(BadHandles, StaleEvent)
{
	const Stream stream;
	const aclrtEvent dead = dead_event();
	const Event next = Event::plain();

	EXPECT_NE(dead, aclrtEvent(next));
	for (const auto &row : event_calls(stream)) {
		SCOPED_TRACE(row.name);
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", row.call(dead));
	}
}

TEST_F(BadHandles, SomethingElseAsEvent)
{
	const Stream stream;
	Impostors impostors;

	for (const auto &row : event_calls(stream)) {
		for (void *impostor : impostors.list(aclrtEvent(impostors.event))) {
			SCOPED_TRACE(row.name);
			EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", row.call(impostor))
				<< impostor;
		}
	}
}

TEST_F(BadHandles, SomethingElseAsContext)
{
	aclrtContext home = nullptr;
	Impostors impostors;

	EXPECT_OK(aclrtGetCurrentContext(&home));
	for (void *impostor : impostors.list(home)) {
		EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtSetCurrentContext(impostor))
			<< impostor;
		EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtDestroyContext(impostor))
			<< impostor;
	}
	turn_device();
}

TEST_F(BadHandles, NullAndStaleAndWrongModel)
{
	const Stream stream;
	Impostors impostors;
	aclmdlRI model = nullptr;

	EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "model", aclmdlRIDestroy(model));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "model", aclmdlRIExecuteAsync(model, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "model", aclmdlRIDestroy(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "model", aclmdlRIExecuteAsync(nullptr, stream));
	for (void *impostor : impostors.list(nullptr)) {
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "model", aclmdlRIDestroy(impostor))
			<< impostor;
		EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "model",
			     aclmdlRIExecuteAsync(impostor, stream))
			<< impostor;
	}
}

TEST_F(BadHandles, HandlesAreNotReusedForAWhile)
{
	std::vector<void *> dead;

	for (int i = 0; i < 500; ++i) {
		dead.push_back(dead_stream());
		dead.push_back(dead_event());
	}

	const Stream stream;
	const Event event = Event::plain();

	for (void *handle : dead) {
		EXPECT_EQ(aclrtSynchronizeStream(handle), ACL_ERROR_RT_INVALID_HANDLE);
		EXPECT_EQ(aclrtSynchronizeEvent(handle), ACL_ERROR_RT_INVALID_HANDLE);
	}
}

TEST_F(BadHandles, HandlesOfAnEarlierLifeOfTheDevice)
{
	Stream stream;
	Event event = Event::plain();
	DeviceBuffer buffer(kBytes);
	const aclrtStream old_stream = stream.release();
	const aclrtEvent old_event = event.release();
	void *old_memory = buffer.release();

	EXPECT_OK(aclrtDestroyEvent(old_event));
	EXPECT_OK(aclrtFree(old_memory));
	EXPECT_OK(aclrtResetDeviceForce(0));
	EXPECT_OK(aclrtSetDevice(0));

	const Stream next;

	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "stream", aclrtSynchronizeStream(old_stream));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "event", aclrtRecordEvent(old_event, next));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(old_memory));
}

TEST_F(BadHandles, NullOutputPointers)
{
	const Stream stream;
	const Event event = Event::plain();

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtCreateStream(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtCreateStreamWithConfig(nullptr, 0, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtCtxGetCurrentDefaultStream(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "id|null", aclrtStreamGetId(stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "priority|null",
		     aclrtStreamGetPriority(stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags|null", aclrtStreamGetFlags(stream, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status|null", aclrtQueryEvent(event, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status|null", aclrtQueryEventStatus(event, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status|null",
		     aclrtQueryEventWaitStatus(event, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "timestamp|null",
		     aclrtEventGetTimestamp(event, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "id|null", aclrtGetEventId(event, nullptr));
}
