// SPDX-License-Identifier: MIT
/**
 * DOC: Two devices
 *
 * Each device has a thread, a stream and memory. Device 1 reads the memory of device 0 when an event says that it is
 * filled.
 *
 *	UNPU_DEVICE=sim:devices=2 two_devices
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

int main()
{
	const size_t bytes = 1 << 20;
	uint32_t count = 0;
	int32_t reaches = 0;
	unsigned char last = 0;
	void *first = nullptr;
	void *second = nullptr;
	aclrtStream streams[2] = {};
	aclrtEvent filled = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtGetDeviceCount(&count));
	if (count < 2) {
		std::fprintf(stderr, "there is one device; set UNPU_DEVICE=sim:devices=2\n");
		return 1;
	}
	CHECK(aclrtDeviceCanAccessPeer(&reaches, 1, 0));
	std::printf("device 1 can reach the memory of device 0: %s\n", reaches ? "yes" : "no");

	/* A call works on the device that the thread chose last. */
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&streams[0]));
	CHECK(aclrtCreateEventExWithFlag(&filled, ACL_EVENT_SYNC));
	CHECK(aclrtMalloc(&first, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemsetAsync(first, bytes, 0x5a, bytes, streams[0]));
	CHECK(aclrtRecordEvent(filled, streams[0]));

	CHECK(aclrtSetDevice(1));
	CHECK(aclrtDeviceEnablePeerAccess(0, 0));
	CHECK(aclrtCreateStream(&streams[1]));
	CHECK(aclrtMalloc(&second, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtStreamWaitEvent(streams[1], filled));
	CHECK(aclrtMemcpyAsync(second, bytes, first, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
			       streams[1]));
	CHECK(aclrtSynchronizeStream(streams[1]));
	CHECK(aclrtMemcpy(&last, 1, static_cast<char *>(second) + bytes - 1, 1,
			  ACL_MEMCPY_DEVICE_TO_HOST));
	std::printf("the last byte on device 1: 0x%02x\n", last);

	CHECK(aclrtFree(second));
	CHECK(aclrtDestroyStream(streams[1]));
	CHECK(aclrtResetDevice(1));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtFree(first));
	CHECK(aclrtDestroyEvent(filled));
	CHECK(aclrtDestroyStream(streams[0]));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
