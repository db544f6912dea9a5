/* SPDX-License-Identifier: MIT */
/*
 * DOC: Qualifiers
 *
 * Words that the device's compiler knows and a host compiler does not. All mean nothing here: global and local
 * memory are memory of the worker, and a kernel is a function. unpu-ascendcc defines __global__ as a mark of its own
 * while it preprocesses, so that it finds the kernels.
 */
#ifndef UNPU_ASCENDC_CORE_QUALIFIERS_H
#define UNPU_ASCENDC_CORE_QUALIFIERS_H

#include <stddef.h>
#include <stdint.h>

#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

#ifndef __global__
#define __global__
#endif
#ifndef __host__
#define __host__
#endif
/* As the device's headers define it, so that a program may define it again; unpu-ascendcc takes the attribute out. */
#ifdef UNPU_ASCENDCC
#define __aicore__ [aicore]
#else
#define __aicore__
#endif
#define __host_aicore__
#define __cube__
#define __vector__
#define __mix__(cube, vector)
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif

#define GM_ADDR __gm__ uint8_t *

#endif /* UNPU_ASCENDC_CORE_QUALIFIERS_H */
