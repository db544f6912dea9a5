// SPDX-License-Identifier: MIT
/*
 * DOC: numbers in memory
 *
 * Check 47: a stream waits until a word in device memory fulfils a condition, whether the host or a
 * task stores the word. Also cache operations, which have no effect that a program can see: they
 * are tasks that complete.
 */
#include "capture/capture_objects.h"

#include <functional>

using namespace conformance;

namespace {

using Value = DeviceTest;
using Cache = DeviceTest;

constexpr uint32_t kAll[] = {ACL_STREAM_WAIT_VALUE_GEQ, ACL_STREAM_WAIT_VALUE_EQ,
			     ACL_STREAM_WAIT_VALUE_AND, ACL_STREAM_WAIT_VALUE_NOR};

/* With @before in the word the condition for @wanted holds the stream, with @after it does not. */
struct Case {
	uint32_t flag;
	uint64_t before;
	uint64_t wanted;
	uint64_t after;
};

constexpr Case kCases[] = {
	{ACL_STREAM_WAIT_VALUE_GEQ, 4, 5, 5},
	{ACL_STREAM_WAIT_VALUE_GEQ, 4, 5, 6},
	{ACL_STREAM_WAIT_VALUE_GEQ, UINT64_MAX - 1, UINT64_MAX, 3},
	{ACL_STREAM_WAIT_VALUE_EQ, 6, 5, 5},
	{ACL_STREAM_WAIT_VALUE_EQ, 5, uint64_t{1} << 32 | 5, uint64_t{1} << 32 | 5},
	{ACL_STREAM_WAIT_VALUE_AND, 4, 3, 2},
	{ACL_STREAM_WAIT_VALUE_AND, 1, uint64_t{1} << 63, uint64_t{1} << 63},
	{ACL_STREAM_WAIT_VALUE_NOR, ~uint64_t{2}, 2, ~uint64_t{6}},
	{ACL_STREAM_WAIT_VALUE_NOR, UINT64_MAX, 0, 0},
};

} // namespace

TEST_F(Value, Check47_AWaitHoldsTheStreamUntilAnotherWrites)
{
	const DeviceBuffer word(8);
	const DeviceBuffer behind(64);
	const Stream waiting;
	const Stream writing;
	int round = 0;

	for (const Case &entry : kCases) {
		SCOPED_TRACE(entry.flag);
		word.store<uint64_t>({entry.before});
		EXPECT_OK(aclrtValueWait(word.data(), entry.wanted, entry.flag, waiting));
		behind.fill_async(++round, waiting);
		turn_device();
		EXPECT_EQ(query(waiting), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_TRUE(holds(behind, round - 1));
		EXPECT_OK(aclrtValueWrite(word.data(), entry.after, 0, writing));
		EXPECT_OK(aclrtSynchronizeStream(waiting));
		EXPECT_TRUE(holds(behind, round));
		EXPECT_EQ(word.load<uint64_t>()[0], entry.after);
	}
}

TEST_F(Value, Check47_AConditionThatHoldsDoesNotWait)
{
	const DeviceBuffer word(8);

	for (const Case &entry : kCases) {
		word.store<uint64_t>({entry.after});
		EXPECT_OK(aclrtValueWait(word.data(), entry.wanted, entry.flag, nullptr));
		EXPECT_OK(aclrtSynchronizeStream(nullptr));
	}
}

TEST_F(Value, Check47_Arguments)
{
	const DeviceBuffer word(64);
	const PinnedBuffer host(64);
	uint64_t pageable = 0;

	for (void *address : {static_cast<void *>(nullptr), host.data(),
			      static_cast<void *>(&pageable), word.at(4)}) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr",
			     aclrtValueWrite(address, 1, 0, nullptr));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr",
			     aclrtValueWait(address, 1, ACL_STREAM_WAIT_VALUE_EQ, nullptr));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtValueWrite(word.data(), 1, 1, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flag",
		     aclrtValueWait(word.data(), 1, 4, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(word, 0));
}

TEST_F(Value, WhateverStoresTheWordReleases)
{
	const DeviceBuffer word(8);
	const DeviceBuffer source(8);
	const PinnedBuffer pinned(8);
	const Stream waiting;
	const Stream other;
	const uint64_t nines = 0x0909090909090909;
	const std::vector<uint64_t> value = {nines};

	source.store<uint64_t>({nines});
	pinned.fill(9);
	const std::function<void()> writers[] = {
		[&] { EXPECT_OK(aclrtMemsetAsync(word.data(), 8, 9, 8, other)); },
		[&] { EXPECT_OK(aclrtMemset(word.data(), 8, 9, 8)); },
		[&] { word.store(value); },
		[&] {
			EXPECT_OK(aclrtMemcpyAsync(word.data(), 8, source.data(), 8,
						   ACL_MEMCPY_DEVICE_TO_DEVICE, other));
		},
		[&] {
			EXPECT_OK(aclrtMemcpyAsync(word.data(), 8, pinned.data(), 8,
						   ACL_MEMCPY_HOST_TO_DEVICE, other));
		},
		[&] {
			EXPECT_OK(aclrtMemcpyAsync(word.data(), 8, value.data(), 8,
						   ACL_MEMCPY_HOST_TO_DEVICE, other));
		},
	};
	for (const auto &write : writers) {
		word.store<uint64_t>({0});
		EXPECT_OK(aclrtValueWait(word.data(), nines, ACL_STREAM_WAIT_VALUE_EQ, waiting));
		turn_device();
		EXPECT_EQ(query(waiting), ACL_STREAM_STATUS_NOT_READY);
		write();
		EXPECT_OK(aclrtSynchronizeStream(waiting));
		EXPECT_OK(aclrtSynchronizeStream(other));
	}
}

