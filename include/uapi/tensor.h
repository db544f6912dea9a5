/* SPDX-License-Identifier: MIT */
/*
 * DOC: Tensor operator
 *
 * A TENSOR packet names a descriptor of variable size: a struct unpu_tensor_op, then the words of its
 * attributes, then a struct unpu_tensor_operand with its dims and strides for each operand. Each operand
 * has dims of its own. The host brings the views into the form that the kind expects: a dimension that a
 * kind works along is the last one, batch dimensions are broadcast by stride 0, and results keep the
 * dimensions that were reduced. The firmware checks all of it before the first access.
 */
#ifndef UNPU_UAPI_TENSOR_H
#define UNPU_UAPI_TENSOR_H

#include "uapi/operator.h"
#include "uapi/types.h"

#define UNPU_TENSOR_MAX_DIMS 8u
#define UNPU_TENSOR_MAX_OPERANDS 16u
#define UNPU_TENSOR_MAX_SLOTS 8u
#define UNPU_TENSOR_MAX_ATTRIBUTES 8u
#define UNPU_TENSOR_MAX_WORDS 128u	/* of all attributes together */

/*
 * Element types beyond UNPU_DTYPE_LIST. X(name, number, bits). I4 is two's complement, the element with
 * the even index is in the low half of its byte.
 */
#define UNPU_TENSOR_DTYPE_LIST(X) \
	X(F64, 10, 64) \
	X(I4, 11, 4)

enum unpu_tensor_dtype {
#define UNPU_TENSOR_DTYPE_ENUM(name, number, bits) UNPU_DTYPE_##name = number,
	UNPU_TENSOR_DTYPE_LIST(UNPU_TENSOR_DTYPE_ENUM)
#undef UNPU_TENSOR_DTYPE_ENUM
};

/*
 * Kinds. X(name, number): numbers are never reused. The table umd/aclnn/operators.json says which
 * operands and attributes each has.
 */
#define UNPU_TENSOR_LIST(X) \
	X(ABS, 1) \
	X(NEG, 2) \
	X(GELU, 3) \
	X(SILU, 4) \
	X(TANH, 5) \
	X(RELU, 6) \
	X(SIGMOID, 7) \
	X(HARDSIGMOID, 8) \
	X(HARDSWISH, 9) \
	X(EXP, 10) \
	X(SIGN, 11) \
	X(SQRT, 12) \
	X(LOG, 13) \
	X(SIN, 14) \
	X(COS, 15) \
	X(ELU, 16) \
	X(SOFTPLUS, 17) \
	X(LEAKY_RELU, 18) \
	X(GT_SCALAR, 19) \
	X(CLAMP, 20) \
	X(THRESHOLD, 21) \
	X(MULS, 22) \
	X(ADDS, 23) \
	X(SUBS, 24) \
	X(DIVS, 25) \
	X(FILL, 26) \
	X(SUB, 27) \
	X(DIV, 28) \
	X(EQ, 29) \
	X(POW, 30) \
	X(POW_SCALAR, 31) \
	X(SWIGLU, 32) \
	X(GEGLU, 33) \
	X(CAST, 34) \
	X(CAT, 35) \
	X(PAD, 36) \
	X(REFLECTION_PAD, 37) \
	X(ROLL, 38) \
	X(GATHER, 39) \
	X(INDEX_COPY, 40) \
	X(INDEX_FILL, 41) \
	X(TRIL, 42) \
	X(TRIU, 43) \
	X(ARANGE, 44) \
	X(UPSAMPLE_NEAREST, 45) \
	X(REDUCE_SUM, 46) \
	X(MEAN, 47) \
	X(NORM, 48) \
	X(CUMSUM, 49) \
	X(ARGMAX, 50) \
	X(ARGSORT, 51) \
	X(SOFTMAX, 52) \
	X(CROSS_ENTROPY, 53) \
	X(MATMUL, 54) \
	X(QUANT_MATMUL, 55) \
	X(TRIANGULAR_SOLVE, 56) \
	X(RMS_NORM, 57) \
	X(ADD_RMS_NORM, 58) \
	X(LAYER_NORM, 59) \
	X(GROUP_NORM, 60) \
	X(ROTARY, 61) \
	X(ATTENTION, 62) \
	X(CONVOLUTION, 63) \
	X(IM2COL, 64) \
	X(AVG_POOL, 65) \
	X(MAX_POOL, 66)

enum unpu_tensor_kind {
#define UNPU_TENSOR_ENUM(name, number) UNPU_TENSOR_##name = number,
	UNPU_TENSOR_LIST(UNPU_TENSOR_ENUM)
#undef UNPU_TENSOR_ENUM
};

/* The footprint of the operand depends on data: only a part of its view is accessed. */
#define UNPU_ACCESS_PARTIAL 0x4u

/*
 * struct unpu_tensor_op - the head of a descriptor. @words[i] is the number of words of attribute i, 0
 * where it is absent. An attribute is one integer, the bits of one double, a list of integers, or a
 * scalar, which has two words: UNPU_DTYPE_I64 or UNPU_DTYPE_F64, and the bits of the value.
 */
struct unpu_tensor_op {
	uint32_t kind;		/* enum unpu_tensor_kind */
	uint8_t compute;	/* enum unpu_dtype of the arithmetic; 0 where the kind decides */
	uint8_t noperands;	/* 1..16 */
	uint8_t nattributes;	/* 0..8; those from here on have no words */
	uint8_t reserved0;	/* MBZ */
	uint8_t words[8];
};

/*
 * struct unpu_tensor_operand - one strided view; @ndim dims and then @ndim strides in elements follow,
 * int64_t each, outermost first. A view without elements has address 0 or any other, and none is
 * accessed. Operands are in the order of their slots. A slot is absent, or has one operand, or a list.
 */
struct unpu_tensor_operand {
	uint64_t address;	/* device address of element [0, 0, ...] */
	uint8_t slot;		/* which operand of the kind it is */
	uint8_t dtype;		/* enum unpu_dtype or unpu_tensor_dtype */
	uint8_t access;		/* UNPU_ACCESS_*, UNPU_ACCESS_PARTIAL */
	uint8_t ndim;		/* 0..8 */
	uint32_t reserved;	/* MBZ */
};

#define UNPU_TENSOR_MAX_BYTES \
	(16u + UNPU_TENSOR_MAX_WORDS * 8u + UNPU_TENSOR_MAX_OPERANDS * (16u + 2u * 8u * 8u))

UNPU_WIRE_SIZE(unpu_tensor_op, 16);
UNPU_WIRE_OFFSET(unpu_tensor_op, compute, 4);
UNPU_WIRE_OFFSET(unpu_tensor_op, words, 8);
UNPU_WIRE_SIZE(unpu_tensor_operand, 16);
UNPU_WIRE_OFFSET(unpu_tensor_operand, slot, 8);

#endif /* UNPU_UAPI_TENSOR_H */
