// SPDX-License-Identifier: MIT
/**
 * DOC: Plain loops
 *
 * The loops that a programmer writes without a library. The build compiles them with the flags of the tree and for
 * this processor, so that the compiler does its best.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

void half_to_float(const uint16_t *from, float *to, size_t n);
void bfloat_to_float(const uint16_t *from, float *to, size_t n);
void float_to_half(const float *from, uint16_t *to, size_t n);

void add_floats(const float *a, const float *b, float *to, size_t n);
void multiply_floats(const float *a, const float *b, float *to, size_t n);
void silu_floats(const float *from, float *to, size_t n);
void gelu_floats(const float *from, float *to, size_t n);

/** rms_norm(), layer_norm() - @rows rows of @length. @rstd: one for each row */
void rms_norm(const float *x, const float *factors, float *y, float *rstd, size_t rows,
	      size_t length);
void layer_norm(const float *x, const float *factors, const float *summands, float *y, size_t rows,
		size_t length);
/** group_norm() - @groups groups of @channels channels of @pixels; the factors begin with those of the first. */
void group_norm(const float *x, const float *factors, const float *summands, float *y,
		size_t groups, size_t channels, size_t pixels);
void softmax(const float *x, float *y, size_t rows, size_t length);

/** rotate_halves() - rotary positions: @heads rows of @length for each row of @cosine and @sine. */
void rotate_halves(const float *x, const float *cosine, const float *sine, float *y, size_t rows,
		   size_t heads, size_t length);

/** attend() - one head: @queries x @size by @keys x @size. @scores: @keys floats */
void attend(const float *q, const float *k, const float *v, float *out, size_t queries, size_t keys,
	    size_t size, float *scores);

} // namespace bench
