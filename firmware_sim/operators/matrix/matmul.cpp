// SPDX-License-Identifier: MIT
/*
 * DOC: MATMUL
 *
 * Slot 0 [.., M, N] = slot 1 [.., M, K] times slot 2 [.., K, N]; the dims before the last two are equal, and
 * broadcast by stride 0. Operands are F32, F16 or BF16 in any mix; products are added in F32. The sums count
 * attribute 0 times, and slot 3, which has the shape of slot 0, is added attribute 1 times. Both attributes and
 * slot 3 may be absent.
 *
 * A unit is a tile of the result, which is wider where there are few rows, and smaller where the result is so small
 * that the engines would have few tiles to share. K is walked in blocks, in order. A block
 * of an operand that has F32 elements side by side in one of its dims is multiplied where it lies; any other one is
 * converted into scratch memory.
 */
#include <cstring>

#include "few_rows.h"
#include "gemm.h"
#include "matrix.h"

namespace fw::tensor {

namespace {

constexpr int64_t TILE_ROWS = 128, TILE_COLUMNS = 512, BLOCK = 4096;
/* Tiles are made smaller, down to these sizes, until there are this many. oneDNN computes 48 columns at a time. */
constexpr int64_t LEAST_ROWS = 64, LEAST_COLUMNS = 192;
constexpr int64_t WANTED_TILES = 8;
/* How many bytes of a row of slot 2 a tile of few rows uses: long parts of rows are read faster. */
constexpr int64_t WIDE_BYTES = 4096;
/* Unused floats between two rows of such a tile's result. Without them the rows would compete for the same
 * lines of the first-level cache. */
constexpr int64_t GAP = 16;

bool check_matmul(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &out = call.view(0), &self = call.view(1), &other = call.view(2);
	return out.ndim >= 2 && have_one_batch(self, out) && have_one_batch(other, out) &&
	       is_matrix_type(out.dtype) && is_matrix_type(self.dtype) &&
	       is_matrix_type(other.dtype) && rows(self) == rows(out) &&
	       columns(self) == rows(other) && columns(other) == columns(out) &&
	       columns(self) <= UNPU_TENSOR_MAX_DEPTH &&
	       (!call.has(3) ||
		(call.view(3).has_shape_of(out) && is_matrix_type(call.view(3).dtype)));
}

/* struct Tile - the part of the result that a unit computes. */
struct Tile {
	Index at{}; /* the first element of the tile */
	int64_t rows;
	int64_t columns;
};

/* has_lines() - whether the elements of slot 2 lie side by side in one of its dims. */
bool has_lines(const Call &call)
{
	const View &other = call.view(2);
	const unsigned last = other.ndim - 1;
	return columns(other) == 1 || rows(other) == 1 || other.strides[last] == 1 ||
	       other.strides[last - 1] == 1;
}

/* struct Cut - how the result is divided into tiles. It depends only on the call. Context: the result is not empty */
struct Cut {
	explicit Cut(const Call &call) : out(call.view(0))
	{
		const bool is_low = ::fw::tensor::rows(out) <= MOST_ROWS && has_lines(call);
		if (is_low)
			columns = WIDE_BYTES / element_bytes(call.view(2));
		for (; !is_low && tiles() < WANTED_TILES && columns > LEAST_COLUMNS;)
			columns = columns == TILE_COLUMNS ? 2 * LEAST_COLUMNS : columns / 2;
		for (; !is_low && tiles() < WANTED_TILES && rows > LEAST_ROWS;)
			rows /= 2;
	}

	int64_t down() const { return parts_of(::fw::tensor::rows(out), rows); }
	int64_t across() const { return parts_of(::fw::tensor::columns(out), columns); }
	int64_t tiles() const { return batch_count(out) * down() * across(); }

