// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw::tensor {

/** take_greater() - tops[i] becomes the greater of tops[i] and row[i], or NaN if one of them is NaN. */
void take_greater(float *tops, const float *row, size_t n);

/** MOST_LINES - the maximum number of lines for take_greatest(). */
constexpr size_t MOST_LINES = 4;

/** take_greatest() - to[i] becomes the greatest of lines[k][i] over all k, or NaN if one of them is NaN.
 * @count: 1 .. MOST_LINES; @to may be one of the lines */
void take_greatest(float *to, const float *const *lines, size_t count, size_t n);

/** take_greatest_of_pairs() - to[i] becomes the greatest of line[2 * i] .. line[2 * i + count - 1], or a NaN if one
 * of them is a NaN.
 * @line: has one element after the last one that is compared */
void take_greatest_of_pairs(float *to, const float *line, size_t count, size_t n);

/** add_row() - adds row[i] to sums[i]. */
void add_row(double *sums, const float *row, size_t n);

/** add_scaled() - adds row[i] * factor to sums[i]. */
void add_scaled(float *sums, const float *row, float factor, size_t n);

} // namespace fw::tensor
