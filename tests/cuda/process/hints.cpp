// SPDX-License-Identifier: MIT
/*
 * DOC: hints for managed memory
 *
 * The rules are those of the interface's own text on each function.
 */
#include "support/child.h"

#include <array>

using namespace cuda_test;

namespace {

constexpr size_t kUnit = size_t{2} << 20;
constexpr CUmemLocation kDevice = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
constexpr CUmemLocation kHost = {CU_MEM_LOCATION_TYPE_HOST, 77};
constexpr CUmemLocation kNode = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};

class Hints : public ContextTest {
protected:
	void SetUp() override
	{
		ContextTest::SetUp();
		ASSERT_OK(cuMemAllocManaged(&memory_, 3 * kUnit, CU_MEM_ATTACH_GLOBAL));
	}
	void TearDown() override
	{
		EXPECT_OK(cuMemFree(memory_));
		ContextTest::TearDown();
	}

	int ask(CUmem_range_attribute attribute, CUdeviceptr from, size_t count) const
	{
		int value = 77;

		EXPECT_OK(cuMemRangeGetAttribute(&value, sizeof(value), attribute, from, count));
		return value;
	}
	int ask(CUmem_range_attribute attribute) const
	{
		return ask(attribute, memory_, 3 * kUnit);
	}

	CUdeviceptr memory_ = 0;
};

} // namespace

TEST_F(Hints, NothingIsSetAtFirst)
{
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_INVALID);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE),
		  CU_MEM_LOCATION_TYPE_INVALID);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), CU_DEVICE_INVALID);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_INVALID);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE),
		  CU_MEM_LOCATION_TYPE_INVALID);
}

/* "1 if all pages in the given memory range have read-duplication enabled, or 0 otherwise" */
TEST_F(Hints, ReadMostlyIsOfAllOfTheRange)
{
	/* The location is ignored. */
	EXPECT_OK(cuMemAdvise(memory_, kUnit, CU_MEM_ADVISE_SET_READ_MOSTLY,
			      {CU_MEM_LOCATION_TYPE_DEVICE, 64}));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory_, kUnit), 1);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory_ + 100, 1), 1);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory_ + kUnit - 1, 2), 0);
	EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_READ_MOSTLY, kHost));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
	EXPECT_OK(cuMemAdvise(memory_ + 2 * kUnit, 4, CU_MEM_ADVISE_UNSET_READ_MOSTLY, kHost));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory_, 2 * kUnit), 1);
}

TEST_F(Hints, PreferredLocations)
{
	struct Case {
		CUmemLocation wish;
		int location;
		int type;
		int id;
	};
	const Case cases[] = {
		{kDevice, 0, CU_MEM_LOCATION_TYPE_DEVICE, 0},
		{kHost, CU_DEVICE_CPU, CU_MEM_LOCATION_TYPE_HOST, CU_DEVICE_CPU},
		{kNode, CU_DEVICE_CPU, CU_MEM_LOCATION_TYPE_HOST_NUMA, 0},
	};

	for (const Case &one : cases) {
		EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
				      one.wish));
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), one.location);
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE), one.type);
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID), one.id);
	}
	/* "the host NUMA node closest to the calling thread's CPU": a node, which the answer names. */
	EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
			      {CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 77}));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE),
		  CU_MEM_LOCATION_TYPE_HOST_NUMA);
	EXPECT_GE(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID), 0);
	/* "if either all the pages don't have the same preferred location" */
	EXPECT_OK(cuMemAdvise(memory_, 1, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, kDevice));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_INVALID);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE),
		  CU_MEM_LOCATION_TYPE_INVALID);
	EXPECT_OK(cuMemAdvise(memory_, 1, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, kHost));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, memory_, 1), CU_DEVICE_INVALID);
}

/* "If data is larger ... CU_DEVICE_INVALID will be returned in all the extra space provided"; "only as many
 * devices will be returned as can fit" */
TEST_F(Hints, TheListOfThoseThatAccess)
{
	std::array<int, 3> list = {77, 77, 77};

	EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_ACCESSED_BY, kDevice));
	EXPECT_OK(cuMemRangeGetAttribute(list.data(), sizeof(list),
					 CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory_, 3 * kUnit));
	EXPECT_EQ(list, (std::array<int, 3>{0, CU_DEVICE_INVALID, CU_DEVICE_INVALID}));
	EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_ACCESSED_BY, kHost));
	EXPECT_OK(cuMemRangeGetAttribute(list.data(), sizeof(list),
					 CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory_, 3 * kUnit));
	EXPECT_EQ(list, (std::array<int, 3>{0, CU_DEVICE_CPU, CU_DEVICE_INVALID}));
	EXPECT_NE(ask(CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), CU_DEVICE_INVALID);
	EXPECT_OK(cuMemAdvise(memory_, kUnit, CU_MEM_ADVISE_UNSET_ACCESSED_BY, kDevice));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), CU_DEVICE_CPU);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory_ + kUnit, kUnit), 0);
	/* "All other location types are invalid." */
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemAdvise(memory_, kUnit, CU_MEM_ADVISE_SET_ACCESSED_BY, kNode));
}

TEST_F(Hints, Prefetches)
{
	const Stream stream;

	EXPECT_OK(cuMemPrefetchAsync(memory_, kUnit, kDevice, 0, stream));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory_, kUnit), 0);
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, memory_, kUnit),
		  CU_MEM_LOCATION_TYPE_DEVICE);
	/* "If any page in the memory range was never explicitly prefetched" */
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_INVALID);
	for (CUstream each : {CUstream{nullptr}, CU_STREAM_PER_THREAD}) {
		EXPECT_OK(cuMemPrefetchAsync(memory_, 3 * kUnit, kHost, 0, each));
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_CPU);
		EXPECT_OK(cuMemPrefetchAsync(memory_, 3 * kUnit, kNode, 0, each));
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID), 0);
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE),
			  CU_MEM_LOCATION_TYPE_HOST_NUMA);
	}
	EXPECT_OK(cuCtxSynchronize());
}

