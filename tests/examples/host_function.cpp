// SPDX-License-Identifier: MIT
/*
 * DOC: A program with a host function
 *
 * As users have it: a variable that the program and a host function change in turns, and copies of ordinary memory.
 * With the argument "race", two threads of the program change a variable without order.
 */
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include <acl/acl.h>

namespace {

int shared = 0;

void add(void *number)
{
	shared += *static_cast<int *>(number);
}

void race()
{
	int raced = 0;
	std::thread other([&] { raced++; });
	raced++;
	other.join();
	std::printf("raced %d\n", raced);
}

} // namespace

int main(int count, char **words)
{
	aclInit(nullptr);
	aclrtSetDevice(0);
	aclrtStream stream = nullptr;
	aclrtCreateStream(&stream);
	void *device = nullptr;
	std::vector<int> from(1024, 3), to(1024);
	const size_t bytes = from.size() * sizeof(int);
	aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_NORMAL_ONLY);
	aclrtMemcpyAsync(device, bytes, from.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream);
	int five = 5;
	for (int i = 0; i < 3; i++) {
		shared++;
		aclrtLaunchHostFunc(stream, add, &five);
		aclrtSynchronizeStream(stream);
	}
	aclrtMemcpyAsync(to.data(), bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream);
	aclrtSynchronizeStream(stream);
	std::printf("%d %d\n", shared, to[7]);
	if (count > 1 && std::strcmp(words[1], "race") == 0)
		race();
	aclrtDestroyStream(stream);
	aclrtFree(device);
	aclrtResetDevice(0);
	return aclFinalize();
}
