// SPDX-License-Identifier: MIT
/*
 * DOC: registered memory of the program (F1, F10)
 *
 * A registered range may begin and end anywhere. Memory next to it belongs to other code, which may
 * use it at any time.
 */
#include "support/fixture.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>

#include <sys/mman.h>

using namespace cuda_test;

namespace {

class Registered : public ContextTest {};

constexpr size_t kPage = 4096;

/* Registered while it lives. */
class Registration {
public:
	Registration(void *start, size_t bytes) : start_(start)
	{
		EXPECT_OK(cuMemHostRegister(start, bytes, 0));
	}
	~Registration() { EXPECT_OK(cuMemHostUnregister(start_)); }
	Registration(const Registration &) = delete;
	Registration &operator=(const Registration &) = delete;

private:
	void *start_;
};

/* One round of a program that uses the heap, with a block in the middle of it registered. */
void churn(unsigned &seed)
{
	std::vector<void *> blocks;

	for (int i = 0; i < 50; ++i)
		blocks.push_back(malloc(16 + static_cast<size_t>(rand_r(&seed) % 900)));
	for (size_t i = 0; i < blocks.size(); i += 2) {
		free(blocks[i]);
		blocks[i] = nullptr;
	}
	auto *block = static_cast<unsigned char *>(malloc(kPage));
	memset(block, 5, kPage);
	{
		const Registration registered(block, kPage);

		block[7] = 1;
	}
	EXPECT_EQ(block[7], 1);
	EXPECT_EQ(block[8], 5);
	free(block);
	for (void *left : blocks)
		free(left);
}

/* A function that counts in memory beside a registered range until the object ends. */
class Neighbour {
public:
	explicit Neighbour(uint64_t &counter)
		: counter_(counter), thread_([this] {
			  while (!ends_.load()) {
				  ++counter_;
				  ++counted_;
			  }
		  })
	{
	}
	~Neighbour()
	{
		ends_ = true;
		thread_.join();
		EXPECT_EQ(counter_, counted_) << "stores were lost";
	}
	Neighbour(const Neighbour &) = delete;
	Neighbour &operator=(const Neighbour &) = delete;

private:
	uint64_t &counter_;
	uint64_t counted_ = 0;
	std::atomic<bool> ends_{false};
	std::thread thread_;
};

/* Whether the device reaches registered memory in place: one in this process does. */
bool reached_in_place(CUstream stream, uint32_t *word)
{
	const CUresult code =
		cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(word), 8, 0);

	EXPECT_TRUE(code == CUDA_SUCCESS || code == CUDA_ERROR_INVALID_VALUE) << code;
	return code == CUDA_SUCCESS;
}

} // namespace

/* F1 */
TEST_F(Registered, TheHeapStaysWhole)
{
	unsigned seed = 1;

	for (int round = 0; round < 300; ++round)
		churn(seed);
}

/* F1 */
TEST_F(Registered, ThreadsUseTheHeapMeanwhile)
{
	std::vector<std::thread> threads;

	for (unsigned seed = 1; seed <= 3; ++seed)
		threads.emplace_back([this, seed]() mutable {
			EXPECT_OK(cuCtxSetCurrent(context_));
			for (int round = 0; round < 60; ++round)
				churn(seed);
		});
	for (std::thread &thread : threads)
		thread.join();
}

/* F1 */
TEST_F(Registered, StoresBesideARangeAreNotLost)
{
	auto *page = static_cast<uint64_t *>(aligned_alloc(kPage, kPage));

	memset(page, 0, kPage);
	{
		const Neighbour before(page[0]);
		const Neighbour behind(page[kPage / 8 - 1]);

		for (int round = 0; round < 200; ++round)
			const Registration registered(page + 1, kPage - 16);
	}
	free(page);
}

