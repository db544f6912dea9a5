// SPDX-License-Identifier: MIT
/*
 * DOC: events and memory of several processes (checks I1 to I9)
 */
#include "graph/graphs.h"
#include "support/peer.h"

#include <atomic>
#include <cstring>

using namespace cuda_test;

namespace {

class Ipc : public ContextTest {};
using IpcAlone = testing::Test;

constexpr unsigned kShared = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;

CUipcEventHandle name_of(CUevent event)
{
	CUipcEventHandle handle = {};

	EXPECT_OK(cuIpcGetEventHandle(&handle, event));
	return handle;
}

CUipcMemHandle name_of(CUdeviceptr memory)
{
	CUipcMemHandle handle = {};

	EXPECT_OK(cuIpcGetMemHandle(&handle, memory));
	return handle;
}

CUevent open_event(const CUipcEventHandle &handle)
{
	CUevent event = nullptr;

	EXPECT_OK(cuIpcOpenEventHandle(&event, handle));
	return event;
}

CUdeviceptr open_memory(const CUipcMemHandle &handle)
{
	CUdeviceptr memory = 0;

	EXPECT_OK(cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	return memory;
}

uint32_t load(CUdeviceptr memory)
{
	uint32_t word = 0;

	EXPECT_OK(cuMemcpyDtoH(&word, memory, sizeof(word)));
	return word;
}

} // namespace

TEST_F(Ipc, I1_OnlySharedEventsHaveNames)
{
	const Event plain;
	const Event untimed(CU_EVENT_DISABLE_TIMING);
	CUipcEventHandle handle;

	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuIpcGetEventHandle(&handle, plain));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuIpcGetEventHandle(&handle, untimed));
}

TEST_F(Ipc, I2_NothingToName)
{
	const Event shared(kShared);
	CUipcEventHandle handle;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetEventHandle(&handle, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetEventHandle(nullptr, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetEventHandle(nullptr, shared));
}

TEST_F(Ipc, I3_HandlesOfNoObject)
{
	CUevent event = nullptr;
	CUipcEventHandle zero = {};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcOpenEventHandle(nullptr, zero));
	const CUresult code = cuIpcOpenEventHandle(&event, zero);
	EXPECT_TRUE(code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_MAP_FAILED) << code;
	memset(&zero, 0x5a, sizeof(zero));
	EXPECT_CU(CUDA_ERROR_MAP_FAILED, cuIpcOpenEventHandle(&event, zero));
}

/* F24 */
TEST_F(Ipc, AMemoryHandleOfZeros)
{
	CUdeviceptr memory = 0;
	CUipcMemHandle handle = {};

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	memset(&handle, 0x5a, sizeof(handle));
	EXPECT_CU(CUDA_ERROR_MAP_FAILED,
		  cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
}

TEST_F(Ipc, I4_NotInTheSameProcess)
{
	const Event shared(kShared);
	CUevent event = nullptr;

	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenEventHandle(&event, name_of(shared)));
}

/* In one process it is an event as any other. */
TEST_F(Ipc, I5_ASharedEventIsAnEvent)
{
	const Stream stream;
	const Stream follower;
	const Words words(1);
	const Event shared(kShared);
	const Event blocking(kShared | CU_EVENT_BLOCKING_SYNC);
	float ms = 0;
	Gate gate;

	EXPECT_OK(cuEventQuery(shared));
	EXPECT_OK(cuEventSynchronize(shared));
	gate.block(stream);
	EXPECT_OK(cuMemsetD32Async(words, 1, 1, stream));
	EXPECT_OK(cuEventRecord(shared, stream));
	EXPECT_OK(cuEventRecord(blocking, stream));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(shared));
	EXPECT_OK(cuStreamWaitEvent(follower, shared, 0));
	EXPECT_OK(cuCtxWaitEvent(nullptr, shared));
	EXPECT_OK(cuMemsetD32Async(words, 2, 1, follower));
	gate.open();
	EXPECT_OK(cuEventSynchronize(blocking));
	EXPECT_OK(cuStreamSynchronize(follower));
	EXPECT_EQ(words.load()[0], 2u);
	EXPECT_OK(cuEventQuery(shared));
	EXPECT_OK(cuCtxRecordEvent(nullptr, shared));
	EXPECT_OK(cuEventSynchronize(shared));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, shared, shared));
}

