// SPDX-License-Identifier: MIT
/*
 * DOC: registered host memory
 *
 * Check 42: memory of the program that the device reaches where it lies, with what is in it.
 */
#include "support/fixture.h"

#include <cstdlib>
#include <memory>

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

TEST_F(HostRegister, AcceleratorsAreTold)
{
	aclrtHostMemMapCapability capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;

	EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIC, &capability));
	EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_SUPPORTED);
	EXPECT_OK(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_RDMA, &capability));
	EXPECT_EQ(capability, ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId",
		     aclrtHostMemMapCapabilities(999, ACL_RT_HAC_TYPE_AIC, &capability));
}
