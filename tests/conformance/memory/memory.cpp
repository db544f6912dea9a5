// SPDX-License-Identifier: MIT
/*
 * DOC: allocation
 *
 * Check 37 and what the allocators refuse: sizes of zero and beyond the device, addresses they did
 * not give, addresses of the other kind. Then what an address is, and that a host access to device
 * memory faults.
 */
#include "support/fixture.h"

#include "acl/ops/acl_dvpp.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>
#include <thread>

using namespace conformance;

namespace {

using Memory = DeviceTest;

constexpr size_t kMiB = size_t{1} << 20;

aclError allocate(void **pointer, size_t size)
{
	return aclrtMalloc(pointer, size, ACL_MEM_MALLOC_HUGE_FIRST);
}

size_t free_memory()
{
	size_t free_bytes = 0;
	size_t total_bytes = 0;

	EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
	EXPECT_LE(free_bytes, total_bytes);
	EXPECT_GT(total_bytes, 0u);
	return free_bytes;
}

aclrtMemLocationType location_type(const void *pointer)
{
	aclrtPtrAttributes attributes = {};

	EXPECT_OK(aclrtPointerGetAttributes(pointer, &attributes));
	return attributes.location.type;
}

bool aligned(const void *pointer, size_t alignment)
{
	return reinterpret_cast<uintptr_t>(pointer) % alignment == 0;
}

constexpr size_t kDeviceAlignment = 512;

/* Small pinned objects may share a page that is locked, and are only 64 bytes apart. */
size_t pinned_alignment(size_t size)
{
	return size < 512 ? 64 : 512;
}

/* The signal that ends a child which reads or writes one byte there; 0 when it survives. */
int signal_of_access(char *address, bool write)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		std::signal(SIGSEGV, SIG_DFL);
		std::signal(SIGBUS, SIG_DFL);
		if (write)
			*address = 1;
		_exit(*address ? 1 : 2);
	}
	EXPECT_GT(child, 0);
	EXPECT_EQ(TEMP_FAILURE_RETRY(waitpid(child, &status, 0)), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Allocate pieces until the device has no more; false when it never says so. */
bool exhaust(size_t piece, std::vector<void *> &pieces, aclError *rc)
{
	for (int i = 0; i < 64; ++i) {
		void *pointer = nullptr;

		*rc = allocate(&pointer, piece);
		if (*rc != ACL_SUCCESS)
			return true;
		pieces.push_back(pointer);
	}
	return false;
}

} // namespace

TEST_F(Memory, Check37_NullAndZero)
{
	void *pointer = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", allocate(&pointer, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr|null", allocate(nullptr, 64));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMallocAlign32(&pointer, 0, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr|null",
		     aclrtMallocAlign32(nullptr, 64, ACL_MEM_MALLOC_HUGE_FIRST));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", aclrtMallocHost(&pointer, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "hostPtr|null", aclrtMallocHost(nullptr, 64));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr|null", aclrtFree(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "hostPtr|null", aclrtFreeHost(nullptr));
}

TEST_F(Memory, Check37_PointersAreAlignedAndApart)
{
	std::vector<std::unique_ptr<DeviceBuffer>> buffers;

	for (const size_t size : {size_t{1}, size_t{31}, size_t{32}, size_t{33}, size_t{64},
				  size_t{100}, size_t{4096}, size_t{4097}, kMiB, 2 * kMiB + 1}) {
		buffers.push_back(std::make_unique<DeviceBuffer>(size));
		EXPECT_TRUE(aligned(buffers.back()->data(), kDeviceAlignment)) << size;

		const PinnedBuffer pinned(size);

		EXPECT_TRUE(aligned(pinned.data(), pinned_alignment(size))) << size;
		pinned.fill(1);
	}
	for (size_t i = 0; i < buffers.size(); ++i)
		buffers[i]->store(std::vector<uint8_t>(buffers[i]->size(), uint8_t(i + 1)));
	for (size_t i = 0; i < buffers.size(); ++i)
		EXPECT_TRUE(holds(*buffers[i], int(i + 1))) << i;
}

