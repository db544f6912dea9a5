// SPDX-License-Identifier: MIT
/*
 * DOC: copies of rows, described copies, fills with words
 *
 * Check 41, and that each of them is as asynchronous, as ordered and as capturable as the
 * plain copies are.
 */
#include "capture/capture_objects.h"

#include <functional>

using namespace conformance;

namespace {

using CopyRows = DeviceTest;
using CopyIndirect = DeviceTest;
using FillWords = DeviceTest;

constexpr size_t kPitch = 96;
constexpr size_t kOther = 160;
constexpr size_t kWidth = 70;
constexpr size_t kRows = 40;

std::vector<uint8_t> numbered(size_t size)
{
	std::vector<uint8_t> bytes(size);

	for (size_t i = 0; i < size; ++i)
		bytes[i] = static_cast<uint8_t>(i * 7 + i / 251);
	return bytes;
}

/* Rows of @from at one pitch as they lie at another, zeros between them. */
std::vector<uint8_t> spread(const std::vector<uint8_t> &from, size_t from_pitch, size_t to_pitch,
			    size_t size)
{
	std::vector<uint8_t> to(size);

	for (size_t row = 0; row < kRows; ++row) {
		std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * from_pitch), kWidth,
			    to.begin() + static_cast<std::ptrdiff_t>(row * to_pitch));
	}
	return to;
}

} // namespace

TEST_F(CopyRows, Check41_NoRowsAndNoBytesSucceedBeforeAnyCheck)
{
	const auto wrong = raw_enum<aclrtMemcpyKind>(99);

	EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 5, wrong));
	EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 5, 0, wrong));
	EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 0, 5, wrong, nullptr));
	EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 5, 0, wrong, nullptr));
}

