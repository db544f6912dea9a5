// SPDX-License-Identifier: MIT
/*
 * DOC: several devices in one process
 *
 * Each has contexts, streams and memory of its own. Copies go between them, streams of one wait for
 * events of another, and a device that may reach its peer does its copies itself.
 */
#include "capture/capture_objects.h"
#include "event/notify.h"
#include "support/child_process.h"

using namespace conformance;

namespace {

constexpr size_t kBytes = size_t{1} << 20;
constexpr int32_t kMany = 8;

void use(int32_t device)
{
	EXPECT_OK(aclrtSetDevice(device));
}

/* A buffer and a stream on a device; the device is current afterwards. */
struct Place {
	explicit Place(int32_t number) : device((use(number), number)) {}
	~Place() { enter(); }

	/* Destroying them needs no current device, but the others' tests may have left another. */
	void enter() const { use(device); }

	int32_t device;
	DeviceBuffer buffer = DeviceBuffer(kBytes);
	Stream stream;
};

int32_t reach(int32_t device, int32_t peer)
{
	int32_t status = -1;

	EXPECT_OK(aclrtDevicePeerAccessStatus(device, peer, &status));
	return status;
}

/* Stream b, on another device than the event, stands until the record on a is done. */
void expect_followed(const Place &a, const Place &b, aclrtEvent event)
{
	a.enter();
	Gate gate;

	gate.block(a.stream);
	a.buffer.fill_async(9, a.stream);
	EXPECT_OK(aclrtRecordEvent(event, a.stream));
	b.enter();
	EXPECT_OK(aclrtStreamWaitEvent(b.stream, event));
	b.buffer.fill_async(3, b.stream);
	turn_device();
	EXPECT_EQ(query(b.stream), ACL_STREAM_STATUS_NOT_READY);
	a.enter();
	gate.open();
	b.enter();
	EXPECT_OK(aclrtSynchronizeStream(b.stream));
	EXPECT_TRUE(holds(b.buffer, 3));
	EXPECT_TRUE(holds(a.buffer, 9));
	a.enter();
}

/* The library with all its devices, and their end whatever became of them. */
class OpenDevices {
public:
	OpenDevices() { EXPECT_OK(aclInit(nullptr)); }
	~OpenDevices()
	{
		uint32_t count = 0;

		EXPECT_OK(aclrtGetDeviceCount(&count));
		for (int32_t i = 0; i < static_cast<int32_t>(count); ++i) {
			int32_t active = 0;

			EXPECT_OK(aclrtGetPrimaryCtxState(i, nullptr, &active));
			if (active) {
				EXPECT_OK(aclrtResetDeviceForce(i));
			}
		}
		EXPECT_OK(aclFinalize());
	}
	OpenDevices(const OpenDevices &) = delete;
	OpenDevices &operator=(const OpenDevices &) = delete;
};

/* The rest of a test runs in a process of its own with so many devices. */
#define WITH_DEVICES(count) \
	if (!alone("devices=" #count)) \
		return; \
	const OpenDevices devices

} // namespace

TEST(Devices, HaveContextsAndStreamsOfTheirOwn)
{
	WITH_DEVICES(2);
	aclrtContext contexts[2] = {};
	aclrtStream defaults[2] = {};
	uint32_t count = 0;
	int32_t current = -1;

	EXPECT_OK(aclrtGetDeviceCount(&count));
	EXPECT_EQ(count, 2u);
	for (int32_t i = 0; i < 2; ++i) {
		use(i);
		EXPECT_OK(aclrtGetCurrentContext(&contexts[i]));
		EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&defaults[i]));
		EXPECT_OK(aclrtGetDevice(&current));
		EXPECT_EQ(current, i);
	}
	EXPECT_NE(contexts[0], contexts[1]);
	EXPECT_NE(defaults[0], defaults[1]);
	EXPECT_OK(aclrtSetCurrentContext(contexts[0]));
	EXPECT_OK(aclrtGetDevice(&current));
	EXPECT_EQ(current, 0) << "a context brings its device along";
	const Stream stream;
	EXPECT_OK(aclrtSetCurrentContext(contexts[1]));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, "stream|context",
		     aclrtMemsetAsync(&count, 4, 0, 4, stream));
	EXPECT_OK(aclrtSetCurrentContext(contexts[0]));
}

