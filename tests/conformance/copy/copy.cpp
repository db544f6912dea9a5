// SPDX-License-Identifier: MIT
/*
 * DOC: copy and set
 *
 * Checks 38 to 41: what the copies refuse, that the direction follows from the addresses, and which
 * of them are asynchronous. Then contents, at sizes and places where a copy engine splits its work.
 */
#include "support/fixture.h"

#include <atomic>
#include <memory>
#include <thread>

using namespace conformance;

namespace {

using Copy = DeviceTest;

constexpr size_t kBytes = 4096;

std::vector<uint8_t> pattern(size_t size, uint32_t seed)
{
	std::vector<uint8_t> bytes(size);
	uint32_t state = seed * 2654435761u + 1;

	for (uint8_t &byte : bytes) {
		state = state * 1664525u + 1013904223u;
		byte = static_cast<uint8_t>(state >> 24);
	}
	return bytes;
}

/* The same copy both ways: the call that waits, and the one on the default stream. */
using CopyFunction = aclError (*)(void *, size_t, const void *, size_t, aclrtMemcpyKind);

aclError copy_on_stream(void *dst, size_t dst_max, const void *src, size_t count,
			aclrtMemcpyKind kind)
{
	return aclrtMemcpyAsync(dst, dst_max, src, count, kind, nullptr);
}

constexpr CopyFunction kBoth[] = {aclrtMemcpy, copy_on_stream};

} // namespace

TEST_F(Copy, Check38_ZeroBytesSucceedBeforeAnyCheck)
{
	for (const CopyFunction copy : kBoth) {
		EXPECT_OK(copy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_OK(copy(nullptr, 0, nullptr, 0, raw_enum<aclrtMemcpyKind>(9)));
	}
	EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0));
	EXPECT_OK(aclrtMemsetAsync(nullptr, 0, 0, 0, nullptr));
}

TEST_F(Copy, Check38_BadArguments)
{
	const DeviceBuffer device(kBytes);
	const PinnedBuffer host(kBytes);

	for (const CopyFunction copy : kBoth) {
		EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dst|null",
			     copy(nullptr, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(
			ACL_ERROR_INVALID_PARAM, "src|null",
			copy(device.data(), kBytes, nullptr, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "destMax",
			     copy(device.data(), kBytes - 1, host.data(), kBytes,
				  ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "destMax",
			     copy(device.data(), 0, host.data(), 1, ACL_MEMCPY_HOST_TO_DEVICE));
		for (const int kind : {9, 8, -1}) {
			EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "kind",
				     copy(device.data(), kBytes, host.data(), kBytes,
					  raw_enum<aclrtMemcpyKind>(kind)));
		}
	}
	EXPECT_OK(aclrtMemcpy(device.data(), kBytes, device.data(), kBytes,
			      ACL_MEMCPY_DEVICE_TO_DEVICE));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(Copy, Check38_DirectionFollowsFromTheAddresses)
{
	const PinnedBuffer in(kBytes);
	const PinnedBuffer out(kBytes);
	const DeviceBuffer device(kBytes);
	int value = 0;

	for (const CopyFunction copy : kBoth) {
		for (const aclrtMemcpyKind kind :
		     {ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST,
		      ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEFAULT,
		      ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE,
		      ACL_MEMCPY_INTER_DEVICE_TO_DEVICE}) {
			SCOPED_TRACE(kind);
			in.fill(++value);
			EXPECT_OK(copy(device.data(), kBytes, in.data(), kBytes, kind));
			EXPECT_OK(copy(out.data(), kBytes, device.data(), kBytes, kind));
			EXPECT_OK(aclrtSynchronizeStream(nullptr));
			EXPECT_TRUE(holds(out, value));
		}
	}
}

TEST_F(Copy, Check38_SynchronousCopyBetweenHostBuffers)
{
	const PinnedBuffer pinned(kBytes);
	const std::vector<uint8_t> in = pattern(kBytes, 1);
	std::vector<uint8_t> out(kBytes);

	EXPECT_OK(aclrtMemcpy(pinned.data(), kBytes, in.data(), kBytes, ACL_MEMCPY_HOST_TO_HOST));
	EXPECT_OK(aclrtMemcpy(out.data(), kBytes, pinned.data(), kBytes, ACL_MEMCPY_DEFAULT));
	EXPECT_EQ(in, out);
}

TEST_F(Copy, Check39_PageableSourceMayBeChangedAtOnce)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;
	std::vector<uint8_t> source(kBytes, 1);

	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	source.assign(kBytes, 2);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(device, 1));
}

TEST_F(Copy, Check39_PageableTargetIsCompleteOnReturn)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;
	std::vector<uint8_t> target(kBytes, 0);

	device.fill_async(3, stream);
	EXPECT_OK(aclrtMemcpyAsync(target.data(), kBytes, device.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_HOST, stream));
	EXPECT_EQ(target, std::vector<uint8_t>(kBytes, 3));
}

