// SPDX-License-Identifier: MIT
/*
 * DOC: allocations, copies of rows and slices, fills
 */
#include "support/fixture.h"

#include <cstring>

using namespace cuda_test;

namespace {

class Memory : public ContextTest {};

CUDA_MEMCPY2D rows(CUdeviceptr dst, size_t dst_pitch, const void *src, size_t src_pitch,
		   size_t width, size_t height)
{
	CUDA_MEMCPY2D copy = {};

	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = src;
	copy.srcPitch = src_pitch;
	copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.dstDevice = dst;
	copy.dstPitch = dst_pitch;
	copy.WidthInBytes = width;
	copy.Height = height;
	return copy;
}

/* One byte, between the ends that the copy names by their device pointers. */
CUDA_MEMCPY3D byte_between(CUdeviceptr dst, CUmemorytype dst_type, CUdeviceptr src,
			   CUmemorytype src_type)
{
	CUDA_MEMCPY3D copy = {};

	copy.srcMemoryType = src_type;
	copy.srcDevice = src;
	copy.dstMemoryType = dst_type;
	copy.dstDevice = dst;
	copy.WidthInBytes = copy.Height = copy.Depth = 1;
	return copy;
}

/* A device address has to be in an allocation: every way to name one refuses @address. */
void expect_no_device_memory(CUdeviceptr address)
{
	const Words words(1, 7);
	unsigned char byte = 3;
	const CUDA_MEMCPY3D from =
		byte_between(words, CU_MEMORYTYPE_DEVICE, address, CU_MEMORYTYPE_DEVICE);
	const CUDA_MEMCPY3D to =
		byte_between(address, CU_MEMORYTYPE_DEVICE, words, CU_MEMORYTYPE_DEVICE);
	CUDA_MEMCPY2D row = {};
	CUDA_MEMCPY3D_PEER peer = {};

	row.srcMemoryType = peer.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	row.dstMemoryType = peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
	row.srcDevice = peer.srcDevice = address;
	row.dstDevice = peer.dstDevice = words;
	row.WidthInBytes = row.Height = 1;
	peer.WidthInBytes = peer.Height = peer.Depth = 1;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(words, address, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoD(address, words, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&byte, address, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(address, &byte, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoDAsync(address, &byte, 1, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyPeer(words, nullptr, address, nullptr, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&row));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&from));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DAsync(&to, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DPeer(&peer));
	EXPECT_EQ(byte, 3);
	EXPECT_EQ(words.load()[0], 7u);
}

/* An address of the process where nothing is mapped. */
constexpr CUdeviceptr kUnmapped = 0x1000;

} // namespace

TEST_F(Memory, PitchIsAligned)
{
	CUdeviceptr memory = 0;
	size_t pitch = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 100, 10, 3));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocPitch(&memory, &pitch, 0, 10, 4));
	EXPECT_OK(cuMemAllocPitch(&memory, &pitch, 100, 10, 4));
	EXPECT_GE(pitch, 100u);
	EXPECT_EQ(pitch % 16, 0u);
	EXPECT_OK(cuMemFree(memory));
}

TEST_F(Memory, RowsGoToTheirPlaces)
{
	constexpr size_t kPitch = 8;
	const Words words(16);
	const uint32_t source[] = {1, 2, 3, 4, 5, 6};
	CUDA_MEMCPY2D copy = rows(words, kPitch * 2, source, kPitch + 4, 8, 2);

	EXPECT_OK(cuMemcpy2D(&copy));
	EXPECT_EQ(words.load(),
		  (std::vector<uint32_t>{1, 2, 0, 0, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
	copy.dstXInBytes = 8;
	copy.dstY = 2;
	copy.srcXInBytes = 4;
	EXPECT_OK(cuMemcpy2DAsync(&copy, nullptr));
	EXPECT_OK(cuStreamSynchronize(nullptr));
	EXPECT_EQ(words.load(),
		  (std::vector<uint32_t>{1, 2, 0, 0, 4, 5, 0, 0, 0, 0, 2, 3, 0, 0, 5, 6}));
}

TEST_F(Memory, RowsThatOverlapAreRefused)
{
	const Words words(16);
	const uint32_t source[8] = {};
	CUDA_MEMCPY2D copy = rows(words, 4, source, 8, 8, 2);

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
	copy = rows(words, 8, source, 8, 8, 2);
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
	copy = rows(words, 40, source, 8, 8, 2);
	copy.Height = 3;
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(nullptr));
}

TEST_F(Memory, SlicesGoToTheirPlaces)
{
	const Words from(24);
	const Words to(24);
	std::vector<uint32_t> values(24);
	CUDA_MEMCPY3D copy = {};

	for (uint32_t i = 0; i < 24; ++i)
		values[i] = i;
	EXPECT_OK(cuMemcpyHtoD(from, values.data(), from.bytes()));
	copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
	copy.srcDevice = from;
	copy.srcPitch = 16;
	copy.srcHeight = 3;
	copy.srcZ = 1;
	copy.srcY = 1;
	copy.srcXInBytes = 4;
	copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
	copy.dstDevice = to;
	copy.dstPitch = 8;
	copy.dstHeight = 2;
	copy.WidthInBytes = 8;
	copy.Height = 2;
	copy.Depth = 1;
	EXPECT_OK(cuMemcpy3D(&copy));
	std::vector<uint32_t> got = to.load();
	got.resize(4);
	EXPECT_EQ(got, (std::vector<uint32_t>{17, 18, 21, 22}));
}

TEST_F(Memory, CopiesBetweenHostMemories)
{
	const PinnedWords pinned(4, 1);
	const PinnedWords other(4, 2);
	uint32_t plain[4] = {3, 3, 3, 3};
	const auto plain_address = reinterpret_cast<CUdeviceptr>(plain);

	EXPECT_OK(cuMemcpy(pinned.address(), other.address(), 16));
	EXPECT_EQ(pinned[3], 2u);
	EXPECT_OK(cuMemcpy(pinned.address(), plain_address, 16));
	EXPECT_EQ(pinned[3], 3u);
	EXPECT_OK(cuMemcpy(plain_address, other.address(), 16));
	EXPECT_EQ(plain[0], 2u);
}

TEST_F(Memory, DeviceAddressesAreInAllocations)
{
	uint32_t plain = 5;
	const PinnedWords pinned(1, 6);
	const Words words(1);

	expect_no_device_memory(kUnmapped);
	expect_no_device_memory(reinterpret_cast<CUdeviceptr>(&plain));
	EXPECT_EQ(plain, 5u);
	EXPECT_OK(cuMemcpyDtoD(words, pinned.address(), 4));
	EXPECT_EQ(words.load()[0], 6u);
	EXPECT_OK(cuMemHostRegister(&plain, sizeof(plain), 0));
	EXPECT_OK(cuMemcpyDtoD(words, reinterpret_cast<CUdeviceptr>(&plain), 4));
	EXPECT_OK(cuMemHostUnregister(&plain));
	EXPECT_EQ(words.load()[0], 5u);
	expect_no_device_memory(reinterpret_cast<CUdeviceptr>(&plain));
}

TEST_F(Memory, UnifiedAddressesAreMapped)
{
	const Words words(1, 1);
	const uint32_t plain = 5;
	const auto plain_address = reinterpret_cast<CUdeviceptr>(&plain);
	CUDA_MEMCPY3D copy =
		byte_between(words, CU_MEMORYTYPE_DEVICE, kUnmapped, CU_MEMORYTYPE_UNIFIED);

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy(words, kUnmapped, 4));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy(kUnmapped, words, 4));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpyAsync(words, kUnmapped, 4, nullptr));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
	EXPECT_EQ(words.load()[0], 1u);
	copy.srcDevice = plain_address;
	EXPECT_OK(cuMemcpy3D(&copy));
	EXPECT_EQ(words.load()[0], 5u);
	EXPECT_OK(cuMemsetD32(words, 0, 1));
	EXPECT_OK(cuMemcpy(words, plain_address, 4));
	EXPECT_EQ(words.load()[0], 5u);
}