TEST(Devices, PeerAccess)
{
	WITH_DEVICES(2);
	int32_t can = -1;

	EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, "context", aclrtDeviceEnablePeerAccess(1, 0));
	EXPECT_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
	EXPECT_EQ(can, 1);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "peerDeviceId", aclrtDeviceCanAccessPeer(&can, 1, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "canAccessPeer",
		     aclrtDeviceCanAccessPeer(nullptr, 0, 1));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2", aclrtDeviceCanAccessPeer(&can, 0, 2));
	use(0);
	EXPECT_EQ(reach(0, 1), 0);
	EXPECT_FAILS(ACL_ERROR_FEATURE_UNSUPPORTED, "flags", aclrtDeviceEnablePeerAccess(1, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "peerDeviceId", aclrtDeviceEnablePeerAccess(0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2", aclrtDeviceEnablePeerAccess(2, 0));
	EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
	EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
	EXPECT_EQ(reach(0, 1), 1);
	EXPECT_EQ(reach(1, 0), 0) << "it has a direction";
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "peerDeviceId", aclrtDeviceDisablePeerAccess(0));
	EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
	EXPECT_EQ(reach(0, 1), 0);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device", aclrtDevicePeerAccessStatus(0, 2, &can));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "status", aclrtDevicePeerAccessStatus(0, 1, nullptr));
}

TEST(Devices, MemoryIsPreparedForAPeer)
{
	WITH_DEVICES(2);
	use(1);
	use(0);
	const DeviceBuffer buffer(kBytes);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "aclrtDeviceEnablePeerAccess",
		     aclrtMemP2PMap(buffer.data(), kBytes, 1, 0));
	EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
	EXPECT_OK(aclrtMemP2PMap(buffer.data(), kBytes, 1, 0));
	use(1);
	EXPECT_OK(aclrtDeviceEnablePeerAccess(0, 0));
	EXPECT_OK(aclrtMemP2PMap(buffer.data(), kBytes, 1, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dstDevId",
		     aclrtMemP2PMap(buffer.data(), kBytes, 0, 0));
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "2",
		     aclrtMemP2PMap(buffer.data(), kBytes, 2, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags", aclrtMemP2PMap(buffer.data(), kBytes, 1, 1));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devPtr",
		     aclrtMemP2PMap(buffer.at(kBytes), kBytes, 1, 0));
	use(0);
}

TEST(Devices, CopiesGoBetweenThem)
{
	WITH_DEVICES(2);
	const Place a(0);
	const Place b(1);

	for (int round = 1; round <= 3; ++round) {
		a.enter();
		EXPECT_OK(aclrtMemset(a.buffer.data(), kBytes, round, kBytes));
		EXPECT_OK(aclrtMemcpy(b.buffer.data(), kBytes, a.buffer.data(), kBytes,
				      ACL_MEMCPY_DEVICE_TO_DEVICE));
		EXPECT_TRUE(holds(b.buffer, round));
		a.buffer.fill_async(round + 10, a.stream);
		copy_async(b.buffer, a.buffer, a.stream);
		EXPECT_OK(aclrtSynchronizeStream(a.stream));
		EXPECT_TRUE(holds(b.buffer, round + 10));
		b.enter();
		EXPECT_OK(aclrtMemset(a.buffer.data(), kBytes, round + 20, kBytes));
		copy_async(b.buffer, a.buffer, b.stream);
		EXPECT_OK(aclrtSynchronizeStream(b.stream));
		EXPECT_TRUE(holds(b.buffer, round + 20));
		/* By the host, by one of the devices, by either. */
		use(round == 1 ? 0 : 1);
		EXPECT_OK(aclrtDeviceEnablePeerAccess(round == 1 ? 1 : 0, 0));
	}
}

/* A device that can access the memory of its peer copies it itself, in stream order and in a graph. */
TEST(Devices, APeerIsReachedByTasks)
{
	WITH_DEVICES(2);
	const Place a(0);

	EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
	const Place b(1);
	const DeviceBuffer later(64);
	a.enter();
	{
		Gate gate;

		gate.block(a.stream);
		a.buffer.fill_async(1, a.stream);
		copy_async(b.buffer, a.buffer, a.stream);
		later.fill_async(2, a.stream);
		turn_device();
		EXPECT_EQ(query(a.stream), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_TRUE(holds(b.buffer, 0));
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(a.stream));
	}
	EXPECT_TRUE(holds(b.buffer, 1));
	EXPECT_TRUE(holds(later, 2)) << "allocated after access was enabled";

	begin_capture(a.stream);
	copy_async(a.buffer, b.buffer, a.stream);
	const Model model(a.stream);
	EXPECT_OK(aclrtMemset(b.buffer.data(), kBytes, 3, kBytes));
	model.execute(a.stream);
	EXPECT_OK(aclrtSynchronizeStream(a.stream));
	EXPECT_TRUE(holds(a.buffer, 3));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dst",
		     aclrtMemcpyAsync(b.buffer.at(kBytes - 64), 4096, a.buffer.data(), 4096,
				      ACL_MEMCPY_DEVICE_TO_DEVICE, a.stream));
}