TEST_F(Memory, Check37_CopyIntoThePadding)
{
	void *padded = nullptr;
	void *rounded = nullptr;

	EXPECT_OK(allocate(&padded, 100));
	EXPECT_OK(aclrtMallocAlign32(&rounded, 100, ACL_MEM_MALLOC_HUGE_FIRST));
	for (size_t extra = 0; extra <= 31; ++extra) {
		const std::vector<uint8_t> in(100 + extra, uint8_t(extra + 1));
		std::vector<uint8_t> out(in.size());
		void *target = in.size() <= 128 ? rounded : padded;

		EXPECT_OK(aclrtMemcpy(padded, in.size(), in.data(), in.size(),
				      ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_OK(aclrtMemcpy(target, in.size(), in.data(), in.size(),
				      ACL_MEMCPY_HOST_TO_DEVICE));
		EXPECT_OK(aclrtMemcpy(out.data(), out.size(), padded, out.size(),
				      ACL_MEMCPY_DEVICE_TO_HOST));
		EXPECT_EQ(in, out);
	}
	EXPECT_OK(aclrtFree(padded));
	EXPECT_OK(aclrtFree(rounded));
}

TEST_F(Memory, Check37_EveryPolicyGivesMemory)
{
	for (const int policy : {0, 1, 2, 3, 4, 5, 9}) {
		for (const size_t size : {size_t{64}, 3 * kMiB}) {
			void *pointer = nullptr;

			EXPECT_EQ(
				aclrtMalloc(&pointer, size, raw_enum<aclrtMemMallocPolicy>(policy)),
				ACL_SUCCESS)
				<< policy;
			EXPECT_TRUE(aligned(pointer, kDeviceAlignment));
			EXPECT_OK(aclrtMemset(pointer, size, 1, size));
			EXPECT_OK(aclrtFree(pointer));
		}
	}
}

TEST_F(Memory, OnlyAllocationsWithoutPagesOfAGigabyteArePadded)
{
	const struct {
		aclrtMemMallocPolicy policy;
		size_t bytes;
	} cases[] = {{ACL_MEM_MALLOC_HUGE_FIRST, 160},
		     {ACL_MEM_MALLOC_NORMAL_ONLY, 160},
		     {ACL_MEM_MALLOC_HUGE1G_ONLY, 128},
		     {ACL_MEM_MALLOC_HUGE1G_ONLY_P2P, 128}};

	for (const auto &one : cases) {
		for (const auto allocate : {aclrtMalloc, aclrtMallocCached}) {
			void *pointer = nullptr;
			void *base = nullptr;
			size_t bytes = 0;

			ASSERT_OK(allocate(&pointer, 100, one.policy));
			EXPECT_OK(aclrtMemGetAddressRange(pointer, &base, &bytes));
			EXPECT_EQ(bytes, one.bytes) << one.policy;
			EXPECT_OK(aclrtFree(pointer));
		}
	}
}

TEST_F(Memory, CachedMemoryTakesEveryPolicy)
{
	for (const int policy : {0, 1, 2, 3, 4, 5, 6, 7, 50, 256, 4096}) {
		void *pointer = nullptr;

		EXPECT_EQ(aclrtMallocCached(&pointer, 4096, raw_enum<aclrtMemMallocPolicy>(policy)),
			  ACL_SUCCESS)
			<< policy;
		EXPECT_OK(aclrtFree(pointer));
	}
}

TEST_F(Memory, EveryKindOfAllocationIsAligned)
{
	using Allocate = std::function<aclError(void **, size_t)>;
	const Allocate kinds[] = {
		[](void **out, size_t size) {
			return aclrtMallocAlign32(out, size, ACL_MEM_MALLOC_HUGE_FIRST);
		},
		[](void **out, size_t size) {
			return aclrtMallocCached(out, size, ACL_MEM_MALLOC_HUGE_FIRST);
		},
		[](void **out, size_t size) {
			return aclrtMallocWithCfg(out, size, ACL_MEM_MALLOC_HUGE_FIRST, nullptr);
		},
		[](void **out, size_t size) {
			return aclrtMallocForTaskScheduler(out, size, ACL_MEM_MALLOC_NORMAL_ONLY,
							   nullptr);
		},
	};

	for (const Allocate &kind : kinds) {
		std::vector<void *> all;

		/* Allocations of odd sizes in a row, so that a write past the end of one shows in the
		 * next. */
		for (const size_t size : {size_t{1}, size_t{96}, size_t{1280}, size_t{4000}}) {
			void *pointer = nullptr;

			EXPECT_OK(kind(&pointer, size));
			EXPECT_TRUE(aligned(pointer, kDeviceAlignment)) << size;
			all.push_back(pointer);
		}
		for (void *pointer : all)
			EXPECT_OK(aclrtFree(pointer));
	}
}

TEST_F(Memory, SmallAndLargePinnedObjectsAreAlignedSideBySide)
{
	std::vector<void *> all;

	for (int i = 0; i < 200; ++i) {
		const size_t size = i % 2 == 0 ? 32 : 600 + 16 * static_cast<size_t>(i);
		void *pointer = nullptr;

		EXPECT_OK(aclrtMallocHost(&pointer, size));
		EXPECT_TRUE(aligned(pointer, pinned_alignment(size))) << size;
		std::memset(pointer, i, size);
		all.push_back(pointer);
	}
	for (size_t i = 0; i < all.size(); ++i) {
		EXPECT_EQ(*static_cast<uint8_t *>(all[i]), i);
		EXPECT_OK(aclrtFreeHost(all[i]));
	}
}

TEST_F(Memory, SizesBeyondTheDeviceAreOutOfMemory)
{
	void *pointer = nullptr;

	for (const size_t size : {SIZE_MAX, SIZE_MAX - 31, SIZE_MAX - 63, SIZE_MAX / 2,
				  size_t{1} << 50, free_memory() + kMiB}) {
		SCOPED_TRACE(size);
		EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "memory|byte",
			     allocate(&pointer, size));
		EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "memory|byte",
			     aclrtMallocAlign32(&pointer, size, ACL_MEM_MALLOC_HUGE_FIRST));
	}
	for (const size_t size : {SIZE_MAX, SIZE_MAX - 63, SIZE_MAX / 2, size_t{1} << 50}) {
		SCOPED_TRACE(size);
		EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "memory|byte|limit",
			     aclrtMallocHost(&pointer, size));
	}
	const DeviceBuffer still_works(64);
}

