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
#define UNPU_TENSOR_MAX_SLOTS 10u
#define UNPU_TENSOR_MAX_ATTRIBUTES 8u
#define UNPU_TENSOR_MAX_WORDS 128u	/* of all attributes together */

/*
 * Element types beyond UNPU_DTYPE_LIST. X(name, number, bits). I4 is two's complement, the element with
 * the even index is in the low half of its byte.
 */
#define UNPU_TENSOR_DTYPE_LIST(X) \
	X(F64, 10, 64) \
	X(I4, 11, 4)

/* The type of a scalar that is above all numbers of I64. Operands and arithmetic never have it. */
#define UNPU_DTYPE_U64 12u

enum unpu_tensor_dtype {
#define UNPU_TENSOR_DTYPE_ENUM(name, number, bits) UNPU_DTYPE_##name = number,
	UNPU_TENSOR_DTYPE_LIST(UNPU_TENSOR_DTYPE_ENUM)
#undef UNPU_TENSOR_DTYPE_ENUM
};

/*
 * Kinds. X(name, number, slots, attributes): numbers are never reused. A letter for each slot says what
 * operand it takes, and a letter for each attribute its type; umd/aclnn/operators.json has their names.
 *
 *	slot	operand				attribute	words
 *	w	is written			i		an integer
 *	v	is written, may be absent	r		the bits of a double
 *	q	is written in part		S		a scalar: its type and its bits
 *	r	is read				s		a scalar that may be absent
 *	o	is read, may be absent		A		any number of integers
 *	p	is read in part
 *	l	a list, read
 *	m	a list, written
 */