TEST(Devices, AStreamWaitsForAnEventOfAnotherDevice)
{
	WITH_DEVICES(2);
	const Place a(0);
	const Place b(1);

	for (int round = 0; round < 3; ++round) {
		for (const Place *from : {&a, &b}) {
			const Place &to = from == &a ? b : a;

			from->enter();
			expect_followed(*from, to, Event::ex(ACL_EVENT_SYNC));
			expect_followed(*from, to, Event::plain());
			expect_followed(*from, to, Event::with_flag(ACL_EVENT_SYNC));
			expect_followed(*from, to, Event::ex(ACL_EVENT_IPC));
		}
	}
	a.enter();
	const Event done = Event::ex(ACL_EVENT_SYNC);
	EXPECT_OK(aclrtRecordEvent(done, a.stream));
	EXPECT_OK(aclrtSynchronizeEvent(done));
	b.enter();
	EXPECT_OK(aclrtStreamWaitEvent(b.stream, done));
	EXPECT_OK(aclrtSynchronizeStream(b.stream));
	EXPECT_EQ(query_event(done), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

/* Recorded by both: each record is the latest for both. */
TEST(Devices, AnIpcEventIsOfAllDevices)
{
	WITH_DEVICES(2);
	const Place a(0);
	const Place b(1);

	a.enter();
	const Event event = Event::ex(ACL_EVENT_IPC);
	for (int round = 0; round < 100; ++round) {
		const Place &from = round % 2 ? a : b;
		const Place &to = round % 2 ? b : a;

		from.enter();
		EXPECT_OK(aclrtMemsetAsync(from.buffer.data(), 64, round, 64, from.stream));
		EXPECT_OK(aclrtRecordEvent(event, from.stream));
		to.enter();
		EXPECT_OK(aclrtStreamWaitEvent(to.stream, event));
	}
	EXPECT_OK(aclrtSynchronizeEvent(event));
	EXPECT_OK(aclrtSynchronizeStream(a.stream));
	EXPECT_OK(aclrtSynchronizeStream(b.stream));
	a.enter();
}

TEST(Devices, ANotifyIsRecordedFromAnywhere)
{
	WITH_DEVICES(2);
	const Place a(0);
	const Place b(1);

	a.enter();
	const Notify notify;
	for (int round = 1; round <= 3; ++round) {
		a.enter();
		EXPECT_OK(aclrtWaitAndResetNotify(notify, a.stream, 0));
		a.buffer.fill_async(round, a.stream);
		b.enter();
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device",
			     aclrtWaitAndResetNotify(notify, b.stream, 0));
		EXPECT_OK(aclrtRecordNotify(notify, b.stream));
		EXPECT_OK(aclrtSynchronizeStream(b.stream));
		a.enter();
		EXPECT_OK(aclrtSynchronizeStream(a.stream));
		EXPECT_TRUE(holds(a.buffer, round));
	}
}

/* A device closes; a device that used its memory and followed its events continues. */
TEST(Devices, OneIsReset)
{
	WITH_DEVICES(2);
	const Place a(0);

	for (int round = 1; round <= 3; ++round) {
		EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
		{
			const Place b(1);
			const Event event = Event::ex(ACL_EVENT_SYNC);

			EXPECT_OK(aclrtDeviceEnablePeerAccess(0, 0));
			expect_followed(b, a, event);
			a.enter();
			copy_async(a.buffer, b.buffer, a.stream);
			EXPECT_OK(aclrtSynchronizeStream(a.stream));
			EXPECT_TRUE(holds(a.buffer, 9));
		}
		EXPECT_OK(aclrtResetDeviceForce(1));
		EXPECT_EQ(reach(1, 0), 0);
		a.enter();
		a.buffer.fill_async(round, a.stream);
		EXPECT_OK(aclrtSynchronizeStream(a.stream));
		EXPECT_TRUE(holds(a.buffer, round));
	}
}

TEST(Devices, EightPassABufferRound)
{
	WITH_DEVICES(8);
	std::vector<std::unique_ptr<Place>> places;
	std::vector<Event> events;

	for (int32_t i = 0; i < kMany; ++i) {
		places.push_back(std::make_unique<Place>(i));
		EXPECT_OK(aclrtDeviceEnablePeerAccess((i + kMany - 1) % kMany, 0));
		events.push_back(Event::ex(ACL_EVENT_SYNC));
	}
	places[0]->enter();
	{
		Gate gate;

		gate.block(places[0]->stream);
		places[0]->buffer.fill_async(77, places[0]->stream);
		EXPECT_OK(aclrtRecordEvent(events[0], places[0]->stream));
		for (int32_t i = 1; i < kMany; ++i) {
			const Place &here = *places[i];

			here.enter();
			EXPECT_OK(aclrtStreamWaitEvent(here.stream, events[i - 1]));
			copy_async(here.buffer, places[i - 1]->buffer, here.stream);
			EXPECT_OK(aclrtRecordEvent(events[i], here.stream));
		}
		EXPECT_EQ(query(places.back()->stream), ACL_STREAM_STATUS_NOT_READY);
		places[0]->enter();
		gate.open();
	}
	EXPECT_OK(aclrtSynchronizeEvent(events.back()));
	for (const auto &place : places)
		EXPECT_TRUE(holds(place->buffer, 77)) << "device " << place->device;
}
