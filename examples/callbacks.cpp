// SPDX-License-Identifier: MIT
/**
 * DOC: Functions of the program in a stream's order
 *
 * aclrtLaunchHostFunc() runs a function on a thread of the library. aclrtLaunchCallback() runs it on a thread of the
 * program, which subscribes and waits in aclrtProcessReport(). Neither kind of function may wait for the device.
 */
#include <acl/acl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

#define CHECK(call) check((call), #call)

static void check(aclError status, const char *call)
{
	if (status == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

/* What a function gets: it has to live until the function has run. */
struct Report {
	const char *who;
	const int *value;
	int seen;
};

static void look(void *data)
{
	auto *report = static_cast<Report *>(data);
	report->seen = *report->value;
}

/* The thread that runs callbacks. It is known by its id before a stream subscribes to it. */
static void serve(std::promise<uint64_t> id, std::future<void> subscribed,
		  const std::atomic<bool> &ends)
{
	id.set_value(static_cast<uint64_t>(pthread_self()));
	subscribed.wait();
	while (!ends) {
		const aclError status = aclrtProcessReport(100);
		if (status != ACL_ERROR_RT_REPORT_TIMEOUT)
			CHECK(status);
	}
}

int main()
{
	aclrtStream own = nullptr;
	aclrtStream subscribed = nullptr;
	void *device = nullptr;
	void *host = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&own));
	CHECK(aclrtCreateStream(&subscribed));
	CHECK(aclrtMalloc(&device, sizeof(int), ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMallocHost(&host, sizeof(int)));
	auto *value = static_cast<int *>(host);
	*value = 0;

	/* The function runs between the two copies, and the stream waits for its return. */
	Report first = {"host function", value, -1};
	CHECK(aclrtMemsetAsync(device, sizeof(int), 1, sizeof(int), own));
	CHECK(aclrtMemcpyAsync(value, sizeof(int), device, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST,
			       own));
	CHECK(aclrtLaunchHostFunc(own, look, &first));
	CHECK(aclrtMemsetAsync(device, sizeof(int), 2, sizeof(int), own));
	CHECK(aclrtMemcpyAsync(value, sizeof(int), device, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST,
			       own));
	CHECK(aclrtSynchronizeStream(own));
	std::printf("%s saw 0x%08x, at the end it is 0x%08x\n", first.who,
		    static_cast<unsigned>(first.seen), static_cast<unsigned>(*value));

	/* The same with a thread of the program. ACL_CALLBACK_BLOCK makes the stream wait for the function. */
	std::promise<uint64_t> promised_id;
	std::promise<void> has_subscribed;
	std::atomic<bool> ends = false;
	std::future<uint64_t> future_id = promised_id.get_future();
	std::thread thread(serve, std::move(promised_id), has_subscribed.get_future(),
			   std::cref(ends));
	const uint64_t id = future_id.get();
	CHECK(aclrtSubscribeReport(id, subscribed));
	has_subscribed.set_value();
	Report second = {"callback", value, -1};
	CHECK(aclrtMemsetAsync(device, sizeof(int), 3, sizeof(int), subscribed));
	CHECK(aclrtMemcpyAsync(value, sizeof(int), device, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST,
			       subscribed));
	CHECK(aclrtLaunchCallback(look, &second, ACL_CALLBACK_BLOCK, subscribed));
	CHECK(aclrtSynchronizeStream(subscribed));
	std::printf("%s saw 0x%08x\n", second.who, static_cast<unsigned>(second.seen));
	ends = true;
	thread.join();
	CHECK(aclrtUnSubscribeReport(id, subscribed));

	CHECK(aclrtFreeHost(host));
	CHECK(aclrtFree(device));
	CHECK(aclrtDestroyStream(subscribed));
	CHECK(aclrtDestroyStream(own));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
