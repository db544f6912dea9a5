// SPDX-License-Identifier: MIT
/**
 * DOC: Waiting for a device
 *
 * Four streams, the default one among them, get work; one call waits for all of it.
 */
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call) check((call), #call)

static const int STREAMS = 4;

static void check(aclError status, const char *call)
{
	if (status == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

static void report(int number, aclrtStream stream, const void *memory, size_t bytes)
{
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	CHECK(aclrtStreamQuery(stream, &status));

	unsigned char ends[2] = {};
	const char *start = static_cast<const char *>(memory);
	CHECK(aclrtMemcpy(&ends[0], 1, start, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	CHECK(aclrtMemcpy(&ends[1], 1, start + bytes - 1, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	std::printf("stream %d: %s, first byte %d, last byte %d\n", number,
		    status == ACL_STREAM_STATUS_COMPLETE ? "complete" : "busy", ends[0], ends[1]);
}

int main()
{
	const size_t bytes = 2 << 20;
	aclrtStream streams[STREAMS] = {}; /* the first stays NULL: the default stream */
	void *memory[STREAMS] = {};

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	for (int i = 0; i < STREAMS; i++) {
		if (i > 0)
			CHECK(aclrtCreateStream(&streams[i]));
		CHECK(aclrtMalloc(&memory[i], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
		CHECK(aclrtMemsetAsync(memory[i], bytes, 100 + i, bytes, streams[i]));
	}

	CHECK(aclrtSynchronizeDevice());
	for (int i = 0; i < STREAMS; i++)
		report(i, streams[i], memory[i], bytes);

	for (int i = 0; i < STREAMS; i++) {
		CHECK(aclrtFree(memory[i]));
		if (streams[i])
			CHECK(aclrtDestroyStream(streams[i]));
	}
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
