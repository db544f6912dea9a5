// SPDX-License-Identifier: MIT
/*
 * DOC: managed memory
 *
 * Check 45: one address for host and device, and hints that can be asked for.
 */
#include "support/fixture.h"

using namespace conformance;

namespace {

using Managed = DeviceTest;

constexpr size_t kUnit = size_t{2} << 20;

char *allocate(size_t size)
{
	void *pointer = nullptr;

	EXPECT_OK(aclrtMemAllocManaged(&pointer, size, ACL_RT_MEM_ATTACH_GLOBAL));
	return static_cast<char *>(pointer);
}

int32_t ask(aclrtMemManagedRangeAttribute attribute, const void *pointer, size_t size)
{
	int32_t value = 77;

	EXPECT_OK(aclrtMemManagedGetAttr(attribute, pointer, size, &value, sizeof(value)));
	return value;
}

} // namespace

TEST_F(Managed, Check45_HostAndDeviceUseOneAddress)
{
	char *shared = allocate(100);
	const DeviceBuffer device(64);
	aclrtPtrAttributes attributes = {};

	ASSERT_NE(shared, nullptr);
	std::memset(shared, 3, kUnit);
	EXPECT_OK(aclrtMemcpyAsync(device.data(), 64, shared, 64, ACL_MEMCPY_DEVICE_TO_DEVICE,
				   nullptr));
	EXPECT_OK(aclrtMemsetAsync(shared, 64, 5, 64, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_TRUE(holds(device, 3));
	EXPECT_EQ(shared[63], 5);
	EXPECT_EQ(shared[64], 3);
	EXPECT_OK(aclrtPointerGetAttributes(shared, &attributes));
	EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_MANAGED);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFreeHost(shared));
	EXPECT_OK(aclrtFree(shared));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(shared));
}

TEST_F(Managed, Check45_ArgumentsThatAreRefused)
{
	void *pointer = nullptr;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flag", aclrtMemAllocManaged(&pointer, kUnit, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMemAllocManaged(&pointer, 0, ACL_RT_MEM_ATTACH_GLOBAL));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "managed",
		     aclrtMemAllocManaged(&pointer, UINT64_MAX, ACL_RT_MEM_ATTACH_GLOBAL));
}

TEST_F(Managed, Check45_HintsReadBack)
{
	char *shared = allocate(2 * kUnit);
	const aclrtMemManagedLocation device = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
	const aclrtMemManagedLocation host = {ACL_MEM_LOCATIONTYPE_HOST, 0};
	const aclrtMemManagedLocation nowhere = {ACL_MEM_LOCATIONTYPE_INVALID, 0};
	int32_t users[3] = {};

	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, shared, kUnit), 0);
	EXPECT_OK(aclrtMemManagedAdvise(shared, kUnit, ACL_MEM_ADVISE_SET_READ_MOSTLY, nowhere));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, shared, kUnit), 1);
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, shared, 2 * kUnit), 0);

	EXPECT_OK(aclrtMemManagedAdvise(shared, 2 * kUnit, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION,
					device));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, shared, 2 * kUnit), 0);
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, shared, 2 * kUnit),
		  ACL_MEM_LOCATIONTYPE_DEVICE);
	EXPECT_OK(
		aclrtMemManagedAdvise(shared, kUnit, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, shared, 2 * kUnit),
		  ACL_MEM_LOCATIONTYPE_INVALID);
	EXPECT_OK(aclrtMemManagedAdvise(shared, kUnit, ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
					nowhere));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, shared, kUnit), -2);

	EXPECT_OK(aclrtMemManagedAdvise(shared, kUnit, ACL_MEM_ADVISE_SET_ACCESSED_BY, device));
	EXPECT_OK(aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, shared, kUnit, users,
					 sizeof(users)));
	EXPECT_EQ(users[0], 0);
	EXPECT_EQ(users[1], -2);

	EXPECT_OK(aclrtMemManagedPrefetchAsync(shared, kUnit, host, 0, nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, shared, kUnit), -1);
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, shared, 2 * kUnit), -2);

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMemManagedPrefetchAsync(shared, 100, host, 0, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "flags",
		     aclrtMemManagedPrefetchAsync(shared, kUnit, host, 1, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "managed",
		     aclrtMemManagedPrefetchAsync(shared, 3 * kUnit, host, 0, nullptr));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "location",
		     aclrtMemManagedAdvise(shared, kUnit, ACL_MEM_ADVISE_SET_ACCESSED_BY, nowhere));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "dataSize",
		     aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, shared, kUnit,
					    users, 3));
	EXPECT_OK(aclrtFree(shared));
}

TEST_F(Managed, Check45_BatchesGoToTheirPlaces)
{
	char *shared = allocate(3 * kUnit);
	const void *ranges[] = {shared, shared + kUnit, shared + 2 * kUnit};
	size_t sizes[] = {kUnit, kUnit, kUnit};
	aclrtMemManagedLocation places[] = {{ACL_MEM_LOCATIONTYPE_DEVICE, 0},
					    {ACL_MEM_LOCATIONTYPE_HOST, 0}};
	size_t indexes[] = {0, 2};
	size_t falling[] = {1, 0};

	EXPECT_OK(aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, places, indexes, 2, 0,
						    nullptr));
	EXPECT_OK(aclrtSynchronizeStream(nullptr));
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, shared, 2 * kUnit), 0);
	EXPECT_EQ(ask(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, shared + 2 * kUnit, kUnit),
		  -1);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "prefetchLocIdxs",
		     aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 3, places, falling, 2, 0,
						       nullptr));
	EXPECT_OK(aclrtFree(shared));
}
