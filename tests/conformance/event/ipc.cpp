// SPDX-License-Identifier: MIT
/*
 * DOC: what is shared between processes, seen from one of them
 *
 * Checks 20 and 44 as far as one process can see them: what an IPC event does, what it refuses, and
 * which processes a key excludes. pair_events.cpp and pair_memory.cpp use two processes.
 */
#include "capture/capture_objects.h"
#include "event/notify.h"

#include <functional>

#include <unistd.h>

using namespace conformance;

namespace {

using Ipc = DeviceTest;

constexpr size_t kBytes = 4096;
constexpr size_t kStreams = 24;

Event ipc_event()
{
	return Event::ex(ACL_EVENT_IPC);
}

Key memory_key(const DeviceBuffer &buffer, uint64_t flags = 0)
{
	Key key;

	EXPECT_OK(
		aclrtIpcMemGetExportKey(buffer.data(), buffer.size(), key.text, kKeyBytes, flags));
	return key;
}

Key notify_key(aclrtNotify notify, uint64_t flags = 0)
{
	Key key;

	EXPECT_OK(aclrtNotifyGetExportKey(notify, key.text, kKeyBytes, flags));
	return key;
}

/* A key is good in other processes, and of one firmware. */
void expect_for_others(const Key &key, const std::function<aclError(const char *)> &import)
{
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "this process", import(key.text));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
		     import(of_another_firmware(key).text));
}

/* What lists the processes that may import looks at its arguments. */
void expect_a_list(const std::function<aclError(int32_t *, size_t)> &list)
{
	int32_t pid = getpid() + 1;

	EXPECT_OK(list(&pid, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pid", list(nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "num", list(&pid, 0));
	pid = 0;
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "pid", list(&pid, 1));
}

/* One byte: others may still be written. */
size_t byte_of(const DeviceBuffer &buffer, size_t index)
{
	uint8_t byte = 0;

	EXPECT_OK(aclrtMemcpy(&byte, 1, buffer.at(index), 1, ACL_MEMCPY_DEVICE_TO_HOST));
	return byte;
}

} // namespace

TEST_F(Ipc, Check20_AWaitBeforeTheFirstRecordPasses)
{
	const Event event = ipc_event();
	const DeviceBuffer x(kBytes);
	const Stream a;

	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_OK(aclrtStreamWaitEvent(a, event));
	x.fill_async(1, a);
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_TRUE(holds(x, 1));
}

TEST_F(Ipc, Check20_WhatAnIpcEventHasNot)
{
	const Event event = ipc_event();
	const Stream a;
	aclrtEventStatus status = ACL_EVENT_STATUS_COMPLETE;
	aclrtEventWaitStatus wait_status = ACL_EVENT_WAIT_STATUS_COMPLETE;
	uint64_t stamp = 0;
	uint32_t id = 0;
	float ms = 0;

	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC",
		     aclrtEventElapsedTime(&ms, event, event));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC",
		     aclrtEventGetTimestamp(event, &stamp));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC", aclrtGetEventId(event, &id));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", aclrtQueryEvent(event, &status));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "",
		     aclrtQueryEventWaitStatus(event, &wait_status));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "", aclrtResetEvent(event, a));

	begin_capture(a);
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "capture", aclrtRecordEvent(event, a));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "capture", aclrtStreamWaitEvent(a, event));
	const Model model(a);
}

TEST_F(Ipc, FlagsWithIpcStandAlone)
{
	aclrtEvent event = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC | ACL_EVENT_SYNC));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtCreateEventWithFlag(&event, ACL_EVENT_IPC));
}