/* The importer waits for the exporter, and the exporter for the importer. */
TEST(IpcAlone, I5_BothProcessesUseTheEvent)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const Stream stream;
		const CUevent event = open_event(line.receive<CUipcEventHandle>());
		const CUdeviceptr memory = open_memory(line.receive<CUipcMemHandle>());
		float ms = 0;

		line.meet();
		EXPECT_OK(cuStreamWaitEvent(stream, event, 0));
		EXPECT_OK(cuMemcpyDtoDAsync(memory + 4, memory, 4, stream));
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuEventQuery(event));
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, event, event));
		line.meet();
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_OK(cuEventDestroy(event));
		EXPECT_OK(cuIpcCloseMemHandle(memory));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	const Words words(2);
	const Event event(kShared);
	Peer peer;

	peer.line().send(name_of(event));
	peer.line().send(name_of(words));
	{
		Gate gate;

		gate.block(stream);
		EXPECT_OK(cuMemsetD32Async(words, 7, 1, stream));
		EXPECT_OK(cuEventRecord(event, stream));
		peer.line().meet();
	}
	peer.line().meet();
	EXPECT_OK(cuStreamWaitEvent(stream, event, 0));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load()[1], 7u);
}

TEST(IpcAlone, I6_TheImporterSeesThatARecordIsPending)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUevent event = open_event(line.receive<CUipcEventHandle>());

		line.meet();
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
		line.meet();
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuEventQuery(event));
		EXPECT_OK(cuEventDestroy(event));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	const Event event(kShared);
	Peer peer;
	Gate gate;

	peer.line().send(name_of(event));
	gate.block(stream);
	EXPECT_OK(cuEventRecord(event, stream));
	peer.line().meet();
	peer.line().meet();
	gate.open();
}

/* The exporter is killed while its record is pending; the importer comes to an end. */
TEST(IpcAlone, I7_TheExporterDies)
{
	if (is_peer()) {
		const Session session;
		const Stream stream;
		const Event event(kShared);
		Gate gate;

		gate.block(stream);
		EXPECT_OK(cuEventRecord(event, stream));
		parent().send(name_of(event));
		parent().meet();
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	Peer peer;
	const CUevent event = open_event(peer.line().receive<CUipcEventHandle>());

	EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
	peer.kill();
	const CUresult code = cuEventSynchronize(event);
	EXPECT_TRUE(code == CUDA_SUCCESS || code == CUDA_ERROR_INVALID_HANDLE) << code;
	EXPECT_NE(cuEventQuery(event), CUDA_ERROR_NOT_READY);
	EXPECT_OK(cuEventDestroy(event));
}

/* The event fails, and not the stream that waits for it: its later tasks run. */
TEST(IpcAlone, I7_TheExporterDiesWhileAStreamWaits)
{
	if (is_peer()) {
		const Session session;
		const Stream stream;
		const Event event(kShared);
		Gate gate;

		gate.block(stream);
		EXPECT_OK(cuEventRecord(event, stream));
		parent().send(name_of(event));
		parent().meet();
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	const Stream late;
	const Graph graph;
	const Words words(3);
	CUgraphNode wait = nullptr;
	Peer peer;
	const CUevent event = open_event(peer.line().receive<CUipcEventHandle>());

	EXPECT_OK(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
	const Exec exec(graph);
	EXPECT_OK(cuStreamWaitEvent(stream, event, 0));
	EXPECT_OK(cuMemsetD32Async(words, 4, 1, stream));
	EXPECT_OK(cuGraphLaunch(exec, late));
	EXPECT_OK(cuMemsetD32Async(words + 4, 5, 1, late));
	peer.kill();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_OK(cuStreamSynchronize(late));
	/* Waits that come later end as well. */
	EXPECT_OK(cuStreamWaitEvent(late, event, 0));
	EXPECT_OK(cuCtxWaitEvent(nullptr, event));
	EXPECT_OK(cuGraphLaunch(exec, late));
	EXPECT_OK(cuMemsetD32Async(words + 8, 6, 1, late));
	EXPECT_OK(cuCtxSynchronize());
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{4, 5, 6}));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventQuery(event));
	EXPECT_CU(CUDA_ERROR_INVALID_HANDLE, cuEventSynchronize(event));
	EXPECT_OK(cuEventRecord(event, stream));
	EXPECT_OK(cuEventSynchronize(event));
	EXPECT_OK(cuEventDestroy(event));
}