TEST_F(Hints, APrefetchIsNotCaptured)
{
	const Stream stream;
	CUgraph graph = nullptr;

	ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
		  cuMemPrefetchAsync(memory_, kUnit, kDevice, 0, stream));
	EXPECT_CU(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(stream, &graph));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, memory_, kUnit),
		  CU_DEVICE_INVALID);
}

TEST_F(Hints, SeveralAnswersAtOnce)
{
	CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
					 CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY};
	int mostly = 77;
	int list[2] = {77, 77};
	void *data[] = {&mostly, list};
	size_t sizes[] = {sizeof(mostly), sizeof(list)};

	EXPECT_OK(cuMemAdvise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_READ_MOSTLY, kDevice));
	EXPECT_OK(cuMemRangeGetAttributes(data, sizes, which, 2, memory_, 3 * kUnit));
	EXPECT_EQ(mostly, 1);
	EXPECT_EQ(list[0], CU_DEVICE_INVALID);
	EXPECT_EQ(list[1], CU_DEVICE_INVALID);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemRangeGetAttributes(nullptr, sizes, which, 2, memory_, kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemRangeGetAttributes(data, nullptr, which, 2, memory_, kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemRangeGetAttributes(data, sizes, nullptr, 2, memory_, kUnit));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemRangeGetAttributes(data, sizes, which, 0, memory_, kUnit));
	/* A question that is refused answers none. */
	mostly = 77;
	sizes[1] = 6;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemRangeGetAttributes(data, sizes, which, 2, memory_, kUnit));
	EXPECT_EQ(mostly, 77);
}

TEST_F(Hints, WhatIsRefused)
{
	const Words plain(16);
	const Stream stream;
	int value = 0;
	const auto advise = [&](CUdeviceptr from, size_t count, int advice,
				CUmemLocation location) {
		return cuMemAdvise(from, count, static_cast<CUmem_advise>(advice), location);
	};

	/* "must refer to managed memory" */
	for (CUdeviceptr other : {CUdeviceptr{plain}, CUdeviceptr{0}, memory_ + 3 * kUnit}) {
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, advise(other, 4, 1, kDevice));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuMemPrefetchAsync(other, 4, kDevice, 0, stream));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
						 other, 4));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, advise(memory_, 0, 1, kDevice));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, advise(memory_, 3 * kUnit + 1, 1, kDevice));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, advise(memory_, ~size_t{0}, 1, kDevice));
	for (int advice : {0, 7, -1})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, advise(memory_, 4, advice, kDevice));
	for (int advice : {3, 5, 6}) {
		for (int device : {64, -1})
			EXPECT_CU(
				CUDA_ERROR_INVALID_DEVICE,
				advise(memory_, 4, advice, {CU_MEM_LOCATION_TYPE_DEVICE, device}));
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
			  advise(memory_, 4, advice, {CU_MEM_LOCATION_TYPE_INVALID, 0}));
	}
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  advise(memory_, 4, 3, {CU_MEM_LOCATION_TYPE_HOST_NUMA, 4000}));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE,
		  cuMemPrefetchAsync(memory_, 4, {CU_MEM_LOCATION_TYPE_HOST_NUMA, -1}, 0, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
		  cuMemPrefetchAsync(memory_, 4, {CU_MEM_LOCATION_TYPE_DEVICE, 64}, 0, stream));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemPrefetchAsync(memory_, 4, kDevice, 1, stream));

	const auto ask_with = [&](int attribute, void *data, size_t size) {
		return cuMemRangeGetAttribute(
			data, size, static_cast<CUmem_range_attribute>(attribute), memory_, 4);
	};
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, ask_with(1, nullptr, 4));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, ask_with(1, &value, 8));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, ask_with(3, &value, 0));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, ask_with(3, &value, 3));
	for (int attribute : {0, 9})
		EXPECT_CU(CUDA_ERROR_INVALID_VALUE, ask_with(attribute, &value, 4));
}

/* The forms of version 8 name a device, or the host by CU_DEVICE_CPU. */
TEST_F(Hints, OlderForms)
{
	using Advise = CUresult (*)(CUdeviceptr, size_t, CUmem_advise, CUdevice);
	using Prefetch = CUresult (*)(CUdeviceptr, size_t, CUdevice, CUstream);
	const auto find = [](const char *name, cuuint64_t flags) {
		void *function = nullptr;
		EXPECT_OK(cuGetProcAddress(name, &function, 8000, flags, nullptr));
		EXPECT_NE(function, nullptr);
		return function;
	};
	const auto advise = reinterpret_cast<Advise>(find("cuMemAdvise", 0));

	EXPECT_OK(advise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 0));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), 0);
	EXPECT_OK(advise(memory_, 3 * kUnit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
	EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_CPU);
	EXPECT_CU(CUDA_ERROR_INVALID_DEVICE,
		  advise(memory_, kUnit, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 64));
	for (cuuint64_t flags : {0, 2}) {
		const auto prefetch = reinterpret_cast<Prefetch>(find("cuMemPrefetchAsync", flags));
		EXPECT_OK(prefetch(memory_, 3 * kUnit, CU_DEVICE_CPU, nullptr));
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_CPU);
		EXPECT_OK(prefetch(memory_, 3 * kUnit, 0, nullptr));
		EXPECT_EQ(ask(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 0);
	}
	EXPECT_OK(cuCtxSynchronize());
}