TEST_F(Ipc, AnIpcEventIsAnEvent)
{
	const Event event = ipc_event();
	const DeviceBuffer x(kBytes);
	const DeviceBuffer y(kBytes);
	const Stream a;
	const Stream b;
	Gate first;
	Gate second;

	first.block(a);
	x.fill_async(1, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_OK(aclrtStreamWaitEvent(b, event));
	copy_async(y, x, b);
	second.block(a);
	x.fill_async(2, a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	first.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(y, 1)) << "the wait is for the record it found";
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
	EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "limit",
		     aclrtSynchronizeEventWithTimeout(event, 10));
	second.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_TRUE(holds(x, 2));
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

/* More records are pending at once than an event has lanes, and they complete in any order. */
TEST_F(Ipc, ManyStreamsRecordOneEvent)
{
	const Event event = ipc_event();
	const DeviceBuffer x(kStreams);
	std::vector<Stream> streams(kStreams);
	std::vector<Stream> waiters(kStreams);
	const Stream ender;
	Gate gate;

	for (size_t i = 0; i < kStreams; ++i) {
		if (i % 2 == 0)
			gate.block(streams[i]);
		EXPECT_OK(aclrtMemsetAsync(x.at(i), 1, int32_t(i + 1), 1, streams[i]));
		EXPECT_OK(aclrtRecordEvent(event, streams[i]));
		EXPECT_OK(aclrtStreamWaitEvent(waiters[i], event));
	}
	EXPECT_OK(aclrtStreamWaitEvent(ender, event));
	turn_device();
	EXPECT_EQ(query(waiters[0]), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_EQ(byte_of(x, kStreams - 1), kStreams);
	for (size_t i = 0; i < kStreams; ++i) {
		EXPECT_OK(aclrtSynchronizeStream(waiters[i]));
		EXPECT_EQ(byte_of(x, i), i + 1);
	}
	EXPECT_OK(aclrtSynchronizeStream(ender));
}

TEST_F(Ipc, OneStreamRecordsAndWaitsByTurns)
{
	const Event event = ipc_event();
	const Stream a;
	Gate gate;

	gate.block(a);
	for (int i = 0; i < 100; ++i) {
		EXPECT_OK(aclrtRecordEvent(event, a));
		EXPECT_OK(aclrtStreamWaitEvent(a, event));
	}
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(Ipc, DestructionLeavesQueuedTasksAlone)
{
	Event event = ipc_event();
	const DeviceBuffer x(kBytes);
	const Stream a;
	const Stream b;
	Gate gate;

	gate.block(a);
	EXPECT_OK(aclrtRecordEvent(event, a));
	EXPECT_OK(aclrtStreamWaitEvent(b, event));
	x.fill_async(1, b);
	EXPECT_OK(aclrtDestroyEvent(event.release()));
	turn_device();
	EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_TRUE(holds(x, 1));
}

TEST_F(Ipc, EventHandlesAreForOtherProcesses)
{
	const Event event = ipc_event();
	const Event ordinary = Event::ex(ACL_EVENT_SYNC);
	aclrtIpcEventHandle handle = {};
	aclrtEvent opened = nullptr;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "IPC", aclrtIpcGetEventHandle(ordinary, &handle));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "handle", aclrtIpcGetEventHandle(event, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtIpcGetEventHandle(nullptr, &handle));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "handle",
		     aclrtIpcOpenEventHandle(handle, &opened));
	EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "event", aclrtIpcOpenEventHandle(handle, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "this process",
		     aclrtIpcOpenEventHandle(handle, &opened));
	handle.reserved[0] ^= 1;
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
		     aclrtIpcOpenEventHandle(handle, &opened));
	EXPECT_EQ(opened, nullptr);
}

TEST_F(Ipc, Check44_TheExporterCannotImport)
{
	const DeviceBuffer x(kBytes);
	void *address = nullptr;

	for (const uint64_t flags : {0, 1}) {
		const Key key = memory_key(x, flags);

		expect_for_others(key, [&](const char *text) {
			return aclrtIpcMemImportByKey(&address, text, 0);
		});
		EXPECT_OK(aclrtIpcMemClose(key.text));
	}
	EXPECT_EQ(address, nullptr);
}

