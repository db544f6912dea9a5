// SPDX-License-Identifier: MIT
/**
 * DOC: the executable of the AscendCL programs
 */
#include "acl.h"

static void prepare()
{
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(0));
}

/* Some programs leave a stream that waits for ever. */
static void finish()
{
	OK(aclrtResetDeviceForce(0));
	OK(aclFinalize());
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