TEST_F(Copy, Check39_PageableCopyWaitsForItsStream)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;
	std::vector<uint8_t> target(kBytes, 0);
	std::atomic<bool> returned = false;
	Gate gate;

	gate.block(stream);
	device.fill_async(4, stream);

	std::thread copier([&] {
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtMemcpyAsync(target.data(), kBytes, device.data(), kBytes,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		returned = true;
		EXPECT_OK(aclrtResetDevice(0));
	});

	turn_device();
	EXPECT_FALSE(returned);
	gate.open();
	copier.join();
	EXPECT_EQ(target, std::vector<uint8_t>(kBytes, 4));
}

TEST_F(Copy, Check39_PinnedCopyReturnsBeforeItIsDone)
{
	const DeviceBuffer device(kBytes);
	const PinnedBuffer source(kBytes);
	const PinnedBuffer target(kBytes);
	const Stream stream;
	Gate gate;

	source.fill(1);
	gate.block(stream);
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, source.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemcpyAsync(target.data(), kBytes, device.data(), kBytes,
				   ACL_MEMCPY_DEVICE_TO_HOST, stream));
	turn_device();
	EXPECT_EQ(query(stream), ACL_STREAM_STATUS_NOT_READY);
	EXPECT_TRUE(holds(device, 0));
	EXPECT_TRUE(holds(target, 0));
	/* Read when the copy runs, not when it was asked for. */
	source.fill(2);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(device, 2));
	EXPECT_TRUE(holds(target, 2));
}

TEST_F(Copy, Check40_AsynchronousCopyBetweenHostBuffersIsNotSupported)
{
	const PinnedBuffer a(kBytes);
	const PinnedBuffer b(kBytes);
	const Stream stream;

	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "host",
		     aclrtMemcpyAsync(a.data(), kBytes, b.data(), kBytes, ACL_MEMCPY_HOST_TO_HOST,
				      stream));
}

TEST_F(Copy, Check41_MemsetArguments)
{
	const DeviceBuffer device(kBytes);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "maxCount",
		     aclrtMemsetAsync(device.data(), kBytes - 1, 1, kBytes, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "maxCount",
		     aclrtMemset(device.data(), kBytes - 1, 1, kBytes));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr|null",
		     aclrtMemsetAsync(nullptr, kBytes, 1, kBytes, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr|null",
		     aclrtMemset(nullptr, kBytes, 1, kBytes));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(Copy, Check41_MemsetTakesTheLowByteAndAnyPlace)
{
	const DeviceBuffer device(kBytes);
	const PinnedBuffer pinned(kBytes);
	const Stream stream;

	EXPECT_OK(aclrtMemset(device.data(), kBytes, 0x1234, kBytes));
	EXPECT_TRUE(holds(device, 0x34));
	EXPECT_OK(aclrtMemsetAsync(device.data(), kBytes, -1, kBytes, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(device, 0xff));
	EXPECT_OK(aclrtMemset(pinned.data(), kBytes, 5, kBytes));
	EXPECT_TRUE(holds(pinned, 5));
}

TEST_F(Copy, Check41_MemsetTouchesItsRangeOnly)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;

	for (const size_t offset : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{1000}}) {
		for (const size_t count : {size_t{1}, size_t{7}, size_t{64}, size_t{129}}) {
			std::vector<uint8_t> expected(kBytes, 0);

			std::fill_n(expected.begin() + long(offset), count, uint8_t{0xaa});
			device.fill_async(0, stream);
			EXPECT_OK(aclrtMemsetAsync(device.at(offset), kBytes - offset, 0xaa, count,
						   stream));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			EXPECT_EQ(device.load<uint8_t>(), expected) << offset << "+" << count;
		}
	}
}

