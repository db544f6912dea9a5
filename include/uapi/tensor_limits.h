/* SPDX-License-Identifier: MIT */
/*
 * DOC: Limits of tensor operators
 *
 * The host refuses an operator beyond a limit with a sentence; the firmware refuses its descriptor. A unit of an
 * operator can't be interrupted and a view with stride 0 could ask for any length, so the limits bound the time
 * that a unit takes: about a second at most. Limits of scratch memory are for 16 MiB of it.
 */
#ifndef UNPU_UAPI_TENSOR_LIMITS_H
#define UNPU_UAPI_TENSOR_LIMITS_H

#include "uapi/types.h"

/* Elements of a view, where a dim of size 0 counts as one of size 1. A view's bytes fit into 63 bits. */
#define UNPU_TENSOR_MAX_ELEMENTS (INT64_C(1) << 48)

/* Scratch memory of a unit, in bytes. */
#define UNPU_TENSOR_MAX_SCRATCH (INT64_C(16) << 20)

/* REDUCE_SUM, MEAN, NORM, REDUCE_MAX and its like, CUMSUM, ARGMAX, MAX_DIM: elements that one result depends on. INT32
 * can count them. */
#define UNPU_TENSOR_MAX_ROW INT64_C(0x7fffffff)

/* VAR, STD, LOG_SUM_EXP: likewise. */
#define UNPU_TENSOR_MAX_FOLDED (INT64_C(1) << 27)

/* RMS_NORM, ADD_RMS_NORM, LAYER_NORM, GROUP_NORM: elements of a row. */
#define UNPU_TENSOR_MAX_NORMALIZED (INT64_C(1) << 29)

/* ARGSORT and TOPK, SOFTMAX, LOG_SOFTMAX and CROSS_ENTROPY, ROTARY: elements of a row. Their scratch memory is
 * for a row. */
#define UNPU_TENSOR_MAX_SORTED (UNPU_TENSOR_MAX_SCRATCH / 16)
#define UNPU_TENSOR_MAX_SOFTMAX (UNPU_TENSOR_MAX_SCRATCH / 4)
#define UNPU_TENSOR_MAX_CLASSES (UNPU_TENSOR_MAX_SCRATCH / 8)
#define UNPU_TENSOR_MAX_ROTARY (INT64_C(1) << 16)

/* INDEX_COPY: indices. SCATTER: indices along the dim, and elements of the operand along it. */
#define UNPU_TENSOR_MAX_INDICES (INT64_C(1) << 30)
#define UNPU_TENSOR_MAX_SCATTERED (INT64_C(1) << 28)

/* MATMUL, QUANT_MATMUL: products that one element of the result adds up. CONVOLUTION: likewise, which are the
 * channels of a group of the input times the elements of the kernel. */
#define UNPU_TENSOR_MAX_DEPTH (INT64_C(1) << 19)
#define UNPU_TENSOR_MAX_TAPS (INT64_C(1) << 18)

/* TRIANGULAR_SOLVE: rows of a triangle. */
#define UNPU_TENSOR_MAX_TRIANGLE (INT64_C(1) << 13)

/* ATTENTION: numbers of a query, a key or a value; keys; and keys times the numbers of a key and a value. */
#define UNPU_TENSOR_MAX_HEAD INT64_C(4096)
#define UNPU_TENSOR_MAX_KEYS (INT64_C(1) << 20)
#define UNPU_TENSOR_MAX_KEY_NUMBERS (INT64_C(1) << 28)

/* CONVOLUTION, IM2COL, AVG_POOL, MAX_POOL: any number of a window, and any dim that it moves along. */
#define UNPU_TENSOR_MAX_WINDOW INT64_C(0x7fffffff)

/* AVG_POOL, MAX_POOL: elements of the operand that a window covers. */
#define UNPU_TENSOR_MAX_POOLED (INT64_C(1) << 21)

#endif /* UNPU_UAPI_TENSOR_LIMITS_H */
