// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

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

/** ROW_SLACK - floats behind a row that add_taps() may touch: the longest vector. */
constexpr int64_t ROW_SLACK = 64;

/** struct Tap - an element of a window. @offset: from the first element of a window, in floats */
struct Tap {
	int64_t offset;
	float weight;
};

/** struct TapSums - sums[y, x] += the sum over all taps of rows[y, x + offset] * weight. A row of both has ROW_SLACK
 * floats more than are used. */
struct TapSums {
	const Tap *taps;
	size_t count;
	const float *rows;
	int64_t row_step; /* floats from row to row of @rows */
	float *sums;
	int64_t sum_step; /* likewise of @sums */
	int64_t height, width;
};

/** add_taps() - each sum stays in a register for all taps. */
void add_taps(const TapSums &work);

/** split_pairs() - even[i] = row[2 * i], odd[i] = row[2 * i + 1]. @row has 2 * @n elements */
void split_pairs(float *even, float *odd, const float *row, size_t n);

} // namespace fw::tensor
