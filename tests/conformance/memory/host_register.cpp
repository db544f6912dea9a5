// SPDX-License-Identifier: MIT
/*
 * DOC: registered host memory
 *
 * Check 42: memory of the program that the device reaches where it lies, with what is in it, and what lies
 * beside it stays as it is (F1).
 */
#include "support/fixture.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

using namespace conformance;

namespace {

using HostRegister = DeviceTest;

constexpr size_t kPage = 4096;

/* Pages of ordinary memory. */
class Pages {
public:
	explicit Pages(size_t count)
		: data_(static_cast<unsigned char *>(std::aligned_alloc(kPage, count * kPage)))
	{
		for (size_t i = 0; i < count * kPage; i++)
			data_[i] = static_cast<unsigned char>(i % 251);
	}
	~Pages() { std::free(data_); }
	Pages(const Pages &) = delete;
	Pages &operator=(const Pages &) = delete;

	unsigned char *data() const { return data_; }

private:
	unsigned char *data_;
};

/* Zeroed memory of its own, of which parts may be unmapped. */
class Area {
public:
	explicit Area(size_t bytes)
		: bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
	{
	}
	/* What the test has unmapped may be somebody else's by now. */
	~Area()
	{
		for (size_t at = 0; at < bytes_; at += kPage)
			if (!is_gone_[at / kPage])
				munmap(data() + at, kPage);
	}
	Area(const Area &) = delete;
	Area &operator=(const Area &) = delete;

	char *data() const { return static_cast<char *>(data_); }
	void unmap(size_t offset, size_t bytes) const
	{
		EXPECT_EQ(munmap(data() + offset, bytes), 0);
		std::fill_n(is_gone_.begin() + static_cast<ptrdiff_t>(offset / kPage),
			    (bytes + kPage - 1) / kPage, true);
	}

private:
	const size_t bytes_;
	void *const data_;
	mutable std::vector<bool> is_gone_ = std::vector<bool>((bytes_ + kPage - 1) / kPage);
};

} // namespace

