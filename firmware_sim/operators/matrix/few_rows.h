// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fw::tensor {

/** MOST_ROWS - so many rows are few. */
constexpr int64_t MOST_ROWS = 8;

/** struct FewRows - a product c += a * b with at most MOST_ROWS rows. */
struct FewRows {
	const float *a; /* [m, k] */
	int64_t before; /* floats from row to row of a */
	const std::byte *b;
	uint32_t dtype;	    /* of b: F32, F16, BF16 or I8 */
	bool is_transposed; /* the elements of a column of b follow each other, not those of a row */
	int64_t step;	    /* bytes from row to row of b, or from column to column */
	float *c;	    /* [m, n] */
	int64_t stride;	    /* floats from row to row of c */
	int64_t m, n, k;
	/* For rows of I8: a weight is (b + offset) * scale, with those of its column. */
	const float *scales = nullptr, *offsets = nullptr;
};

/** multiply_few_rows() - each element of b is read once, and converted in registers. */
void multiply_few_rows(const FewRows &product);

} // namespace fw::tensor
