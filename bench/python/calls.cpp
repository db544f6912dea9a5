// SPDX-License-Identifier: MIT
/*
 * DOC: What the calls of bench/python/calls.py cost in C
 *
 * Prints a line "NAME NANOSECONDS" for each call, the best of several rounds. The script runs it and compares.
 */
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

#include "acl/acl.h"

namespace {

constexpr int ROUNDS = 200;
constexpr size_t BYTES = 4096;

double now_ns()
{
	timespec time{};
	clock_gettime(CLOCK_MONOTONIC, &time);
	return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/* The best time of one call, of ROUNDS rounds of @calls calls each. */
template <class Function> void measure(const char *name, int calls, const Function &function)
{
	double best = 1e18;
	for (int round = 0; round < ROUNDS; round++) {
		const double begin = now_ns();
		for (int i = 0; i < calls; i++)
			function();
		best = std::min(best, (now_ns() - begin) / calls);
	}
	printf("%s %.1f\n", name, best);
}

} // namespace

int main()
{
	void *device = nullptr;
	void *host = nullptr;
	aclrtStream stream = nullptr;
	aclrtContext context = nullptr;
	aclrtEvent event = nullptr;
	if (aclInit(nullptr) || aclrtSetDevice(0) ||
	    aclrtMalloc(&device, BYTES, ACL_MEM_MALLOC_HUGE_FIRST) ||
	    aclrtMallocHost(&host, BYTES) || aclrtCreateStream(&stream) ||
	    aclrtGetCurrentContext(&context) || aclrtCreateEvent(&event) ||
	    aclrtRecordEvent(event, stream) || aclrtSynchronizeStream(stream)) {
		fprintf(stderr, "%s\n", aclGetRecentErrMsg());
		return 1;
	}
	aclDataBuffer *buffer = aclCreateDataBuffer(device, BYTES);
	constexpr int CALLS = 10000;
	measure("get_data_buffer_addr", CALLS, [&] { return aclGetDataBufferAddr(buffer); });
	measure("get_device", CALLS, [&] {
		int32_t number = 0;
		return aclrtGetDevice(&number);
	});
	measure("get_context", CALLS, [&] {
		aclrtContext found = nullptr;
		return aclrtGetCurrentContext(&found);
	});
	measure("set_context", CALLS, [&] { return aclrtSetCurrentContext(context); });
	measure("query_event_status", CALLS, [&] {
		aclrtEventRecordedStatus status{};
		return aclrtQueryEventStatus(event, &status);
	});
	measure("stream_query", CALLS, [&] {
		aclrtStreamStatus status{};
		return aclrtStreamQuery(stream, &status);
	});
	measure("memcpy_8", CALLS, [&] {
		return aclrtMemcpy(host, 8, static_cast<char *>(host) + 64, 8,
				   ACL_MEMCPY_HOST_TO_HOST);
	});
	aclDestroyDataBuffer(buffer);
	return aclFinalize();
}
