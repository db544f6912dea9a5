// SPDX-License-Identifier: MIT
/**
 * DOC: A pool of device memory
 *
 * A pool hands out memory in a stream's order: an allocation and a free are tasks of the stream, so a loop needs no
 * synchronization between its rounds, and each round gets the memory of the round before.
 */
#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call) check((call), #call)

static void check(aclError status, const char *call)
{
	if (status == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

static uint64_t used(aclrtMemPool pool, aclrtMemPoolAttr which)
{
	uint64_t bytes = 0;
	CHECK(aclrtMemPoolGetAttr(pool, which, &bytes));
	return bytes;
}

int main()
{
	const size_t bytes = 1 << 20;
	aclrtMemPoolProps properties = {};
	aclrtMemPool pool = nullptr;
	aclrtStream stream = nullptr;
	void *before = nullptr;
	int reused = 0;
	unsigned char last = 0;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	properties.location.id = 0;
	CHECK(aclrtMemPoolCreate(&pool, &properties));

	for (int round = 0; round < 8; round++) {
		void *memory = nullptr;
		CHECK(aclrtMemPoolMallocAsync(&memory, bytes, pool, stream));
		CHECK(aclrtMemsetAsync(memory, bytes, round, bytes, stream));
		CHECK(aclrtMemcpyAsync(&last, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST, stream));
		CHECK(aclrtMemPoolFreeAsync(memory, stream));
		reused += memory == before;
		before = memory;
	}
	CHECK(aclrtSynchronizeStream(stream));
	std::printf("the last round wrote %d\n", last);
	std::printf("rounds that got the memory of the round before: %d\n", reused);
	std::printf("used now: %zu, at most: %zu\n",
		    static_cast<size_t>(used(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT)),
		    static_cast<size_t>(used(pool, ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH)));

	/* What a pool keeps for later allocations goes back to the device. */
	CHECK(aclrtMemPoolTrimTo(pool, 0));
	std::printf("kept after the trim: %zu\n",
		    static_cast<size_t>(used(pool, ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT)));

	CHECK(aclrtMemPoolDestroy(pool));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
