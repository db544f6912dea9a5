/* SPDX-License-Identifier: MIT */
/*
 * DOC: Operator descriptor
 *
 * The operands define what an operator reads and writes: base address, element type, strides in
 * elements and access bits. All operands share the iteration space @dims (broadcast dimensions have
 * stride 0), outermost first. The firmware computes the address range of each operand from dims and
 * strides and checks it against the context's mappings before the first access.
 */
#ifndef UNPU_UAPI_OPERATOR_H
#define UNPU_UAPI_OPERATOR_H

#include "uapi/types.h"

#define UNPU_OPERATOR_MAX_DIMS 8u
#define UNPU_OPERATOR_MAX_OPERANDS 4u

/* Element types. X(name, number, bytes). */
#define UNPU_DTYPE_LIST(X) \
	X(F32, 1, 4) \
	X(F16, 2, 2) \
	X(BF16, 3, 2) \
	X(I8, 4, 1) \
	X(I16, 5, 2) \
	X(I32, 6, 4) \
	X(I64, 7, 8) \
	X(U8, 8, 1) \
	X(BOOL, 9, 1)

enum unpu_dtype {
#define UNPU_DTYPE_ENUM(name, number, bytes) UNPU_DTYPE_##name = number,
	UNPU_DTYPE_LIST(UNPU_DTYPE_ENUM)
#undef UNPU_DTYPE_ENUM
};

/* Operator kinds. X(name, number): numbers are never reused. */
#define UNPU_OPERATOR_LIST(X) \
	X(ADD, 1) /* operand 0 = operand 1 + scalar * operand 2 */ \
	X(MUL, 2) /* operand 0 = operand 1 * operand 2 */ \
	X(COPY, 3) /* operand 0 = operand 1, bit by bit: both have the same type */ \
	X(COPY_INDIRECT, 4) /* copies bytes between addresses that are read from memory */ \
	X(MAX, 5) /* operand 0 = the greater one of operands 1 and 2 */ \
	X(MIN, 6) /* operand 0 = the lesser one of operands 1 and 2 */ \
	X(RANDOM, 7) /* operand 0 = random numbers, determined by a seed and a counter */ \
	X(COPY_LIST, 8) /* several copies; the descriptor is a struct unpu_copy_list */

enum unpu_operator_kind {
#define UNPU_OPERATOR_ENUM(name, number) UNPU_OPERATOR_##name = number,
	UNPU_OPERATOR_LIST(UNPU_OPERATOR_ENUM)
#undef UNPU_OPERATOR_ENUM
};

#define UNPU_ACCESS_READ 0x1u
#define UNPU_ACCESS_WRITE 0x2u
#define UNPU_ACCESS_MASK 0x3u

/* struct unpu_operand - one strided view. Unused trailing strides are zero. */
struct unpu_operand {
	uint64_t address;	/* device address of element [0, 0, ...] */
	uint32_t dtype;		/* enum unpu_dtype */
	uint32_t access;	/* UNPU_ACCESS_* */
	int64_t strides[8];	/* in elements, outermost first, 0 = broadcast */
};
UNPU_WIRE_SIZE(unpu_operand, 80);
UNPU_WIRE_OFFSET(unpu_operand, dtype, 8);
UNPU_WIRE_OFFSET(unpu_operand, access, 12);
UNPU_WIRE_OFFSET(unpu_operand, strides, 16);

/*
 * COPY_INDIRECT: the operands are I64 words that are read when the operator starts: operand 0 has the
 * target address, operand 1 the source address, and the optional operand 2 the number of bytes. Without
 * operand 2 the number of bytes is @scalar_bits. @parameters 0 and 1: offsets that are added to the target
 * and the source address. There are no dims and no @compute.
 */

