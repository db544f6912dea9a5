// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw::tensor {

/** score() - row[i] = row[i] * scale + pse[i]; -infinity where pse is that, or mask is not 0.
 * @pse, @mask: nullptr: there is none
 * Return: the greatest score that is a number; -infinity if there is none. */
float score(float *row, const float *pse, const float *mask, size_t n, float scale);

/** weigh() - row[i] = exp(row[i] - top). @row: no greater than @top, or NaN. Return: the sum */
double weigh(float *row, size_t n, float top);

/** scale_row() - row[i] *= factor. */
void scale_row(float *row, size_t n, float factor);

/** add_row() - to[i] += from[i]. Return: whether each @from is finite; if not, nothing is added */
bool add_row(float *to, const float *from, size_t n);

/** add_scaled() - to[i] += from[i] * factor. */
void add_scaled(float *to, const float *from, size_t n, float factor);

} // namespace fw::tensor