/* F1 */
TEST_F(Registered, MemoryOfTheStack)
{
	const Words words(4, 3);
	const Stream stream;
	uint32_t local[4] = {1, 2, 3, 4};
	const Registration registered(local, sizeof(local));

	EXPECT_OK(cuMemcpyHtoDAsync(words, local, sizeof(local), stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{1, 2, 3, 4}));
	EXPECT_OK(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(local), 9, 2, stream));
	EXPECT_OK(cuMemcpyDtoHAsync(local + 3, words, 4, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(local[0], 9u);
	EXPECT_EQ(local[1], 9u);
	EXPECT_EQ(local[2], 3u);
	EXPECT_EQ(local[3], 1u);
}

/* F1: the call does not wait: the copy takes what is there when the stream comes to it. */
TEST_F(Registered, CopiesAreInTheOrderOfTheStream)
{
	const Words words(2);
	const Stream stream;
	std::vector<uint32_t> memory(2, 1);
	const Registration registered(memory.data(), 8);
	Gate gate;

	gate.block(stream);
	EXPECT_OK(cuMemcpyHtoDAsync(words, memory.data(), 8, stream));
	EXPECT_OK(cuMemcpyDtoHAsync(memory.data() + 1, words, 4, stream));
	memory[0] = 7;
	gate.open();
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{7, 1}));
	EXPECT_EQ(memory[1], 7u);
}

/* F1 */
TEST_F(Registered, RowsOfAnyLength)
{
	const Words words(8);
	std::vector<unsigned char> memory(7 * 3, 6);
	const Registration registered(memory.data(), memory.size());
	CUDA_MEMCPY2D rows = {};

	rows.srcMemoryType = CU_MEMORYTYPE_HOST;
	rows.srcHost = memory.data();
	rows.srcPitch = 7;
	rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	rows.dstDevice = words;
	rows.dstPitch = 8;
	rows.WidthInBytes = 5;
	rows.Height = 3;
	EXPECT_OK(cuMemcpy2DAsync(&rows, nullptr));
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_EQ(words.load(),
		  (std::vector<uint32_t>{0x06060606, 6, 0x06060606, 6, 0x06060606, 6, 0, 0}));
}

/* F1: a word is polled by the device, which has to reach it. */
TEST_F(Registered, WordsNeedADeviceThatReachesThem)
{
	const Stream stream;
	uint32_t word[2] = {};
	const Registration registered(word, sizeof(word));

	if (!reached_in_place(stream, word))
		return;
	EXPECT_OK(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(word), 8,
				      CU_STREAM_WAIT_VALUE_EQ));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(word[0], 8u);
	EXPECT_EQ(word[1], 0u);
}

/* A program that unmaps memory before it ends the registration gets an error of each task that uses it, as of any other
 * address that is gone. */
TEST_F(Registered, MemoryThatIsUnmappedIsAnError)
{
	void *const area =
		mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const auto address = reinterpret_cast<CUdeviceptr>(area);
	const std::function<CUresult(CUdeviceptr)> uses[] = {
		[&](CUdeviceptr to) { return cuMemcpyHtoD(to, area, 8); },
		[&](CUdeviceptr from) { return cuMemcpyDtoH(area, from, 8); },
		[&](CUdeviceptr to) { return cuMemcpy(to, address, 8); },
		[&](CUdeviceptr) { return cuMemsetD8(address, 1, 8); },
	};

	ASSERT_NE(area, MAP_FAILED);
	EXPECT_OK(cuMemHostRegister(area, kPage, 0));
	EXPECT_EQ(munmap(area, kPage), 0);
	for (const auto &use : uses) {
		CUcontext other = nullptr;
		CUdeviceptr words = 0;

		EXPECT_OK(cuCtxCreate(&other, nullptr, 0, 0));
		EXPECT_OK(cuMemAlloc(&words, 8));
		EXPECT_OK(cuMemsetD8(words, 0, 8));
		EXPECT_CU(CUDA_ERROR_ILLEGAL_ADDRESS, use(words));
		EXPECT_OK(cuCtxDestroy(other));
		EXPECT_OK(cuCtxSetCurrent(context_));
	}
	EXPECT_OK(cuMemHostUnregister(area));
}