TEST_F(Value, WritesAndWaitsKeepTheOrderOfTheirStream)
{
	const DeviceBuffer words(64);
	const Stream a;
	const Stream b;

	/* Two streams that pass a ball: neither could do it alone. */
	for (uint64_t round = 1; round <= 50; ++round) {
		EXPECT_OK(aclrtValueWrite(words.data(), round, 0, a));
		EXPECT_OK(aclrtValueWait(words.at(8), round, ACL_STREAM_WAIT_VALUE_GEQ, a));
		EXPECT_OK(aclrtValueWait(words.data(), round, ACL_STREAM_WAIT_VALUE_GEQ, b));
		EXPECT_OK(aclrtValueWrite(words.at(8), round, 0, b));
	}
	EXPECT_OK(aclrtSynchronizeStream(a));
	EXPECT_OK(aclrtSynchronizeStream(b));
	EXPECT_EQ(words.load<uint64_t>()[0], 50U);
	EXPECT_EQ(words.load<uint64_t>()[1], 50U);
}

TEST_F(Value, InAGraph)
{
	const DeviceBuffer words(64);
	const Stream stream;
	const Stream writing;

	begin_capture(stream);
	EXPECT_OK(aclrtValueWrite(words.data(), 1, 0, stream));
	EXPECT_OK(aclrtValueWait(words.at(8), 5, ACL_STREAM_WAIT_VALUE_EQ, stream));
	EXPECT_OK(aclrtValueWrite(words.data(), 2, 0, stream));
	const Model model(stream);
	EXPECT_EQ(words.load<uint64_t>()[0], 0U);
	for (int round = 0; round < 3; ++round) {
		words.store<uint64_t>({0, 0});
		model.execute(stream);
		/* The first node has run once the stream of the writer has. */
		EXPECT_OK(aclrtValueWait(words.data(), 1, ACL_STREAM_WAIT_VALUE_EQ, writing));
		EXPECT_OK(aclrtSynchronizeStream(writing));
		turn_device();
		EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
		EXPECT_EQ(words.load<uint64_t>()[0], 1U);
		EXPECT_OK(aclrtValueWrite(words.at(8), 5, 0, writing));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(words.load<uint64_t>()[0], 2U);
	}
}

TEST_F(Value, AStreamThatWaitsCanBeDestroyedByForce)
{
	const DeviceBuffer word(8);
	Stream stream;

	EXPECT_OK(aclrtValueWait(word.data(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream));
	turn_device();
	EXPECT_OK(aclrtDestroyStreamForce(stream.release()));
	EXPECT_OK(aclrtValueWrite(word.data(), 1, 0, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(Value, FreedMemoryIsRefused)
{
	DeviceBuffer word(8);
	void *dead = word.release();

	EXPECT_OK(aclrtFree(dead));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr", aclrtValueWrite(dead, 1, 0, nullptr));
	for (const uint32_t flag : kAll) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "devAddr",
			     aclrtValueWait(dead, 1, flag, nullptr));
	}
}

TEST_F(Cache, OperationsAreTasksWithoutEffect)
{
	const DeviceBuffer device(256);
	const PinnedBuffer host(64);
	const Stream stream;
	size_t size = 0;
	Gate gate;

	EXPECT_OK(aclrtMemset(device.data(), 256, 3, 256));
	EXPECT_OK(aclrtCmoGetDescSize(&size));
	const DeviceBuffer description(size);
	EXPECT_OK(aclrtCmoSetDesc(description.data(), device.data(), 256));
	gate.block(stream);
	EXPECT_OK(aclrtCmoAsync(device.data(), 256, ACL_RT_CMO_TYPE_PREFETCH, stream));
	EXPECT_OK(aclrtCmoAsyncWithDesc(description.data(), ACL_RT_CMO_TYPE_PREFETCH, stream,
					nullptr));
	turn_device();
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_OK(aclrtMemFlush(device.data(), 256));
	EXPECT_OK(aclrtMemInvalidate(device.data(), 256));
	EXPECT_TRUE(holds(device, 3));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "src",
		     aclrtCmoAsync(nullptr, 256, ACL_RT_CMO_TYPE_PREFETCH, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtCmoAsync(device.data(), 0, ACL_RT_CMO_TYPE_PREFETCH, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cmoType",
		     aclrtCmoAsync(device.data(), 256, raw_enum<aclrtCmoType>(4), stream));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "PREFETCH",
		     aclrtCmoAsync(device.data(), 256, ACL_RT_CMO_TYPE_FLUSH, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device",
		     aclrtCmoAsync(host.data(), 64, ACL_RT_CMO_TYPE_PREFETCH, stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserve",
		     aclrtCmoAsyncWithDesc(description.data(), ACL_RT_CMO_TYPE_PREFETCH, stream,
					   host.data()));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr", aclrtMemFlush(nullptr, 8));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtMemInvalidate(device.data(), 0));
}
