// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels on the device
 *
 * Launches add() by its generated function, and sum_rows() by the function that launches it with <<<>>>.
 */
#include <cstdio>
#include <vector>

#include "acl/acl.h"

#include "add_tiling.h"

#include "aclrtlaunch_add.h"

static constexpr uint32_t BLOCKS = 8;
static constexpr uint32_t ELEMENTS = BLOCKS * 2048;

int launch_sums(uint32_t rows, void *stream, void *in, void *out, uint64_t columns);

static bool is_right(const std::vector<uint16_t> &z)
{
	for (const uint16_t value : z)
		if (value != 0x4200) // 1 + 2 in half
			return false;
	return true;
}

int main()
{
	const size_t bytes = ELEMENTS * sizeof(uint16_t);
	std::vector<uint16_t> x(ELEMENTS, 0x3c00), y(ELEMENTS, 0x4000), z(ELEMENTS);
	std::vector<float> rows(4 * 64, 0.5f), sums(4);
	void *device[5];
	aclrtStream stream = nullptr;
	if (aclInit(nullptr) != 0 || aclrtSetDevice(0) != 0 || aclrtCreateStream(&stream) != 0)
		return 1;
	for (void *&memory : device)
		if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != 0)
			return 1;
	aclrtMemcpy(device[0], bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
	aclrtMemcpy(device[1], bytes, y.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
	aclrtMemcpy(device[3], bytes, rows.data(), rows.size() * sizeof(float),
		    ACL_MEMCPY_HOST_TO_DEVICE);
	AddTiling tiling = {ELEMENTS, 8};
	if (ACLRT_LAUNCH_KERNEL(add)(BLOCKS, stream, device[0], device[1], device[2], &tiling) !=
		    0 ||
	    launch_sums(4, stream, device[3], device[4], 64) != 0 ||
	    aclrtSynchronizeStream(stream) != 0)
		return 1;
	aclrtMemcpy(z.data(), bytes, device[2], bytes, ACL_MEMCPY_DEVICE_TO_HOST);
	aclrtMemcpy(sums.data(), sizeof(float) * 4, device[4], sizeof(float) * 4,
		    ACL_MEMCPY_DEVICE_TO_HOST);
	std::printf("add: %s, sum of a row: %g\n", is_right(z) ? "right" : "wrong",
		    double(sums[3]));
	for (void *memory : device)
		aclrtFree(memory);
	aclrtDestroyStream(stream);
	aclrtResetDevice(0);
	aclFinalize();
	return 0;
}
