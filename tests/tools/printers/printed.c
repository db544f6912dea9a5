/* SPDX-License-Identifier: MIT */
/*
 * DOC: streams and an event for a debugger to show
 */
#include <acl/acl.h>
#include <stdio.h>

int main(void)
{
	aclrtStream none = NULL, first = NULL, second = NULL;
	aclrtEvent event = NULL;
	int32_t id = -1;

	if (aclInit(NULL) || aclrtSetDevice(0) || aclrtCreateStream(&first) ||
	    aclrtCreateStream(&second) || aclrtCreateEvent(&event) || aclrtStreamGetId(second, &id))
		return 1;
	printf("second is stream %d, %s\n", (int)id, none ? "" : "and here it stops");
	fflush(stdout);
	return aclFinalize();
}
