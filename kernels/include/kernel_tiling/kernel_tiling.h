/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tiling structs
 *
 * The structs that host code fills in and kernels read, in the layout that both share. UNPU_TCUBE_FIELDS is the only
 * list of the fields; tiling/tiling_api.h makes its class of it too.
 */
#ifndef UNPU_KERNEL_TILING_H
#define UNPU_KERNEL_TILING_H

#include <stdint.h>

// clang-format off
#define UNPU_TCUBE_FIELDS(X) \
	X(usedCoreNum) X(M) X(N) X(Ka) X(Kb) X(singleCoreM) X(singleCoreN) X(singleCoreK) \
	X(baseM) X(baseN) X(baseK) X(depthA1) X(depthB1) X(stepM) X(stepN) X(isBias) \
	X(transLength) X(iterateOrder) X(shareMode) X(shareL1Size) X(shareL0CSize) \
	X(shareUbSize) X(batchM) X(batchN) X(singleBatchM) X(singleBatchN) X(stepKa) X(stepKb) \
	X(depthAL1CacheUB) X(depthBL1CacheUB) X(dbL0A) X(dbL0B) X(dbL0C) X(ALayoutInfoB) \
	X(ALayoutInfoS) X(ALayoutInfoN) X(ALayoutInfoG) X(ALayoutInfoD) X(BLayoutInfoB) \
	X(BLayoutInfoS) X(BLayoutInfoN) X(BLayoutInfoG) X(BLayoutInfoD) X(CLayoutInfoB) \
	X(CLayoutInfoS1) X(CLayoutInfoN) X(CLayoutInfoG) X(CLayoutInfoS2) X(BatchNum)
// clang-format on

/* A matrix product: the shape, the share of one core, and the tile that is computed at once. */
struct TCubeTiling {
#define UNPU_TCUBE_FIELD(name) int32_t name = 0;
	UNPU_TCUBE_FIELDS(UNPU_TCUBE_FIELD)
#undef UNPU_TCUBE_FIELD
};

/* Kernels use it under either name. */
namespace AscendC::tiling {
using ::TCubeTiling;
}

#endif /* UNPU_KERNEL_TILING_H */
