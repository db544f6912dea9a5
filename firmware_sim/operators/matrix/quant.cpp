// SPDX-License-Identifier: MIT
/*
 * DOC: QUANT_MATMUL
 *
 * Slot 0 [M, N] = slot 1 [M, K] times the weights + slot 5 [N]. Slot 2 [K, N] has the weights as I8 or I4;
 * weight [k, n] is (slot 2 + slot 4) * slot 3, of which [k / group, n] is used. Slots 4 and 5 may be absent. With
 * one row of scales, a group has all of K. Products are added in F32, and a result is rounded once.
 *
 * A unit is a tile of the result. K is walked in blocks, in order: a block of weights becomes floats in
 * scratch memory, of rows along the dim in which the weights lie side by side. A tile of few rows is computed
 * as dot products with one column of weights after the other, which stays in the first cache. If the weights of
 * a row lie side by side, such a tile is wider, and weights become floats in registers.
 */
#include <cstring>

#include "dequant.h"
#include "few_rows.h"
#include "gemm.h"
#include "matrix.h"

namespace fw::tensor {

namespace {

constexpr int64_t QUANT_ROWS = 256, QUANT_COLUMNS = 128, QUANT_BLOCK = 1024;
/* The number of columns of a tile of few rows if the weights of a row lie side by side, and the unused floats
 * between the rows of its result. */
constexpr int64_t WIDE = 2048, QUANT_GAP = 16;
/* How many rows of I4 weights are unpacked to bytes at a time. */
constexpr int64_t UNPACKED = 8;

bool check_scales(const Call &call, int64_t depth, int64_t width)
{
	const View &scale = call.view(3);
	if (scale.ndim != 2 || columns(scale) != width || !is_matrix_type(scale.dtype))
		return false;
	if (call.has(4) &&
	    (!call.view(4).has_shape_of(scale) || !is_matrix_type(call.view(4).dtype)))
		return false;
	const int64_t group = call.integer(0);
	if (rows(scale) == 1 && (group == 0 || group >= depth))
		return true;
	return group > 0 && rows(scale) == depth / group + (depth % group != 0);
}

bool check_quant(const Call &call)
{
	for (unsigned slot = 0; slot < 4; slot++)
		if (!call.has(slot) || call.view(slot).ndim != 2)
			return false;
	const View &y = call.view(0), &x = call.view(1), &weight = call.view(2);
	if (!is_matrix_type(y.dtype) || !is_matrix_type(x.dtype) ||
	    (weight.dtype != UNPU_DTYPE_I8 && weight.dtype != UNPU_DTYPE_I4))
		return false;
	if (rows(x) != rows(y) || columns(x) != rows(weight) || columns(weight) != columns(y))
		return false;
	if (call.has(5) && (call.view(5).ndim != 1 || call.view(5).dims[0] != columns(y) ||
			    !is_matrix_type(call.view(5).dtype)))
		return false;
	return rows(weight) <= UNPU_TENSOR_MAX_DEPTH &&
	       check_scales(call, rows(weight), columns(weight));
}

uint64_t pieces(int64_t size, int64_t each)
{
	return static_cast<uint64_t>(size / each + (size % each != 0));
}

/* has_wide_tiles() - whether tiles of few rows are wide: the weights are then processed row by row. */
bool has_wide_tiles(const Call &call)
{
	const View &weight = call.view(2);
	return rows(call.view(0)) <= MOST_ROWS && weight.strides[0] != 1 &&
	       (weight.strides[1] == 1 || columns(weight) == 1);
}

int64_t quant_columns(const Call &call)
{
	return has_wide_tiles(call) ? WIDE : QUANT_COLUMNS;
}

uint64_t quant_units(const Call &call)
{
	const View &y = call.view(0);
	return pieces(rows(y), QUANT_ROWS) * pieces(columns(y), quant_columns(call));
}

/* Besides the products, each tile of rows converts all weights. */
uint64_t quant_cost(const Call &call)
{
	const auto weights = static_cast<unsigned __int128>(call.view(2).count());
	const auto down = static_cast<uint64_t>(rows(call.view(0)));
	return limit_cost(weights * (down / 4 + pieces(rows(call.view(0)), QUANT_ROWS)) +
			  static_cast<uint64_t>(call.view(0).count()) * sizeof(float));
}

/* struct Buffers - the scratch memory of a tile. */
struct Buffers {
	float *x;      /* QUANT_ROWS x QUANT_BLOCK */
	float *panel;  /* QUANT_COLUMNS x QUANT_BLOCK */
	float *result; /* QUANT_ROWS x QUANT_COLUMNS */
	float *scales, *offsets;
	/* these three have as many elements as the longest side of a tile or block */
	int8_t *weights;

	static constexpr int64_t SIDE = std::max({QUANT_COLUMNS, QUANT_BLOCK, WIDE});
	static constexpr int64_t FLOATS = QUANT_ROWS * QUANT_BLOCK + QUANT_COLUMNS * QUANT_BLOCK +
					  QUANT_ROWS * QUANT_COLUMNS + 2 * SIDE;

