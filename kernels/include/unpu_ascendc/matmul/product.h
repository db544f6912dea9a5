/* SPDX-License-Identifier: MIT */
/*
 * DOC: The product of two matrices
 *
 * Sums of half, bfloat16 and float are float, those of int8_t int32_t; each sum adds its products in the order of the
 * inner dimension. Strips of 4 rows by 16 columns are computed at a time: their sums stay in registers.
 */
#ifndef UNPU_ASCENDC_MATMUL_PRODUCT_H
#define UNPU_ASCENDC_MATMUL_PRODUCT_H

#include <stdlib.h>

#include "unpu_ascendc/types/convert.h"
#include "unpu_ascendc/vector/engine.h"

namespace unpu::lang {

template <class T> using Summed = std::conditional_t<std::is_integral_v<T>, int32_t, float>;

inline constexpr uint32_t STRIP_ROWS = 4;
inline constexpr uint32_t STRIP_COLUMNS = 16;

#if defined(__AVX__)
inline constexpr uint32_t VECTOR_BYTES = 32;
#else
inline constexpr uint32_t VECTOR_BYTES = 16;
#endif
/* What one register holds. */
template <class Sum> struct Vector {
	typedef Sum type
		__attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(Sum)), may_alias));
};

/* sum + a * b. For floats it is rounded once if the CPU has such an instruction. */
template <class V> inline V add_of_product(V sum, V a, V b)
{
	return sum + a * b;
}
#if defined(__x86_64__) && defined(__FMA__)
inline Vector<float>::type add_of_product(Vector<float>::type sum, Vector<float>::type a,
					  Vector<float>::type b)
{
	return __builtin_ia32_vfmaddps256(a, b, sum);
}
#endif

/*
 * Rows of A: @row elements from row to row. Of a row @width elements follow each other; the next ones lie @next
 * elements behind the start of these.
 */
template <class Sum> struct StripRows {
	const Sum *elements;
	uint64_t row;
	uint64_t width;
	uint64_t next;
};

/* @sums, 16 of each row and @pitch elements from row to row, += @a * @b, which has 16 elements for each of @depth. */
template <uint32_t ROWS, class Sum>
__attribute__((noinline)) inline void add_strip(StripRows<Sum> a, const Sum *b, uint64_t depth,
						Sum *sums, uint64_t pitch)
{
	using V = typename Vector<Sum>::type;
	constexpr uint32_t lanes = VECTOR_BYTES / sizeof(Sum);
	constexpr uint32_t vectors = STRIP_COLUMNS / lanes;
	V all[ROWS][vectors];

#pragma GCC unroll 8
	for (uint32_t i = 0; i < ROWS; i++)
#pragma GCC unroll 8
		for (uint32_t j = 0; j < vectors; j++)
			all[i][j] = *reinterpret_cast<const V *>(sums + i * pitch + j * lanes);
	for (; depth > 0; a.elements += a.next) {
		const uint64_t width = depth < a.width ? depth : a.width;

		for (uint64_t k = 0; k < width; k++, b += STRIP_COLUMNS) {
			V line[vectors];

#pragma GCC unroll 8
			for (uint32_t j = 0; j < vectors; j++)
				line[j] = *reinterpret_cast<const V *>(b + j * lanes);
#pragma GCC unroll 8
			for (uint32_t i = 0; i < ROWS; i++) {
				const V factor = a.elements[i * a.row + k] - V{}; /* in each lane */

#pragma GCC unroll 8
				for (uint32_t j = 0; j < vectors; j++)
					all[i][j] = add_of_product(all[i][j], factor, line[j]);
			}
		}
		depth -= width;
	}
#pragma GCC unroll 8
	for (uint32_t i = 0; i < ROWS; i++)
#pragma GCC unroll 8
		for (uint32_t j = 0; j < vectors; j++)
			*reinterpret_cast<V *>(sums + i * pitch + j * lanes) = all[i][j];
}

/* add_strip() of 1 to 4 rows. */
template <class Sum>
inline void add_rows(uint64_t rows, const StripRows<Sum> &a, const Sum *b, uint64_t depth,
		     Sum *sums, uint64_t pitch)
{
	switch (rows) {
	case 1:
		return add_strip<1>(a, b, depth, sums, pitch);
	case 2:
		return add_strip<2>(a, b, depth, sums, pitch);
	case 3:
		return add_strip<3>(a, b, depth, sums, pitch);
	default:
		return add_strip<STRIP_ROWS>(a, b, depth, sums, pitch);
	}
}