	const View &out;
	int64_t rows = TILE_ROWS, columns = TILE_COLUMNS;
};

uint64_t matmul_units(const Call &call)
{
	const View &out = call.view(0);
	if (out.count() == 0)
		return 0;
	return static_cast<uint64_t>(Cut(call).tiles());
}

/* About 4 multiplications in the time of a copy of one byte. Each row of tiles reads all of slot 2, twice as fast as a
 * copy. */
uint64_t matmul_cost(const Call &call)
{
	const View &out = call.view(0);
	const auto count = static_cast<unsigned __int128>(out.count());
	if (count == 0)
		return 0;
	const unsigned __int128 products = count * static_cast<uint64_t>(columns(call.view(1)));
	const auto high = static_cast<uint64_t>(std::min(rows(out), Cut(call).rows));
	const unsigned __int128 read = products / high * element_bytes(call.view(2)) / 2;
	return limit_cost(std::max(products / 4, read) + count * sizeof(float));
}

size_t matmul_bytes(const Call &call)
{
	const View &out = call.view(0);
	if (out.count() == 0)
		return 0;
	const Cut cut(call);
	const int64_t m = std::min(rows(out), cut.rows);
	const int64_t n = std::min(columns(out), cut.columns);
	const int64_t k = std::min(columns(call.view(1)), BLOCK);
	const int64_t right = m > MOST_ROWS || !has_lines(call) ? k * n : 0;
	return static_cast<size_t>(m * k + m * (n + GAP) + right) * sizeof(float) + 3 * 64;
}

/* Scratch memory of a tile. @stride: floats from row to row of the result */
struct TileBuffers {
	float *left, *result, *right;
	int64_t stride;
};

Tile find_tile(const Cut &cut, uint64_t unit)
{
	const View &out = cut.out;
	const auto across = static_cast<uint64_t>(cut.across());
	const auto down = static_cast<uint64_t>(cut.down());
	Tile tile{batch_index(out, unit / across / down), 0, 0};
	int64_t &column = tile.at[out.ndim - 1], &row = tile.at[out.ndim - 2];
	column = static_cast<int64_t>(unit % across) * cut.columns;
	row = static_cast<int64_t>(unit / across % down) * cut.rows;
	tile.columns = std::min(cut.columns, columns(out) - column);
	tile.rows = std::min(cut.rows, rows(out) - row);
	return tile;
}

/* multiply_step() - result = self * other, or added to it, for @n columns of self from @a on and rows of other from @b
 * on. */
void multiply_step(const Call &call, const Tile &tile, const Index &a, const Index &b, int64_t n,
		   const TileBuffers &buffers, bool adds)
{
	const View &self = call.view(1), &other = call.view(2);
	const unsigned last = other.ndim - 1;
	if (tile.rows > MOST_ROWS || !has_lines(call)) {
		if (tile.rows > MOST_ROWS && multiply_bfloats({self,
							       other,
							       a,
							       b,
							       {tile.rows, tile.columns, n},
							       buffers.result,
							       adds}))
			return;
		multiply_panels(
			tile.rows, tile.columns, n, load_panel(self, a, tile.rows, n, buffers.left),
			load_panel(other, b, n, tile.columns, buffers.right), buffers.result, adds);
		return;
	}
	const bool has_columns = rows(other) == 1 || other.strides[last - 1] == 1;
	const bool is_transposed = has_columns && (columns(other) == 1 || other.strides[last] != 1);
	const int64_t down = is_transposed ? other.strides[last] : other.strides[last - 1];
	load_rows(self, a, tile.rows, n, buffers.left);
	if (!adds)
		std::memset(buffers.result, 0,
			    static_cast<size_t>(tile.rows * buffers.stride) * sizeof(float));
	multiply_few_rows({buffers.left, n, place(other, b), other.dtype, is_transposed,
			   down * element_bytes(other), buffers.result, buffers.stride, tile.rows,
			   tile.columns, n});
}

TileBuffers place_buffers(const Call &call, const Tile &tile, std::byte *scratch)
{
	const auto behind = [](float *end) { return aligned(reinterpret_cast<std::byte *>(end)); };
	const bool is_low = tile.rows <= MOST_ROWS && has_lines(call);
	TileBuffers buffers{};
	buffers.stride = tile.columns + (is_low ? GAP : 0);
	buffers.left = aligned(scratch);
	buffers.result = behind(buffers.left + tile.rows * std::min(columns(call.view(1)), BLOCK));
	buffers.right = behind(buffers.result + tile.rows * buffers.stride);
	return buffers;
}

float factor_of(const Call &call, unsigned attribute)
{
	return call.has_attribute(attribute) ? static_cast<float>(call.scalar(attribute).real)
					     : 1.0f;
}

/* finish_sums() - multiplies the sums of a tile by the factor of the call, and adds slot 3. */
void finish_sums(const Call &call, const Tile &tile, const TileBuffers &buffers)
{
	const float alpha = factor_of(call, 0), beta = factor_of(call, 1);
	for (int64_t i = 0; i < tile.rows && alpha != 1; i++)
		for (int64_t j = 0; j < tile.columns; j++)
			buffers.result[i * buffers.stride + j] *= alpha;
	if (!call.has(3))
		return;
	const View &addend = call.view(3);
	const int64_t down = addend.strides[addend.ndim - 2] * element_bytes(addend);
	const std::byte *from = place(addend, tile.at);
	for (int64_t i = 0; i < tile.rows; i++) {
		float *sums = buffers.result + i * buffers.stride;
		for (int64_t j = 0; j < tile.columns; j += ROW_BLOCK) {
			alignas(64) float row[ROW_BLOCK];
			const int64_t n = std::min(ROW_BLOCK, tile.columns - j);
			load_row(addend.dtype, from + i * down + j * inner_stride(addend),
				 inner_stride(addend), static_cast<size_t>(n), row);
			for (int64_t k = 0; k < n; k++)
				sums[j + k] += beta * row[k];
		}
	}
}

void compute_tile(const Call &call, const Tile &tile, std::byte *scratch)
{
	const View &out = call.view(0), &self = call.view(1);
	const unsigned last = out.ndim - 1;
	const int64_t depth = columns(self);
	const TileBuffers buffers = place_buffers(call, tile, scratch);
	if (depth == 0)
		std::memset(buffers.result, 0,
			    static_cast<size_t>(tile.rows * buffers.stride) * sizeof(float));
	for (int64_t k = 0; k < depth; k += BLOCK) {
		const int64_t n = std::min(BLOCK, depth - k);
		Index a = tile.at, b = tile.at;
		a[last] = k;
		b[last - 1] = k;
		multiply_step(call, tile, a, b, n, buffers, k > 0);
	}
	finish_sums(call, tile, buffers);
	std::byte *to = place(out, tile.at);
	const int64_t down = out.strides[last - 1] * element_bytes(out);
	for (int64_t i = 0; i < tile.rows; i++)
		store_row<float>(out.dtype, to + i * down, inner_stride(out),
				 static_cast<size_t>(tile.columns),
				 buffers.result + i * buffers.stride);
}

Finding run_matmul(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Cut cut(call);
	for (uint64_t unit = first; unit < first + count; unit++)
		compute_tile(call, find_tile(cut, unit), scratch);
	return {};
}

constexpr Kernel MATMUL_KERNELS[] = {
	{UNPU_TENSOR_MATMUL, check_matmul, matmul_units, matmul_cost, matmul_bytes, run_matmul},
};

} // namespace

const std::span<const Kernel> matmul_kernels = MATMUL_KERNELS;

} // namespace fw::tensor
