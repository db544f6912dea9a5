// SPDX-License-Identifier: MIT
/*
 * DOC: memory that streams of several devices use
 *
 * Pinned, managed and registered memory is good for streams of every device.
 */
#include "graph/multi_device.h"
#include "support/child.h"

#include <atomic>
#include <cstring>

using namespace cuda_test;

namespace {

/* Memory of the first device, with the second device's context current. */
class Visiting {
public:
	Visiting()
	{
		two_.use_first();
		EXPECT_OK(cuMemHostAlloc(&memory_, kBytes, CU_MEMHOSTALLOC_PORTABLE));
		two_.use_second();
	}
	~Visiting() { EXPECT_OK(cuMemFreeHost(memory_)); }
	Visiting(const Visiting &) = delete;
	Visiting &operator=(const Visiting &) = delete;

	static constexpr size_t kBytes = 4096;

	const Two &two() const { return two_; }
	uint32_t *words() const { return static_cast<uint32_t *>(memory_); }
	CUdeviceptr address(size_t word = 0) const
	{
		return reinterpret_cast<CUdeviceptr>(words() + word);
	}

private:
	const Two two_;
	void *memory_ = nullptr;
};

/* A stream that waits for the word of another device's pinned memory until it is 1. */
void hold(CUstream stream, CUdeviceptr word)
{
	EXPECT_OK(cuStreamWaitValue32(stream, word, 1, CU_STREAM_WAIT_VALUE_GEQ));
}

void store(uint32_t *word, uint32_t value)
{
	std::atomic_ref<uint32_t>(*word).store(value);
}

/* Fills, copies and words of a stream of the second device in memory of the first. */
void use_all(const Two &two, CUdeviceptr memory)
{
	auto *words = reinterpret_cast<uint32_t *>(memory);

	EXPECT_OK(cuMemsetD32Async(memory, 9, 2, two.there));
	EXPECT_OK(cuMemsetD2D32Async(memory + 8, 8, 7, 1, 2, two.there));
	EXPECT_OK(cuMemcpyHtoDAsync(two.b, words, 8, two.there));
	EXPECT_OK(cuMemcpyAsync(two.b + 8, memory + 8, 8, two.there));
	EXPECT_OK(cuMemcpyDtoHAsync(words + 8, two.b, 16, two.there));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(std::vector<uint32_t>(words, words + 5), (std::vector<uint32_t>{9, 9, 7, 0, 7}));
	EXPECT_EQ(std::vector<uint32_t>(words + 8, words + 12),
		  (std::vector<uint32_t>{9, 9, 7, 0}));
}

} // namespace

TEST(HostMemoryOfPeers, PinnedMemory)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	CUdeviceptr mapped = 0;

	memset(visit.words(), 0, Visiting::kBytes);
	EXPECT_OK(cuMemHostGetDevicePointer(&mapped, visit.words(), 0));
	EXPECT_EQ(mapped, visit.address());
	use_all(visit.two(), visit.address());
}

/* The call returns, and the copy takes what is there when the stream comes to it. */
TEST(HostMemoryOfPeers, AsynchronousCopiesDoNotWait)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();

	visit.words()[0] = 0;
	visit.words()[1] = 3;
	hold(two.there, visit.address(0));
	EXPECT_OK(cuMemcpyHtoDAsync(two.b, visit.words() + 1, 4, two.there));
	EXPECT_OK(cuMemcpyDtoHAsync(visit.words() + 2, two.b, 4, two.there));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(two.there));
	visit.words()[1] = 4;
	store(visit.words(), 1);
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(visit.words()[2], 4u);
}

TEST(HostMemoryOfPeers, StreamsOfTwoDevicesMeetAtAWord)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();

	memset(visit.words(), 0, 64);
	for (uint32_t round = 1; round <= 20; ++round) {
		EXPECT_OK(cuStreamWaitValue32(two.there, visit.address(0), round,
					      CU_STREAM_WAIT_VALUE_GEQ));
		EXPECT_OK(cuStreamWriteValue32(two.there, visit.address(1), round, 0));
		two.use_first();
		EXPECT_OK(cuStreamWriteValue32(two.here, visit.address(0), round, 0));
		EXPECT_OK(cuStreamWaitValue32(two.here, visit.address(1), round,
					      CU_STREAM_WAIT_VALUE_GEQ));
		two.use_second();
	}
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(visit.words()[1], 20u);
}