/* Converts elements to the type of the sums. */
template <class T, class Sum> inline void widen_elements(Sum *to, const T *from, uint64_t count)
{
	if constexpr (std::is_same_v<T, half>) {
		widen(to, from, static_cast<uint32_t>(count));
	} else {
		UNPU_INDEPENDENT
		for (uint64_t i = 0; i < count; i++)
			to[i] = static_cast<Sum>(from[i]);
	}
}

/* Elements of a matrix, row by row or column by column. */
template <class T> struct Matrix {
	const T *elements;
	uint64_t row; /* from row to row, in elements */
	uint64_t column;

	Matrix from(uint64_t i, uint64_t k) const
	{
		return {elements + i * row + k * column, row, column};
	}
	Matrix turned() const { return {elements, column, row}; }
};

/* How many steps of the inner dimension are packed at a time. */
inline constexpr uint64_t STEPS = 256;

/* @to[i * pitch + k] = @of, whose columns follow each other or lie apart. STEPS columns at most. */
template <class T, class Sum>
inline void pack(const Matrix<T> &of, uint64_t rows, uint64_t columns, Sum *to, uint64_t pitch)
{
	if (of.column == 1) {
		for (uint64_t i = 0; i < rows; i++)
			widen_elements(to + i * pitch, of.elements + i * of.row, columns);
		return;
	}
	for (uint64_t k = 0; k < columns; k++) {
		Sum line[STEPS];

		for (uint64_t i = 0; i < rows; i += STEPS) {
			const uint64_t now = rows - i < STEPS ? rows - i : STEPS;
			const T *from = of.elements + i * of.row + k * of.column;

			if (of.row == 1)
				widen_elements(line, from, now);
			for (uint64_t s = 0; s < now; s++)
				to[(i + s) * pitch + k] =
					of.row == 1 ? line[s] : static_cast<Sum>(from[s * of.row]);
		}
	}
}

/* @sums of 4 rows += @a * a row of packed strips of B. What a strip has behind the last column does not matter. */
template <class Sum>
inline void add_row_of_strips(uint64_t rows, const StripRows<Sum> &a, const Sum *b, uint64_t depth,
			      uint64_t columns, Sum *sums, uint64_t pitch)
{
	for (uint64_t j = 0; j < columns; j += STRIP_COLUMNS, b += depth * STRIP_COLUMNS) {
		const uint64_t width = columns - j < STRIP_COLUMNS ? columns - j : STRIP_COLUMNS;
		Sum edge[STRIP_ROWS * STRIP_COLUMNS] = {};

		if (width == STRIP_COLUMNS) {
			add_rows(rows, a, b, depth, sums + j, pitch);
			continue;
		}
		for (uint64_t i = 0; i < rows; i++)
			memcpy(edge + i * STRIP_COLUMNS, sums + i * pitch + j, width * sizeof(Sum));
		add_rows(rows, a, b, depth, edge, STRIP_COLUMNS);
		for (uint64_t i = 0; i < rows; i++)
			memcpy(sums + i * pitch + j, edge + i * STRIP_COLUMNS, width * sizeof(Sum));
	}
}

/* @sums (rows x columns, @pitch elements from row to row) += @a (rows x depth) * @b (depth x columns). */
template <class A, class B, class Sum>
inline void add_product(const Matrix<A> &a, const Matrix<B> &b, uint64_t rows, uint64_t columns,
			uint64_t depth, Sum *sums, uint64_t pitch)
{
	const uint64_t strips = (columns + STRIP_COLUMNS - 1) / STRIP_COLUMNS;
	Sum *packed = static_cast<Sum *>(
		malloc((strips * STRIP_COLUMNS + STRIP_ROWS) * STEPS * sizeof(Sum)));
	Sum *strip_of_a = packed + strips * STRIP_COLUMNS * STEPS;

	for (uint64_t k = 0; k < depth; k += STEPS) {
		const uint64_t steps = depth - k < STEPS ? depth - k : STEPS;

		for (uint64_t j = 0; j < columns; j += STRIP_COLUMNS)
			pack(b.from(k, j), steps,
			     columns - j < STRIP_COLUMNS ? columns - j : STRIP_COLUMNS,
			     packed + j * steps, STRIP_COLUMNS);
		for (uint64_t i = 0; i < rows; i += STRIP_ROWS) {
			const uint64_t now = rows - i < STRIP_ROWS ? rows - i : STRIP_ROWS;

			pack(a.from(i, k), now, steps, strip_of_a, STEPS);
			add_row_of_strips(now, StripRows<Sum>{strip_of_a, STEPS, STEPS, 0}, packed,
					  steps, columns, sums + i * pitch, pitch);
		}
	}
	free(packed);
}

} // namespace unpu::lang

#endif /* UNPU_ASCENDC_MATMUL_PRODUCT_H */