/* A device that polls a word of such memory finds that it is gone. */
TEST_F(Registered, AWordThatIsUnmappedIsAnError)
{
	CUcontext other = nullptr;
	CUstream stream = nullptr;
	void *const area =
		mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_NE(area, MAP_FAILED);
	EXPECT_OK(cuCtxCreate(&other, nullptr, 0, 0));
	EXPECT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	EXPECT_OK(cuMemHostRegister(area, kPage, 0));
	const bool is_polled = reached_in_place(stream, static_cast<uint32_t *>(area));
	/* An unmap in the middle of the write is as of the program's own access. */
	EXPECT_OK(cuStreamSynchronize(stream));
	if (is_polled) {
		EXPECT_OK(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(area), 9,
					      CU_STREAM_WAIT_VALUE_EQ));
		EXPECT_CU(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
	}
	EXPECT_EQ(munmap(area, kPage), 0);
	EXPECT_EQ(cuStreamSynchronize(stream),
		  is_polled ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS);
	EXPECT_OK(cuMemHostUnregister(area));
	EXPECT_OK(cuCtxDestroy(other));
	EXPECT_OK(cuCtxSetCurrent(context_));
}

/* F1 */
TEST_F(Registered, WhatIsNoMemoryIsRefused)
{
	static const char text[] = "text of the program";
	const Words words(1, 5);
	const Stream stream;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister(reinterpret_cast<void *>(64), 8, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemHostRegister(const_cast<char *>(text), SIZE_MAX, 0));
	/* Memory that the program can't write is memory that the device can't write. */
	const Registration registered(const_cast<char *>(text), 4);
	EXPECT_OK(cuMemcpyHtoDAsync(words, text, 4, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(text), 1, 4, stream));
}

/* F10 */
TEST_F(Registered, TwoRangesInOnePage)
{
	const Words words(4);
	const Stream stream;
	auto *page = static_cast<uint32_t *>(aligned_alloc(kPage, kPage));
	const CUdeviceptr second = words + 8;

	for (uint32_t i = 0; i < kPage / 4; ++i)
		page[i] = i;
	{
		const Registration left(page + 1, 12);
		const Registration right(page + 4, 9);

		EXPECT_CU(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
			  cuMemHostRegister(page + 1, 12, 0));
		EXPECT_CU(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
			  cuMemHostRegister(page, kPage, 0));
		EXPECT_CU(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
			  cuMemHostRegister(page + 3, 8, 0));
		EXPECT_CU(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(page));
		EXPECT_OK(cuMemcpyHtoDAsync(words, page + 2, 8, stream));
		EXPECT_OK(cuMemcpyHtoDAsync(second, page + 5, 4, stream));
		EXPECT_OK(cuStreamSynchronize(stream));
		EXPECT_EQ(words.load(), (std::vector<uint32_t>{2, 3, 5, 0}));
	}
	EXPECT_OK(cuMemHostRegister(page, kPage, 0));
	EXPECT_OK(cuMemHostUnregister(page));
	free(page);
}

/* F10 */
TEST_F(Registered, NeighboursAreOrdinaryMemory)
{
	const Words words(8);
	const Stream stream;
	std::vector<uint32_t> memory = {0, 1, 2, 3, 4, 5, 6, 7};
	const Registration registered(memory.data() + 2, 10);
	unsigned flags = 0;
	CUdeviceptr address = 0;

	EXPECT_OK(cuMemHostGetDevicePointer(&address, memory.data() + 3, 0));
	EXPECT_EQ(address, reinterpret_cast<CUdeviceptr>(memory.data() + 3));
	EXPECT_OK(cuMemHostGetFlags(&flags, memory.data() + 4));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, memory.data() + 5));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, memory.data() + 1));
	/* Before it, behind it, over it, and into it. */
	EXPECT_OK(cuMemcpyHtoD(words, memory.data(), 8));
	EXPECT_OK(cuMemcpyHtoDAsync(words + 20, memory.data() + 5, 12, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), (std::vector<uint32_t>{0, 1, 0, 0, 0, 5, 6, 7}));
	EXPECT_OK(cuMemcpyHtoDAsync(words, memory.data(), 32, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(words.load(), memory);
	EXPECT_OK(cuMemsetD32(words, 9, 8));
	EXPECT_OK(cuMemcpyDtoH(memory.data() + 3, words, 12));
	EXPECT_EQ(memory, (std::vector<uint32_t>{0, 1, 2, 9, 9, 9, 6, 7}));
}
