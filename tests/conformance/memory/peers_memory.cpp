// SPDX-License-Identifier: MIT
/*
 * DOC: memory that was allocated while another device was the thread's
 */
#include "support/child_process.h"

using namespace conformance;

namespace {

/* Two devices, with pinned memory of the first and the second one set. */
class PeersMemory {
public:
	PeersMemory()
	{
		EXPECT_OK(aclInit(nullptr));
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtMallocHost(&memory_, kBytes));
		EXPECT_OK(aclrtSetDevice(1));
	}
	~PeersMemory()
	{
		EXPECT_OK(aclrtFreeHost(memory_));
		EXPECT_OK(aclrtResetDevice(1));
		EXPECT_OK(aclrtResetDevice(0));
		EXPECT_OK(aclFinalize());
	}
	PeersMemory(const PeersMemory &) = delete;
	PeersMemory &operator=(const PeersMemory &) = delete;

	static constexpr size_t kBytes = 64;

	uint32_t *words() const { return static_cast<uint32_t *>(memory_); }

private:
	void *memory_ = nullptr;
};

} // namespace

/* The call returns while the stream waits, and the copy takes what is there when the stream comes to it. */
TEST(PeersMemory, AsynchronousCopiesDoNotWait)
{
	if (!alone("devices=2"))
		return;
	const PeersMemory memory;
	{
		const DeviceBuffer buffer(PeersMemory::kBytes);
		const Stream stream;
		Gate gate;

		memory.words()[0] = 3;
		gate.block(stream);
		EXPECT_OK(aclrtMemcpyAsync(buffer.data(), 4, memory.words(), 4,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(memory.words() + 1, 4, buffer.data(), 4,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		memory.words()[0] = 4;
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(memory.words()[1], 4U);
	}
}

TEST(PeersMemory, FillsBatchesAndRows)
{
	if (!alone("devices=2"))
		return;
	const PeersMemory memory;
	{
		const DeviceBuffer buffer(PeersMemory::kBytes);
		const Stream stream;
		void *targets[2] = {buffer.data(), buffer.at(4)};
		void *sources[2] = {memory.words(), memory.words() + 1};
		size_t sizes[2] = {4, 4};
		size_t index = 0;
		size_t fail = 0;
		aclrtMemcpyBatchAttr attribute = {};

		attribute.dstLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
		attribute.dstLoc.id = 1;
		attribute.srcLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
		EXPECT_OK(aclrtMemsetAsync(memory.words(), 8, 7, 8, stream));
		EXPECT_OK(aclrtMemcpyBatchAsync(targets, sizes, sources, sizes, 2, &attribute,
						&index, 1, &fail, stream));
		EXPECT_OK(aclrtMemcpy2dAsync(memory.words() + 2, 8, buffer.data(), 4, 4, 2,
					     ACL_MEMCPY_DEVICE_TO_HOST, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(memory.words()[2], 0x07070707U);
		EXPECT_EQ(memory.words()[4], 0x07070707U);
	}
}

/* Device memory whose access was not enabled: the host copies, when the stream comes to it. */
TEST(PeersMemory, CopiesOfDeviceMemoryDoNotWait)
{
	if (!alone("devices=2"))
		return;
	const PeersMemory memory;
	{
		EXPECT_OK(aclrtSetDevice(0));
		const DeviceBuffer theirs(PeersMemory::kBytes);
		EXPECT_OK(aclrtSetDevice(1));
		const DeviceBuffer ours(PeersMemory::kBytes);
		const Stream stream;
		Gate gate;

		gate.block(stream);
		EXPECT_OK(aclrtMemcpyAsync(theirs.data(), 4, memory.words(), 4,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(ours.data(), 4, theirs.data(), 4,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(theirs.at(4), 4, ours.data(), 4,
					   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(memory.words() + 1, 4, theirs.at(4), 4,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		memory.words()[0] = 4;
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_EQ(memory.words()[1], 4U);
	}
}

TEST(PeersMemory, AFreeOfDeviceMemoryWaitsForACopyByTheHost)
{
	constexpr size_t kBytes = size_t{1} << 20;

	if (!alone("devices=2"))
		return;
	const PeersMemory memory;
	{
		EXPECT_OK(aclrtSetDevice(0));
		DeviceBuffer theirs(kBytes);
		EXPECT_OK(aclrtSetDevice(1));
		const DeviceBuffer ours(PeersMemory::kBytes);
		const Stream stream;
		Gate gate;
		void *const address = theirs.data();
		void *again = nullptr;

		gate.block(stream);
		EXPECT_OK(aclrtMemcpyAsync(address, 4, ours.data(), 4, ACL_MEMCPY_DEVICE_TO_DEVICE,
					   stream));
		EXPECT_OK(aclrtFree(theirs.release()));
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_OK(aclrtMalloc(&again, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
		EXPECT_NE(again, address);
		EXPECT_OK(aclrtSetDevice(1));
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtFree(again));
	}
}

/* As a launch does. */
TEST(PeersMemory, ACaptureTakesCopiesOfDeviceMemory)
{
	if (!alone("devices=2"))
		return;
	const PeersMemory memory;
	{
		EXPECT_OK(aclrtSetDevice(0));
		const DeviceBuffer theirs(PeersMemory::kBytes);
		EXPECT_OK(aclrtSetDevice(1));
		const Stream stream;
		aclmdlRI model = nullptr;

		EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
		EXPECT_OK(aclrtMemcpyAsync(theirs.data(), 4, memory.words(), 4,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		EXPECT_OK(aclrtMemcpyAsync(memory.words() + 1, 4, theirs.data(), 4,
					   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		EXPECT_OK(aclmdlRICaptureEnd(stream, &model));
		for (uint32_t value : {3U, 7U}) {
			memory.words()[0] = value;
			EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
			EXPECT_OK(aclrtSynchronizeStream(stream));
			EXPECT_EQ(memory.words()[1], value);
		}
		EXPECT_OK(aclmdlRIDestroy(model));
	}
}