#define UNPU_TENSOR_LIST(X) \
	X(ABS, 1, "wr", "") \
	X(NEG, 2, "wr", "") \
	X(GELU, 3, "wr", "i") \
	X(SILU, 4, "wr", "") \
	X(TANH, 5, "wr", "") \
	X(RELU, 6, "wr", "") \
	X(SIGMOID, 7, "wr", "") \
	X(HARDSIGMOID, 8, "wr", "") \
	X(HARDSWISH, 9, "wr", "") \
	X(EXP, 10, "wr", "") \
	X(SIGN, 11, "wr", "") \
	X(SQRT, 12, "wr", "") \
	X(LOG, 13, "wr", "") \
	X(SIN, 14, "wr", "") \
	X(COS, 15, "wr", "") \
	X(ELU, 16, "wr", "SSS") \
	X(SOFTPLUS, 17, "wr", "SS") \
	X(LEAKY_RELU, 18, "wr", "S") \
	X(GT_SCALAR, 19, "wr", "S") \
	X(CLAMP, 20, "wr", "ss") \
	X(THRESHOLD, 21, "wr", "SS") \
	X(MULS, 22, "wr", "S") \
	X(ADDS, 23, "wr", "SS") \
	X(SUBS, 24, "wr", "SS") \
	X(DIVS, 25, "wr", "S") \
	X(FILL, 26, "w", "S") \
	X(SUB, 27, "wrr", "S") \
	X(DIV, 28, "wrr", "") \
	X(EQ, 29, "wrr", "") \
	X(POW, 30, "wrr", "") \
	X(POW_SCALAR, 31, "wr", "S") \
	X(SWIGLU, 32, "wr", "i") \
	X(GEGLU, 33, "wwr", "iii") \
	X(CAST, 34, "wr", "") \
	X(CAT, 35, "wl", "i") \
	X(PAD, 36, "wr", "AAS") \
	X(REFLECTION_PAD, 37, "wr", "AA") \
	X(ROLL, 38, "wr", "A") \
	X(GATHER, 39, "wpr", "") \
	X(INDEX_COPY, 40, "qrr", "") \
	X(INDEX_FILL, 41, "q", "AS") \
	X(TRIL, 42, "wr", "i") \
	X(TRIU, 43, "wr", "i") \
	X(ARANGE, 44, "w", "SS") \
	X(UPSAMPLE_NEAREST, 45, "wr", "") \
	X(REDUCE_SUM, 46, "wr", "") \
	X(MEAN, 47, "wr", "") \
	X(NORM, 48, "wr", "S") \
	X(CUMSUM, 49, "wr", "") \
	X(ARGMAX, 50, "wr", "") \
	X(ARGSORT, 51, "wr", "i") \
	X(SOFTMAX, 52, "wr", "") \
	X(CROSS_ENTROPY, 53, "wwrr", "") \
	X(MATMUL, 54, "wrro", "ss") \
	X(QUANT_MATMUL, 55, "wrrroo", "i") \
	X(TRIANGULAR_SOLVE, 56, "wwrr", "iii") \
	X(RMS_NORM, 57, "wvrr", "r") \
	X(ADD_RMS_NORM, 58, "wvwrrr", "r") \
	X(LAYER_NORM, 59, "wvvroo", "ir") \
	X(GROUP_NORM, 60, "wvvroo", "iiiir") \
	X(ROTARY, 61, "wrrr", "i") \
	X(ATTENTION, 62, "wvrrroo", "riiiAA") \
	X(CONVOLUTION, 63, "wrro", "AAAiAi") \
	X(IM2COL, 64, "wr", "AAAA") \
	X(AVG_POOL, 65, "wr", "AAAiii") \
	X(MAX_POOL, 66, "wr", "AAAAi") \
	X(LOGICAL_NOT, 67, "wr", "") \
	X(MUL, 68, "wrr", "") \
	X(ADDCDIV, 69, "wrrr", "S") \
	X(SUM, 70, "wl", "") \
	X(LOG_SOFTMAX, 71, "wr", "") \
	X(MASKED_FILL, 72, "qr", "S") \
	X(SCATTER, 73, "qrro", "is") \
	X(FLOOR, 74, "wr", "") \
	X(CEIL, 75, "wr", "") \
	X(ROUND, 76, "wr", "") \
	X(TRUNC, 77, "wr", "") \
	X(SQUARE, 78, "wr", "") \
	X(RECIPROCAL, 79, "wr", "") \
	X(RSQRT, 80, "wr", "") \
	X(IS_NAN, 81, "wr", "") \
	X(IS_INF, 82, "wr", "") \
	X(IS_FINITE, 83, "wr", "") \
	X(ERF, 84, "wr", "") \
	X(ERFC, 85, "wr", "") \
	X(EXP2, 86, "wr", "") \
	X(EXPM1, 87, "wr", "") \
	X(LOG1P, 88, "wr", "") \
	X(LOG2, 89, "wr", "") \
	X(LOG10, 90, "wr", "") \
	X(TAN, 91, "wr", "") \
	X(ASIN, 92, "wr", "") \
	X(ACOS, 93, "wr", "") \
	X(ATAN, 94, "wr", "") \
	X(SINH, 95, "wr", "") \
	X(COSH, 96, "wr", "") \
	X(ASINH, 97, "wr", "") \
	X(ACOSH, 98, "wr", "") \
	X(ATANH, 99, "wr", "") \
	X(BITWISE_NOT, 100, "wr", "") \
	X(NE, 101, "wrr", "") \
	X(LT, 102, "wrr", "") \
	X(LE, 103, "wrr", "") \
	X(GT, 104, "wrr", "") \
	X(GE, 105, "wrr", "") \
	X(EQ_SCALAR, 106, "wr", "S") \
	X(NE_SCALAR, 107, "wr", "S") \
	X(LT_SCALAR, 108, "wr", "S") \
	X(LE_SCALAR, 109, "wr", "S") \
	X(GE_SCALAR, 110, "wr", "S") \
	X(LOGICAL_AND, 111, "wrr", "") \
	X(LOGICAL_OR, 112, "wrr", "") \
	X(LOGICAL_XOR, 113, "wrr", "") \
	X(BITWISE_AND, 114, "wrr", "") \
	X(BITWISE_OR, 115, "wrr", "") \
	X(BITWISE_XOR, 116, "wrr", "") \
	X(MAXIMUM, 117, "wrr", "") \
	X(MINIMUM, 118, "wrr", "") \
	X(FMOD, 119, "wrr", "") \
	X(REMAINDER, 120, "wrr", "") \
	X(DIV_TRUNC, 121, "wrr", "") \
	X(DIV_FLOOR, 122, "wrr", "") \
	X(ATAN2, 123, "wrr", "") \
	X(POWS, 124, "wr", "S") \
	X(PRELU, 125, "wrr", "") \
	X(WHERE, 126, "wrrr", "") \
	X(REDUCE_MAX, 127, "wr", "") \
	X(REDUCE_MIN, 128, "wr", "") \
	X(REDUCE_PROD, 129, "wr", "") \
	X(REDUCE_ALL, 130, "wr", "") \
	X(REDUCE_ANY, 131, "wr", "") \
	X(ARGMIN, 132, "wr", "") \
	X(VAR, 133, "wr", "i") \
	X(STD, 134, "wr", "i") \
	X(LOG_SUM_EXP, 135, "wr", "") \
	X(MAX_DIM, 136, "wwr", "") \
	X(MIN_DIM, 137, "wwr", "") \
	X(GATHER_ELEMENTS, 138, "wpr", "") \
	X(GATHER_ND, 139, "wpr", "i") \
	X(SCATTER_ND, 140, "qrrr", "i") \
	X(ONE_HOT, 141, "wrrr", "") \
	X(TOPK, 142, "wwr", "i") \
	X(RESIZE, 143, "wr", "iiiAri") \
	X(EDGE_PAD, 144, "wr", "AA") \
	X(LSTM, 145, "vvvrlooo", "iAri") \
	X(GRU, 146, "vvrloo", "iAri") \
	X(RNN, 147, "vvrloo", "iAr") \
	X(AIPP, 148, "wpr", "") \
	X(PICTURE, 149, "wvro", "iii") \
	X(ADDCMUL, 150, "wrrr", "S") \
	X(LERP, 151, "wrrr", "") \
	X(LERP_SCALAR, 152, "wrr", "S") \
	X(MISH, 153, "wr", "") \
	X(SPLIT, 154, "mr", "i") \
	X(BATCH_NORM, 155, "wvvvvroooo", "irr") \
	X(PACKED_CONVOLUTION, 156, "wrroo", "AAAir")

