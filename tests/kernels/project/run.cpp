// SPDX-License-Identifier: MIT
/**
 * DOC: Launches the kernel of each library: run FATBIN
 */
#include <cstdint>
#include <cstdio>

#include "acl/acl.h"

#include "aclrtlaunch_fill_object.h"
#include "aclrtlaunch_fill_shared.h"

template <typename T> static T first(const void *memory)
{
	T value{};
	aclrtMemcpy(&value, sizeof(T), memory, sizeof(T), ACL_MEMCPY_DEVICE_TO_HOST);
	return value;
}

int main(int, char **argv)
{
	aclrtStream stream = nullptr;
	aclrtBinHandle binary = nullptr;
	aclrtFuncHandle function = nullptr;
	void *memory[3];
	if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0)
		return 1;
	for (void *&part : memory)
		if (aclrtMalloc(&part, 32, ACL_MEM_MALLOC_HUGE_FIRST) != 0)
			return 1;
	if (aclrtBinaryLoadFromFile(argv[1], nullptr, &binary) != 0 ||
	    aclrtBinaryGetFunction(binary, "fill_fatbin", &function) != 0)
		return 2;
	if (ACLRT_LAUNCH_KERNEL(fill_shared)(1, stream, memory[0]) != 0 ||
	    ACLRT_LAUNCH_KERNEL(fill_object)(1, stream, memory[1]) != 0 ||
	    aclrtLaunchKernelWithHostArgs(function, 1, stream, nullptr, &memory[2], sizeof(void *),
					  nullptr, 0) != 0 ||
	    aclrtSynchronizeStream(stream) != 0)
		return 3;
	std::printf("shared: %d, object: %g, fatbin: %d\n", first<int32_t>(memory[0]),
		    double(first<float>(memory[1])), first<int16_t>(memory[2]));
	aclrtBinaryUnLoad(binary);
	aclrtDestroyStream(stream);
	aclrtResetDevice(0);
	aclFinalize();
	return 0;
}
