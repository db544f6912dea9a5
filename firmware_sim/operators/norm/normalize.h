// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace fw::tensor {

/** struct Sums - of the differences between the numbers of a row and a fixed one, and of their squares. */
struct Sums {
	double shift = 0;
	double sum = 0;
	double squares = 0;
};

/** struct Scaling - (x - mean) * rstd, in double. */
struct Scaling {
	double mean;
	double rstd;
};

/** struct Lines - equal parts of a few rows, each part contiguous in memory. */
struct Lines {
	static constexpr size_t MOST = 16;

	size_t rows = 0;
	size_t length = 0;
	const float *input[MOST];
	float *result[MOST]; /* may be @input */
	const float *factors[MOST];
	const float *summands[MOST];
	bool has_factors = false, has_summands = false;
};

/** add() - to[i] = a[i] + b[i]. @to: may be @a or @b */
void add(float *to, const float *a, const float *b, size_t n);

/** add_squares() - adds the squares of each row to its sums, in double. */
void add_squares(Sums *sums, const Lines &lines);

/** add_differences() - adds the differences from the shift of each row, and their squares, in double. */
void add_differences(Sums *sums, const Lines &lines);

/** normalize() - the result is the scaled input, rounded, times the factors, plus the summands. */
void normalize(const Lines &lines, const Scaling *scalings);

} // namespace fw::tensor