	explicit Buffers(std::byte *scratch)
		: x(aligned(scratch)), panel(x + QUANT_ROWS * QUANT_BLOCK),
		  result(panel + QUANT_COLUMNS * QUANT_BLOCK),
		  scales(result + QUANT_ROWS * QUANT_COLUMNS), offsets(scales + SIDE),
		  weights(reinterpret_cast<int8_t *>(offsets + SIDE))
	{
	}
};

size_t quant_bytes(const Call &)
{
	return Buffers::FLOATS * sizeof(float) + Buffers::SIDE * UNPACKED + 64;
}

/* struct Block - the part of the weights that is converted at once. */
struct Block {
	int64_t k, depth;
	int64_t column, width;
};

int64_t group_size(const Call &call)
{
	const int64_t depth = rows(call.view(2));
	return rows(call.view(3)) == 1 ? std::max<int64_t>(1, depth) : call.integer(0);
}

/* load_weights() - @n weights from [k, column] on in dim @dim.
 * Return: @to, or the address of the weights if no copy is needed. */
const int8_t *load_weights(const View &weight, int64_t k, int64_t column, unsigned dim, size_t n,
			   int8_t *to)
{
	const int64_t first = k * weight.strides[0] + column * weight.strides[1];
	const int64_t stride = n > 1 ? weight.strides[dim] : 1;
	const bool is_nibble = weight.dtype == UNPU_DTYPE_I4;
	if (stride == 1 && !is_nibble)
		return reinterpret_cast<const int8_t *>(weight.data + first);
	if (stride == 1) {
		unpack_nibbles(weight.data + (first >> 1), first & 1, n, to);
		return to;
	}
	for (size_t i = 0; i < n; i++) {
		const int64_t at = first + static_cast<int64_t>(i) * stride;
		if (is_nibble)
			unpack_nibbles(weight.data + (at >> 1), at & 1, 1, to + i);
		else
			std::memcpy(to + i, weight.data + at, 1);
	}
	return to;
}

/* load_scales() - @n elements of a slot from [group, column] on in dim @dim. Return: @to, or nullptr if the slot
 * is absent. */
const float *load_scales(const Call &call, unsigned slot, int64_t group, int64_t column,
			 unsigned dim, int64_t n, float *to)
{
	if (!call.has(slot))
		return nullptr;
	const View &view = call.view(slot);
	load_row<float>(view.dtype, place(view, {group, column}),
			view.strides[dim] * element_bytes(view), static_cast<size_t>(n), to);
	return to;
}

/* load_column() - @block.depth weights of column @column as floats. */
void load_column(const Call &call, const Block &block, int64_t column, const Buffers &buffers,
		 float *to)
{
	const int64_t size = group_size(call), first = block.k / size;
	const int64_t groups = (block.k + block.depth - 1) / size - first + 1;
	const auto n = static_cast<size_t>(block.depth);
	const int8_t *weights = load_weights(call.view(2), block.k, column, 0, n, buffers.weights);
	const float *scales = load_scales(call, 3, first, column, 0, groups, buffers.scales);
	const float *offsets = load_scales(call, 4, first, column, 0, groups, buffers.offsets);
	scale_groups(weights, n,
		     {static_cast<size_t>(size), static_cast<size_t>(size - block.k % size), scales,
		      offsets},
		     to);
}

/* load_block() - a block of weights as floats. */
Panel load_block(const Call &call, const Block &block, const Buffers &buffers)
{
	const View &weight = call.view(2);
	float *to = buffers.panel;
	if (weight.strides[1] != 1 && weight.strides[0] == 1) {
		for (int64_t j = 0; j < block.width; j++)
			load_column(call, block, block.column + j, buffers, to + j * block.depth);
		return {to, block.depth, true};
	}
	const int64_t size = group_size(call);
	const auto n = static_cast<size_t>(block.width);
	const float *scales = nullptr, *offsets = nullptr;
	for (int64_t i = 0; i < block.depth; i++) {
		const int64_t k = block.k + i;
		if (i == 0 || k % size == 0) {
			scales = load_scales(call, 3, k / size, block.column, 1, block.width,
					     buffers.scales);
			offsets = load_scales(call, 4, k / size, block.column, 1, block.width,
					      buffers.offsets);
		}
		scale_each(load_weights(weight, k, block.column, 1, n, buffers.weights), n, scales,
			   offsets, to + i * block.width);
	}
	return {to, block.width, false};
}

/* add_dot_products() - adds a block's products to the few rows of a tile. @x: contiguous rows */
void add_dot_products(const Call &call, const Block &block, const float *x, int64_t down,
		      const Buffers &buffers)
{
	for (int64_t j = 0; j < block.width; j++) {
		load_column(call, block, block.column + j, buffers, buffers.panel);
		for (int64_t i = 0; i < down; i++)
			buffers.result[i * block.width + j] +=
				dot_product(x + i * block.depth, buffers.panel,
					    static_cast<size_t>(block.depth));
	}
}

/* struct WideTile - few rows and many columns. @stride: floats from row to row of its results */
struct WideTile {
	int64_t down, column, width, stride;
};

static_assert(MOST_ROWS * (WIDE + QUANT_GAP) <= QUANT_ROWS * QUANT_COLUMNS);

/* add_rows() - adds the products with weights @k .. @k + @depth - 1 of each column, all of one group. */
void add_rows(const Call &call, const WideTile &tile, int64_t k, int64_t depth,
	      const Buffers &buffers)
{
	const View &weight = call.view(2);
	const bool is_nibble = weight.dtype == UNPU_DTYPE_I4;
	const int64_t each = is_nibble ? UNPACKED : depth;
	const auto n = static_cast<size_t>(tile.width);
	for (int64_t at = 0; at < depth; at += each) {
		const int64_t count = std::min(each, depth - at);
		const int8_t *from =
			load_weights(weight, k + at, tile.column, 1, n, buffers.weights);
		for (int64_t i = 1; is_nibble && i < count; i++)
			(void)load_weights(weight, k + at + i, tile.column, 1, n,
					   buffers.weights + i * tile.width);
		multiply_few_rows({buffers.x + at, depth, reinterpret_cast<const std::byte *>(from),
				   UNPU_DTYPE_I8, false, is_nibble ? tile.width : weight.strides[0],
				   buffers.result, tile.stride, tile.down, tile.width, count,
				   buffers.scales, buffers.offsets});
	}
}

void add_wide_tile(const Call &call, const WideTile &tile, const Buffers &buffers)
{
	const int64_t depth = rows(call.view(2)), size = group_size(call);
	std::fill_n(buffers.offsets, tile.width, 0.0f);
	for (int64_t k = 0; k < depth;) {
		const int64_t count = std::min({size - k % size, depth - k, QUANT_BLOCK});
		if (k % size == 0)
			for (const unsigned slot : {3u, 4u})
				(void)load_scales(call, slot, k / size, tile.column, 1, tile.width,
						  slot == 3 ? buffers.scales : buffers.offsets);
		load_rows(call.view(1), {0, k}, tile.down, count, buffers.x);
		add_rows(call, tile, k, count, buffers);
		k += count;
	}
}

/* @stride: floats from row to row of the results */
void store_tile(const Call &call, int64_t row, int64_t down, const Block &block, int64_t stride,
		const Buffers &buffers)
{
	const View &y = call.view(0);
	const auto n = static_cast<size_t>(block.width);
	float *bias = buffers.scales;
	if (call.has(5))
		load_row<float>(call.view(5).dtype, place(call.view(5), {block.column}),
				inner_stride(call.view(5)), n, bias);
	for (int64_t i = 0; i < down; i++) {
		float *result = buffers.result + i * stride;
		if (call.has(5))
			for (size_t j = 0; j < n; j++)
				result[j] += bias[j];
		store_row<float>(y.dtype, place(y, {row + i, block.column}), inner_stride(y), n,
				 result);
	}
}

void compute_quant(const Call &call, uint64_t unit, const Buffers &buffers)
{
	const View &y = call.view(0), &x = call.view(1), &weight = call.view(2);
	const uint64_t across = pieces(columns(y), quant_columns(call));
	const int64_t row = static_cast<int64_t>(unit / across) * QUANT_ROWS;
	const int64_t down = std::min(QUANT_ROWS, rows(y) - row);
	Block block{};
	block.column = static_cast<int64_t>(unit % across) * quant_columns(call);
	block.width = std::min(quant_columns(call), columns(y) - block.column);
	if (has_wide_tiles(call)) {
		const int64_t stride = block.width + QUANT_GAP;
		std::fill_n(buffers.result, down * stride, 0.0f);
		add_wide_tile(call, {down, block.column, block.width, stride}, buffers);
		return store_tile(call, row, down, block, stride, buffers);
	}
	std::fill_n(buffers.result, down * block.width, 0.0f);
	for (int64_t depth = rows(weight); block.k < depth; block.k += QUANT_BLOCK) {
		block.depth = std::min(QUANT_BLOCK, depth - block.k);
		if (down <= MOST_ROWS && weight.strides[0] == 1) {
			load_rows(x, {row, block.k}, down, block.depth, buffers.x);
			add_dot_products(call, block, buffers.x, down, buffers);
			continue;
		}
		multiply_panels(down, block.width, block.depth,
				load_panel(x, {row, block.k}, down, block.depth, buffers.x),
				load_block(call, block, buffers), buffers.result, true);
	}
	store_tile(call, row, down, block, block.width, buffers);
}

Finding run_quant(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Buffers buffers(scratch);
	for (uint64_t unit = first; unit < first + count; unit++)
		compute_quant(call, unit, buffers);
	return {};
}

constexpr Kernel QUANT_KERNELS[] = {
	{UNPU_TENSOR_QUANT_MATMUL, check_quant, quant_units, quant_cost, quant_bytes, run_quant},
};

} // namespace

const std::span<const Kernel> quant_kernels = QUANT_KERNELS;

} // namespace fw::tensor
