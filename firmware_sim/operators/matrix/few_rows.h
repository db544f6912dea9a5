// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace fw::tensor {

/** MOST_ROWS - the maximum number of rows that multiply_few_rows() accepts. */
constexpr int64_t MOST_ROWS = 8;

/** struct FewRows - a product c += a * b with at most MOST_ROWS rows. */
struct FewRows {
	const float *a; /* [m, k] */
	int64_t before; /* floats from row to row of a */
	const std::byte *b;
	uint32_t dtype;	    /* the type of b: F32, F16, BF16 or I8 */
	bool is_transposed; /* whether b is in column-major order */
	int64_t step;	    /* bytes from row to row of b, or from column to column */
	float *c;	    /* [m, n] */
	int64_t stride;	    /* floats from row to row of c */
	int64_t m, n, k;
	/* For b of type I8: a weight is (b + offset) * scale, with the offset and the scale of its column. */
	const float *scales = nullptr, *offsets = nullptr;
};

/** multiply_few_rows() - each element of b is read once, and converted in registers. */
void multiply_few_rows(const FewRows &product);

} // namespace fw::tensor