TEST_F(Memory, ExhaustedDeviceSaysSoAndRecovers)
{
	const size_t before = free_memory();
	std::vector<void *> pieces;
	aclError rc = ACL_SUCCESS;

	take_message();
	ASSERT_TRUE(exhaust(std::max(before / 8, kMiB), pieces, &rc));
	EXPECT_TRUE(failed_with(rc, ACL_ERROR_RT_MEMORY_ALLOCATION, "memory|byte"));
	EXPECT_FALSE(pieces.empty());
	for (void *pointer : pieces)
		EXPECT_OK(aclrtFree(pointer));
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_GE(free_memory() + 16 * kMiB, before);

	void *pointer = nullptr;

	EXPECT_OK(allocate(&pointer, before / 8));
	EXPECT_OK(aclrtFree(pointer));
}

TEST_F(Memory, MemInfoFollowsAllocation)
{
	const size_t before = free_memory();
	size_t bytes = 0;
	{
		const DeviceBuffer buffer(32 * kMiB);

		EXPECT_LE(free_memory() + 32 * kMiB, before);
	}
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "free|null",
		     aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &bytes));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "total|null",
		     aclrtGetMemInfo(ACL_HBM_MEM, &bytes, nullptr));
}

/* Not before the streams have passed, and then all of it, however many streams and frees there were. */
TEST_F(Memory, WhatIsFreedBesideManyParkedStreamsComesBack)
{
	constexpr size_t kStreams = 60;
	constexpr size_t kBuffers = 200;
	constexpr size_t kBytes = 300000;
	const size_t before = free_memory();
	{
		std::vector<Stream> streams(kStreams);
		Gate gate;
		DeviceBuffer target(kBytes);

		for (const Stream &stream : streams)
			gate.block(stream);
		for (size_t i = 0; i < kBuffers; i++) {
			DeviceBuffer source(kBytes);
			void *address = source.release();
			EXPECT_OK(aclrtMemsetAsync(address, kBytes, static_cast<int>(i), kBytes,
						   streams[i % kStreams]));
			if (i == kBuffers - 1) {
				EXPECT_OK(aclrtMemcpyAsync(target.data(), kBytes, address, kBytes,
							   ACL_MEMCPY_DEVICE_TO_DEVICE,
							   streams[i % kStreams]));
			}
			EXPECT_OK(aclrtFree(address));
		}
		EXPECT_LE(free_memory() + kBuffers * kBytes, before) << "it is still in use";
		gate.open();
		EXPECT_OK(aclrtSynchronizeDevice());
		const std::vector<unsigned char> bytes = target.load<unsigned char>();
		EXPECT_EQ(bytes.front(), kBuffers - 1);
		EXPECT_EQ(bytes.back(), kBuffers - 1);
	}
	EXPECT_GE(free_memory(), before - kBytes);
}

