/* SPDX-License-Identifier: MIT */
/*
 * DOC: The product of two matrices
 *
 * A plain loop over blocks: half and bfloat16 are widened to float, sums are float, of int8_t int32_t.
 */
#ifndef UNPU_ASCENDC_MATMUL_PRODUCT_H
#define UNPU_ASCENDC_MATMUL_PRODUCT_H

#include "unpu_ascendc/types/convert.h"
#include "unpu_ascendc/vector/engine.h"

namespace unpu::lang {

/* Elements of a matrix, row by row or column by column. */
template <class T> struct Matrix {
	const T *elements;
	uint64_t row; /* from row to row, in elements */
	uint64_t column;

	const T &at(uint64_t i, uint64_t k) const { return elements[i * row + k * column]; }
};

template <class T> using Summed = std::conditional_t<std::is_integral_v<T>, int32_t, float>;

/* How many columns and steps of the sum a block has. */
inline constexpr uint32_t COLUMNS = 64;
inline constexpr uint32_t STEPS = 64;

/* sums[i][j] += of a block of b that was copied with contiguous rows. */
template <class A, class Sum>
inline void add_block(const Matrix<A> &a, uint64_t rows, uint64_t first_step, uint32_t steps,
		      const Sum (&b)[STEPS][COLUMNS], uint32_t columns, Sum *sums, uint64_t pitch)
{
	for (uint64_t i = 0; i < rows; i++) {
		Sum *row = sums + i * pitch;

		for (uint32_t k = 0; k < steps; k++) {
			const Sum factor = static_cast<Sum>(a.at(i, first_step + k));

			UNPU_INDEPENDENT
			for (uint32_t j = 0; j < columns; j++)
				row[j] += factor * b[k][j];
		}
	}
}

/* sums (rows x columns, @pitch elements from row to row) += a (rows x depth) * b (depth x columns). */
template <class A, class B, class Sum>
inline void add_product(const Matrix<A> &a, const Matrix<B> &b, uint64_t rows, uint64_t columns,
			uint64_t depth, Sum *sums, uint64_t pitch)
{
	Sum block_of_b[STEPS][COLUMNS];

	for (uint64_t j = 0; j < columns; j += COLUMNS) {
		const uint32_t width =
			static_cast<uint32_t>(columns - j < COLUMNS ? columns - j : COLUMNS);

		for (uint64_t k = 0; k < depth; k += STEPS) {
			const uint32_t steps =
				static_cast<uint32_t>(depth - k < STEPS ? depth - k : STEPS);

			for (uint32_t s = 0; s < steps; s++)
				for (uint32_t c = 0; c < width; c++)
					block_of_b[s][c] = static_cast<Sum>(b.at(k + s, j + c));
			add_block(a, rows, k, steps, block_of_b, width, sums + j, pitch);
		}
	}
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_MATMUL_PRODUCT_H */