TEST_F(Memory, FillsOfEachWidth)
{
	const Words words(4);

	EXPECT_OK(cuMemsetD8(words, 0x11, 4));
	EXPECT_OK(cuMemsetD16(words + 4, 0x2233, 2));
	EXPECT_OK(cuMemsetD32(words + 8, 0x44556677, 2));
	EXPECT_EQ(words.load(),
		  (std::vector<uint32_t>{0x11111111, 0x22332233, 0x44556677, 0x44556677}));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(words + 2, 1, 1));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(words, 1, 100));
	EXPECT_OK(cuMemsetD32(words, 1, 0));
}

TEST_F(Memory, ManagedMemoryIsForBoth)
{
	constexpr size_t kBytes = 64;
	CUdeviceptr managed = 0;
	int is_managed = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocManaged(&managed, kBytes, 0));
	EXPECT_OK(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL));
	EXPECT_OK(cuMemsetD8(managed, 5, kBytes));
	EXPECT_EQ(reinterpret_cast<unsigned char *>(managed)[kBytes - 1], 5);
	EXPECT_OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
	EXPECT_EQ(is_managed, 1);
	EXPECT_OK(cuStreamAttachMemAsync(nullptr, managed, 0, CU_MEM_ATTACH_HOST));
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost(reinterpret_cast<void *>(managed)));
	EXPECT_OK(cuMemFree(managed));
}

TEST_F(Memory, AddressesAreKnown)
{
	const Words words(16);
	const PinnedWords pinned(4);
	CUdeviceptr base = 0;
	size_t size = 0;
	unsigned flags = 0;

	EXPECT_OK(cuMemGetAddressRange(&base, &size, words + 20));
	EXPECT_EQ(base, static_cast<CUdeviceptr>(words));
	EXPECT_EQ(size, 64u);
	EXPECT_CU(CUDA_ERROR_NOT_FOUND,
		  cuMemGetAddressRange(&base, &size, reinterpret_cast<CUdeviceptr>(&size)));
	EXPECT_OK(cuMemHostGetDevicePointer(&base, pinned.data() + 1, 0));
	EXPECT_EQ(base, pinned.address() + 4);
	EXPECT_OK(cuMemHostGetFlags(&flags, pinned.data()));
	EXPECT_EQ(flags, unsigned{CU_MEMHOSTALLOC_DEVICEMAP});
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags(&flags, &size));
}

TEST_F(Memory, StreamOrderedAllocations)
{
	const Stream stream;
	CUdeviceptr memory = 0;
	uint32_t value = 0;

	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemAllocAsync(&memory, 0, stream));
	EXPECT_OK(cuMemAllocAsync(&memory, 64, stream));
	EXPECT_OK(cuMemsetD32Async(memory, 8, 1, stream));
	EXPECT_OK(cuMemcpyDtoHAsync(&value, memory, 4, stream));
	EXPECT_OK(cuMemFreeAsync(memory, stream));
	EXPECT_OK(cuStreamSynchronize(stream));
	EXPECT_EQ(value, 8u);
	EXPECT_CU(CUDA_ERROR_INVALID_VALUE, cuMemFree(memory));
}