/* Of memory that is kept for the next small object too. */
TEST_F(Memory, AllThatIsFreeCanBeHadInOnePiece)
{
	constexpr size_t kSlack = 4 * kMiB;
	const size_t before = free_memory();
	void *pointer = nullptr;

	ASSERT_OK(allocate(&pointer, kMiB));
	EXPECT_OK(aclrtFree(pointer));
	EXPECT_OK(aclrtSynchronizeDevice());
	ASSERT_GE(free_memory(), before);
	ASSERT_OK(allocate(&pointer, before - kSlack));
	EXPECT_OK(aclrtFree(pointer));
	ASSERT_OK(allocate(&pointer, kMiB));
	EXPECT_OK(aclrtFree(pointer));

	aclrtPhysicalMemProp property = {};
	aclrtDrvMemHandle handle = nullptr;

	property.memAttr = ACL_HBM_MEM_HUGE;
	property.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	ASSERT_OK(aclrtMallocPhysical(&handle, (before - kSlack) / (2 * kMiB) * (2 * kMiB),
				      &property, 0));
	EXPECT_OK(aclrtFreePhysical(handle));
}

/* Tasks submitted before an allocation do not use the new memory, however long they take. */
TEST_F(Memory, MemoryComesBackBesideAStreamThatWaitsSinceBefore)
{
	const size_t bytes = free_memory() / 8;
	const Stream parked;
	const Stream stream;
	Gate gate;

	gate.block(parked);
	for (int i = 0; i < 40; i++) {
		void *pointer = nullptr;

		ASSERT_EQ(allocate(&pointer, bytes), ACL_SUCCESS) << i;
		EXPECT_OK(aclrtMemsetAsync(pointer, 64, i, 64, stream));
		EXPECT_OK(aclrtSynchronizeStream(stream));
		EXPECT_OK(aclrtFree(pointer));
	}
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(parked));
}

/* Work that was submitted since then may use it: an allocation that finds no room waits for that. */
TEST_F(Memory, AnAllocationWaitsForWhatWasFreed)
{
	const size_t bytes = free_memory() / 3 * 2;
	const Stream parked;
	Gate gate;
	void *pointer = nullptr;

	ASSERT_OK(allocate(&pointer, bytes));
	gate.block(parked);
	EXPECT_OK(aclrtMemsetAsync(pointer, 64, 1, 64, parked));
	EXPECT_OK(aclrtFree(pointer));

	aclrtContext context = nullptr;
	ASSERT_OK(aclrtGetCurrentContext(&context));
	std::thread opener([&] {
		EXPECT_OK(aclrtSetCurrentContext(context));
		EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(parked, 1500),
			  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
		gate.open();
	});
	EXPECT_OK(allocate(&pointer, bytes));
	opener.join();
	EXPECT_OK(aclrtFree(pointer));
	EXPECT_OK(aclrtSynchronizeStream(parked));
}

TEST_F(Memory, DoubleFreeIsRefused)
{
	DeviceBuffer buffer(4096);
	void *host = nullptr;
	void *device = buffer.release();

	EXPECT_OK(aclrtFree(device));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(device));
	EXPECT_OK(aclrtMallocHost(&host, 4096));
	EXPECT_OK(aclrtFreeHost(host));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(host));
}

