// SPDX-License-Identifier: MIT
/*
 * DOC: pools of memory
 *
 * Check 46: memory that is allocated and given back in the order of a stream.
 */
#include "support/fixture.h"

#include "acl/acl_rt_memory_soma.h"

using namespace conformance;

namespace {

using Pools = DeviceTest;

constexpr size_t kMiB = size_t{1} << 20;

aclrtMemPoolProps properties(size_t most = 0)
{
	aclrtMemPoolProps props = {};

	props.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	props.maxSize = most;
	return props;
}

class Pool {
public:
	explicit Pool(size_t most = 0)
	{
		const aclrtMemPoolProps props = properties(most);
		EXPECT_OK(aclrtMemPoolCreate(&handle_, &props));
	}
	~Pool() { EXPECT_OK(aclrtMemPoolDestroy(handle_)); }
	Pool(const Pool &) = delete;
	Pool &operator=(const Pool &) = delete;

	operator aclrtMemPool() const { return handle_; }

	void *take(size_t size, aclrtStream stream) const
	{
		void *pointer = nullptr;
		EXPECT_OK(aclrtMemPoolMallocAsync(&pointer, size, handle_, stream));
		return pointer;
	}

	uint64_t ask(aclrtMemPoolAttr attr) const
	{
		uint64_t value = 99;
		EXPECT_OK(aclrtMemPoolGetAttr(handle_, attr, &value));
		return value;
	}

	void set(aclrtMemPoolAttr attr, uint64_t value) const
	{
		EXPECT_OK(aclrtMemPoolSetAttr(handle_, attr, &value));
	}

private:
	aclrtMemPool handle_ = nullptr;
};

} // namespace

TEST_F(Pools, Check46_AStreamGetsBackWhatItGave)
{
	const Pool pool;
	const Stream stream;
	const Stream other;

	pool.set(ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX);
	void *first = pool.take(kMiB, stream);
	EXPECT_OK(aclrtMemsetAsync(first, kMiB, 1, kMiB, stream));
	EXPECT_OK(aclrtMemPoolFreeAsync(first, stream));
	EXPECT_EQ(pool.take(kMiB, stream), first);
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), kMiB);
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), kMiB);
	EXPECT_OK(aclrtMemPoolFreeAsync(first, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_EQ(pool.take(kMiB, other), first);
	EXPECT_OK(aclrtMemPoolFreeAsync(first, other));
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT), 0u);
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH), kMiB);

	EXPECT_OK(aclrtMemPoolTrimTo(pool, 0));
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0u);
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), kMiB);
	pool.set(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH, 0);
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH), 0u);
}

TEST_F(Pools, Check46_AnotherStreamWaitsForTheOneThatGave)
{
	const Pool pool;
	const Stream stream;
	const Stream other;
	Gate gate;

	void *block = pool.take(kMiB, stream);
	gate.block(stream);
	EXPECT_OK(aclrtMemsetAsync(block, kMiB, 1, kMiB, stream));
	EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
	ASSERT_EQ(pool.take(kMiB, other), block);
	EXPECT_OK(aclrtMemsetAsync(block, kMiB, 2, kMiB, other));
	turn_device();
	EXPECT_EQ(query(other), ACL_STREAM_STATUS_NOT_READY);
	gate.open();
	EXPECT_OK(aclrtSynchronizeStream(other));
	char byte = 0;
	EXPECT_OK(aclrtMemcpy(&byte, 1, block, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	EXPECT_EQ(byte, 2);
	EXPECT_OK(aclrtMemPoolFreeAsync(block, other));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Pools, Check46_WithoutThePolicyItGetsAnotherBlock)
{
	const Pool pool;
	const Stream stream;
	const Stream other;
	int none = 0;
	int told = 9;
	Gate gate;

	EXPECT_OK(aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
				      &none));
	EXPECT_OK(aclrtMemPoolGetAttr(pool, ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
				      &told));
	EXPECT_EQ(told, 0);
	void *block = pool.take(kMiB, stream);
	gate.block(stream);
	EXPECT_OK(aclrtMemsetAsync(block, kMiB, 1, kMiB, stream));
	EXPECT_OK(aclrtMemPoolFreeAsync(block, stream));
	void *fresh = pool.take(kMiB, other);
	EXPECT_NE(fresh, block);
	gate.open();
	EXPECT_OK(aclrtMemPoolFreeAsync(fresh, other));
	EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(Pools, Check46_ASynchronisationTrimsToTheThreshold)
{
	const Pool pool;
	const Stream stream;

	pool.set(ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, kMiB);
	void *small = pool.take(kMiB, stream);
	void *large = pool.take(4 * kMiB, stream);
	EXPECT_OK(aclrtMemPoolFreeAsync(small, stream));
	EXPECT_OK(aclrtMemPoolFreeAsync(large, stream));
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 5 * kMiB);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	EXPECT_LE(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), kMiB);
	pool.set(ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, 0);
	EXPECT_OK(aclrtSynchronizeDevice());
	EXPECT_EQ(pool.ask(ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT), 0u);
}

TEST_F(Pools, Check46_WhatIsRefused)
{
	const Pool pool(2 * kMiB);
	const Stream stream;
	aclrtMemPoolProps props = properties();
	aclrtMemPool none = nullptr;
	void *pointer = nullptr;
	uint64_t number = 5;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "stream",
		     aclrtMemPoolMallocAsync(&pointer, 64, pool, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "size",
		     aclrtMemPoolMallocAsync(&pointer, 0, pool, stream));
	EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, "pool",
		     aclrtMemPoolMallocAsync(&pointer, 3 * kMiB, pool, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "memPool",
		     aclrtMemPoolMallocAsync(&pointer, 64, stream, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "attr",
		     aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT, &number));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "attr",
		     aclrtMemPoolSetAttr(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH, &number));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "attr",
		     aclrtMemPoolGetAttr(pool, raw_enum<aclrtMemPoolAttr>(9), &number));

	pointer = pool.take(kMiB, stream);
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "in use", aclrtMemPoolDestroy(pool));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "", aclrtFree(pointer));
	EXPECT_OK(aclrtMemPoolFreeAsync(pointer, stream));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "given back",
		     aclrtMemPoolFreeAsync(pointer, stream));
	EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, "memPool", aclrtMemPoolDestroy(stream));
	props.reserved[3] = 1;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "reserved", aclrtMemPoolCreate(&none, &props));
	props = properties();
	props.location.type = ACL_MEM_LOCATION_TYPE_HOST;
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "location", aclrtMemPoolCreate(&none, &props));
}
