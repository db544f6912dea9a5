// SPDX-License-Identifier: MIT
/**
 * DOC: Order within a stream
 *
 * Three tasks on one stream need nothing between them: the copy to the device, the change there and
 * the copy back run in the order they were given. Pinned memory keeps the copies asynchronous.
 */
#include <acl/acl.h>

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

static void print(const char *name, const int32_t *values, size_t count)
{
	std::printf("%s:", name);
	for (size_t i = 0; i < count; i++)
		std::printf(" %d", values[i]);
	std::printf("\n");
}

int main()
{
	const size_t count = 8;
	const size_t bytes = count * sizeof(int32_t);
	aclrtStream stream = nullptr;
	void *device = nullptr;
	void *to_device = nullptr;
	void *from_device = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMallocHost(&to_device, bytes));
	CHECK(aclrtMallocHost(&from_device, bytes));

	auto *sent = static_cast<int32_t *>(to_device);
	auto *received = static_cast<int32_t *>(from_device);
	for (size_t i = 0; i < count; i++) {
		sent[i] = static_cast<int32_t>(i * i);
		received[i] = 0;
	}

	/* The second half becomes -1 on its way: every byte of it is 0xff. */
	CHECK(aclrtMemcpyAsync(device, bytes, sent, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
	CHECK(aclrtMemsetAsync(static_cast<char *>(device) + bytes / 2, bytes / 2, 0xff, bytes / 2,
			       stream));
	CHECK(aclrtMemcpyAsync(received, bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
	CHECK(aclrtSynchronizeStream(stream));

	print("sent", sent, count);
	print("received", received, count);

	CHECK(aclrtFreeHost(from_device));
	CHECK(aclrtFreeHost(to_device));
	CHECK(aclrtFree(device));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
