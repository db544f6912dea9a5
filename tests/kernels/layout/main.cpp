// SPDX-License-Identifier: MIT
/**
 * DOC: The program of both run modes
 */
#include "data_utils.h"
#include "scale_custom_tiling.h"
#ifndef ASCENDC_CPU_DEBUG
#include "acl/acl.h"
#include "aclrtlaunch_scale_custom.h"
extern void sum_custom_do(uint32_t blockDim, void *l2ctrl, void *stream, uint8_t *x, uint8_t *y,
			  uint8_t *z);
#else
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void sum_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z);
extern "C" __global__ __aicore__ void scale_custom(GM_ADDR z, ScaleCustomTilingData tiling);
#endif

int32_t main(int32_t argc, char *argv[])
{
	uint32_t blockDim = 8;
	size_t bytes = 8 * 2048 * sizeof(float);
	size_t read = 0;
	ScaleCustomTilingData tiling = {8 * 2048, 4, 2.0f, -1.0f};

#ifdef ASCENDC_CPU_DEBUG
	uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
	uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
	uint8_t *z = (uint8_t *)AscendC::GmAlloc(bytes);

	ReadFile("./input/input_x.bin", read, x, bytes);
	ReadFile("./input/input_y.bin", read, y, bytes);
	AscendC::SetKernelMode(KernelMode::AIV_MODE);
	ICPU_RUN_KF(sum_custom, blockDim, x, y, z);
	ICPU_RUN_KF(scale_custom, blockDim, z, tiling);
	WriteFile("./output/output_z.bin", z, bytes);
	AscendC::GmFree((void *)x);
	AscendC::GmFree((void *)y);
	AscendC::GmFree((void *)z);
#else
	aclrtStream stream = nullptr;
	uint8_t *xHost, *yHost, *zHost;
	uint8_t *xDevice, *yDevice, *zDevice;

	CHECK_ACL(aclInit(nullptr));
	CHECK_ACL(aclrtSetDevice(0));
	CHECK_ACL(aclrtCreateStream(&stream));
	CHECK_ACL(aclrtMallocHost((void **)(&xHost), bytes));
	CHECK_ACL(aclrtMallocHost((void **)(&yHost), bytes));
	CHECK_ACL(aclrtMallocHost((void **)(&zHost), bytes));
	CHECK_ACL(aclrtMalloc((void **)&xDevice, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK_ACL(aclrtMalloc((void **)&yDevice, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK_ACL(aclrtMalloc((void **)&zDevice, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	ReadFile("./input/input_x.bin", read, xHost, bytes);
	ReadFile("./input/input_y.bin", read, yHost, bytes);
	CHECK_ACL(aclrtMemcpy(xDevice, bytes, xHost, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
	CHECK_ACL(aclrtMemcpy(yDevice, bytes, yHost, bytes, ACL_MEMCPY_HOST_TO_DEVICE));

	sum_custom_do(blockDim, nullptr, stream, xDevice, yDevice, zDevice);
	ACLRT_LAUNCH_KERNEL(scale_custom)(blockDim, stream, zDevice, &tiling);
	CHECK_ACL(aclrtSynchronizeStream(stream));

	CHECK_ACL(aclrtMemcpy(zHost, bytes, zDevice, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
	WriteFile("./output/output_z.bin", zHost, bytes);
	CHECK_ACL(aclrtFree(xDevice));
	CHECK_ACL(aclrtFree(yDevice));
	CHECK_ACL(aclrtFree(zDevice));
	CHECK_ACL(aclrtFreeHost(xHost));
	CHECK_ACL(aclrtFreeHost(yHost));
	CHECK_ACL(aclrtFreeHost(zHost));
	CHECK_ACL(aclrtDestroyStream(stream));
	CHECK_ACL(aclrtResetDevice(0));
	CHECK_ACL(aclFinalize());
#endif
	return 0;
}
