// SPDX-License-Identifier: MIT
/*
 * DOC: our header beside another header of the toolkit
 *
 * Programs that mix the two interfaces include both, in either order (BESIDE_TYPES_FIRST). Both have
 * CUuuid and the handles of streams and events.
 */
#ifdef BESIDE_TYPES_FIRST
#include <driver_types.h>
#endif
#include "cuda/cuda.h"
#ifndef BESIDE_TYPES_FIRST
#include <driver_types.h>
#endif

#include <type_traits>

static_assert(std::is_same_v<cudaStream_t, CUstream>);
static_assert(std::is_same_v<cudaEvent_t, CUevent>);
static_assert(std::is_same_v<cudaGraph_t, CUgraph>);
static_assert(sizeof(CUuuid) == 16);

int main()
{
	return cuInit(1) == CUDA_ERROR_INVALID_VALUE ? 0 : 1;
}