TEST_F(HostRegister, Check42_TheDeviceReachesTheProgramsMemory)
{
	const Pages pages(4);
	const size_t size = 3 * kPage + 100;
	const DeviceBuffer device(size);
	const Stream stream;
	aclrtPtrAttributes attributes = {};
	void *alias = nullptr;
	void *asked = nullptr;

	EXPECT_OK(aclrtHostRegister(pages.data(), size, ACL_HOST_REGISTER_MAPPED, &alias));
	EXPECT_OK(aclrtHostGetDevicePointer(pages.data(), &asked, 0));
	EXPECT_EQ(alias, asked);
	/* Contents are as before, also behind the end. */
	for (size_t i = 0; i < 4 * kPage; i++)
		ASSERT_EQ(pages.data()[i], i % 251);
	EXPECT_OK(aclrtPointerGetAttributes(pages.data(), &attributes));
	EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);

	/* The copy is in stream order: it waits, and copies what the host stores meanwhile. */
	{
		Gate gate;
		gate.block(stream);
		EXPECT_OK(aclrtMemcpyAsync(device.data(), size, pages.data(), size,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		pages.data()[5] = 255;
		gate.open();
		EXPECT_OK(aclrtSynchronizeStream(stream));
	}
	EXPECT_EQ(device.load<unsigned char>()[5], 255);
	EXPECT_OK(aclrtMemsetAsync(pages.data() + kPage, 64, 9, 64, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(pages.data()[kPage + 63], 9);

	EXPECT_OK(aclrtHostUnregister(pages.data()));
	EXPECT_EQ(pages.data()[5], 255);
	EXPECT_EQ(pages.data()[kPage], 9);
	EXPECT_EQ(pages.data()[3 * kPage + 50], (3 * kPage + 50) % 251);
	EXPECT_OK(aclrtPointerGetAttributes(pages.data(), &attributes));
	EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

/* F1: the page behind the end is in use by another thread. */
TEST_F(HostRegister, StoresBesideARangeAreNotLost)
{
	const Pages pages(2);
	auto *counter = reinterpret_cast<uint64_t *>(pages.data() + 2 * kPage - 8);
	std::atomic<bool> ends{false};
	uint64_t counted = 0;

	*counter = 0;
	std::thread other([&] {
		while (!ends.load()) {
			++*counter;
			++counted;
		}
	});
	for (int round = 0; round < 200; round++) {
		EXPECT_OK(aclrtHostRegisterV2(pages.data(), 2 * kPage - 8, ACL_HOST_REG_MAPPED));
		EXPECT_OK(aclrtHostUnregister(pages.data()));
	}
	ends = true;
	other.join();
	EXPECT_EQ(*counter, counted);
}

/* F1 */
TEST_F(HostRegister, TheHeapStaysWhole)
{
	unsigned seed = 1;

	for (int round = 0; round < 200; round++) {
		std::vector<std::unique_ptr<char[]>> blocks;
		for (int i = 0; i < 40; i++)
			blocks.push_back(std::make_unique<char[]>(
				16 + static_cast<size_t>(rand_r(&seed) % 900)));
		for (size_t i = 0; i < blocks.size(); i += 2)
			blocks[i].reset();
		const Pages pages(1);
		EXPECT_OK(aclrtHostRegisterV2(pages.data(), kPage, ACL_HOST_REG_PINNED));
		EXPECT_OK(aclrtHostUnregister(pages.data()));
		EXPECT_EQ(pages.data()[7], 7);
	}
}

/* F1: a captured copy of registered memory is allowed, since it is not pageable. */
TEST_F(HostRegister, CapturedCopies)
{
	const Pages pages(1);
	const DeviceBuffer device(kPage);
	const Stream stream;
	aclmdlRI model = nullptr;

	EXPECT_OK(aclrtHostRegisterV2(pages.data(), kPage, ACL_HOST_REG_MAPPED));
	ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclrtMemcpyAsync(device.data(), kPage, pages.data(), kPage,
				   ACL_MEMCPY_HOST_TO_DEVICE, stream));
	EXPECT_OK(aclrtMemsetAsync(pages.data(), 16, 9, 16, stream));
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	pages.data()[20] = 200;
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(device.load<unsigned char>()[20], 200);
	EXPECT_EQ(pages.data()[15], 9);
	EXPECT_EQ(pages.data()[16], 16);
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_OK(aclrtHostUnregister(pages.data()));
}

/* A program may free its memory as soon as the registration has ended, although a copy had begun. */
TEST_F(HostRegister, TheEndWaitsForACopyThatHasBegun)
{
	const size_t size = size_t{64} << 20;
	const DeviceBuffer device(size);
	const DeviceBuffer first_word(sizeof(uint32_t));
	const Stream stream;
	const Stream other;
	void *area =
		mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(area, MAP_FAILED);
	std::memset(area, 7, size);
	EXPECT_OK(aclrtMemset(device.data(), size, 0, size));

	EXPECT_OK(aclrtHostRegisterV2(area, size, ACL_HOST_REG_MAPPED));
	/* Short rows take the host long. */
	EXPECT_OK(aclrtMemcpy2dAsync(device.data(), 16, area, 16, 8, size / 16,
				     ACL_MEMCPY_HOST_TO_DEVICE, stream));
	while (first_word.load<uint32_t>()[0] == 0) {
		EXPECT_OK(aclrtMemcpyAsync(first_word.data(), sizeof(uint32_t), device.data(),
					   sizeof(uint32_t), ACL_MEMCPY_DEVICE_TO_DEVICE, other));
		ASSERT_OK(aclrtSynchronizeStream(other));
	}
	EXPECT_OK(aclrtHostUnregister(area));
	EXPECT_EQ(munmap(area, size), 0);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(device.load<unsigned char>()[size - 9], 7);
}

/* A program that unmaps memory before it ends the registration gets an error of each call and task that uses it. */
TEST_F(HostRegister, MemoryThatIsUnmappedIsAnError)
{
	const DeviceBuffer device(kPage);
	const Area area(2 * kPage);
	char *const data = area.data();

	EXPECT_OK(aclrtHostRegisterV2(data, 2 * kPage, ACL_HOST_REG_MAPPED));
	/* Starts the thread that copies. Started later, it could get the unmapped page for its stack. */
	{
		const Stream stream;
		EXPECT_OK(aclrtMemcpyAsync(device.data(), 64, data, 64, ACL_MEMCPY_HOST_TO_DEVICE,
					   stream));
		ASSERT_OK(aclrtSynchronizeStream(stream));
	}
	area.unmap(kPage, kPage);
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "unmapped",
		aclrtMemcpy(device.data(), kPage, data + kPage, kPage, ACL_MEMCPY_HOST_TO_DEVICE));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "unmapped",
		     aclrtMemcpy(data + 8, kPage, device.data(), kPage, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "unmapped", aclrtMemset(data + kPage, 16, 1, 16));
	EXPECT_OK(aclrtMemcpy(device.data(), kPage, data, kPage, ACL_MEMCPY_HOST_TO_DEVICE));
	/* Tasks, which fail as those whose memory was unregistered do. */
	for (const char *kind : {"copy", "copy back", "rows", "fill"}) {
		const Stream stream;
		const std::string what = kind;
		if (what == "copy")
			EXPECT_OK(aclrtMemcpyAsync(device.data(), 64, data + kPage, 64,
						   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		else if (what == "copy back")
			EXPECT_OK(aclrtMemcpyAsync(data + kPage, kPage, device.data(), kPage,
						   ACL_MEMCPY_DEVICE_TO_HOST, stream));
		else if (what == "rows")
			EXPECT_OK(aclrtMemcpy2dAsync(device.data(), 16, data + kPage - 16, 16, 8, 4,
						     ACL_MEMCPY_HOST_TO_DEVICE, stream));
		else
			EXPECT_OK(aclrtMemsetAsync(data + kPage, 64, 1, 64, stream));
		EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "", aclrtSynchronizeStream(stream))
			<< what;
	}
	EXPECT_OK(aclrtHostUnregister(data));
}

/* The same for a copy that waits, and one of a captured model, which may keep what it knows of an address. */
TEST_F(HostRegister, MemoryThatIsUnmappedLaterIsAnError)
{
	const DeviceBuffer device(kPage);
	const Area area(kPage);
	aclmdlRI model = nullptr;

	EXPECT_OK(aclrtHostRegisterV2(area.data(), kPage, ACL_HOST_REG_MAPPED));
	const Stream captured;
	ASSERT_OK(aclmdlRICaptureBegin(captured, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	EXPECT_OK(aclrtMemcpyAsync(device.data(), 64, area.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE,
				   captured));
	ASSERT_OK(aclmdlRICaptureEnd(captured, &model));
	for (int i = 0; i < 3; i++) {
		EXPECT_OK(aclmdlRIExecuteAsync(model, captured));
		EXPECT_OK(aclrtSynchronizeStream(captured));
	}
	{
		const Stream stream;
		Gate gate;
		gate.block(stream);
		EXPECT_OK(aclrtMemcpyAsync(device.data(), kPage, area.data(), kPage,
					   ACL_MEMCPY_HOST_TO_DEVICE, stream));
		area.unmap(0, kPage);
		gate.open();
		EXPECT_FAILS(ACL_ERROR_RT_AICORE_EXCEPTION, "", aclrtSynchronizeStream(stream));
	}
	EXPECT_OK(aclmdlRIExecuteAsync(model, captured));
	EXPECT_NE(aclrtSynchronizeStream(captured), ACL_SUCCESS);
	EXPECT_OK(aclmdlRIDestroy(model));
	/* Only the registration is left. */
	EXPECT_OK(aclrtHostUnregister(area.data()));
}

/* The same in the middle of a copy, whichever thread makes it. A copy that was done by then is a good one. */
TEST_F(HostRegister, MemoryThatIsUnmappedUnderACopyIsAnError)
{
	constexpr size_t kRow = 16;
	const size_t size = size_t{16} << 20;
	const DeviceBuffer device(size);
	const DeviceBuffer first_word(sizeof(uint32_t));
	const Stream other;
	const auto first = [&] {
		EXPECT_OK(aclrtMemcpyAsync(first_word.data(), sizeof(uint32_t), device.data(),
					   sizeof(uint32_t), ACL_MEMCPY_DEVICE_TO_DEVICE, other));
		EXPECT_OK(aclrtSynchronizeStream(other));
		return first_word.load<uint32_t>()[0];
	};

	for (const char *kind : {"rows", "rows back", "bytes"}) {
		const std::string what = kind;
		const Stream stream;
		const Area area(size);
		std::memset(area.data(), what == "rows back" ? 0 : 7, size);
		EXPECT_OK(aclrtMemset(device.data(), size, what == "rows back" ? 7 : 0, size));
		EXPECT_OK(aclrtHostRegisterV2(area.data(), size, ACL_HOST_REG_MAPPED));
		if (what == "rows") {
			EXPECT_OK(aclrtMemcpy2dAsync(device.data(), kRow, area.data(), kRow,
						     kRow / 2, size / kRow,
						     ACL_MEMCPY_HOST_TO_DEVICE, stream));
			while (first() == 0)
				std::this_thread::yield();
		} else if (what == "rows back") {
			EXPECT_OK(aclrtMemcpy2dAsync(area.data(), kRow, device.data(), kRow,
						     kRow / 2, size / kRow,
						     ACL_MEMCPY_DEVICE_TO_HOST, stream));
			while (std::atomic_ref(*area.data()).load() == 0)
				EXPECT_EQ(first(), 0x07070707u);
		} else {
			EXPECT_OK(aclrtMemcpyAsync(device.data(), size, area.data(), size,
						   ACL_MEMCPY_HOST_TO_DEVICE, stream));
			while (first() == 0)
				std::this_thread::yield();
		}
		area.unmap(0, size);
		const aclError status = aclrtSynchronizeStream(stream);
		if (status != ACL_SUCCESS) {
			EXPECT_EQ(status, ACL_ERROR_RT_AICORE_EXCEPTION) << what;
		} else if (what != "rows back") {
			EXPECT_EQ(device.load<unsigned char>()[size - kRow], 7) << what;
		}
		EXPECT_OK(aclrtHostUnregister(area.data()));
	}
}

/* And under a call that copies at once. */
TEST_F(HostRegister, MemoryThatIsUnmappedUnderACallIsAnError)
{
	const size_t size = size_t{32} << 20;
	const DeviceBuffer device(size);
	const Area area(size);

	std::memset(area.data(), 7, size);
	EXPECT_OK(aclrtMemset(device.data(), size, 0, size));
	EXPECT_OK(aclrtHostRegisterV2(area.data(), size, ACL_HOST_REG_MAPPED));
	std::thread program([&] {
		EXPECT_OK(aclrtSetDevice(0));
		{
			const Stream other;
			const DeviceBuffer first(sizeof(uint32_t));
			EXPECT_OK(aclrtMemset(first.data(), sizeof(uint32_t), 0, sizeof(uint32_t)));
			while (first.load<uint32_t>()[0] == 0) {
				EXPECT_OK(aclrtMemcpyAsync(first.data(), sizeof(uint32_t),
							   device.data(), sizeof(uint32_t),
							   ACL_MEMCPY_DEVICE_TO_DEVICE, other));
				EXPECT_OK(aclrtSynchronizeStream(other));
			}
			area.unmap(0, size);
		}
		EXPECT_OK(aclrtResetDevice(0));
	});
	const aclError status = aclrtMemcpy2d(device.data(), 16, area.data(), 16, 8, size / 16,
					      ACL_MEMCPY_HOST_TO_DEVICE);
	const std::string sentence = take_message();
	program.join();
	if (status == ACL_SUCCESS) {
		EXPECT_EQ(device.load<unsigned char>()[size - 9], 7);
	} else {
		EXPECT_EQ(status, ACL_ERROR_RT_PARAM_INVALID);
		EXPECT_NE(sentence.find("src: the program has unmapped"), std::string::npos)
			<< sentence;
	}
	EXPECT_OK(aclrtHostUnregister(area.data()));
}

TEST_F(HostRegister, Check42_WhatIsRefused)
{
	const Pages pages(3);
	void *device = nullptr;

	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "registered",
		     aclrtHostUnregister(pages.data()));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "registered",
		     aclrtHostGetDevicePointer(pages.data(), &device, 0));
	EXPECT_OK(aclrtHostRegisterV2(pages.data(), 2 * kPage, ACL_HOST_REG_MAPPED));
	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "already",
		     aclrtHostRegisterV2(pages.data(), kPage, ACL_HOST_REG_MAPPED));
	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "already",
		     aclrtHostRegisterV2(pages.data() + kPage, 2 * kPage, ACL_HOST_REG_MAPPED));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag",
		     aclrtHostGetDevicePointer(pages.data(), &device, 1));
	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "registered",
		     aclrtHostUnregister(pages.data() + kPage));
	EXPECT_OK(aclrtHostUnregister(pages.data()));
	EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "registered",
		     aclrtHostUnregister(pages.data()));

	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "4096",
		     aclrtHostRegisterV2(pages.data() + 8, kPage, ACL_HOST_REG_MAPPED));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtHostRegisterV2(pages.data(), 0, ACL_HOST_REG_MAPPED));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "flag",
		     aclrtHostRegisterV2(pages.data(), kPage, ACL_HOST_REG_READONLY));
	/* Addresses that nothing is at are an error, not a fault. */
	EXPECT_FAILS(
		ACL_ERROR_RT_PARAM_INVALID, "read",
		aclrtHostRegisterV2(reinterpret_cast<void *>(kPage), kPage, ACL_HOST_REG_MAPPED));
}

TEST_F(HostRegister, Check42_PinnedMemoryStaysWhereItIs)
{
	const PinnedBuffer pinned(8 * kPage);
	const auto start = reinterpret_cast<uintptr_t>(pinned.data());
	auto *page = reinterpret_cast<char *>((start + kPage - 1) / kPage * kPage);
	void *device = nullptr;

	EXPECT_OK(aclrtHostRegisterV2(page, kPage, ACL_HOST_REG_MAPPED));
	EXPECT_OK(aclrtHostGetDevicePointer(page + 8, &device, 0));
	EXPECT_EQ(device, page + 8);
	EXPECT_OK(aclrtHostUnregister(page));
}

TEST_F(HostRegister, AcceleratorsAreReported)
{
	aclrtHostMemMapCapability capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;

	EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIC, &capability));
	EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
	EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_RDMA, &capability));
	EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		     aclrtHostMemMapCapabilities(999, ACL_RT_HAC_TYPE_AIC, &capability));
}