TEST_F(Copy, ContentsSurviveAllDirectionsAtManySizes)
{
	const Stream stream;

	for (const size_t size : {size_t{1}, size_t{3}, size_t{64}, size_t{65}, size_t{4095},
				  size_t{4097}, size_t{65537}, (size_t{2} << 20) + 13}) {
		const std::vector<uint8_t> in = pattern(size, uint32_t(size));
		const DeviceBuffer a(size);
		const DeviceBuffer b(size);
		const PinnedBuffer up(size);
		const PinnedBuffer down(size);

		std::memcpy(up.data(), in.data(), size);
		EXPECT_OK(aclrtMemcpyAsync(a.data(), size, up.data(), size,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(b.data(), size, a.data(), size,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(down.data(), size, b.data(), size,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(std::memcmp(down.data(), in.data(), size), 0) << size;
		EXPECT_EQ(b.load<uint8_t>(), in) << size;
	}
}

TEST_F(Copy, UnalignedPiecesLandWhereTheyBelong)
{
	const std::vector<uint8_t> in = pattern(kBytes, 3);
	const DeviceBuffer a(kBytes);
	const DeviceBuffer b(kBytes);

	a.store(in);
	for (size_t begin = 0; begin < kBytes;) {
		const size_t count = std::min(kBytes - begin, 1 + begin % 97);

		EXPECT_OK(aclrtMemcpyAsync(b.at(begin), count, a.at(begin), count,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
		begin += count;
	}
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(b.load<uint8_t>(), in);
}

TEST_F(Copy, LargeCopyIsComplete)
{
	const size_t size = (size_t{32} << 20) + 5;
	const std::vector<uint8_t> in = pattern(size, 9);
	const DeviceBuffer a(size);
	const DeviceBuffer b(size);

	a.store(in);
	EXPECT_OK(aclrtMemcpy(b.data(), size, a.data(), size, ACL_MEMCPY_DEVICE_TO_DEVICE));
	EXPECT_TRUE(b.load<uint8_t>() == in);
}

TEST_F(Copy, FreedDeviceMemoryIsRefused)
{
	DeviceBuffer buffer(kBytes);
	const PinnedBuffer host(kBytes);
	const DeviceBuffer alive(kBytes);
	void *dead = buffer.release();

	EXPECT_OK(aclrtFree(dead));
	for (const CopyFunction copy : kBoth) {
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
			     copy(dead, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
			     copy(host.data(), kBytes, dead, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
		EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
			     copy(alive.data(), kBytes, dead, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
	}
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtMemset(dead, kBytes, 1, kBytes));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(Copy, RangesPastTheEndOfDeviceMemoryAreRefused)
{
	constexpr size_t kFar = size_t{8} << 20;
	const DeviceBuffer device(kBytes);
	const std::unique_ptr<uint8_t[]> host = std::make_unique<uint8_t[]>(kFar);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
		     aclrtMemcpy(device.data(), kFar, host.get(), kFar, ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
		     aclrtMemcpy(host.get(), kFar, device.data(), kFar, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtMemset(device.data(), kFar, 1, kFar));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
		     aclrtMemset(device.data(), SIZE_MAX, 1, SIZE_MAX));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "",
		     aclrtMemsetAsync(device.data(), SIZE_MAX, 1, SIZE_MAX, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 0));
}

/* The source may be overwritten or freed when the call has returned, also if it is pinned. */
TEST_F(Copy, StagedCopiesReadTheirSourceAtTheCall)
{
	const DeviceBuffer device(kBytes);
	const Stream stream;
	Gate gate;

	gate.block(stream);
	{
		const PinnedBuffer pinned(kBytes);
		std::vector<uint8_t> pageable(kBytes, 2);

		pinned.fill(1);
		EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes / 2, pinned.data(), kBytes / 2,
					   ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(device.at(kBytes / 2), kBytes / 2, pageable.data(),
					   kBytes / 2, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
		pinned.fill(8);
		pageable.assign(kBytes, 9);
	}
	EXPECT_TRUE(holds(device, 0));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	std::vector<uint8_t> expected(kBytes, 1);
	std::fill(expected.begin() + long(kBytes / 2), expected.end(), uint8_t{2});
	EXPECT_EQ(device.load<uint8_t>(), expected);
}

/* Managed memory, and mapped memory of the host, are written by the program too. */
TEST_F(Copy, StagedCopiesReadAllMemoryThatTheProgramWrites)
{
	constexpr size_t kUnit = size_t{2} << 20;
	const DeviceBuffer device(kBytes);
	const PinnedBuffer pinned(kBytes);
	const Stream stream;
	aclrtPhysicalMemProp prop = {};
	aclrtDrvMemHandle handle = nullptr;
	void *managed = nullptr, *mapped = nullptr;

	prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
	ASSERT_OK(aclrtMemAllocManaged(&managed, kUnit, ACL_RT_MEM_ATTACH_GLOBAL));
	ASSERT_OK(aclrtMallocPhysical(&handle, kUnit, &prop, 0));
	ASSERT_OK(aclrtReserveMemAddress(&mapped, kUnit, 0, nullptr, 0));
	ASSERT_OK(aclrtMapMem(mapped, kUnit, 0, handle, 0));
	const std::pair<void *, void *> copies[] = {{device.data(), managed},
						    {device.data(), mapped},
						    {managed, pinned.data()},
						    {mapped, pinned.data()}};

	for (const auto &[dst, src] : copies) {
		Gate gate;
		char copied = 0;

		gate.block(stream);
		std::memset(src, 1, kBytes);
		EXPECT_OK(aclrtMemcpyAsync(dst, kBytes, src, kBytes,
					   ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
		std::memset(src, 2, kBytes);
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtMemcpy(&copied, 1, dst, 1, ACL_MEMCPY_DEVICE_TO_HOST));
		EXPECT_EQ(copied, 1) << src;
	}
	EXPECT_OK(aclrtUnmapMem(mapped));
	EXPECT_OK(aclrtReleaseMemAddress(mapped));
	EXPECT_OK(aclrtFreePhysical(handle));
	EXPECT_OK(aclrtFree(managed));
}

TEST_F(Copy, ACapturedStagedCopyKeepsItsBytes)
{
	const DeviceBuffer device(kBytes);
	const PinnedBuffer pinned(kBytes);
	const Stream stream;
	aclmdlRI model = nullptr;

	pinned.fill(1);
	ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kBytes, pinned.data(), kBytes,
				   ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream));
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	for (int i = 2; i < 4; ++i) {
		pinned.fill(i);
		device.fill_async(9, stream);
		EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_TRUE(holds(device, 1));
	}
	EXPECT_OK(aclmdlRIDestroy(model));
}
