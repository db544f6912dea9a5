// SPDX-License-Identifier: MIT
/*
 * DOC: MATMUL
 *
 * Slot 0 [.., M, N] = slot 1 [.., M, K] times slot 2 [.., K, N]; the dims before the last two are equal, and
 * broadcast by stride 0. Operands are F32, F16 or BF16 in any mix; products are added in F32.
 *
 * A unit is a tile of the result. K is walked in blocks, in order. A block of an operand that has F32 elements
 * side by side in one of its dims is multiplied where it lies; any other one is converted into scratch
 * memory.
 */
#include <cstring>

#include "few_rows.h"
#include "gemm.h"
#include "matrix.h"

namespace fw::tensor {

namespace {

constexpr int64_t TILE_ROWS = 128, TILE_COLUMNS = 512, BLOCK = 4096;

bool check_matmul(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !call.has(2))
		return false;
	const View &out = call.view(0), &self = call.view(1), &other = call.view(2);
	return out.ndim >= 2 && have_one_batch(self, out) && have_one_batch(other, out) &&
	       is_matrix_type(out.dtype) && is_matrix_type(self.dtype) &&
	       is_matrix_type(other.dtype) && rows(self) == rows(out) &&
	       columns(self) == rows(other) && columns(other) == columns(out);
}

/* struct Tile - the part of the result that a unit computes. */
struct Tile {
	Index at{}; /* its first element */
	int64_t rows;
	int64_t columns;
};

int64_t tiles_down(const View &out)
{
	return (rows(out) + TILE_ROWS - 1) / TILE_ROWS;
}

int64_t tiles_across(const View &out)
{
	return (columns(out) + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

uint64_t matmul_units(const Call &call)
{
	const View &out = call.view(0);
	if (out.count() == 0)
		return 0;
	return static_cast<uint64_t>(out.count() / rows(out) / columns(out) * tiles_down(out) *
				     tiles_across(out));
}

/* About 8 multiplications in the time of a copy of one byte; each element is read at least once. */
uint64_t matmul_cost(const Call &call)
{
	const auto count = static_cast<unsigned __int128>(call.view(0).count());
	const unsigned __int128 products = count * static_cast<uint64_t>(columns(call.view(1)));
	return limit_cost(products / 8 + count * sizeof(float));
}

size_t matmul_bytes(const Call &call)
{
	const View &out = call.view(0);
	const int64_t m = std::min(rows(out), TILE_ROWS);
	const int64_t n = std::min(columns(out), TILE_COLUMNS);
	const int64_t k = std::min(columns(call.view(1)), BLOCK);
	return static_cast<size_t>(m * k + k * n + m * n) * sizeof(float) + 2 * 64;
}

/* Scratch memory of a tile. */
struct TileBuffers {
	float *left, *right, *result;
};

Tile find_tile(const View &out, uint64_t unit)
{
	const auto across = static_cast<uint64_t>(tiles_across(out));
	const auto down = static_cast<uint64_t>(tiles_down(out));
	Tile tile{batch_index(out, unit / across / down), 0, 0};
	int64_t &column = tile.at[out.ndim - 1], &row = tile.at[out.ndim - 2];
	column = static_cast<int64_t>(unit % across) * TILE_COLUMNS;
	row = static_cast<int64_t>(unit / across % down) * TILE_ROWS;
	tile.columns = std::min(TILE_COLUMNS, columns(out) - column);
	tile.rows = std::min(TILE_ROWS, rows(out) - row);
	return tile;
}

/* multiply_step() - result = self * other, or added to it, for @n columns of self from @a on and rows of other from @b
 * on. */
void multiply_step(const Call &call, const Tile &tile, const Index &a, const Index &b, int64_t n,
		   const TileBuffers &buffers, bool adds)
{
	const View &self = call.view(1), &other = call.view(2);
	const unsigned last = other.ndim - 1;
	const int64_t bytes = element_bytes(other);
	const int64_t down = n > 1 ? other.strides[last - 1] : 1;
	const int64_t across = tile.columns > 1 ? other.strides[last] : 1;
	if (tile.rows > MOST_ROWS || (down != 1 && across != 1)) {
		multiply_panels(
			tile.rows, tile.columns, n, load_panel(self, a, tile.rows, n, buffers.left),
			load_panel(other, b, n, tile.columns, buffers.right), buffers.result, adds);
		return;
	}
	load_rows(self, a, tile.rows, n, buffers.left);
	if (!adds)
		std::memset(buffers.result, 0,
			    static_cast<size_t>(tile.rows * tile.columns) * sizeof(float));
	multiply_few_rows({buffers.left, place(other, b), other.dtype, across != 1,
			   (across != 1 ? across : down) * bytes, buffers.result, tile.rows,
			   tile.columns, n});
}

void compute_tile(const Call &call, const Tile &tile, std::byte *scratch)
{
	const View &out = call.view(0), &self = call.view(1);
	const unsigned last = out.ndim - 1;
	const int64_t depth = columns(self), most = std::min(depth, BLOCK);
	TileBuffers buffers{};
	buffers.left = aligned(scratch);
	buffers.right = aligned(reinterpret_cast<std::byte *>(buffers.left + tile.rows * most));
	buffers.result =
		aligned(reinterpret_cast<std::byte *>(buffers.right + most * tile.columns));
	if (depth == 0)
		std::memset(buffers.result, 0,
			    static_cast<size_t>(tile.rows * tile.columns) * sizeof(float));
	for (int64_t k = 0; k < depth; k += BLOCK) {
		const int64_t n = std::min(BLOCK, depth - k);
		Index a = tile.at, b = tile.at;
		a[last] = k;
		b[last - 1] = k;
		multiply_step(call, tile, a, b, n, buffers, k > 0);
	}
	std::byte *to = place(out, tile.at);
	const int64_t down = out.strides[last - 1] * element_bytes(out);
	for (int64_t i = 0; i < tile.rows; i++)
		store_row<float>(out.dtype, to + i * down, inner_stride(out),
				 static_cast<size_t>(tile.columns),
				 buffers.result + i * tile.columns);
}

Finding run_matmul(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	for (uint64_t unit = first; unit < first + count; unit++)
		compute_tile(call, find_tile(call.view(0), unit), scratch);
	return {};
}

constexpr Kernel MATMUL_KERNELS[] = {
	{UNPU_TENSOR_MATMUL, check_matmul, matmul_units, matmul_cost, matmul_bytes, run_matmul},
};

} // namespace

const std::span<const Kernel> matmul_kernels = MATMUL_KERNELS;

} // namespace fw::tensor
