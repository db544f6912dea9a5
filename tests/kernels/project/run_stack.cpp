// SPDX-License-Identifier: MIT
/**
 * DOC: Launches a kernel that writes one word of its stack: run_stack NUMBER
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

#include "aclrtlaunch_write_stack.h"

int main(int, char **argv)
{
	int32_t values[4] = {};
	void *memory = nullptr;
	aclrtStream stream = nullptr;
	if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0 ||
	    aclrtMalloc(&memory, sizeof(values), ACL_MEM_MALLOC_HUGE_FIRST) != 0)
		return 1;
	for (int i = 0; i < 3; i++) {
		if (ACLRT_LAUNCH_KERNEL(write_stack)(4, stream, memory, std::atoi(argv[1])) != 0)
			return 2;
		if (aclrtSynchronizeStream(stream) != 0) {
			std::printf("%s\n", aclGetRecentErrMsg());
			return 3;
		}
	}
	aclrtMemcpy(values, sizeof(values), memory, sizeof(values), ACL_MEMCPY_DEVICE_TO_HOST);
	std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
	aclrtFree(memory);
	aclrtDestroyStream(stream);
	aclrtResetDevice(0);
	aclFinalize();
	return 0;
}
