// SPDX-License-Identifier: MIT
/**
 * DOC: HIP-CPU
 *
 * HIP as a header-only library on the CPU: an empty kernel and a wait for its stream.
 */
#include <hip/hip_runtime.h>

#include "peers/peer.h"

namespace bench {

__global__ static void nothing() {}

void run_hip_cpu(const Effort &effort, Round &round)
{
	hipStream_t stream;
	if (hipStreamCreate(&stream) != hipSuccess)
		return;
	add_trip(effort, round, "hip_cpu", "trip", "HIP-CPU: kernel, synchronize", [&] {
		hipLaunchKernelGGL(nothing, dim3(1), dim3(1), 0, stream);
		(void)hipStreamSynchronize(stream);
	});
	(void)hipStreamDestroy(stream);
}

} // namespace bench
