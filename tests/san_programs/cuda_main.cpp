// SPDX-License-Identifier: MIT
/**
 * DOC: the executable of the programs of the CUDA driver interface
 */
#include "cuda.h"

static CUdevice device;

static void prepare()
{
	CUcontext context = nullptr;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuDevicePrimaryCtxRetain(&context, device));
	OK(cuCtxSetCurrent(context));
}

static void finish()
{
	OK(cuDevicePrimaryCtxRelease(device));
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
