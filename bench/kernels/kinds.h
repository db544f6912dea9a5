// SPDX-License-Identifier: MIT
/**
 * DOC: Kernels of the kinds that users write
 *
 * Each kind is a kernel, and a plain loop that computes the same from the same numbers. Sizes are multiples of
 * KIND_TILE elements for each block.
 */
#pragma once

#include <cstddef>
#include <cstdint>

constexpr uint32_t KIND_TILE = 4096;	/* elements */
constexpr uint32_t KIND_COLUMNS = 1024; /* of a row */
constexpr uint32_t KIND_GROUP = 32;	/* elements with one scale */
constexpr uint32_t KIND_HEAD = 128;	/* elements that are turned together */

/** struct KindMemory - what a kind reads and writes; it uses some of it. */
struct KindMemory {
	void *x, *y, *z;
	void *index; /* int32_t, a permutation of rows */
	void *out;
	uint32_t elements;
};

/** struct Kind - @launch: returns the error, or 0. @in, @result: bytes an element, which the row counts */
struct Kind {
	const char *key, *title;
	int (*launch)(uint32_t blocks, void *stream, const KindMemory &memory);
	void (*loop)(const KindMemory &memory);
	size_t bytes;	       /* moved for each element */
	bool is_half, is_byte; /* x, y, z: half or int8_t instead of float */
	size_t result_bytes;   /* of each element: 4 float, 2 half, 1 int8_t */
};

extern const Kind KINDS[];
extern const size_t KIND_COUNT;

/* The launches, which unpu-ascendcc compiles. */
#define KIND_LIST(X) \
	X(add_half) \
	X(add_quotient) \
	X(leaky) \
	X(to_half) \
	X(gather_rows) \
	X(scatter_rows) \
	X(scale_groups) \
	X(quantise_groups) \
	X(threshold) \
	X(gate) \
	X(turn) \
	X(norm_half) \
	X(shrink) \
	X(expand) \
	X(copy_rows)

#define KIND_DECLARE(name) \
	int launch_##name(uint32_t blocks, void *stream, const KindMemory &memory);
KIND_LIST(KIND_DECLARE)
#undef KIND_DECLARE
