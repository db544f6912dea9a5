// SPDX-License-Identifier: MIT
/*
 * DOC: AVG_POOL and MAX_POOL
 *
 * Slot 0 [N, C, OH, OW] gets the mean, or the greatest element, of each window of slot 1 [N, C, H, W]. AVG_POOL
 * divides a sum in double by attribute 5, or if it is 0 by the number of elements in the window, with
 * (attribute 4) or without those of the padding. A window without elements has the mean 0 and the
 * maximum -inf; the maximum of a window with a NaN is NaN.
 *
 * A unit is a number of pieces of rows of the result. The kernel computes a piece in one of four ways. Maxima whose
 * piece covers at most LINE columns: it reduces the rows under the piece to one line of the columns' maxima, and then
 * compares neighbours in that line. Windows that share so many elements that it reads far fewer: it reduces the rows
 * to the columns' sums or maxima, LINE columns at a time, and each window to its columns. Else, if a row of the result
 * is at least as long as the window is wide, it takes the same element [kh, kw] of all windows in the piece in one
 * loop. Else it takes one window after another.
 */
#include <cmath>

#include "fold.h"
#include "window.h"

namespace fw::tensor {

namespace {

constexpr int64_t PIECE = 1024;		/* elements of a piece of a row of the result */
constexpr int64_t POOL_WORK = 32 << 10; /* approximate number of elements that a unit reads */
constexpr int64_t LINES = 8;		/* partial results of a window */
constexpr int64_t LINE = 4096; /* the most elements of a row of the operand that one piece reads */

/* struct Pool - the attributes of a call. */
struct Pool {
	Window high, wide;
	bool rounds_up;
	bool is_mean, counts_padding;
	int64_t divisor;
};

Pool mean_of(const Call &call)
{
	const auto window = [&](unsigned axis) {
		const std::span<const int64_t> padding = call.integers(2);
		return Window{call.integers(0)[axis], call.integers(1)[axis], padding[axis],
			      padding[padding.size() - 2 + axis], 1};
	};
	return {window(0),	window(1), call.integer(3) != 0, true, call.integer(4) != 0,
		call.integer(5)};
}

Pool maximum_of(const Call &call)
{
	const auto window = [&](unsigned axis) {
		return Window{call.integers(0)[axis], call.integers(1)[axis],
			      call.integers(2)[axis], call.integers(2)[axis + 2],
			      call.integers(3)[axis]};
	};
	return {window(0), window(1), call.integer(4) != 0, false, false, 0};
}

Pool pool_of(const Call &call)
{
	return call.kind == UNPU_TENSOR_AVG_POOL ? mean_of(call) : maximum_of(call);
}

bool has_pool_attributes(const Call &call)
{
	const bool is_mean = call.kind == UNPU_TENSOR_AVG_POOL;
	return call.integers(0).size() == 2 && call.integers(1).size() == 2 &&
	       (call.integers(2).size() == 4 || (is_mean && call.integers(2).size() == 2)) &&
	       (is_mean || call.integers(3).size() == 2);
}

/* covered() - the maximum number of elements of the operand that a window covers. All sizes are below
 * 2^31. */
int64_t covered(const Pool &pool, const View &self)
{
	return std::min(pool.high.kernel, self.dims[2]) * std::min(pool.wide.kernel, self.dims[3]);
}

bool check_pool(const Call &call)
{
	if (!call.has(0) || !call.has(1) || !has_pool_attributes(call))
		return false;
	const View &out = call.view(0), &self = call.view(1);
	if (out.ndim != 4 || self.ndim != 4 || !is_window_type(out.dtype) ||
	    !is_window_type(self.dtype) || out.dims[0] != self.dims[0] ||
	    out.dims[1] != self.dims[1])
		return false;
	const Pool pool = pool_of(call);
	return is_good_window(pool.high, self.dims[2]) && is_good_window(pool.wide, self.dims[3]) &&
	       covered(pool, self) <= UNPU_TENSOR_MAX_POOLED &&
	       count_windows(pool.high, self.dims[2], pool.rounds_up) == out.dims[2] &&
	       count_windows(pool.wide, self.dims[3], pool.rounds_up) == out.dims[3];
}

/* has_images() - whether the channels of both views lie side by side, as floats. Then a piece is a row of maxima. */
bool has_images(const Call &call)
{
	const auto is_image = [](const View &view) {
		return view.dtype == UNPU_DTYPE_F32 && view.dims[1] > 1 && view.strides[1] == 1 &&
		       reinterpret_cast<uintptr_t>(view.data) % alignof(float) == 0;
	};
	return call.kind == UNPU_TENSOR_MAX_POOL && is_image(call.view(0)) &&
	       is_image(call.view(1));
}

int64_t pieces_of_row(const View &out)
{
	return (out.dims[3] + PIECE - 1) / PIECE;
}

/* The maximum number of elements that a piece of @n results reads. */
int64_t work_by_elements(const Pool &pool, const View &self, int64_t n)
{
	return covered(pool, self) * n;
}

int64_t work_by_columns(const Pool &pool, const View &self, int64_t n)
{
	const auto under = static_cast<__int128>(n - 1) * pool.wide.stride + pool.wide.kernel;
	const auto across = static_cast<int64_t>(std::min<__int128>(under, self.dims[3]));
	return std::min(pool.high.kernel, self.dims[2]) * across +
	       std::min(pool.wide.kernel, self.dims[3]) * n;
}

/* takes_columns() - whether windows share so many elements that the columns are worth a pass of their own. */
bool takes_columns(const Pool &pool, const View &self, int64_t n)
{
	return pool.wide.dilation == 1 &&
	       work_by_columns(pool, self, n) < work_by_elements(pool, self, n) / 8;
}

int64_t piece_work(const Call &call)
{
	const Pool pool = pool_of(call);
	if (has_images(call)) {
		const View &out = call.view(0);
		const auto all = static_cast<__int128>(out.dims[3]) * out.dims[1] *
				 covered(pool, call.view(1));
		return 1 + static_cast<int64_t>(std::min<__int128>(all / 8, INT64_MAX / 2));
	}
	const int64_t n = std::min(call.view(0).dims[3], PIECE);
	return 1 + (takes_columns(pool, call.view(1), n) ? work_by_columns(pool, call.view(1), n)
							 : work_by_elements(pool, call.view(1), n));
}

int64_t pieces_of_unit(const Call &call)
{
	return std::max<int64_t>(1, POOL_WORK / piece_work(call));
}

uint64_t pool_pieces(const Call &call)
{
	const View &out = call.view(0);
	if (out.count() == 0)
		return 0;
	if (has_images(call))
		return static_cast<uint64_t>(out.dims[0] * out.dims[2]);
	return static_cast<uint64_t>(out.count() / out.dims[3] * pieces_of_row(out));
}

uint64_t pool_units(const Call &call)
{
	const auto each = static_cast<uint64_t>(pieces_of_unit(call));
	const uint64_t pieces = pool_pieces(call);
	return parts_of(pieces, each);
}

/* Each element of a window takes the time of a copy of about 3 bytes. */
uint64_t pool_cost(const Call &call)
{
	return limit_cost(static_cast<unsigned __int128>(pool_pieces(call)) *
			  static_cast<uint64_t>(piece_work(call)) * 3);
}

struct PoolScratch {
	float row[PIECE];
	double sums[PIECE];
	float tops[PIECE];
	float line[LINE + 1], other[LINE];
	double columns[LINE];
};

size_t pool_bytes(const Call &)
{
	return sizeof(PoolScratch);
}

/* greater_of() - the greater number, or NaN if one of them is NaN. */
float greater_of(float top, float value)
{
	return value > top || std::isnan(value) ? value : top;
}

/* divisor_of() - what the sum of window [@y, @x] of positions is divided by; 0 if it has no elements. */
double divisor_of(const Pool &pool, const View &self, int64_t y, int64_t x)
{
	const auto clip = [](const Window &window, int64_t position, int64_t size, bool padded) {
		const int64_t start = window.start(position), end = start + window.kernel;
		if (padded)
			return std::min(end, size + window.high) - start;
		return std::max<int64_t>(0, std::min(end, size) - std::max<int64_t>(0, start));
	};
	if (clip(pool.high, y, self.dims[2], false) == 0 ||
	    clip(pool.wide, x, self.dims[3], false) == 0)
		return 0;
	if (pool.divisor != 0)
		return static_cast<double>(pool.divisor);
	return static_cast<double>(clip(pool.high, y, self.dims[2], pool.counts_padding)) *
	       static_cast<double>(clip(pool.wide, x, self.dims[3], pool.counts_padding));
}

/* struct Piece - results [.., @y, @first .. @first + @n - 1] of one channel. */
struct Piece {
	Index channel; /* its first element, in both views */
	int64_t y, first, n;
};

/* rows_inside() - which rows of the window at position @y lie inside of the operand. */
Positions rows_inside(const Window &window, int64_t y, int64_t size)
{
	return inside(window.start(y), window.dilation, size, 0, window.kernel);
}

/* take_element() - takes element @kw of all windows of a piece, in row @from of the operand. */
void take_element(const View &self, const Pool &pool, const Piece &piece, Index from, int64_t kw,
		  PoolScratch &scratch)
{
	const int64_t start = kw * pool.wide.dilation - pool.wide.low;
	const Positions known =
		inside(start, pool.wide.stride, self.dims[3], piece.first, piece.first + piece.n);
	if (known.first == known.end)
		return;
	from[3] = start + known.first * pool.wide.stride;
	const auto n = static_cast<size_t>(known.end - known.first);
	const int64_t step = inner_stride(self) * pool.wide.stride;
	const std::byte *first = place(self, from);
	const float *row = scratch.row;
	if (self.dtype == UNPU_DTYPE_F32 && step == sizeof(float) &&
	    reinterpret_cast<uintptr_t>(first) % alignof(float) == 0)
		row = reinterpret_cast<const float *>(first);
	else
		load_row<float>(self.dtype, first, step, n, scratch.row);
	if (pool.is_mean)
		add_row(scratch.sums + (known.first - piece.first), row, n);
	else
		take_greater(scratch.tops + (known.first - piece.first), row, n);
}

void take_elements(const View &self, const Pool &pool, const Piece &piece, PoolScratch &scratch)
{
	const Positions down = rows_inside(pool.high, piece.y, self.dims[2]);
	/* The columns of the window that lie inside of the operand for at least one position of the piece. */
	const int64_t last = pool.wide.start(piece.first + piece.n - 1);
	const int64_t begin =
		inside(last, pool.wide.dilation, self.dims[3], 0, pool.wide.kernel).first;
	const int64_t end = inside(pool.wide.start(piece.first), pool.wide.dilation, self.dims[3],
				   0, pool.wide.kernel)
				    .end;
	/* The loop goes column by column. At a border, each column belongs to other results, so a vector
	 * would be stored in two parts, and loading such a vector again is slow. */
	Index from = piece.channel;
	for (int64_t kw = begin; kw < end; kw++) {
		for (int64_t kh = down.first; kh < down.end; kh++) {
			from[2] = pool.high.start(piece.y) + kh * pool.high.dilation;
			take_element(self, pool, piece, from, kw, scratch);
		}
	}
}

/* add_lines() - line[i] becomes the greatest one of itself and of the lines. */
void add_lines(float *line, const float **lines, size_t &count, bool is_first, size_t n)
{
	if (count == 0)
		return;
	if (!is_first)
		lines[count++] = line;
	take_greatest(line, lines, count, n);
	count = 0;
}

/* find_line() - the maxima of the columns under a piece, from the begin of its first window on. */
void find_line(const View &self, const Pool &pool, const Piece &piece, int64_t length,
	       PoolScratch &scratch)
{
	const int64_t start = pool.wide.start(piece.first);
	const Positions down = rows_inside(pool.high, piece.y, self.dims[2]);
	const Positions known = inside(start, 1, self.dims[3], 0, length);
	float *line = scratch.line;
	if (known.first == known.end || down.first == down.end) {
		std::fill_n(line, length + 1, -HUGE_VALF);
		return;
	}
	std::fill(line, line + known.first, -HUGE_VALF);
	std::fill(line + known.end, line + length + 1, -HUGE_VALF);
	line += known.first;
	const auto n = static_cast<size_t>(known.end - known.first);
	const bool has_lines = self.dtype == UNPU_DTYPE_F32 && inner_stride(self) == sizeof(float);
	const float *lines[MOST_LINES];
	size_t count = 0;
	bool is_first = true;
	Index from = piece.channel;
	from[3] = start + known.first;
	for (int64_t kh = down.first; kh < down.end; kh++) {
		from[2] = pool.high.start(piece.y) + kh * pool.high.dilation;
		const std::byte *row = place(self, from);
		if (has_lines && reinterpret_cast<uintptr_t>(row) % alignof(float) == 0) {
			lines[count++] = reinterpret_cast<const float *>(row);
		} else {
			load_row<float>(self.dtype, row, inner_stride(self), n, scratch.other);
			lines[count++] = scratch.other;
		}
		if (count == MOST_LINES - 1 || lines[count - 1] == scratch.other) {
			add_lines(line, lines, count, is_first, n);
			is_first = false;
		}
	}
	add_lines(line, lines, count, is_first, n);
}

/* take_line() - the maxima of the windows of a piece. */
void take_line(const Pool &pool, const Piece &piece, PoolScratch &scratch)
{
	const auto n = static_cast<size_t>(piece.n);
	const int64_t stride = pool.wide.stride, dilation = pool.wide.dilation;
	if (stride == 2 && dilation == 1)
		return take_greatest_of_pairs(scratch.tops, scratch.line,
					      static_cast<size_t>(pool.wide.kernel), n);
	const float *lines[MOST_LINES];
	size_t count = 0;
	bool is_first = true;
	for (int64_t kw = 0; kw < pool.wide.kernel; kw++) {
		const float *from = scratch.line + kw * dilation;
		if (stride != 1)
			load_row<float>(UNPU_DTYPE_F32, reinterpret_cast<const std::byte *>(from),
					stride * static_cast<int64_t>(sizeof(float)), n,
					scratch.row);
		lines[count++] = stride == 1 ? from : scratch.row;
		if (count == MOST_LINES - 1 || stride != 1) {
			add_lines(scratch.tops, lines, count, is_first, n);
			is_first = false;
		}
	}
	add_lines(scratch.tops, lines, count, is_first, n);
}

/* reduce_columns() - the sums, or maxima, of @n columns from @column on, in the rows @down of a piece. */
void reduce_columns(const View &self, const Pool &pool, const Piece &piece, const Positions &down,
		    int64_t column, size_t n, PoolScratch &scratch)
{
	const bool has_lines = self.dtype == UNPU_DTYPE_F32 && inner_stride(self) == sizeof(float);
	Index from = piece.channel;
	from[3] = column;
	std::fill_n(scratch.columns, n, 0.0);
	std::fill_n(scratch.line, n, -HUGE_VALF);
	for (int64_t kh = down.first; kh < down.end; kh++) {
		from[2] = pool.high.start(piece.y) + kh * pool.high.dilation;
		const std::byte *first = place(self, from);
		const float *row = scratch.other;
		if (has_lines && reinterpret_cast<uintptr_t>(first) % alignof(float) == 0)
			row = reinterpret_cast<const float *>(first);
		else
			load_row<float>(self.dtype, first, inner_stride(self), n, scratch.other);
		if (pool.is_mean)
			add_row(scratch.columns, row, n);
		else
			take_greater(scratch.line, row, n);
	}
}

double sum_of(const double *numbers, int64_t n)
{
	double sums[LINES] = {}, sum = 0;
	int64_t i = 0;
	for (; i + LINES <= n; i += LINES)
		for (int64_t k = 0; k < LINES; k++)
			sums[k] += numbers[i + k];
	for (; i < n; i++)
		sum += numbers[i];
	for (const double part : sums)
		sum += part;
	return sum;
}

/* take_columns() - all windows of a piece. */
void take_columns(const View &self, const Pool &pool, const Piece &piece, PoolScratch &scratch)
{
	const Positions down = rows_inside(pool.high, piece.y, self.dims[2]);
	const int64_t last = pool.wide.start(piece.first + piece.n - 1) + pool.wide.kernel;
	const int64_t end = std::min(self.dims[3], last);
	std::fill_n(scratch.sums, piece.n, 0.0);
	std::fill_n(scratch.tops, piece.n, -HUGE_VALF);
	for (int64_t at = std::max<int64_t>(0, pool.wide.start(piece.first)); at < end;
	     at += LINE) {
		const int64_t behind = std::min(end, at + LINE);
		reduce_columns(self, pool, piece, down, at, static_cast<size_t>(behind - at),
			       scratch);
		for (int64_t i = 0; i < piece.n; i++) {
			const int64_t start = pool.wide.start(piece.first + i);
			const int64_t from = std::max(start, at) - at;
			const int64_t n = std::min(start + pool.wide.kernel, behind) - at - from;
			if (pool.is_mean && n > 0)
				scratch.sums[i] += sum_of(scratch.columns + from, n);
			for (int64_t k = 0; !pool.is_mean && k < n; k++)
				scratch.tops[i] =
					greater_of(scratch.tops[i], scratch.line[from + k]);
		}
	}
}

/* struct Partial - the sums, or maxima, of every LINES-th element. */
struct Partial {
	double sums[LINES] = {};
	float tops[LINES];
};

void take_row(const float *row, size_t n, bool is_mean, Partial &partial)
{
	for (size_t i = 0; i < n; i++) {
		if (is_mean)
			partial.sums[i % LINES] += static_cast<double>(row[i]);
		else
			partial.tops[i % LINES] = greater_of(partial.tops[i % LINES], row[i]);
	}
}

/* take_window() - the window at position @x of a piece's row, row by row. */
void take_window(const View &self, const Pool &pool, const Piece &piece, int64_t x,
		 PoolScratch &scratch)
{
	const Positions down = rows_inside(pool.high, piece.y, self.dims[2]);
	const Positions across = rows_inside(pool.wide, x, self.dims[3]);
	Partial partial;
	std::fill_n(partial.tops, LINES, -HUGE_VALF);
	Index from = piece.channel;
	for (int64_t kh = down.first; kh < down.end; kh++) {
		from[2] = pool.high.start(piece.y) + kh * pool.high.dilation;
		for (int64_t kw = across.first; kw < across.end; kw += PIECE) {
			from[3] = pool.wide.start(x) + kw * pool.wide.dilation;
			const auto n = static_cast<size_t>(std::min(PIECE, across.end - kw));
			load_row<float>(self.dtype, place(self, from),
					inner_stride(self) * pool.wide.dilation, n, scratch.row);
			take_row(scratch.row, n, pool.is_mean, partial);
		}
	}
	double sum = 0;
	float top = -HUGE_VALF;
	for (int64_t i = 0; i < LINES; i++) {
		sum += partial.sums[i];
		top = greater_of(top, partial.tops[i]);
	}
	scratch.sums[x - piece.first] = sum;
	scratch.tops[x - piece.first] = top;
}

void store_piece(const View &out, const View &self, const Pool &pool, const Piece &piece,
		 PoolScratch &scratch)
{
	Index at = piece.channel;
	at[2] = piece.y;
	at[3] = piece.first;
	const auto n = static_cast<size_t>(piece.n);
	if (!pool.is_mean)
		return store_row<float>(out.dtype, place(out, at), inner_stride(out), n,
					scratch.tops);
	for (int64_t i = 0; i < piece.n; i++) {
		const double divisor = divisor_of(pool, self, piece.y, piece.first + i);
		scratch.sums[i] = divisor != 0 ? scratch.sums[i] / divisor : 0;
	}
	store_row<double>(out.dtype, place(out, at), inner_stride(out), n, scratch.sums);
}

void compute_piece(const Call &call, const Pool &pool, uint64_t number, PoolScratch &scratch)
{
	const View &out = call.view(0), &self = call.view(1);
	const auto across = static_cast<uint64_t>(pieces_of_row(out));
	const auto down = static_cast<uint64_t>(out.dims[2]);
	const auto channels = static_cast<uint64_t>(out.dims[1]);
	const uint64_t channel = number / across / down;
	Piece piece{};
	piece.channel[0] = static_cast<int64_t>(channel / channels);
	piece.channel[1] = static_cast<int64_t>(channel % channels);
	piece.y = static_cast<int64_t>(number / across % down);
	piece.first = static_cast<int64_t>(number % across) * PIECE;
	piece.n = std::min(PIECE, out.dims[3] - piece.first);
	const auto length =
		static_cast<__int128>(piece.n - 1) * pool.wide.stride + pool.wide.extent();
	if (!pool.is_mean && length <= LINE) {
		find_line(self, pool, piece, static_cast<int64_t>(length), scratch);
		take_line(pool, piece, scratch);
	} else if (takes_columns(pool, self, std::min(PIECE, out.dims[3]))) {
		take_columns(self, pool, piece, scratch);
	} else if (out.dims[3] >= pool.wide.kernel) {
		std::fill_n(scratch.sums, piece.n, 0.0);
		std::fill_n(scratch.tops, piece.n, -HUGE_VALF);
		take_elements(self, pool, piece, scratch);
	} else {
		for (int64_t i = 0; i < piece.n; i++)
			take_window(self, pool, piece, piece.first + i, scratch);
	}
	store_piece(out, self, pool, piece, scratch);
}

/* compute_image_row() - the maxima of a row of an image, all channels of a window at once. */
void compute_image_row(const Call &call, const Pool &pool, int64_t number)
{
	const View &out = call.view(0), &self = call.view(1);
	const auto channels = static_cast<size_t>(out.dims[1]);
	const int64_t image = number / out.dims[2], y = number % out.dims[2];
	const Positions down = rows_inside(pool.high, y, self.dims[2]);
	for (int64_t x = 0; x < out.dims[3]; x++) {
		auto *tops = reinterpret_cast<float *>(place(out, {image, 0, y, x}));
		const Positions across = rows_inside(pool.wide, x, self.dims[3]);
		std::fill_n(tops, channels, -HUGE_VALF);
		for (int64_t kh = down.first; kh < down.end; kh++)
			for (int64_t kw = across.first; kw < across.end; kw++) {
				const Index at{image, 0,
					       pool.high.start(y) + kh * pool.high.dilation,
					       pool.wide.start(x) + kw * pool.wide.dilation};
				take_greater(tops, reinterpret_cast<float *>(place(self, at)),
					     channels);
			}
	}
}

Finding run_pool(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const Pool pool = pool_of(call);
	const auto each = static_cast<uint64_t>(pieces_of_unit(call));
	const uint64_t end = std::min(pool_pieces(call), (first + count) * each);
	const bool is_image = has_images(call);
	for (uint64_t piece = first * each; piece < end; piece++)
		if (is_image)
			compute_image_row(call, pool, static_cast<int64_t>(piece));
		else
			compute_piece(call, pool, piece, *reinterpret_cast<PoolScratch *>(scratch));
	return {};
}

constexpr Kernel POOL_KERNELS[] = {
	{UNPU_TENSOR_AVG_POOL, check_pool, pool_units, pool_cost, pool_bytes, run_pool},
	{UNPU_TENSOR_MAX_POOL, check_pool, pool_units, pool_cost, pool_bytes, run_pool},
};

} // namespace

const std::span<const Kernel> pool_kernels = POOL_KERNELS;

} // namespace fw::tensor
