// SPDX-License-Identifier: MIT
/*
 * DOC: two processes and one event
 *
 * Checks 20 and 66 between processes: a record in one process ends a wait in the other, and no
 * thread waits for ever for a process that was killed.
 */
#include "event/notify.h"
#include "support/child_process.h"

#include <csignal>

using namespace conformance;

namespace {

constexpr size_t kBytes = 4096;

aclrtIpcEventHandle handle_of(const Event &event)
{
	aclrtIpcEventHandle handle = {};

	EXPECT_OK(aclrtIpcGetEventHandle(event, &handle));
	return handle;
}

/* Another process's event. */
class OpenedEvent {
public:
	explicit OpenedEvent(const Peer &peer)
	{
		EXPECT_OK(aclrtIpcOpenEventHandle(peer.receive<aclrtIpcEventHandle>(), &event_));
	}
	~OpenedEvent() { EXPECT_OK(aclrtDestroyEvent(event_)); }
	OpenedEvent(const OpenedEvent &) = delete;
	OpenedEvent &operator=(const OpenedEvent &) = delete;

	operator aclrtEvent() const { return event_; }

private:
	aclrtEvent event_ = nullptr;
};

Key key_of(const Notify &notify, const Peer &peer)
{
	Key key;
	int32_t pid = peer.pid();

	EXPECT_OK(aclrtNotifyGetExportKey(notify, key.text, kKeyBytes, 0));
	EXPECT_OK(aclrtNotifySetImportPid(notify, &pid, 1));
	return key;
}

aclrtNotify import_notify(const Peer &peer)
{
	aclrtNotify notify = nullptr;

	EXPECT_OK(aclrtNotifyImportByKey(&notify, peer.receive<Key>().text, 0));
	return notify;
}

} // namespace

TEST(PairEvents, Check20_ARecordReleasesTheOther)
{
	together(
		[](Peer &peer) {
			const Event event = Event::ex(ACL_EVENT_IPC);
			const Stream a;
			Gate gate;

			peer.send(handle_of(event));
			peer.meet();
			gate.block(a);
			EXPECT_OK(aclrtRecordEvent(event, a));
			peer.meet();
			peer.meet();
			gate.open();
			EXPECT_OK(aclrtSynchronizeStream(a));
			peer.meet();
		},
		[](Peer &peer) {
			const OpenedEvent event(peer);
			const DeviceBuffer x(kBytes);
			const Stream b;
			float ms = 0;

			EXPECT_EQ(aclrtStreamWaitEvent(b, event), ACL_SUCCESS)
				<< "before the first record";
			EXPECT_OK(aclrtSynchronizeStream(b));
			EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "IPC",
				     aclrtEventElapsedTime(&ms, event, event));
			peer.meet();
			peer.meet();
			EXPECT_EQ(query_event(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
			EXPECT_OK(aclrtStreamWaitEvent(b, event));
			x.fill_async(1, b);
			turn_device();
			EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
			peer.meet();
			EXPECT_OK(aclrtSynchronizeStream(b));
			EXPECT_TRUE(holds(x, 1));
			EXPECT_OK(aclrtSynchronizeEvent(event));
			peer.meet();
		});
}

TEST(PairEvents, Check20_EitherRecords)
{
	constexpr int kRounds = 50;

	together(
		[](Peer &peer) {
			const Event event = Event::ex(ACL_EVENT_IPC);
			const Stream a;

			peer.send(handle_of(event));
			for (int i = 0; i < kRounds; ++i) {
				EXPECT_OK(aclrtRecordEvent(event, a));
				peer.meet();
				peer.meet();
				EXPECT_OK(aclrtStreamWaitEvent(a, event));
				EXPECT_OK(aclrtSynchronizeStream(a));
			}
			peer.meet();
		},
		[](Peer &peer) {
			const OpenedEvent event(peer);
			const Stream b;

			for (int i = 0; i < kRounds; ++i) {
				peer.meet();
				EXPECT_OK(aclrtStreamWaitEvent(b, event));
				EXPECT_OK(aclrtRecordEvent(event, b));
				peer.meet();
			}
			EXPECT_OK(aclrtSynchronizeStream(b));
			peer.meet();
		});
}

TEST(PairEvents, Check20_ADeadRecorderHangsNoWaiter)
{
	together(
		[](Peer &peer) {
			const Event event = Event::ex(ACL_EVENT_IPC);
			const Stream a;
			Gate gate;

			peer.send(handle_of(event));
			gate.block(a);
			EXPECT_OK(aclrtRecordEvent(event, a));
			peer.meet();
			peer.meet();
			raise(SIGKILL);
		},
		[](Peer &peer) {
			const OpenedEvent event(peer);
			const Stream b;
			const Stream c;

			peer.meet();
			EXPECT_OK(aclrtStreamWaitEvent(b, event));
			peer.meet();
			EXPECT_FAILS(ACL_ERROR_RT_TASK_ABORT_STOP, "", aclrtSynchronizeStream(b));
			peer.wait_for_its_end();
			/* The event is the living one's now. */
			EXPECT_OK(aclrtRecordEvent(event, c));
			EXPECT_OK(aclrtSynchronizeEvent(event));
			expect_device_works();
		},
		SIGKILL);
}

TEST(PairEvents, Check66_ANotifyBetweenProcesses)
{
	together(
		[](Peer &peer) {
			const Notify notify;
			const Stream a;

			peer.send(key_of(notify, peer));
			EXPECT_OK(aclrtRecordNotify(notify, a));
			EXPECT_OK(aclrtSynchronizeStream(a));
			peer.meet();
			peer.meet();
			EXPECT_OK(aclrtRecordNotify(notify, a));
			EXPECT_OK(aclrtSynchronizeStream(a));
			peer.meet();
			EXPECT_OK(aclrtWaitAndResetNotify(notify, a, 0));
			EXPECT_EQ(aclrtSynchronizeStream(a), ACL_SUCCESS)
				<< "the other one records";
			peer.meet();
		},
		[](Peer &peer) {
			aclrtNotify notify = import_notify(peer);
			const Stream b;

			peer.meet();
			EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 0));
			EXPECT_EQ(aclrtSynchronizeStream(b), ACL_SUCCESS)
				<< "recorded before the wait";
			EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 0));
			turn_device();
			EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY)
				<< "the first wait reset it";
			peer.meet();
			EXPECT_EQ(aclrtSynchronizeStream(b), ACL_SUCCESS)
				<< "recorded after the wait";
			EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 1));
			EXPECT_FAILS(ACL_ERROR_RT_TASK_TIMEOUT, "", aclrtSynchronizeStream(b));
			peer.meet();
			EXPECT_OK(aclrtRecordNotify(notify, b));
			EXPECT_OK(aclrtSynchronizeStream(b));
			EXPECT_OK(aclrtDestroyNotify(notify));
			peer.meet();
		});
}

