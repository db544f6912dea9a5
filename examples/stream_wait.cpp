// SPDX-License-Identifier: MIT
/**
 * DOC: One stream waits for another
 *
 * The producer overwrites a buffer many times; the consumer copies it. The event between them is all
 * that makes the consumer see the last value and no earlier one; the host waits only at the end.
 */
#include <acl/acl.h>

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

static size_t count_equal(const unsigned char *data, size_t bytes, unsigned char value)
{
	size_t equal = 0;
	for (size_t i = 0; i < bytes; i++)
		equal += data[i] == value;
	return equal;
}

int main()
{
	const size_t bytes = 1 << 20;
	const int rounds = 40;
	aclrtStream producer = nullptr;
	aclrtStream consumer = nullptr;
	aclrtEvent produced = nullptr;
	void *source = nullptr;
	void *copy = nullptr;
	void *result = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&producer));
	CHECK(aclrtCreateStream(&consumer));
	CHECK(aclrtCreateEventExWithFlag(&produced, ACL_EVENT_SYNC));
	CHECK(aclrtMalloc(&source, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMalloc(&copy, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMallocHost(&result, bytes));

	for (int value = 1; value <= rounds; value++)
		CHECK(aclrtMemsetAsync(source, bytes, value, bytes, producer));
	CHECK(aclrtRecordEvent(produced, producer));

	CHECK(aclrtStreamWaitEvent(consumer, produced));
	CHECK(aclrtMemcpyAsync(copy, bytes, source, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, consumer));
	CHECK(aclrtMemcpyAsync(result, bytes, copy, bytes, ACL_MEMCPY_DEVICE_TO_HOST, consumer));
	CHECK(aclrtSynchronizeStream(consumer));

	const size_t equal = count_equal(static_cast<unsigned char *>(result), bytes, rounds);
	std::printf("%zu of %zu bytes are %d\n", equal, bytes, rounds);

	/* The consumer can only be done after the producer. */
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	CHECK(aclrtStreamQuery(producer, &status));
	std::printf("producer: %s\n", status == ACL_STREAM_STATUS_COMPLETE ? "complete" : "busy");

	CHECK(aclrtFreeHost(result));
	CHECK(aclrtFree(copy));
	CHECK(aclrtFree(source));
	CHECK(aclrtDestroyEvent(produced));
	CHECK(aclrtDestroyStream(consumer));
	CHECK(aclrtDestroyStream(producer));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
