// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels as functions of the program
 */
#include <cstdio>

#include "tikicpulib.h"

#include "add_tiling.h"

static constexpr uint32_t BLOCKS = 8;
static constexpr uint32_t ELEMENTS = BLOCKS * 2048;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTiling tiling);

int main()
{
	half *memory[3];
	for (half *&array : memory)
		array = reinterpret_cast<half *>(AscendC::GmAlloc(ELEMENTS * sizeof(half)));
	for (uint32_t i = 0; i < ELEMENTS; i++) {
		memory[0][i] = half(1);
		memory[1][i] = half(2);
	}
	AscendC::SetKernelMode(KernelMode::AIV_MODE);
	const AddTiling tiling = {ELEMENTS, 8};
	ICPU_RUN_KF(add, BLOCKS, memory[0], memory[1], memory[2], tiling);
	uint32_t right = 0;
	for (uint32_t i = 0; i < ELEMENTS; i++)
		right += float(memory[2][i]) == 3;
	std::printf("add: %s\n", right == ELEMENTS ? "right" : "wrong");
	for (half *array : memory)
		AscendC::GmFree(array);
	return 0;
}