TEST(PairEvents, Check66_ADeadExportersNotifyHangsNoWaiter)
{
	together(
		[](Peer &peer) {
			const Notify notify;

			peer.send(key_of(notify, peer));
			peer.meet();
			raise(SIGKILL);
		},
		[](Peer &peer) {
			aclrtNotify notify = import_notify(peer);
			const Stream b;

			EXPECT_OK(aclrtWaitAndResetNotify(notify, b, 0));
			turn_device();
			EXPECT_EQ(query(b), ACL_STREAM_STATUS_NOT_READY);
			peer.meet();
			EXPECT_FAILS(ACL_ERROR_RT_TASK_ABORT_STOP, "", aclrtSynchronizeStream(b));
			EXPECT_OK(aclrtDestroyNotify(notify));
			expect_device_works();
		},
		SIGKILL);
}

TEST(PairEvents, Check66_AProcessThatIsNotListedCannotImport)
{
	together(
		[](Peer &peer) {
			const Notify notify;
			Key key;

			EXPECT_OK(aclrtNotifyGetExportKey(notify, key.text, kKeyBytes, 0));
			peer.send(key);
			peer.meet();
		},
		[](Peer &peer) {
			const Key key = peer.receive<Key>();
			aclrtNotify notify = nullptr;

			EXPECT_FAILS(ACL_ERROR_RT_NO_PERMISSION, "SetImportPid",
				     aclrtNotifyImportByKey(&notify, key.text, 0));
			EXPECT_EQ(notify, nullptr);
			peer.meet();
		});
}

TEST(PairEvents, TwoEmbeddedDevicesShareNothing)
{
	together(
		[](Peer &peer) {
			const Event event = Event::ex(ACL_EVENT_IPC);
			const Notify notify;

			peer.send(handle_of(event));
			peer.send(key_of(notify, peer));
			peer.meet();
		},
		[](Peer &peer) {
			const auto handle = peer.receive<aclrtIpcEventHandle>();
			const Key key = peer.receive<Key>();
			aclrtEvent event = nullptr;
			aclrtNotify notify = nullptr;

			EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
				     aclrtIpcOpenEventHandle(handle, &event));
			EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "firmware-sim --listen",
				     aclrtNotifyImportByKey(&notify, key.text, 0));
			peer.meet();
		},
		0, On::ONE_EACH);
}
