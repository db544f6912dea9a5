// SPDX-License-Identifier: MIT
/**
 * DOC: Calls the kernel as a function of the program
 */
#include <cstdio>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void fill_object(GM_ADDR out);

int main()
{
	uint8_t *memory = static_cast<uint8_t *>(AscendC::GmAlloc(32));
	AscendC::SetKernelMode(KernelMode::AIV_MODE);
	ICPU_RUN_KF(fill_object, 1, memory);
	std::printf("object: %g\n", double(*reinterpret_cast<float *>(memory)));
	AscendC::GmFree(memory);
	return 0;
}
