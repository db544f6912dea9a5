/* SPDX-License-Identifier: MIT */
/*
 * DOC: a device query
 *
 * What programs of this kind do: ask the driver for its version and its devices, print a table of their
 * properties, and end with a verdict. It is compiled against our header, and against another one where
 * the machine has it, in C.
 */
#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

#ifndef __cuda_cuda_h__
#error "helpers for programs of the driver interface test this macro"
#endif

#define ROW_FORMAT "  %-48s "

static void check(CUresult code, const char *call)
{
	const char *name = NULL;

	if (code == CUDA_SUCCESS)
		return;
	(void)cuGetErrorName(code, &name);
	printf("%s returned %d (%s)\nResult = FAIL\n", call, (int)code, name ? name : "?");
	exit(EXIT_FAILURE);
}

#define CHECK(call) check((call), #call)

static int get(CUdevice device, CUdevice_attribute attribute)
{
	int value = 0;

	CHECK(cuDeviceGetAttribute(&value, attribute, device));
	return value;
}

struct row {
	const char *text;
	CUdevice_attribute attribute;
};

static const struct row NUMBERS[] = {
	{"Multiprocessors:", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
	{"Clock rate (kHz):", CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
	{"Memory clock rate (kHz):", CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
	{"Memory bus width (bits):", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
	{"L2 cache (bytes):", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
	{"Texture 1D, width:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH},
	{"Texture 2D, width:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH},
	{"Texture 2D, height:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT},
	{"Texture 3D, width:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH},
	{"Texture 3D, height:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT},
	{"Texture 3D, depth:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH},
	{"Layered texture 1D, width:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH},
	{"Layered texture 1D, layers:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS},
	{"Layered texture 2D, width:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH},
	{"Layered texture 2D, height:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT},
	{"Layered texture 2D, layers:", CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS},
	{"Constant memory (bytes):", CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY},
	{"Shared memory of a block (bytes):", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK},
	{"Registers of a block:", CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK},
	{"Warp size:", CU_DEVICE_ATTRIBUTE_WARP_SIZE},
	{"Threads of a multiprocessor:", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
	{"Threads of a block:", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
	{"Block, x:", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X},
	{"Block, y:", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y},
	{"Block, z:", CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z},
	{"Grid, x:", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
	{"Grid, y:", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y},
	{"Grid, z:", CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z},
	{"Texture alignment (bytes):", CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT},
	{"Surface alignment (bytes):", CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT},
	{"Pitch of a copy at most (bytes):", CU_DEVICE_ATTRIBUTE_MAX_PITCH},
	{"Copy engines:", CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT},
	{"PCI domain:", CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID},
	{"PCI bus:", CU_DEVICE_ATTRIBUTE_PCI_BUS_ID},
	{"PCI device:", CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID},
};

static const struct row ANSWERS[] = {
	{"Copies beside kernels:", CU_DEVICE_ATTRIBUTE_GPU_OVERLAP},
	{"Time limit of kernels:", CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT},
	{"Shares the host's memory:", CU_DEVICE_ATTRIBUTE_INTEGRATED},
	{"Maps host memory:", CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY},
	{"Kernels beside each other:", CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS},
	{"ECC:", CU_DEVICE_ATTRIBUTE_ECC_ENABLED},
	{"Unified addresses:", CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING},
	{"Managed memory:", CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY},
	{"Compute preemption:", CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED},
	{"Cooperative launch:", CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH},
	{"Cooperative launch on several devices:",
	 CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH},
};

static void print_device(CUdevice device)
{
	static const char *MODES[] = {"default", "exclusive", "prohibited", "exclusive process"};
	char name[256];
	size_t bytes = 0;
	CUuuid uuid;
	size_t i;

	CHECK(cuDeviceGetName(name, sizeof(name), device));
	CHECK(cuDeviceTotalMem(&bytes, device));
	CHECK(cuDeviceGetUuid(&uuid, device));
	printf("\nDevice %d: \"%s\"\n" ROW_FORMAT, (int)device, name, "Compute capability:");
	printf("%d.%d\n", get(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
	       get(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
	printf(ROW_FORMAT "%llu\n", "Memory (bytes):", (unsigned long long)bytes);
	printf(ROW_FORMAT, "UUID:");
	for (i = 0; i < sizeof(uuid.bytes); i++)
		printf("%02x", (unsigned char)uuid.bytes[i]);
	printf("\n");
	for (i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++)
		printf(ROW_FORMAT "%d\n", NUMBERS[i].text, get(device, NUMBERS[i].attribute));
	for (i = 0; i < sizeof(ANSWERS) / sizeof(ANSWERS[0]); i++)
		printf(ROW_FORMAT "%s\n", ANSWERS[i].text,
		       get(device, ANSWERS[i].attribute) ? "yes" : "no");
	printf(ROW_FORMAT "%s\n",
	       "Compute mode:", MODES[get(device, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE) & 3]);
}

static void print_peers(int count)
{
	int from, to;

	for (from = 0; from < count; from++) {
		for (to = 0; to < count; to++) {
			int reaches = 0;

			if (from == to)
				continue;
			CHECK(cuDeviceCanAccessPeer(&reaches, from, to));
			printf("Device %d reaches the memory of device %d: %s\n", from, to,
			       reaches ? "yes" : "no");
		}
	}
}

int main(void)
{
	int version = 0;
	int count = 0;
	int ordinal;

	CHECK(cuInit(0));
	CHECK(cuDriverGetVersion(&version));
	CHECK(cuDeviceGetCount(&count));
	printf("Driver version: %d.%d\nDevices: %d\n", version / 1000, version % 100 / 10, count);
	for (ordinal = 0; ordinal < count; ordinal++) {
		CUdevice device;

		CHECK(cuDeviceGet(&device, ordinal));
		print_device(device);
	}
	print_peers(count);
	printf("Result = PASS\n");
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