/* The exporter destroys its event; the importer's event stays usable. */
TEST(IpcAlone, I7_TheExporterDestroysTheEvent)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const Stream stream;
		const CUevent event = open_event(line.receive<CUipcEventHandle>());

		line.meet();
		line.meet();
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuEventRecord(event, stream));
		EXPECT_OK(cuEventSynchronize(event));
		EXPECT_OK(cuEventDestroy(event));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	Event event(kShared);
	Peer peer;

	EXPECT_OK(cuEventRecord(event, stream));
	peer.line().send(name_of(event));
	peer.line().meet();
	EXPECT_OK(cuEventDestroy(event.release()));
	peer.line().meet();
}

TEST_F(Ipc, I8_MemoryIsNotOpenedHere)
{
	const Words words(4);
	CUipcMemHandle handle = name_of(words);
	CUdeviceptr memory = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle(&memory, handle, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcOpenMemHandle(&memory, handle, 2));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuIpcOpenMemHandle(nullptr, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	EXPECT_CU(CUDA_ERROR_INVALID_CONTEXT,
		  cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(words));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(nullptr, words));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcGetMemHandle(&handle, 0));
}

TEST(IpcAlone, I8_MemoryIsClosedAsOftenAsItWasOpened)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUipcMemHandle handle = line.receive<CUipcMemHandle>();
		const CUdeviceptr first = open_memory(handle);
		const CUdeviceptr second = open_memory(line.receive<CUipcMemHandle>());
		CUdeviceptr base = 0;
		size_t bytes = 0;

		EXPECT_EQ(first, second);
		EXPECT_OK(cuMemGetAddressRange(&base, &bytes, first));
		EXPECT_EQ(base, first);
		EXPECT_GE(bytes, 4 * sizeof(uint32_t));
		EXPECT_EQ(load(first), 3u);
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(first));
		EXPECT_OK(cuIpcCloseMemHandle(first));
		EXPECT_EQ(load(first), 3u);
		EXPECT_OK(cuIpcCloseMemHandle(first));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(first));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Words words(4, 3);
	Peer peer;

	peer.line().send(name_of(words));
	/* An address inside the allocation names the allocation. */
	peer.line().send(name_of(words + 4));
}

TEST(IpcAlone, I8_AFreeEndsTheHandle)
{
	if (is_peer()) {
		const Session session;
		Line line = parent();
		const CUipcMemHandle handle = line.receive<CUipcMemHandle>();
		CUdeviceptr memory = 0;

		EXPECT_OK(cuIpcCloseMemHandle(open_memory(handle)));
		line.meet();
		line.meet();
		EXPECT_NE(cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS),
			  CUDA_SUCCESS);
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	CUdeviceptr memory = 0;
	Peer peer;

	ASSERT_OK(cuMemAlloc(&memory, 4096));
	peer.line().send(name_of(memory));
	peer.line().meet();
	EXPECT_OK(cuMemFree(memory));
	peer.line().meet();
}