enum unpu_tensor_kind {
#define UNPU_TENSOR_ENUM(name, number, slots, attributes) UNPU_TENSOR_##name = number,
	UNPU_TENSOR_LIST(UNPU_TENSOR_ENUM)
#undef UNPU_TENSOR_ENUM
};

/* What PACKED_CONVOLUTION does with its sums. Its number is the largest result of RELU. */
enum unpu_finish {
	UNPU_FINISH_NONE = 0,
	UNPU_FINISH_RELU = 1,
	UNPU_FINISH_SILU = 2,
	UNPU_FINISH_HARDSWISH = 3,
};

/* Channels of the result whose weights PACKED_CONVOLUTION has side by side. */
#define UNPU_PACKED_CHANNELS 32
/* Of its input, Ci channels of the rows below a window, and below this many windows side by side, have at most
 * UNPU_TENSOR_MAX_TAPS elements. */
#define UNPU_PACKED_COLUMNS 14

/* The footprint of the operand depends on data: only a part of its view is accessed. */
#define UNPU_ACCESS_PARTIAL 0x4u

/*
 * struct unpu_tensor_op - the head of a descriptor. @words[i] is the number of words of attribute i, 0
 * where it is absent. An attribute is one integer, the bits of one double, a list of integers, or a
 * scalar, which has two words: UNPU_DTYPE_I64, _U64 or _F64, and the bits of the value.
 */
struct unpu_tensor_op {
	uint32_t kind;		/* enum unpu_tensor_kind */
	uint8_t compute;	/* enum unpu_dtype of the arithmetic; 0 where the kind decides */
	uint8_t noperands;	/* 1..16 */
	uint8_t nattributes;	/* 0..8; those from here on have no words */
	uint8_t reserved0;	/* MBZ */
	uint8_t words[8];
};
UNPU_WIRE_SIZE(unpu_tensor_op, 16);
UNPU_WIRE_OFFSET(unpu_tensor_op, compute, 4);
UNPU_WIRE_OFFSET(unpu_tensor_op, words, 8);

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
UNPU_WIRE_SIZE(unpu_tensor_operand, 16);
UNPU_WIRE_OFFSET(unpu_tensor_operand, slot, 8);

#define UNPU_TENSOR_MAX_BYTES \
	(16u + UNPU_TENSOR_MAX_WORDS * 8u + UNPU_TENSOR_MAX_OPERANDS * (16u + 2u * 8u * 8u))

#endif /* UNPU_UAPI_TENSOR_H */
