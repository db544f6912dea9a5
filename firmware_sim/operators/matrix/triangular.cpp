// SPDX-License-Identifier: MIT
/*
 * DOC: TRIANGULAR_SOLVE
 *
 * Slot 0 [.., N, K] gets the X of op(A) * X = B, slot 1 [.., N, N] a copy of A; slot 2 has B, slot 3 A.
 * Attribute 0: A is an upper triangle, else a lower one; 1: op(A) is the transposed A; 2: its diagonal is 1.
 * The other triangle of A is never read for X.
 *
 * Rows are solved one after the other, in F32: the products of a row are added in ascending order of the
 * column, and each is rounded before it is added. Random triangles amplify errors exponentially, so another
 * order would give another result. A unit is a block of X's columns, or a copy of a matrix.
 */
#include "matrix.h"

namespace fw::tensor {

namespace {

constexpr int64_t SOLVED_FLOATS = 2 << 20; /* of scratch memory for the columns of a unit */
constexpr int64_t SOLVED_COLUMNS = 128;

bool check_solve(const Call &call)
{
	for (unsigned slot = 0; slot < 4; slot++)
		if (!call.has(slot) || call.view(slot).ndim < 2 ||
		    !is_matrix_type(call.view(slot).dtype) ||
		    !have_one_batch(call.view(slot), call.view(0)))
			return false;
	const View &x = call.view(0), &copy = call.view(1), &b = call.view(2), &a = call.view(3);
	const int64_t n = rows(x);
	return n <= UNPU_TENSOR_MAX_TRIANGLE && x.has_shape_of(b) && copy.has_shape_of(a) &&
	       copy.dtype == a.dtype && rows(a) == n && columns(a) == n;
}

int64_t solved_columns(const View &x)
{
	const int64_t most = SOLVED_FLOATS / std::max<int64_t>(1, rows(x));
	return std::clamp<int64_t>(most, 1, SOLVED_COLUMNS);
}

/* Blocks of columns of a matrix. */
uint64_t blocks_across(const View &x)
{
	const int64_t width = solved_columns(x);
	return static_cast<uint64_t>((columns(x) + width - 1) / width);
}

uint64_t solve_units(const Call &call)
{
	const View &x = call.view(0);
	if (rows(x) == 0)
		return 0;
	return static_cast<uint64_t>(batch_count(x)) * (blocks_across(x) + 1);
}

/* A product takes the time of a copy of about one byte. */
uint64_t solve_cost(const Call &call)
{
	const auto entries = static_cast<unsigned __int128>(call.view(1).count());
	return limit_cost(entries * static_cast<uint64_t>(columns(call.view(0)) / 2 + 8));
}

size_t solve_bytes(const Call &call)
{
	const View &x = call.view(0);
	const int64_t floats = (rows(x) + 1) * solved_columns(x) + rows(x);
	return static_cast<size_t>(floats) * sizeof(float) + 2 * 64;
}

/* struct Triangle - op(A), of which row i has its elements at columns [0, i], or [i, n) if it is upper. */
struct Triangle {
	const std::byte *data;
	uint32_t dtype;
	int64_t down, across; /* in bytes */
	int64_t n;
	bool is_upper;
	bool is_unit;
};

Triangle triangle_of(const Call &call, const Index &at)
{
	const View &a = call.view(3);
	const bool is_transposed = call.integer(1) != 0;
	const int64_t bytes = element_bytes(a);
	const int64_t down = a.strides[a.ndim - 2] * bytes, across = a.strides[a.ndim - 1] * bytes;
	return {place(a, at),
		a.dtype,
		is_transposed ? across : down,
		is_transposed ? down : across,
		rows(a),
		(call.integer(0) != 0) != is_transposed,
		call.integer(2) != 0};
}

/* add_products() - sum[j] += a[t] * x[t, j], for @terms rows of @x in ascending order. */
void add_products(float *sum, int64_t width, const float *a, const float *x, int64_t terms)
{
	int64_t t = 0;
	for (; t + 4 <= terms; t += 4, x += 4 * width) {
		for (int64_t j = 0; j < width; j++) {
			float s = sum[j];
			s += a[t] * x[j];
			s += a[t + 1] * x[j + width];
			s += a[t + 2] * x[j + 2 * width];
			sum[j] = s + a[t + 3] * x[j + 3 * width];
		}
	}
	for (; t < terms; t++, x += width)
		for (int64_t j = 0; j < width; j++)
			sum[j] += a[t] * x[j];
}

/* solve_columns() - @width columns of X from column @at on. */
void solve_columns(const Call &call, const Triangle &a, Index at, int64_t width, std::byte *scratch)
{
	const View &x = call.view(0), &b = call.view(2);
	float *solved = aligned(scratch), *sum = solved + a.n * width;
	float *row = aligned(reinterpret_cast<std::byte *>(sum + width));
	const auto size = static_cast<size_t>(width);
	for (int64_t k = 0; k < a.n; k++) {
		const int64_t i = a.is_upper ? a.n - 1 - k : k;
		/* column of the first element of the row */
		const int64_t first = a.is_upper ? i : 0;
		load_row<float>(a.dtype, a.data + i * a.down + first * a.across, a.across,
				static_cast<size_t>(k + 1), row);
		std::fill_n(sum, size, 0.0f);
		const int64_t known = a.is_upper ? i + 1 : 0;
		add_products(sum, width, row + (known - first), solved + known * width, k);
		at[x.ndim - 2] = i;
		float *result = solved + i * width;
		load_row<float>(b.dtype, place(b, at), inner_stride(b), size, result);
		const float diagonal = a.is_unit ? 1.0f : row[i - first];
		for (int64_t j = 0; j < width; j++)
			result[j] = (result[j] - sum[j]) / diagonal;
		store_row<float>(x.dtype, place(x, at), inner_stride(x), size, result);
	}
}

void copy_matrix(const View &to, const View &from, Index at)
{
	for (int64_t &i = at[to.ndim - 2]; i < rows(to); i++)
		copy_row(place(to, at), inner_stride(to), place(from, at), inner_stride(from),
			 static_cast<size_t>(columns(to)),
			 static_cast<unsigned>(element_bytes(to)));
}

Finding run_solve(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &x = call.view(0);
	const uint64_t across = blocks_across(x);
	const int64_t width = solved_columns(x);
	for (uint64_t unit = first; unit < first + count; unit++) {
		Index at = batch_index(x, unit / (across + 1));
		const uint64_t block = unit % (across + 1);
		if (block == across) {
			copy_matrix(call.view(1), call.view(3), at);
			continue;
		}
		const Triangle a = triangle_of(call, at);
		int64_t &column = at[x.ndim - 1];
		column = static_cast<int64_t>(block) * width;
		solve_columns(call, a, at, std::min(width, columns(x) - column), scratch);
	}
	return {};
}

constexpr Kernel TRIANGULAR_KERNELS[] = {
	{UNPU_TENSOR_TRIANGULAR_SOLVE, check_solve, solve_units, solve_cost, solve_bytes,
	 run_solve},
};

} // namespace

const std::span<const Kernel> triangular_kernels = TRIANGULAR_KERNELS;

} // namespace fw::tensor