TEST_F(Memory, FreeOfTheWrongKindIsRefused)
{
	const DeviceBuffer device(4096);
	const PinnedBuffer pinned(4096);
	const std::unique_ptr<char[]> pageable = std::make_unique<char[]>(4096);
	int on_the_stack = 0;

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "host|device", aclrtFree(pinned.data()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "host|device", aclrtFreeHost(device.data()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(pageable.get()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(pageable.get()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(&on_the_stack));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(&on_the_stack));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(reinterpret_cast<void *>(1)));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(reinterpret_cast<void *>(1)));
	pinned.fill(1);
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(Memory, MemoryForImagesIsDeviceMemory)
{
	void *images = nullptr;
	EXPECT_OK(acldvppMalloc(&images, 4096));
	EXPECT_EQ(location_type(images), ACL_MEM_LOCATION_TYPE_DEVICE);
	EXPECT_OK(acldvppFree(images));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", acldvppFree(images));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr", acldvppFree(nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "devPtr", acldvppMalloc(nullptr, 4096));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size", acldvppMalloc(&images, 0));
}

TEST_F(Memory, FreeOfAnInnerAddressIsRefused)
{
	const DeviceBuffer device(4096);
	const PinnedBuffer pinned(4096);

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(device.at(64)));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(pinned.as<char>() + 64));
	pinned.fill(1);
	EXPECT_TRUE(holds(device, 0));
}

TEST_F(Memory, FreeDoesNotWaitAndQueuedWorkStillHasTheContents)
{
	DeviceBuffer source(64 * 1024);
	const DeviceBuffer out(source.size());
	const Stream stream;
	Gate gate;

	source.store(std::vector<uint8_t>(source.size(), 7));
	gate.block(stream);
	EXPECT_OK(aclrtMemcpyAsync(out.data(), out.size(), source.data(), source.size(),
				   ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
	EXPECT_OK(aclrtFree(source.release()));

	/* A new allocation must not get that memory. */
	const DeviceBuffer next(64 * 1024);

	EXPECT_OK(aclrtMemset(next.data(), next.size(), 9, next.size()));
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_TRUE(holds(out, 7));
	EXPECT_TRUE(holds(next, 9));
}

TEST_F(Memory, Check40_WhatAnAddressIs)
{
	const DeviceBuffer device(4096);
	const PinnedBuffer pinned(4096);
	const std::unique_ptr<char[]> pageable = std::make_unique<char[]>(4096);
	aclrtPtrAttributes attributes = {};

	EXPECT_EQ(location_type(pageable.get()), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
	EXPECT_EQ(location_type(&attributes), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
	EXPECT_EQ(location_type(pinned.data()), ACL_MEM_LOCATION_TYPE_HOST);
	EXPECT_EQ(location_type(pinned.as<char>() + 4095), ACL_MEM_LOCATION_TYPE_HOST);
	EXPECT_EQ(location_type(device.data()), ACL_MEM_LOCATION_TYPE_DEVICE);
	EXPECT_EQ(location_type(device.at(4095)), ACL_MEM_LOCATION_TYPE_DEVICE);
	EXPECT_OK(aclrtPointerGetAttributes(device.data(), &attributes));
	EXPECT_EQ(attributes.location.id, 0u);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attributes|null",
		     aclrtPointerGetAttributes(device.data(), nullptr));
}

TEST_F(Memory, HostAccessToDeviceMemoryFaults)
{
	const DeviceBuffer small(64);
	const DeviceBuffer large(4 * kMiB);

	for (const DeviceBuffer *buffer : {&small, &large}) {
		char *address = static_cast<char *>(buffer->data());

		EXPECT_EQ(signal_of_access(address, false), SIGSEGV);
		EXPECT_EQ(signal_of_access(address, true), SIGSEGV);
		EXPECT_EQ(signal_of_access(address + buffer->size() - 1, false), SIGSEGV);
	}
	EXPECT_TRUE(holds(small, 0));
}

TEST_F(Memory, ManySmallAllocationsInAnyOrder)
{
	std::vector<void *> device(500);
	std::vector<void *> host(500);

	for (size_t i = 0; i < device.size(); ++i) {
		EXPECT_OK(allocate(&device[i], 1 + 37 * i));
		EXPECT_OK(aclrtMallocHost(&host[i], 1 + 37 * i));
	}
	/* 7 and 500 have no common divisor: each is freed once, far from the one before. */
	for (size_t i = 0; i < device.size(); ++i) {
		EXPECT_OK(aclrtFree(device[i * 7 % device.size()]));
		EXPECT_OK(aclrtFreeHost(host[i * 7 % host.size()]));
	}
}
