// SPDX-License-Identifier: MIT
/*
 * DOC: reducing copies
 *
 * Check 68: sums, maxima and minima of several types are exact. Also the allocators of a program,
 * which the library keeps for a stream and returns on request.
 */
#include "support/fixture.h"

using namespace conformance;

namespace {

using Reduce = DeviceTest;
using Allocators = DeviceTest;

template <typename T>
std::vector<T> reduced(aclDataType type, aclrtReduceKind kind, const std::vector<T> &left,
		       const std::vector<T> &right)
{
	const DeviceBuffer dst(left.size() * sizeof(T));
	const DeviceBuffer src(right.size() * sizeof(T));
	const Stream stream;

	dst.store(left);
	src.store(right);
	EXPECT_OK(
		aclrtReduceAsync(dst.data(), src.data(), src.size(), kind, type, stream, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(src.load<T>(), right);
	return dst.load<T>();
}

void *take(aclrtAllocator, size_t)
{
	return nullptr;
}

void give(aclrtAllocator, aclrtAllocatorBlock) {}

void *locate(aclrtAllocatorBlock block)
{
	return block;
}

} // namespace

TEST_F(Reduce, Check68_EachKindAndType)
{
	using Floats = std::vector<float>;
	using Words = std::vector<int32_t>;
	using Halves = std::vector<uint16_t>; /* 1, -2, 0.5 as IEEE half precision */
	using Bytes = std::vector<int8_t>;
	constexpr auto SUM = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
	constexpr auto MAX = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
	constexpr auto MIN = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
	const Floats f1 = {1.5f, -2.0f, 1e30f};
	const Floats f2 = {2.0f, -3.5f, -1e30f};
	const Words w1 = {1, -5, 1 << 30};
	const Words w2 = {41, 3, 1 << 29};
	const Halves h1 = {0x3c00, 0xc000, 0x3800};
	const Halves h2 = {0x3c00, 0x3c00, 0x3800};
	const Bytes b1 = {1, -7, 100};
	const Bytes b2 = {2, 7, -100};

	EXPECT_EQ(reduced(ACL_FLOAT, SUM, f1, f2), (Floats{3.5f, -5.5f, 0.0f}));
	EXPECT_EQ(reduced(ACL_FLOAT, MAX, f1, f2), (Floats{2.0f, -2.0f, 1e30f}));
	EXPECT_EQ(reduced(ACL_FLOAT, MIN, f1, f2), (Floats{1.5f, -3.5f, -1e30f}));
	EXPECT_EQ(reduced(ACL_INT32, SUM, w1, w2), (Words{42, -2, (1 << 30) + (1 << 29)}));
	EXPECT_EQ(reduced(ACL_INT32, MAX, w1, w2), (Words{41, 3, 1 << 30}));
	EXPECT_EQ(reduced(ACL_INT32, MIN, w1, w2), (Words{1, -5, 1 << 29}));
	EXPECT_EQ(reduced(ACL_FLOAT16, SUM, h1, h2), (Halves{0x4000, 0xbc00, 0x3c00}));
	EXPECT_EQ(reduced(ACL_FLOAT16, MAX, h1, h2), (Halves{0x3c00, 0x3c00, 0x3800}));
	EXPECT_EQ(reduced(ACL_INT8, SUM, b1, b2), (Bytes{3, 0, 0}));
	EXPECT_EQ(reduced(ACL_INT8, MIN, b1, b2), (Bytes{1, -7, -100}));
}

TEST_F(Reduce, Check68_WhatIsRefused)
{
	const DeviceBuffer dst(64);
	const DeviceBuffer src(64);
	int32_t host = 0;
	constexpr auto SUM = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;

	EXPECT_FAILS(
		ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "type",
		aclrtReduceAsync(dst.data(), src.data(), 64, SUM, ACL_DOUBLE, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "kind",
		     aclrtReduceAsync(dst.data(), src.data(), 64,
				      ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT, nullptr,
				      nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "kind",
		     aclrtReduceAsync(dst.data(), src.data(), 64, raw_enum<aclrtReduceKind>(9),
				      ACL_FLOAT, nullptr, nullptr));
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "count",
		aclrtReduceAsync(dst.data(), src.data(), 63, SUM, ACL_FLOAT, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "src",
		     aclrtReduceAsync(dst.data(), &host, 4, SUM, ACL_INT32, nullptr, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "dst",
		     aclrtReduceAsync(dst.at(32), src.data(), 1 << 20, SUM, ACL_INT32, nullptr,
				      nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "reserve",
		     aclrtReduceAsync(dst.data(), src.data(), 64, SUM, ACL_FLOAT, nullptr, &host));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "src",
		     aclrtReduceAsync(dst.data(), nullptr, 64, SUM, ACL_FLOAT, nullptr, nullptr));
}

TEST_F(Allocators, AStreamKeepsWhatWasRegistered)
{
	const Stream stream;
	int object = 0;
	aclrtAllocatorDesc told = nullptr;
	aclrtAllocator told_object = nullptr;
	aclrtAllocatorAllocFunc alloc = nullptr;
	aclrtAllocatorFreeFunc free = nullptr;
	aclrtAllocatorAllocAdviseFunc advise = nullptr;
	aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
	const auto ask = [&] {
		return aclrtAllocatorGetByStream(stream, &told, &told_object, &alloc, &free,
						 &advise, &address);
	};

	aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
	ASSERT_NE(desc, nullptr);
	EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &object));
	EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, take));
	EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, give));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "GetAddrFromBlock",
		     aclrtAllocatorRegister(stream, desc));
	EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, locate));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream", aclrtAllocatorRegister(nullptr, desc));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "registered", ask());

	EXPECT_OK(aclrtAllocatorRegister(stream, desc));
	EXPECT_OK(ask());
	EXPECT_EQ(told, desc);
	EXPECT_EQ(told_object, &object);
	EXPECT_EQ(alloc, take);
	EXPECT_EQ(free, give);
	EXPECT_EQ(advise, nullptr);
	EXPECT_EQ(address, locate);
	EXPECT_OK(aclrtAllocatorUnregister(stream));
	EXPECT_OK(aclrtAllocatorUnregister(stream));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "registered", ask());
	EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "destroyed", aclrtAllocatorDestroyDesc(desc));
}
