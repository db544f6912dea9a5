// SPDX-License-Identifier: MIT
/*
 * DOC: threads that use one graph or one context
 */
#include "graph/graphs.h"
#include "process/vmm.h"

#include <chrono>
#include <thread>

using namespace cuda_test;

namespace {

class Threads : public ContextTest {
protected:
	/* Moves the device. */
	void turn() const
	{
		const Stream stream;
		const Words word(1);

		EXPECT_OK(cuMemsetD32Async(word, 1, 1, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
	}

	/*
	 * Returns when another thread sleeps and has made no progress for many turns. A thread that does
	 * not sleep may wait for a processor; a driver that polls gets a second.
	 */
	void turn_until_stalled(const std::atomic<long> &thread, const std::atomic<int> &progress,
				int end) const
	{
		constexpr int kTurns = 64;
		constexpr auto kPolls = std::chrono::seconds(1);
		auto moved = std::chrono::steady_clock::now();
		int seen = -1;
		int still = 0;

		while (still < kTurns && progress < end) {
			const int now = progress;

			if (now != seen) {
				seen = now;
				still = 0;
				moved = std::chrono::steady_clock::now();
			}
			if (asleep(thread))
				++still;
			else if (std::chrono::steady_clock::now() - moved > kPolls)
				return;
			turn();
		}
	}
};

class ThreadsWithoutAContext : public DriverTest {};

} // namespace

/* cuStreamDestroy() waits for nothing: the stream ends later, beside a thread that looks at all streams. */
TEST_F(Threads, StreamsEndWhileTheContextIsSynchronised)
{
	constexpr int kStreams = 1500;
	std::atomic<bool> is_over{false};

	std::thread maker([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		{
			const Words words(64);

			for (int i = 0; i < kStreams; ++i) {
				const Stream stream;

				EXPECT_OK(cuMemsetD32Async(words, 1, 64, stream));
			}
			EXPECT_OK(cuCtxSynchronize());
		}
		is_over = true;
	});
	while (!is_over)
		EXPECT_OK(cuCtxSynchronize());
	maker.join();
}

/* A thread that changed a graph may find its queue full when it launches it. */
TEST_F(Threads, TheLatestChangeHoldsForLaunchesOfAllThreads)
{
	constexpr int kLaunches = 700;
	std::vector<std::atomic<int>> counts(kLaunches);
	std::atomic<int> latest{0};
	const Graph graph;
	const CUgraphNode node = add_count(graph, {}, latest);
	const Exec exec(graph);
	const Words flag(1);
	const Stream full;
	const Stream other;
	const Stream opener;
	std::atomic<long> number{0};
	std::atomic<int> begun{-1};
	std::atomic<bool> stop{false};
	Gate gate;

	auto change = [&](std::atomic<int> &counter) {
		CUDA_HOST_NODE_PARAMS params = {};

		EXPECT_OK(cuGraphHostNodeGetParams(node, &params));
		params.userData = &counter;
		EXPECT_OK(cuGraphExecHostNodeSetParams(exec, node, &params));
	};

	gate.block(full);
	EXPECT_OK(cuStreamWaitValue32(other, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
	std::thread launcher([&] {
		number = thread_number();
		EXPECT_OK(cuCtxSetCurrent(context_));
		for (int i = 0; i < kLaunches && !stop; ++i) {
			change(counts[i]);
			begun = i;
			EXPECT_OK(cuGraphLaunch(exec, full));
		}
	});

	turn_until_stalled(number, begun, kLaunches - 1);
	change(latest);
	EXPECT_OK(cuGraphLaunch(exec, other));
	stop = true;
	gate.open();
	launcher.join();
	for (int i = 0; i < 64 && cuStreamQuery(full) == CUDA_ERROR_NOT_READY; ++i)
		turn();
	EXPECT_OK(cuStreamWriteValue32(opener, flag, 1, CU_STREAM_WRITE_VALUE_DEFAULT));
	EXPECT_OK(cuStreamSynchronize(other));
	EXPECT_OK(cuStreamSynchronize(full));
	EXPECT_EQ(latest, 2);
	EXPECT_EQ(counts[begun], 0);
}

/* The context is the last thing that keeps the device open. */
TEST_F(ThreadsWithoutAContext, AContextIsDestroyedWhileAnotherThreadUsesIt)
{
	constexpr int kRounds = 50;
	constexpr unsigned kAnswers = 4;
	std::atomic<CUcontext> shared{nullptr};
	std::atomic<bool> stop{false};
	std::atomic<unsigned> answers{0};
	std::thread user([&] {
		while (!stop) {
			size_t available = 0;
			size_t total = 0;

			if (cuCtxSetCurrent(shared) != CUDA_SUCCESS) {
				std::this_thread::yield();
				continue;
			}
			const CUresult code = cuMemGetInfo(&available, &total);

			EXPECT_TRUE(code == CUDA_SUCCESS || code == CUDA_ERROR_INVALID_CONTEXT ||
				    code == CUDA_ERROR_CONTEXT_IS_DESTROYED)
				<< code;
			answers++;
		}
	});

	for (int round = 0; round < kRounds; ++round) {
		CUcontext context = nullptr;

		EXPECT_OK(cuCtxCreate(&context, nullptr, 0, 0));
		shared = context;
		for (const unsigned end = answers + kAnswers; answers < end;)
			std::this_thread::yield();
		EXPECT_OK(cuCtxDestroy(context));
	}
	stop = true;
	user.join();
}

/* A program that frees memory while another thread copies it gets any bytes, or a refusal, but goes on. */
TEST_F(Threads, MemoryIsFreedWhileAnotherThreadCopiesIt)
{
	constexpr size_t kBytes = size_t{4} << 20;
	constexpr int kRounds = 60;
	std::vector<char> host(kBytes);
	std::atomic<CUdeviceptr> shared{0};
	std::atomic<bool> over{false};

	std::thread copier([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		while (!over) {
			const CUdeviceptr memory = shared;

			(void)cuMemcpyDtoH(host.data(), memory, kBytes);
			(void)cuMemcpyHtoD(memory, host.data(), kBytes);
		}
	});
	for (int round = 0; round < kRounds; ++round) {
		void *pinned = nullptr;
		CUdeviceptr memory = 0;
		CUdeviceptr old = 0;

		if (round % 3 == 0) {
			ASSERT_OK(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL));
		} else if (round % 3 == 1) {
			ASSERT_OK(cuMemAllocHost(&pinned, kBytes));
			memory = reinterpret_cast<CUdeviceptr>(pinned);
		} else {
			/* A chunk of its own, which is not kept. */
			ASSERT_OK(cuMemAlloc(&memory, 16 * kBytes));
		}
		old = shared.exchange(memory);
		if (old == 0)
			continue;
		if (round % 3 == 2) {
			EXPECT_OK(cuMemFreeHost(reinterpret_cast<void *>(old)));
		} else {
			EXPECT_OK(cuMemFree(old));
		}
	}
	over = true;
	copier.join();
	EXPECT_OK(cuMemFree(shared));
	EXPECT_OK(cuCtxSynchronize());
}

/* The same for memory that is unmapped, and for reserved addresses that are released. */
TEST_F(Threads, MemoryIsUnmappedWhileAnotherThreadCopiesIt)
{
	constexpr size_t kBytes = 2 * kUnit;
	constexpr int kRounds = 60;
	const CUmemGenericAllocationHandle first = create(kUnit);
	const CUmemGenericAllocationHandle second = create(kUnit);
	const Reservation stays(kBytes);
	std::vector<char> host(kBytes);
	std::atomic<CUdeviceptr> shared{stays};
	std::atomic<bool> over{false};

	std::thread copier([&] {
		EXPECT_OK(cuCtxSetCurrent(context_));
		while (!over) {
			const CUdeviceptr memory = shared;

			(void)cuMemcpyDtoH(host.data(), memory, kBytes);
			(void)cuMemcpyHtoD(memory, host.data(), kBytes);
		}
	});
	for (int round = 0; round < kRounds; ++round) {
		std::unique_ptr<Reservation> own;

		if (round % 2 == 1)
			own = std::make_unique<Reservation>(kBytes);
		const CUdeviceptr memory = own ? *own : stays;
		EXPECT_OK(cuMemMap(memory, kUnit, 0, first, 0));
		EXPECT_OK(cuMemMap(memory + kUnit, kUnit, 0, second, 0));
		EXPECT_OK(
			set_access(memory, kBytes, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
		shared = memory;
		turn();
		EXPECT_OK(cuMemUnmap(memory + kUnit, kUnit));
		EXPECT_OK(cuMemUnmap(memory, kUnit));
	}
	over = true;
	copier.join();
	/* Nothing of what was there is left: the memory that is mapped last is used. */
	const Mapped last(stays, kBytes);
	EXPECT_OK(set_access(stays, kBytes, access_of(CU_MEM_ACCESS_FLAGS_PROT_READWRITE)));
	EXPECT_OK(cuMemsetD32(stays, 9, kBytes / sizeof(uint32_t)));
	EXPECT_EQ(word_at(stays + kBytes - sizeof(uint32_t)), 9u);
	EXPECT_OK(cuMemRelease(first));
	EXPECT_OK(cuMemRelease(second));
}