TEST(HostMemoryOfPeers, NodesOfGraphs)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	const Graph graph;
	CUstreamBatchMemOpParams write = {};
	CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {};
	CUgraphNode node = nullptr;

	memset(visit.words(), 0, 64);
	write.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
	write.writeValue.address = visit.address(2);
	write.writeValue.value = 5;
	batch.ctx = two.second;
	batch.count = 1;
	batch.paramArray = &write;
	const CUgraphNode fill = add_fill(graph, {}, two.second, visit.address(0), 6);
	const CUgraphNode copy =
		add_copy(graph, {fill}, two.second, visit.address(1), visit.address(0));
	EXPECT_OK(cuGraphAddBatchMemOpNode(&node, graph, &copy, 1, &batch));
	Exec(graph).run(two.there);
	EXPECT_EQ(std::vector<uint32_t>(visit.words(), visit.words() + 3),
		  (std::vector<uint32_t>{6, 6, 5}));
}

/* New parameters of a node, or a captured fill of rows, may be the first use of the memory by the device. */
TEST(HostMemoryOfPeers, NewParametersOfANode)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	const Graph graph;
	const CUDA_MEMSET_NODE_PARAMS changed = word(visit.address(1), 8);

	memset(visit.words(), 0, 64);
	const CUgraphNode fill = add_fill(graph, {}, two.second, two.b, 6);
	EXPECT_OK(cuGraphMemsetNodeSetParams(fill, &changed));
	Exec(graph).run(two.there);
	EXPECT_EQ(visit.words()[1], 8u);
}

TEST(HostMemoryOfPeers, CapturedRows)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	CUgraph graph = nullptr;
	CUgraphExec exec = nullptr;

	memset(visit.words(), 0, 64);
	EXPECT_OK(cuStreamBeginCapture(two.there, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_OK(cuMemsetD2D32Async(visit.address(0), 16, 7, 2, 2, two.there));
	EXPECT_OK(cuStreamEndCapture(two.there, &graph));
	EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
	EXPECT_OK(cuGraphLaunch(exec, two.there));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(std::vector<uint32_t>(visit.words(), visit.words() + 6),
		  (std::vector<uint32_t>{7, 7, 0, 0, 7, 7}));
	EXPECT_OK(cuGraphExecDestroy(exec));
	EXPECT_OK(cuGraphDestroy(graph));
}

TEST(HostMemoryOfPeers, ManagedMemory)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	CUdeviceptr managed = 0;

	two.use_first();
	ASSERT_OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
	two.use_second();
	use_all(two, managed);
	EXPECT_OK(cuStreamAttachMemAsync(two.there, managed, 0, CU_MEM_ATTACH_GLOBAL));
	EXPECT_OK(cuStreamWriteValue32(two.there, managed, 2, 0));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(*reinterpret_cast<uint32_t *>(managed), 2u);
	EXPECT_OK(cuMemFree(managed));
}

TEST(HostMemoryOfPeers, RegisteredMemory)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Two two;
	std::vector<uint32_t> memory(1000);
	const auto start = reinterpret_cast<CUdeviceptr>(memory.data() + 100);

	two.use_first();
	ASSERT_OK(cuMemHostRegister(memory.data() + 100, 256, CU_MEMHOSTREGISTER_PORTABLE));
	two.use_second();
	use_all(two, start);
	/* A device in another process does not reach it, so it can't poll a word there. */
	const CUresult here = cuStreamWriteValue32(two.here, start, 8, 0);
	EXPECT_CU(here, cuStreamWriteValue32(two.there, start, 8, 0));
	/* Beside it is ordinary memory. */
	EXPECT_OK(cuMemcpyHtoDAsync(two.b, memory.data() + 90, 64, two.there));
	EXPECT_OK(cuStreamSynchronize(two.here));
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_OK(cuMemHostUnregister(memory.data() + 100));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuStreamWriteValue32(two.there, start, 8, 0));
}

/* The free of pinned memory also waits for work of other devices that were given it. */
TEST(HostMemoryOfPeers, FreedMemoryIsNotReusedTooEarly)
{
	constexpr size_t kCount = 1 << 19;
	constexpr size_t kBytes = kCount * sizeof(uint32_t);

	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	const Words target(kCount);
	void *memory = nullptr;
	void *again = nullptr;

	store(visit.words(), 0);
	two.use_first();
	ASSERT_OK(cuMemHostAlloc(&memory, kBytes, 0));
	std::fill_n(static_cast<uint32_t *>(memory), kCount, 5);
	two.use_second();
	hold(two.there, visit.address(0));
	EXPECT_OK(cuMemcpyHtoDAsync(target, memory, kBytes, two.there));
	two.use_first();
	EXPECT_OK(cuMemFreeHost(memory));
	ASSERT_OK(cuMemHostAlloc(&again, kBytes, 0));
	std::fill_n(static_cast<uint32_t *>(again), kCount, 6);
	store(visit.words(), 1);
	EXPECT_OK(cuStreamSynchronize(two.there));
	two.use_second();
	EXPECT_EQ(target.load(), std::vector<uint32_t>(kCount, 5));
	EXPECT_OK(cuMemFreeHost(again));
}

