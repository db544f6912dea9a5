// SPDX-License-Identifier: MIT
/**
 * DOC: Client
 *
 * The program whose calls are timed. It uses the library as any program does, and checks the result
 * of every call inside the timed part, as a real program would.
 */
#include "client.h"

#include <cstdio>
#include <cstdlib>

namespace bench {

void check(int status, const char *call)
{
	if (status == 0) [[likely]]
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "latency: %s: error %d: %s\n", call, status, why ? why : "");
	std::exit(1);
}

void Client::open()
{
	CHECK(aclInit(nullptr));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&first));
	CHECK(aclrtCreateStream(&second));
	CHECK(aclrtMalloc(&scratch, SCRATCH_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(aclrtMemset(scratch, SCRATCH_BYTES, 0, SCRATCH_BYTES));
}

void Client::close()
{
	CHECK(aclrtFree(scratch));
	CHECK(aclrtDestroyStream(second));
	CHECK(aclrtDestroyStream(first));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
}

void Client::task(aclrtStream stream) const
{
	CHECK(aclrtMemsetAsync(scratch, TASK_BYTES, 0, TASK_BYTES, stream));
}

void Client::sync(aclrtStream stream)
{
	CHECK(aclrtSynchronizeStream(stream));
}

} // namespace bench