/* Each process adds to what the one before has left, and passes it on. */
TEST(IpcAlone, I9_ARingOfProcesses)
{
	constexpr int kPeers = 3;
	constexpr size_t kWords = 1024;

	if (is_peer()) {
		const Session session;
		Line line = parent();
		const Stream stream;
		const CUdeviceptr memory = open_memory(line.receive<CUipcMemHandle>());
		const CUevent before = open_event(line.receive<CUipcEventHandle>());
		const CUevent after = open_event(line.receive<CUipcEventHandle>());
		const CUdeviceptr mine = memory + static_cast<size_t>(peer_number()) * kWords * 4;

		line.receive<char>();
		EXPECT_OK(cuStreamWaitEvent(stream, before, 0));
		EXPECT_OK(cuMemcpyDtoDAsync(mine + kWords * 4, mine, kWords * 4, stream));
		EXPECT_OK(cuEventRecord(after, stream));
		line.send('.');
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_OK(cuEventDestroy(before));
		EXPECT_OK(cuEventDestroy(after));
		EXPECT_OK(cuIpcCloseMemHandle(memory));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	const Words words((kPeers + 1) * kWords);
	std::vector<std::unique_ptr<Event>> events;
	std::vector<std::unique_ptr<Peer>> peers;
	Gate gate;

	for (int i = 0; i <= kPeers; ++i)
		events.push_back(std::make_unique<Event>(kShared));
	for (int i = 0; i < kPeers; ++i) {
		peers.push_back(std::make_unique<Peer>(i));
		peers.back()->line().send(name_of(words));
		peers.back()->line().send(name_of(*events[static_cast<size_t>(i)]));
		peers.back()->line().send(name_of(*events[static_cast<size_t>(i) + 1]));
	}
	gate.block(stream);
	EXPECT_OK(cuMemsetD32Async(words, 42, kWords, stream));
	EXPECT_OK(cuEventRecord(*events[0], stream));
	/* All of them have given their work to their streams before the first of it is done. */
	for (const auto &peer : peers) {
		peer->line().send('.');
		peer->line().receive<char>();
	}
	gate.open();
	EXPECT_OK(cuEventSynchronize(*events[kPeers]));
	peers.clear();
	for (const uint32_t word : words.load())
		ASSERT_EQ(word, 42u);
}

/* The other process waits for what a graph of this one records, as often as it is launched. */
TEST(IpcAlone, AnotherProcessWaitsForALaunch)
{
	constexpr int ROUNDS = 3;

	if (is_peer()) {
		Line line = parent();
		const Session session;
		CUevent event = open_event(line.receive<CUipcEventHandle>());

		for (int i = 0; i < ROUNDS; ++i) {
			line.meet();
			EXPECT_CU(CUDA_ERROR_NOT_READY, cuEventQuery(event));
			line.meet();
			EXPECT_OK(cuEventSynchronize(event));
			line.meet();
		}
		EXPECT_OK(cuEventDestroy(event));
		return;
	}
	if (!alone_on_shared_firmware())
		return;
	const Session session;
	const Stream stream;
	const Event event(kShared);
	const Graph graph;
	std::atomic<bool> open{false};
	CUDA_HOST_NODE_PARAMS params = {};
	CUgraphNode host = nullptr;
	CUgraphNode record = nullptr;

	params.fn = [](void *flag) {
		auto &is_open = *static_cast<std::atomic<bool> *>(flag);
		is_open.wait(false);
		is_open = false;
	};
	params.userData = &open;
	ASSERT_OK(cuGraphAddHostNode(&host, graph, nullptr, 0, &params));
	ASSERT_OK(cuGraphAddEventRecordNode(&record, graph, &host, 1, event));
	const Exec exec(graph);
	Peer peer;
	peer.line().send(name_of(event));
	for (int i = 0; i < ROUNDS; ++i) {
		EXPECT_OK(cuGraphLaunch(exec, stream));
		peer.line().meet();
		peer.line().meet();
		open = true;
		open.notify_all();
		peer.line().meet();
		EXPECT_OK(cuStreamSynchronize(stream));
	}
}
