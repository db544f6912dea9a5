// SPDX-License-Identifier: MIT
/**
 * DOC: Errors, and how to go on after them
 *
 * Each call returns a code, and aclGetRecentErrMsg() has a sentence for each failure of the thread since it was last
 * asked. A call that is refused changes nothing, so the program can ask for less. A wait with a limit ends, and the
 * stream goes on.
 */
#include <acl/acl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call) check((call), #call)

static void check(aclError status, const char *call)
{
	if (status == ACL_SUCCESS)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::exit(1);
}

/* The sentence names the argument and the limit. */
static void tell(const char *what, aclError status)
{
	const char *why = aclGetRecentErrMsg();
	std::printf("%s: error %d, %s\n", what, status, why ? "with a sentence" : "without one");
	std::fprintf(stderr, "%s: %s\n", what, why ? why : "no sentence");
}

/* Half as much, until the device has it. The sentences of what was refused are of no use here. */
static void *take_what_there_is(size_t *bytes)
{
	void *memory = nullptr;
	aclError status = ACL_SUCCESS;
	for (;; *bytes /= 2) {
		status = aclrtMalloc(&memory, *bytes, ACL_MEM_MALLOC_HUGE_FIRST);
		if (status != ACL_ERROR_RT_MEMORY_ALLOCATION)
			break;
		(void)aclGetRecentErrMsg();
	}
	CHECK(status);
	return memory;
}

int main()
{
	const int32_t limit_ms = 100;
	size_t bytes = size_t{1} << 50;
	char text[] = "text";
	aclrtStream stream = nullptr;
	aclrtStream other = nullptr;
	aclrtEvent flag = nullptr;

	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	CHECK(aclrtCreateStream(&other));
	CHECK(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC));

	void *memory = take_what_there_is(&bytes);
	std::printf("memory: %s\n",
		    bytes < size_t{1} << 50 ? "less than was asked for first" : "all");

	/* Refused before anything is done. */
	tell("a copy that is too large",
	     aclrtMemcpy(memory, sizeof(text), text, sizeof(text) + 1, ACL_MEMCPY_HOST_TO_DEVICE));

	/* No call has recorded the flag, so the wait ends at its limit. Then the other stream records it. */
	CHECK(aclrtStreamWaitEvent(stream, flag));
	tell("a wait with a limit", aclrtSynchronizeStreamWithTimeout(stream, limit_ms));
	CHECK(aclrtRecordEvent(flag, other));
	CHECK(aclrtSynchronizeStream(stream));
	std::printf("after the record: %d\n", ACL_SUCCESS);

	CHECK(aclrtFree(memory));
	tell("a second free", aclrtFree(memory));

	CHECK(aclrtDestroyEvent(flag));
	CHECK(aclrtDestroyStream(other));
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
	return 0;
}
