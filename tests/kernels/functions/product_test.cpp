// SPDX-License-Identifier: MIT
/*
 * DOC: Products of matrices of any shape
 *
 * Each sum adds its products in order, so results of half, bfloat16_t and int8_t are those of plain loops, to the bit.
 */
#include "tests/kernels/language/ub.h"

using namespace AscendC;
using namespace kernel_test;
using unpu::lang::Matrix;

namespace {

struct Shape {
	uint64_t rows, columns, depth;
};

template <class T>
Matrix<T> matrix_of(const std::vector<T> &elements, bool is_turned, uint64_t rows, uint64_t columns)
{
	return is_turned ? Matrix<T>{elements.data(), 1, rows}
			 : Matrix<T>{elements.data(), columns, 1};
}

template <class T> void check(const Shape &of, bool a_is_turned, bool b_is_turned)
{
	using Sum = unpu::lang::Summed<T>;
	constexpr uint64_t margin = 3; /* sums between two rows, which stay as they are */
	const auto a = random_values<T>(uint32_t(of.rows * of.depth), 1, -3, 3);
	const auto b = random_values<T>(uint32_t(of.depth * of.columns), 2, -3, 3);
	const Matrix<T> by_a = matrix_of(a, a_is_turned, of.rows, of.depth);
	const Matrix<T> by_b = matrix_of(b, b_is_turned, of.depth, of.columns);
	const uint64_t pitch = of.columns + margin;
	std::vector<Sum> sums(of.rows * pitch, Sum(7)), wanted(sums);

	for (uint64_t i = 0; i < of.rows; i++)
		for (uint64_t j = 0; j < of.columns; j++)
			for (uint64_t k = 0; k < of.depth; k++)
				wanted[i * pitch + j] +=
					static_cast<Sum>(*by_a.from(i, k).elements) *
					static_cast<Sum>(*by_b.from(k, j).elements);
	unpu::lang::add_product(by_a, by_b, of.rows, of.columns, of.depth, sums.data(), pitch);
	EXPECT_EQ(sums, wanted) << of.rows << " x " << of.columns << " x " << of.depth << ' '
				<< a_is_turned << b_is_turned;
}

} // namespace

TEST(KernelProduct, ShapesAndOrdersOfAllTypes)
{
	for (const Shape &shape : {Shape{1, 1, 1}, Shape{1, 16, 255}, Shape{2, 15, 256},
				   Shape{3, 17, 257}, Shape{4, 32, 31}, Shape{7, 33, 600}}) {
		for (unsigned orders = 0; orders < 4; orders++) {
			check<half>(shape, orders & 1, orders & 2);
			check<bfloat16_t>(shape, orders & 1, orders & 2);
			check<int8_t>(shape, orders & 1, orders & 2);
		}
	}
}
