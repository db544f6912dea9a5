// SPDX-License-Identifier: MIT
/**
 * DOC: Devices, contexts, streams
 *
 * What a program asks for before it works and gives back afterwards: the run mode, a device and its
 * default context, a context of its own with a stream, and what happens when the two are mixed up.
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

static void show_device()
{
	uint32_t count = 0;
	int32_t device = -1;
	size_t free_bytes = 0;
	size_t total_bytes = 0;
	aclrtRunMode mode = ACL_DEVICE;

	CHECK(aclrtGetRunMode(&mode));
	CHECK(aclrtGetDeviceCount(&count));
	CHECK(aclrtGetDevice(&device));
	CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
	std::printf("run mode: %s\n", mode == ACL_HOST ? "host" : "device");
	std::printf("device %d of %s\n", device, count >= 1 ? "at least one" : "none");
	std::printf("chip has a name: %s\n", aclrtGetSocName()[0] != '\0' ? "yes" : "no");
	std::printf("memory: %s\n", free_bytes > 0 && free_bytes <= total_bytes ? "ok" : "wrong");
}

static void fill_on(aclrtStream stream, int value)
{
	void *memory = nullptr;
	unsigned char byte = 0;
	CHECK(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
	CHECK(aclrtMemsetAsync(memory, 64, value, 64, stream));
	CHECK(aclrtSynchronizeStream(stream));
	CHECK(aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST));
	CHECK(aclrtFree(memory));
	std::printf("filled with %d\n", byte);
}

int main()
{
	aclrtContext primary = nullptr;
	aclrtContext context = nullptr;
	aclrtContext current = nullptr;
	aclrtStream stream = nullptr;
	aclrtStream own_stream = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	show_device();
	CHECK(aclrtGetCurrentContext(&primary));
	CHECK(aclrtCreateStream(&stream));
	fill_on(stream, 1);

	CHECK(aclrtCreateContext(&context, 0));
	CHECK(aclrtGetCurrentContext(&current));
	std::printf("the new context is current: %s\n", current == context ? "yes" : "no");
	CHECK(aclrtCreateStream(&own_stream));
	fill_on(own_stream, 2);

	const aclError status = aclrtRecordEvent(nullptr, stream);
	std::printf("an event that is NULL: %s\n", status != ACL_SUCCESS ? "refused" : "accepted");
	aclrtEvent event = nullptr;
	CHECK(aclrtCreateEvent(&event));
	const aclError foreign = aclrtRecordEvent(event, stream);
	std::printf("a stream of the other context: %s\n",
		    foreign == ACL_ERROR_RT_STREAM_CONTEXT ? "refused" : "accepted");
	CHECK(aclrtDestroyEvent(event));

	CHECK(aclrtDestroyStream(own_stream));
	CHECK(aclrtDestroyContext(context));
	CHECK(aclrtSetCurrentContext(primary));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	std::printf("after the reset a stream is %s\n",
		    aclrtCreateStream(&stream) == ACL_SUCCESS ? "created" : "refused");
	CHECK(aclFinalize());
	return 0;
}