TEST_F(CopyRows, Check41_Arguments)
{
	const DeviceBuffer device(kPitch * kRows);
	const PinnedBuffer host(kPitch * kRows);
	const auto copy = [](void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
			     size_t height, aclrtMemcpyKind kind) {
		return aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, kind, nullptr);
	};

	for (const auto &rows :
	     {std::function(aclrtMemcpy2d), std::function<decltype(aclrtMemcpy2d)>(copy)}) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dst|null",
			     rows(nullptr, 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "src|null",
			     rows(device.data(), 8, nullptr, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(
			ACL_ERROR_INVALID_PARAM, "dpitch",
			rows(device.data(), 7, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(
			ACL_ERROR_INVALID_PARAM, "spitch",
			rows(device.data(), 8, host.data(), 7, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(
			ACL_ERROR_INVALID_PARAM, "kind",
			rows(device.data(), 8, host.data(), 8, 8, 2, raw_enum<aclrtMemcpyKind>(9)));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
			     rows(device.data(), 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "allocation",
			     rows(device.data(), 4096, host.data(), 8, 8, kRows * 4,
				  ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
			     rows(device.data(), SIZE_MAX / 2, host.data(), 8, 8, 8,
				  ACL_MEMCPY_HOST_TO_DEVICE));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "5000000",
		     aclrtMemcpy2dAsync(device.data(), 5000001, host.data(), 5000001, 5000001, 1,
					ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "5242880",
		     aclrtMemcpy2dAsync(device.data(), 8, host.data(), 8, 8, 5242881,
					ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(CopyRows, Check41_SynchronousRowsGoBetweenHostAndDevice)
{
	const DeviceBuffer a(kPitch * kRows);
	const DeviceBuffer b(kPitch * kRows);
	const PinnedBuffer host(kPitch * kRows);

	for (const auto kind : {ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
				ACL_MEMCPY_INTER_DEVICE_TO_DEVICE}) {
		EXPECT_FAILS(
			ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclrtMemcpy2dAsync",
			aclrtMemcpy2d(a.data(), kPitch, b.data(), kPitch, kWidth, kRows, kind));
		EXPECT_OK(aclrtMemcpy2dAsync(a.data(), kPitch, b.data(), kPitch, kWidth, kRows,
					     kind, nullptr));
	}
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "device",
		     aclrtMemcpy2d(a.data(), kPitch, b.data(), kPitch, kWidth, kRows,
				   ACL_MEMCPY_DEFAULT));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "host",
		     aclrtMemcpy2d(host.data(), kPitch, host.data(), kPitch, kWidth, kRows,
				   ACL_MEMCPY_DEFAULT));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "host",
		     aclrtMemcpy2dAsync(host.data(), kPitch, host.data(), kPitch, kWidth, kRows,
					ACL_MEMCPY_DEFAULT, nullptr));
}

TEST_F(CopyRows, RowsLandAtTheirPitch)
{
	const std::vector<uint8_t> in = numbered(kPitch * kRows);
	const DeviceBuffer device(kOther * kRows);
	std::vector<uint8_t> out(kPitch * kRows);

	for (const aclrtMemcpyKind kind : {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEFAULT,
					   /* the addresses decide */ ACL_MEMCPY_DEVICE_TO_HOST}) {
		EXPECT_OK(aclrtMemset(device.data(), kOther * kRows, 0, kOther * kRows));
		EXPECT_OK(aclrtMemcpy2d(device.data(), kOther, in.data(), kPitch, kWidth, kRows,
					kind));
		EXPECT_EQ(device.load<uint8_t>(), spread(in, kPitch, kOther, kOther * kRows));
	}
	EXPECT_OK(aclrtMemcpy2d(out.data(), kPitch, device.data(), kOther, kWidth, kRows,
				ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(out, spread(in, kPitch, kPitch, kPitch * kRows));
}

TEST_F(CopyRows, AsynchronousRowsAreOrderedAndReadTheirSourceLate)
{
	const PinnedBuffer in(kPitch * kRows);
	const PinnedBuffer out(kPitch * kRows);
	const DeviceBuffer a(kOther * kRows);
	const DeviceBuffer b(kWidth * kRows);
	const std::vector<uint8_t> bytes = numbered(kPitch * kRows);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	EXPECT_OK(aclrtMemcpy2dAsync(a.data(), kOther, in.data(), kPitch, kWidth, kRows,
				     ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpy2dAsync(b.data(), kWidth, a.data(), kOther, kWidth, kRows,
				     ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpy2dAsync(out.data(), kPitch, b.data(), kWidth, kWidth, kRows,
				     ACL_MEMCPY_DEVICE_TO_HOST, stream));
	turn_device();
	EXPECT_TRUE(holds(out, 0));
	std::memcpy(in.data(), bytes.data(), bytes.size());
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(std::memcmp(out.data(), spread(bytes, kPitch, kPitch, kPitch * kRows).data(),
			      kPitch * kRows),
		  0);
}

TEST_F(CopyRows, PageableRowsAreDoneOnReturn)
{
	const DeviceBuffer device(kOther * kRows);
	const Stream stream;
	std::vector<uint8_t> in = numbered(kPitch * kRows);
	std::vector<uint8_t> out(kPitch * kRows);
	const std::vector<uint8_t> expected = spread(in, kPitch, kPitch, kPitch * kRows);

	device.fill_async(0, stream);
	EXPECT_OK(aclrtMemcpy2dAsync(device.data(), kOther, in.data(), kPitch, kWidth, kRows,
				     ACL_MEMCPY_HOST_TO_DEVICE, stream));
	in.assign(in.size(), 0);
	EXPECT_OK(aclrtMemcpy2dAsync(out.data(), kPitch, device.data(), kOther, kWidth, kRows,
				     ACL_MEMCPY_DEVICE_TO_HOST, stream));
	EXPECT_EQ(out, expected);
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(CopyRows, Check58_InACapture)
{
	const DeviceBuffer a(kOther * kRows);
	const DeviceBuffer b(kPitch * kRows);
	const PinnedBuffer in(kPitch * kRows);
	const Stream stream;
	std::vector<uint8_t> pageable(kPitch * kRows);

	begin_capture(stream);
	EXPECT_OK(aclrtMemcpy2dAsync(a.data(), kOther, in.data(), kPitch, kWidth, kRows,
				     ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpy2dAsync(b.data(), kPitch, a.data(), kOther, kWidth, kRows,
				     ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "capture",
		     aclrtMemcpy2dAsync(a.data(), kOther, pageable.data(), kPitch, kWidth, kRows,
					ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, "aclrtMemcpy2d",
		     aclrtMemcpy2d(a.data(), kOther, pageable.data(), kPitch, kWidth, kRows,
				   ACL_MEMCPY_HOST_TO_DEVICE));
	const Model model(stream);
	for (int round = 1; round <= 3; ++round) {
		const std::vector<uint8_t> bytes(kPitch * kRows, uint8_t(round));

		std::memcpy(in.data(), bytes.data(), bytes.size());
		model.execute(stream);
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(b.load<uint8_t>(), spread(bytes, kPitch, kPitch, kPitch * kRows));
	}
}

TEST_F(CopyRows, ManyRowsAreOnePiece)
{
	/* More rows than any queue is long; each must arrive. */
	constexpr size_t kMany = 100000;
	const DeviceBuffer a(kMany * 16);
	const DeviceBuffer b(kMany * 8);

	a.store(numbered(kMany * 16));
	EXPECT_OK(aclrtMemcpy2dAsync(b.data(), 8, a.at(8), 16, 8, kMany,
				     ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	const std::vector<uint8_t> from = a.load<uint8_t>();
	const std::vector<uint8_t> to = b.load<uint8_t>();
	for (size_t row = 0; row < kMany; ++row)
		ASSERT_EQ(std::memcmp(&to[row * 8], &from[row * 16 + 8], 8), 0) << row;
}

TEST_F(CopyIndirect, ADescriptionIsReadWhenTheCopyRuns)
{
	const DeviceBuffer a(128);
	const DeviceBuffer b(128);
	size_t size = 0;
	const Stream stream;

	EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
	ASSERT_GT(size, 0U);
	const DeviceBuffer description(size);
	Gate gate;
	EXPECT_OK(aclrtMemset(a.data(), 128, 5, 128));
	EXPECT_OK(aclrtSetMemcpyDesc(description.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
				     a.data(), a.data(), 1, nullptr));
	gate.block(stream);
	EXPECT_OK(aclrtMemcpyAsyncWithDesc(description.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
					   stream));
	EXPECT_OK(aclrtSetMemcpyDesc(description.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
				     a.data(), b.data(), 128, nullptr));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(b, 5));
}

TEST_F(CopyIndirect, ADescriptionThatNamesNothingIsAFault)
{
	const DeviceBuffer a(128);
	size_t size = 0;
	const Stream stream;
	std::vector<uint8_t> elsewhere(128);

	EXPECT_OK(aclrtGetMemcpyDescSize(ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, &size));
	const DeviceBuffer description(size);
	EXPECT_OK(aclrtSetMemcpyDesc(description.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
				     elsewhere.data(), a.data(), 128, nullptr));
	EXPECT_OK(aclrtMemcpyAsyncWithDesc(description.data(), ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
					   stream));
	EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(a, 0));
}

TEST_F(CopyIndirect, PointersAndOffsets)
{
	const DeviceBuffer pointers(16);
	const DeviceBuffer a(128);
	const DeviceBuffer b(128);
	const Stream stream;
	void **dst = static_cast<void **>(pointers.data());
	const void **src = static_cast<const void **>(pointers.at(8));
	const auto code = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

	a.store(numbered(128));
	begin_capture(stream);
	EXPECT_OK(aclrtMemcpyAsyncWithOffset(dst, 64, 32, src, 64, 16, code, stream));
	const Model model(stream);
	pointers.store<const void *>({b.data(), a.data()});
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> expected(128);
	const std::vector<uint8_t> in = numbered(128);
	std::copy_n(in.begin() + 16, 64, expected.begin() + 32);
	EXPECT_EQ(b.load<uint8_t>(), expected);
	/* The other way round, in the same graph. */
	pointers.store<const void *>({a.data(), b.data()});
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> back = in;
	std::copy_n(expected.begin() + 16, 64, back.begin() + 32);
	EXPECT_EQ(a.load<uint8_t>(), back);
}

TEST_F(CopyIndirect, Arguments)
{
	const DeviceBuffer device(256);
	const PinnedBuffer host(64);
	size_t size = 0;
	void **word = static_cast<void **>(device.data());
	const void **source = static_cast<const void **>(device.at(8));
	const auto inner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
		     aclrtGetMemcpyDescSize(ACL_MEMCPY_DEVICE_TO_DEVICE, &size));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "descSize", aclrtGetMemcpyDescSize(inner, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "config",
		     aclrtSetMemcpyDesc(device.data(), inner, device.data(), device.data(), 1,
					device.data()));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
		     aclrtMemcpyAsyncWithDesc(device.data(), ACL_MEMCPY_DEFAULT, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "device memory",
		     aclrtMemcpyAsyncWithDesc(host.data(), inner, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dst",
		     aclrtMemcpyAsyncWithOffset(nullptr, 8, 0, source, 8, 0, inner, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
		     aclrtMemcpyAsyncWithOffset(word, 8, 0, source, 8, 0,
						ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "destMax",
		     aclrtMemcpyAsyncWithOffset(word, 7, 0, source, 8, 0, inner, nullptr));
	EXPECT_OK(aclrtMemcpyAsyncWithOffset(nullptr, 0, 0, nullptr, 0, 0, inner, nullptr));
}

TEST_F(FillWords, Check41_Arguments)
{
	const DeviceBuffer device(256);
	std::vector<uint32_t> pageable(64);
	const auto on_stream = [](void *ptr, size_t size, uint32_t value, size_t n) {
		return aclrtMemsetD32Async(ptr, size, value, n, nullptr);
	};

	for (const auto &fill :
	     {std::function(aclrtMemsetD32), std::function<decltype(aclrtMemsetD32)>(on_stream)}) {
		EXPECT_OK(fill(nullptr, 0, 1, 0));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "ptr", fill(nullptr, 256, 1, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "aligned", fill(device.at(2), 128, 1, 1));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "memSize", fill(device.data(), 15, 1, 4));
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "aclrtMalloc",
			     fill(pageable.data(), 256, 1, 64));
	}
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(FillWords, EachWordIsTheValue)
{
	const DeviceBuffer device(256);
	const PinnedBuffer host(256);
	const Stream stream;
	std::vector<uint32_t> expected(64, 0xdeadbeef);
	Gate gate;

	expected[63] = 0;
	EXPECT_OK(aclrtMemsetD32(device.data(), 256, 0xdeadbeef, 63));
	EXPECT_EQ(device.load<uint32_t>(), expected);
	gate.block(stream);
	EXPECT_OK(aclrtMemsetD32Async(device.at(4), 252, 7, 63, stream));
	EXPECT_OK(aclrtMemsetD32Async(host.data(), 256, 9, 64, stream));
	/* Host memory is filled at once, device memory in stream order. */
	EXPECT_EQ(host.as<uint32_t>()[63], 9U);
	EXPECT_EQ(device.load<uint32_t>(), expected);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	expected.assign(64, 7);
	expected[0] = 0xdeadbeef;
	EXPECT_EQ(device.load<uint32_t>(), expected);
}

TEST_F(FillWords, OfRegisteredMemory)
{
	alignas(4096) static uint32_t words[1024];
	const Stream stream;
	void *address = nullptr;

	ASSERT_OK(aclrtHostRegister(words, sizeof(words), ACL_HOST_REGISTER_MAPPED, &address));
	EXPECT_OK(aclrtMemsetD32(words, sizeof(words), 5, 1024));
	EXPECT_EQ(words[1023], 5U);
	EXPECT_OK(aclrtMemsetD32Async(words, sizeof(words), 6, 1024, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(words[1023], 6U);
	EXPECT_OK(aclrtHostUnregister(words));
}

TEST_F(FillWords, InACapture)
{
	const DeviceBuffer device(256);
	const Stream stream;

	begin_capture(stream);
	EXPECT_OK(aclrtMemsetD32Async(device.data(), 256, 3, 64, stream));
	EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, "aclrtMemsetD32",
		     aclrtMemsetD32(device.data(), 256, 3, 64));
	const Model model(stream);
	EXPECT_TRUE(holds(device, 0));
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(device.load<uint32_t>(), std::vector<uint32_t>(64, 3));
}