TEST_F(Ipc, WhatCanBeExported)
{
	const DeviceBuffer x(kBytes);
	const PinnedBuffer pinned(kBytes);
	std::vector<char> own(kBytes);
	Key key;
	const auto export_it = [&](void *from, size_t size, size_t len = kKeyBytes,
				   uint64_t flags = 0) {
		return aclrtIpcMemGetExportKey(from, size, key.text, len, flags);
	};

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr", export_it(nullptr, kBytes));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", export_it(x.data(), 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "key",
		     aclrtIpcMemGetExportKey(x.data(), kBytes, nullptr, kKeyBytes, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len", export_it(x.data(), kBytes, 64));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len", export_it(x.data(), kBytes, 66));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
		     export_it(x.data(), kBytes, kKeyBytes, 2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation", export_it(x.data(), kBytes + 4096));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation", export_it(pinned.data(), kBytes));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation", export_it(own.data(), kBytes));
	EXPECT_OK(export_it(x.data(), kBytes));
	EXPECT_EQ(strlen(key.text), kKeyBytes - 1);
	EXPECT_EQ(strspn(key.text, "0123456789abcdef"), kKeyBytes - 1);
	const Key first = key;
	EXPECT_OK(export_it(x.at(64), 64));
	EXPECT_STRNE(first.text, key.text);
	EXPECT_OK(aclrtIpcMemClose(key.text));
	EXPECT_OK(aclrtIpcMemClose(first.text));
}

TEST_F(Ipc, KeysOfMemoryEnd)
{
	DeviceBuffer x(kBytes);
	int32_t pid = 0;
	const Key closed = memory_key(x);
	const Key freed = memory_key(x);

	EXPECT_OK(aclrtDeviceGetBareTgid(&pid));
	EXPECT_EQ(pid, getpid());
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pid", aclrtDeviceGetBareTgid(nullptr));
	EXPECT_OK(aclrtIpcMemSetImportPid(closed.text, &pid, 1));
	EXPECT_OK(aclrtIpcMemClose(closed.text));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key", aclrtIpcMemClose(closed.text));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key",
		     aclrtIpcMemSetImportPid(closed.text, &pid, 1));

	expect_a_list([&](int32_t *pids, size_t count) {
		return aclrtIpcMemSetImportPid(freed.text, pids, count);
	});
	EXPECT_OK(aclrtFree(x.release()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key", aclrtIpcMemClose(freed.text));
}

TEST_F(Ipc, LinksOfMemory)
{
	const DeviceBuffer x(kBytes);
	const Key key = memory_key(x);
	constexpr auto kLink = ACL_RT_IPC_MEM_ATTR_ACCESS_LINK;

	EXPECT_OK(aclrtIpcMemSetAttr(key.text, kLink, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS));
	EXPECT_FAILS(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, "attr",
		     aclrtIpcMemSetAttr(key.text, kLink, ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_SIO));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "attr", aclrtIpcMemSetAttr(key.text, kLink, 4));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "type",
		     aclrtIpcMemSetAttr(key.text, static_cast<aclrtIpcMemAttrType>(1), 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "key", aclrtIpcMemSetAttr(nullptr, kLink, 1));
	EXPECT_OK(aclrtIpcMemClose(key.text));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key", aclrtIpcMemSetAttr(key.text, kLink, 1));
}

TEST_F(Ipc, KeysThatAreNone)
{
	const Notify notify;
	const DeviceBuffer x(kBytes);
	const Key of_notify = notify_key(notify);
	const Key of_memory = memory_key(x);
	aclrtNotify opened = nullptr;
	void *address = nullptr;

	for (const char *text : {"", "0", "no key", of_notify.text}) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key",
			     aclrtIpcMemImportByKey(&address, text, 0));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key", aclrtIpcMemClose(text));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key",
		     aclrtNotifyImportByKey(&opened, of_memory.text, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
		     aclrtIpcMemImportByKey(&address, of_memory.text, 2));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
		     aclrtNotifyImportByKey(&opened, of_notify.text, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "key", aclrtIpcMemImportByKey(&address, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr",
		     aclrtIpcMemImportByKey(nullptr, of_memory.text, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "key", aclrtIpcMemClose(nullptr));
	EXPECT_OK(aclrtIpcMemClose(of_memory.text));
}

TEST_F(Ipc, KeysOfNotifies)
{
	const Notify notify;
	aclrtNotify opened = nullptr;
	int32_t pid = getpid() + 1;
	Key key;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "key", aclrtNotifySetImportPid(notify, &pid, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "len",
		     aclrtNotifyGetExportKey(notify, key.text, 64, 0));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
		     aclrtNotifyGetExportKey(notify, key.text, kKeyBytes, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "key",
		     aclrtNotifyGetExportKey(notify, nullptr, kKeyBytes, 0));
	key = notify_key(notify);
	EXPECT_STREQ(key.text, notify_key(notify, 2).text) << "a notify has one key";
	expect_a_list([&](int32_t *pids, size_t count) {
		return aclrtNotifySetImportPid(notify, pids, count);
	});
	expect_for_others(
		key, [&](const char *text) { return aclrtNotifyImportByKey(&opened, text, 0); });
	EXPECT_EQ(opened, nullptr);
	/* Sharing memory changes nothing for the process that has it. */
	const Stream a;
	EXPECT_OK(aclrtRecordNotify(notify, a));
	EXPECT_OK(aclrtWaitAndResetNotify(notify, a, 1));
	EXPECT_OK(aclrtSynchronizeStream(a));
}