/* A device that is closed takes its memory from the others, and may open again. */
TEST(HostMemoryOfPeers, TheOwnerEndsFirst)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Context user(1);
	const Stream stream;

	for (uint32_t round = 1; round <= 5; ++round) {
		CUcontext owner = nullptr;
		void *memory = nullptr;

		ASSERT_OK(cuCtxCreate(&owner, nullptr, 0, 0));
		ASSERT_OK(cuMemHostAlloc(&memory, 4096, 0));
		ASSERT_OK(cuCtxSetCurrent(user));
		const auto address = reinterpret_cast<CUdeviceptr>(memory);
		EXPECT_OK(cuMemsetD32Async(address, round, 1, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_EQ(*static_cast<uint32_t *>(memory), round);
		EXPECT_OK(cuCtxDestroy(owner));
		ASSERT_OK(cuCtxSetCurrent(user));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32Async(address, 1, 1, stream));
	}
}

/* A free in a stream is one after the work of that stream, also if it is of another device than the memory. */
TEST(MemoryOfPeers, AFreeInAStreamWaitsForAStreamOfAnotherDevice)
{
	constexpr size_t kBytes = size_t{1} << 20;

	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();

	for (bool ordered : {true, false}) {
		CUdeviceptr memory = 0;
		CUdeviceptr again = 0;

		store(visit.words(), 0);
		two.use_first();
		EXPECT_OK(ordered ? cuMemAllocAsync(&memory, kBytes, two.here)
				  : cuMemAlloc(&memory, kBytes));
		EXPECT_OK(cuStreamSynchronize(two.here));
		two.use_second();
		hold(two.there, visit.address(0));
		EXPECT_OK(cuMemFreeAsync(memory, two.there));
		two.use_first();
		EXPECT_OK(ordered ? cuMemAllocAsync(&again, kBytes, two.here)
				  : cuMemAlloc(&again, kBytes));
		EXPECT_OK(cuMemsetD32Async(again, 6, kBytes / 4, two.here));
		/* A stream that gets the same memory waits for it. */
		if (ordered && again == memory) {
			EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(two.here));
		} else {
			EXPECT_NE(again, memory);
		}
		store(visit.words(), 1);
		EXPECT_OK(cuStreamSynchronize(two.there));
		EXPECT_OK(cuStreamSynchronize(two.here));
		EXPECT_OK(cuMemFree(again));
	}
}

/* Nothing lets one device access the other's memory, so the host copies, when the stream comes to it. */
TEST(MemoryOfPeers, CopiesOfDeviceMemoryDoNotWait)
{
	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	uint32_t *words = visit.words();

	store(words, 0);
	hold(two.there, visit.address(0));
	EXPECT_OK(cuMemcpyHtoDAsync(two.a, words + 1, 8, two.there));
	EXPECT_OK(cuMemcpyDtoDAsync(two.b, two.a, 8, two.there));
	EXPECT_OK(cuMemcpyPeerAsync(two.a + 8, two.first, two.b, two.second, 8, two.there));
	EXPECT_OK(cuMemcpyDtoHAsync(words + 4, two.a, 16, two.there));
	EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(two.there));
	words[1] = 5;
	words[2] = 6;
	store(words, 1);
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_EQ(std::vector<uint32_t>(words + 4, words + 8), (std::vector<uint32_t>{5, 6, 5, 6}));
}

TEST(MemoryOfPeers, AFreeWaitsForACopyByTheHost)
{
	constexpr size_t kBytes = size_t{1} << 20;

	if (!alone("devices=2"))
		return;
	ASSERT_OK(cuInit(0));
	const Visiting visit;
	const Two &two = visit.two();
	CUdeviceptr memory = 0;
	CUdeviceptr again = 0;

	two.use_first();
	EXPECT_OK(cuMemAlloc(&memory, kBytes));
	two.use_second();
	store(visit.words(), 0);
	hold(two.there, visit.address(0));
	EXPECT_OK(cuMemcpyDtoDAsync(memory, two.b, 8, two.there));
	two.use_first();
	EXPECT_OK(cuMemFree(memory));
	EXPECT_OK(cuMemAlloc(&again, kBytes));
	EXPECT_NE(again, memory);
	store(visit.words(), 1);
	EXPECT_OK(cuStreamSynchronize(two.there));
	EXPECT_OK(cuMemFree(again));
}
