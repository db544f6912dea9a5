// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/** struct Panel - a matrix of floats in memory. @is_transposed: element [i, j] is at i + j * @stride, else at
 * i * @stride + j */
struct Panel {
	const float *data;
	int64_t stride;
	bool is_transposed;
};

/** load_rows() - copies elements [@at, @at + @m x @n] of the last two dims of a view, as rows of floats. */
void load_rows(const View &view, const Index &at, int64_t m, int64_t n, float *to);

/** load_panel() - elements [@at, @at + @m x @n] of the last two dims of a view, where they lie if they can be
 * multiplied there. @buffer: @m * @n floats, for elements that must be converted */
Panel load_panel(const View &view, const Index &at, int64_t m, int64_t n, float *buffer);

/** multiply_panels() - c[m, n] = a[m, k] * b[k, n], or added to it.
 * @c: rows of @n floats
 * The order of the additions depends on the sizes alone. Context: any thread; starts none. */
void multiply_panels(int64_t m, int64_t n, int64_t k, const Panel &a, const Panel &b, float *c,
		     bool adds);

/** struct BfloatProduct - parts of two views, from @at_a and @at_b on. @c: rows of n floats; @adds: to them */
struct BfloatProduct {
	struct Size {
		int64_t m, n, k;
	};

	const View &a, &b;
	const Index &at_a, &at_b;
	Size size;
	float *c;
	bool adds;
};

/** multiply_bfloats() - the product of BF16 where the processor has such products.
 * Return: false if the types, the layouts or the processor do not allow it */
bool multiply_bfloats(const BfloatProduct &product);

} // namespace fw::tensor
