// SPDX-License-Identifier: MIT
/**
 * DOC: Mistakes
 *
 * mistakes NAME makes one mistake that programs make. mistakes.tsv has the sentence with which the libraries name it.
 */
#include "mistakes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

bool tell(const char *call, aclError status)
{
	const char *why = status == ACL_SUCCESS ? nullptr : aclGetRecentErrMsg();

	if (status == ACL_SUCCESS)
		return false;
	std::printf("%s: error %d: %s\n", call, status, why ? why : "no sentence");
	std::fflush(stdout);
	return true;
}

void need(const char *call, aclError status)
{
	if (tell(call, status))
		std::exit(3);
}

void begin()
{
	NEED(aclInit(nullptr));
	NEED(aclrtSetDevice(0));
}

aclrtStream make_stream()
{
	aclrtStream stream = nullptr;

	NEED(aclrtCreateStream(&stream));
	return stream;
}

void *make_memory(size_t bytes)
{
	void *memory = nullptr;

	NEED(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	return memory;
}

int main(int argc, char **argv)
{
	const Mistake *const lists[] = {memory_mistakes, stream_mistakes, wait_mistakes,
					other_mistakes,	 model_mistakes,  picture_mistakes};

	for (const Mistake *list : lists) {
		for (const Mistake *each = list; each->name; ++each) {
			if (argc == 1)
				std::puts(each->name);
			if (argc == 2 && std::strcmp(each->name, argv[1]) == 0) {
				each->run();
				return 0;
			}
		}
	}
	return argc == 1 ? 0 : 2;
}