/*
 * RANDOM: operand 0 is the first element of the result, operand 1 the counter, two I64 words with the
 * low one first, read and written; operand 2, where there is one, four I64 words that are read when
 * the operator starts and take the place of parameters 1 to 4. There are no dims and no strides. The
 * device takes blocks of Philox 4x32 with ten rounds, the seed is its key, and adds their number to
 * the counter. @compute is the type of a and b, and but for MASK of the result.
 *
 *	parameter	is
 *	0		enum unpu_random
 *	1, 2		a, b: the bits of one element each
 *	3		seed
 *	4		number of elements, of bits for MASK; 0 does nothing
 */

/* enum unpu_random - the distribution of RANDOM. */
enum unpu_random {
	UNPU_RANDOM_MASK = 0,		/* bits, 1 with probability a; the result is U8 */
	UNPU_RANDOM_UNIFORM = 1,	/* a .. b without b; floating, I32 or I64 */
	UNPU_RANDOM_NORMAL = 2,		/* mean a, standard deviation b; floating */
	UNPU_RANDOM_TRUNCATED = 3,	/* the same, within two deviations */
};

/*
 * struct unpu_operator - @compute names the type the arithmetic is done in (after promotion); each
 * operand is converted to it on load, the result is rounded once on store. @scalar_bits has the scalar:
 * an IEEE double when @compute is a floating type, a two's complement int64 otherwise.
 */
struct unpu_operator {
	uint32_t kind;		/* enum unpu_operator_kind */
	uint32_t compute;	/* enum unpu_dtype: F32, I64, BOOL ...; COPY: MBZ */
	uint32_t ndim;		/* 0..8; 0 is one element */
	uint32_t noperands;	/* 1..4 */
	uint64_t scalar_bits;
	uint64_t parameters[5];	/* by kind; MBZ where the kind has none */
	int64_t dims[8];	/* > 0 for i < ndim, else MBZ */
	struct unpu_operand operands[4];
	uint64_t reserved1[4];	/* MBZ */
};
UNPU_WIRE_SIZE(unpu_operator, 480);
UNPU_WIRE_OFFSET(unpu_operator, compute, 4);
UNPU_WIRE_OFFSET(unpu_operator, ndim, 8);
UNPU_WIRE_OFFSET(unpu_operator, noperands, 12);
UNPU_WIRE_OFFSET(unpu_operator, scalar_bits, 16);
UNPU_WIRE_OFFSET(unpu_operator, parameters, 24);
UNPU_WIRE_OFFSET(unpu_operator, dims, 64);
UNPU_WIRE_OFFSET(unpu_operator, operands, 128);
UNPU_WIRE_OFFSET(unpu_operator, reserved1, 448);

#define UNPU_COPY_LIST_MAX 19u

/* struct unpu_copy_entry - one copy of a list. */
struct unpu_copy_entry {
	uint64_t dst;		/* device address */
	uint64_t src;		/* device address */
	uint64_t bytes;		/* > 0 */
};
UNPU_WIRE_SIZE(unpu_copy_entry, 24);
UNPU_WIRE_OFFSET(unpu_copy_entry, src, 8);
UNPU_WIRE_OFFSET(unpu_copy_entry, bytes, 16);

/*
 * struct unpu_copy_list - the descriptor of a COPY_LIST: copies in any order. The firmware checks all of
 * them before it copies the first byte. Read as a struct unpu_operator it has no operands.
 */
struct unpu_copy_list {
	uint32_t kind;		/* UNPU_OPERATOR_COPY_LIST */
	uint32_t reserved[3];	/* MBZ: compute, ndim and noperands of an operator */
	uint64_t count;		/* 1..UNPU_COPY_LIST_MAX */
	struct unpu_copy_entry entries[UNPU_COPY_LIST_MAX];	/* from @count on MBZ */
};
UNPU_WIRE_SIZE(unpu_copy_list, sizeof(struct unpu_operator));
UNPU_WIRE_OFFSET(unpu_copy_list, count, 16);
UNPU_WIRE_OFFSET(unpu_copy_list, entries, 24);

#endif /* UNPU_UAPI_OPERATOR_H */
