// SPDX-License-Identifier: MIT
/**
 * DOC: Waiting for an event
 *
 * A stream gets work between two events. The program waits for the second event alone and then knows
 * that the work is done and how long it took.
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

static const char *completion(aclrtEvent event)
{
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
	CHECK(aclrtQueryEventStatus(event, &status));
	return status == ACL_EVENT_RECORDED_STATUS_COMPLETE ? "complete" : "not ready";
}

int main()
{
	const size_t bytes = 4 << 20;
	aclrtStream stream = nullptr;
	aclrtEvent before = nullptr;
	aclrtEvent after = nullptr;
	void *memory = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtCreateEvent(&before));
	CHECK(aclrtCreateEvent(&after));
	CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));

	CHECK(aclrtRecordEvent(before, stream));
	CHECK(aclrtMemsetAsync(memory, bytes, 0x5a, bytes, stream));
	CHECK(aclrtRecordEvent(after, stream));
	CHECK(aclrtSynchronizeEvent(after));
	std::printf("before is %s, after is %s\n", completion(before), completion(after));

	float elapsed_ms = -1;
	CHECK(aclrtEventElapsedTime(&elapsed_ms, before, after));
	std::printf("elapsed time: %s\n", elapsed_ms >= 0 ? "ok" : "wrong");

	unsigned char last = 0;
	CHECK(aclrtMemcpy(&last, 1, static_cast<char *>(memory) + bytes - 1, 1,
			  ACL_MEMCPY_DEVICE_TO_HOST));
	std::printf("last byte: 0x%02x\n", last);

	CHECK(aclrtFree(memory));
	CHECK(aclrtDestroyEvent(after));
	CHECK(aclrtDestroyEvent(before));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
