// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw::tensor {

/* The maximum number of lines that are computed together. */
constexpr size_t MOST_LINES = 16;

/** struct Sums - of the differences between the numbers of each line and a fixed one, and of their squares. */
struct Sums {
	double shift[MOST_LINES] = {};
	double sum[MOST_LINES] = {};
	double squares[MOST_LINES] = {};
};

/** struct Scaling - (x - mean) * rstd of each line, in double. */
struct Scaling {
	double mean[MOST_LINES];
	double rstd[MOST_LINES];
};

/** struct Lines - equal parts of a few rows, or equal parts of one row. Each lies contiguous in memory. */
struct Lines {
	size_t count = 0;
	size_t length = 0;
	const float *input[MOST_LINES];
	float *result[MOST_LINES]; /* may be @input */
	const float *factors[MOST_LINES];
	const float *summands[MOST_LINES];
	bool has_factors = false, has_summands = false;
	bool are_constant = false; /* whether a whole line has one factor and one summand */
};

/** add() - to[i] = a[i] + b[i], and the squares of the sums are added to line @line. @to: may be @a or @b */
void add(float *to, const float *a, const float *b, size_t n, Sums &sums, size_t line);

/** add_squares() - adds the squares of each line to its sums, in double. */
void add_squares(Sums &sums, const Lines &lines);

/** add_differences() - adds the differences from the shift of each line, and their squares, in double.
 * @sets_shift: the shifts become the first numbers of the lines. They give an exact variance: the distance from
 * such a number to the mean is at most sqrt(n) deviations. */
void add_differences(Sums &sums, const Lines &lines, bool sets_shift);

/** find_scaling() - the scaling by sums over @length numbers. @is_centered: false: the mean is treated as
 * 0 */
Scaling find_scaling(const Sums &sums, double length, double epsilon, bool is_centered);

/** normalize() - the result is the scaled input, rounded, times the factors, plus the summands. */
void normalize(const Lines &lines, const Scaling &scaling);

} // namespace fw::tensor
