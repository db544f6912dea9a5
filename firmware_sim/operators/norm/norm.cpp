// SPDX-License-Identifier: MIT
/*
 * DOC: Norms
 *
 * A norm reads each row twice: once to compute its sums, and once to scale it. Both passes process blocks of
 * F32 numbers, in the order in which the result lies in memory. Short rows are computed a few at a time. A
 * unit is as many rows as have about 16 Ki elements.
 *
 * The sum of ADD_RMS_NORM is stored in the first pass, and the norm is that of the stored sum, so it equals
 * an addition and a norm one after the other.
 */
#include "norm.h"

#include <cmath>

#include "firmware_sim/operators/blocks.h"
#include "normalize.h"

namespace fw::tensor {

namespace {

/* class NormRows - a few rows at a time, and their elements in blocks. */
class NormRows {
public:
	NormRows(const Norm &norm, uint64_t first)
		: count_(norm.count()), walk_(start(norm, first)),
		  operands_(make_blocks(norm, false)), parameters_(make_blocks(norm, true)),
		  length_(operands_.count()), piece_(piece_of(norm, parameters_))
	{
		for (unsigned k = 0; k < count_; k++) {
			blocks_[k] = is_parameter(norm, k) ? &parameters_ : &operands_;
			/* Either all rows are aligned or no row is, because the steps are whole floats. */
			is_line_[k] = blocks_[k]->is_line<float>(k) &&
				      reinterpret_cast<uintptr_t>(walk_[k]) % alignof(float) == 0;
		}
	}
	NormRows(const NormRows &) = delete;

	uint64_t length() const { return length_; }

	/* piece() - how many neighbouring elements of a row share one factor and one summand; 0: each element
	 * has its own. */
	uint64_t piece() const { return piece_; }

	/* together() - how many rows are computed at a time. A row of several pieces is computed alone. */
	uint64_t together() const
	{
		if (piece_ != 0 && piece_ < length_)
			return 1;
		return std::clamp<uint64_t>(Blocks::SIZE / length_, 1, MOST_LINES);
	}

	/* take() - makes the next @rows rows the current ones. */
	void take(size_t rows) { walk_.take(rows, places_); }

	/* read(), target(), write() - as those of Blocks, of one of the rows. */
	const float *read(unsigned view, size_t row, uint64_t at, size_t n, float *buffer)
	{
		float *line = line_of(view, row);
		return line ? line + at : blocks(view, row).read(view, at, n, buffer);
	}
	float *target(unsigned view, size_t row, uint64_t at, size_t n, float *buffer)
	{
		float *line = line_of(view, row);
		return line ? line + at : blocks(view, row).target(view, at, n, buffer);
	}
	void write(unsigned view, size_t row, uint64_t at, size_t n, const float *from)
	{
		if (!is_line_[view])
			blocks(view, row).write(view, at, n, from);
	}

	/* is_repeated() - whether a row of a view is the same memory as the row before. */
	bool is_repeated(unsigned view, size_t row) const
	{
		return row > 0 && places_[view][row] == places_[view][row - 1];
	}

private:
	/* The elements of a parameter have the same order as those of the other views, but they may be
	 * contiguous in other places. */
	static bool is_parameter(const Norm &norm, unsigned view)
	{
		return view != 0 && (view == norm.factors || view == norm.summands);
	}

	static RowWalk start(const Norm &norm, uint64_t first)
	{
		const View *views[Norm::MAX_VIEWS] = {};
		for (unsigned k = 0; k < norm.count(); k++)
			views[k] = &norm[k].rows;
		return {views, norm.count(), first};
	}

	/* One object of Blocks has the parameters, the other one has the other views. Each needs a view in every
	 * place, so the result stands in for a view of the other object. */
	static Blocks make_blocks(const Norm &norm, bool has_parameters)
	{
		const View *views[Norm::MAX_VIEWS] = {};
		for (unsigned k = 0; k < norm.count(); k++)
			views[k] = is_parameter(norm, k) == has_parameters ? &norm[k].row
									   : &norm[0].row;
		return {views, norm.count()};
	}

	static uint64_t piece_of(const Norm &norm, const Blocks &parameters)
	{
		for (const unsigned view : {norm.factors, norm.summands})
			if (view && !parameters.is_repeated(view))
				return 0;
		return norm.factors || norm.summands ? parameters.row() : 0;
	}

	/* The first element, if the row is a contiguous one of floats. */
	float *line_of(unsigned view, size_t row) const
	{
		return is_line_[view] ? reinterpret_cast<float *>(places_[view][row]) : nullptr;
	}

	const Blocks &blocks(unsigned view, size_t row)
	{
		blocks_[view]->move(view, places_[view][row]);
		return *blocks_[view];
	}

	unsigned count_;
	RowWalk walk_;
	Blocks operands_, parameters_;
	uint64_t length_, piece_;
	Blocks *blocks_[Norm::MAX_VIEWS];
	bool is_line_[Norm::MAX_VIEWS];
	std::byte *places_[Norm::MAX_VIEWS][MOST_LINES];
};

/* class Pass - a few rows, in blocks. */
class Pass {
public:
	Pass(const Norm &norm, NormRows &rows, size_t count)
		: norm_(norm), rows_(rows), count_(count)
	{
		lines_.has_factors = norm.factors != 0;
		lines_.has_summands = norm.summands != 0;
		lines_.are_constant = rows.piece() != 0;
	}

	void add_up(Sums &sums)
	{
		for (uint64_t at = 0; at < rows_.length(); at += Blocks::SIZE) {
			start_block(at);
			for (size_t row = 0; row < count_; row++) {
				if (norm_.addends)
					add_addends(row, at, sums);
				read_input(row, at);
			}
			if (norm_.is_centered)
				add_differences(sums, lines_, at == 0);
			else if (!norm_.addends || !is_exact_sum())
				add_squares(sums, lines_);
		}
	}

	void scale(const Scaling &scaling)
	{
		if (lines_.are_constant && rows_.piece() < rows_.length())
			return scale_pieces(scaling);
		for (uint64_t at = 0; at < rows_.length(); at += Blocks::SIZE) {
			start_block(at);
			const size_t n = lines_.are_constant ? 1 : lines_.length;
			if (norm_.factors)
				read_parameter(norm_.factors, at, n, lines_.factors, factors_);
			if (norm_.summands)
				read_parameter(norm_.summands, at, n, lines_.summands, summands_);
			for (size_t row = 0; row < count_; row++) {
				read_input(row, at);
				lines_.result[row] =
					rows_.target(Norm::RESULT, row, at, lines_.length,
						     result_ + row * lines_.length);
			}
			normalize(lines_, scaling);
			for (size_t row = 0; row < count_; row++)
				rows_.write(Norm::RESULT, row, at, lines_.length,
					    lines_.result[row]);
		}
	}

private:
	void start_block(uint64_t at)
	{
		lines_.count = count_;
		lines_.length =
			static_cast<size_t>(std::min<uint64_t>(Blocks::SIZE, rows_.length() - at));
	}

	void read_input(size_t row, uint64_t at)
	{
		lines_.input[row] = rows_.read(Norm::INPUT, row, at, lines_.length,
					       input_ + row * lines_.length);
	}

	void read_parameter(unsigned view, uint64_t at, size_t n, const float **parts,
			    float *buffer)
	{
		for (size_t row = 0; row < count_; row++)
			parts[row] = rows_.is_repeated(view, row)
					     ? parts[row - 1]
					     : rows_.read(view, row, at, n, buffer + row * n);
	}

	/* Whether the sum is stored as it was computed. */
	bool is_exact_sum() const { return norm_[Norm::INPUT].row.dtype == UNPU_DTYPE_F32; }

	/* Stores a block of the sum. */
	void add_addends(size_t row, uint64_t at, Sums &sums)
	{
		const size_t n = lines_.length;
		const float *a = rows_.read(norm_.addends, row, at, n, factors_);
		const float *b = rows_.read(norm_.addends + 1, row, at, n, summands_);
		float *target = rows_.target(Norm::INPUT, row, at, n, result_);
		Sums unrounded;
		add(target, a, b, n, is_exact_sum() ? sums : unrounded, row);
		rows_.write(Norm::INPUT, row, at, n, target);
	}

	void scale_pieces(const Scaling &scaling);
	size_t find_pieces(uint64_t at);

	const Norm &norm_;
	NormRows &rows_;
	size_t count_;
	Lines lines_;
	/* Parts of rows that don't lie as contiguous floats. */
	alignas(64) float input_[Blocks::SIZE];
	alignas(64) float result_[Blocks::SIZE];
	alignas(64) float factors_[Blocks::SIZE];
	alignas(64) float summands_[Blocks::SIZE];
};

/* find_pieces() - makes lines from pieces of row 0, from element @at on: several short pieces, or a part of
 * one long piece.
 * Return: how many elements they have together */
size_t Pass::find_pieces(uint64_t at)
{
	const uint64_t piece = rows_.piece();
	if (piece >= Blocks::SIZE) {
		lines_.count = 1;
		lines_.length =
			static_cast<size_t>(std::min<uint64_t>(Blocks::SIZE, piece - at % piece));
	} else {
		const uint64_t fitting = std::min<uint64_t>(Blocks::SIZE / piece, MOST_LINES);
		lines_.length = static_cast<size_t>(piece);
		lines_.count =
			static_cast<size_t>(std::min(fitting, (rows_.length() - at) / piece));
	}
	return lines_.count * lines_.length;
}

void Pass::scale_pieces(const Scaling &scaling)
{
	Scaling same;
	std::fill(std::begin(same.mean), std::end(same.mean), scaling.mean[0]);
	std::fill(std::begin(same.rstd), std::end(same.rstd), scaling.rstd[0]);
	for (uint64_t at = 0; at < rows_.length();) {
		const size_t n = find_pieces(at);
		const float *input = rows_.read(Norm::INPUT, 0, at, n, input_);
		float *result = rows_.target(Norm::RESULT, 0, at, n, result_);
		for (size_t k = 0; k < lines_.count; k++) {
			const size_t before = k * lines_.length;
			lines_.input[k] = input + before;
			lines_.result[k] = result + before;
			if (norm_.factors)
				lines_.factors[k] =
					rows_.read(norm_.factors, 0, at + before, 1, factors_ + k);
			if (norm_.summands)
				lines_.summands[k] = rows_.read(norm_.summands, 0, at + before, 1,
								summands_ + k);
		}
		normalize(lines_, same);
		rows_.write(Norm::RESULT, 0, at, n, result);
		at += n;
	}
}

void store_statistics(const View *view, uint64_t first, const double *values, size_t count)
{
	if (view)
		for_rows(*view, first, first + count,
			 [&](const Index &at, int64_t n, uint64_t number) {
				 store_row<double>(view->dtype, place(*view, at),
						   inner_stride(*view), static_cast<size_t>(n),
						   values + (number - first));
			 });
}

/* compute_rows() - the next @count rows. @first: their number */
void compute_rows(const Norm &norm, NormRows &rows, uint64_t first, size_t count)
{
	Sums sums;
	rows.take(count);
	Pass pass(norm, rows, count);
	pass.add_up(sums);
	const Scaling scaling = find_scaling(sums, static_cast<double>(rows.length()), norm.epsilon,
					     norm.is_centered);
	pass.scale(scaling);
	store_statistics(norm.mean, first, scaling.mean, count);
	store_statistics(norm.rstd, first, scaling.rstd, count);
}

uint64_t rows_of(const Norm &norm)
{
	return static_cast<uint64_t>(norm[Norm::INPUT].rows.count());
}

uint64_t rows_of_unit(const Norm &norm)
{
	return static_cast<uint64_t>(rows_per_unit(norm[Norm::INPUT].row.count()));
}

} // namespace

RowsOf cut_rows(const View &view, unsigned inner)
{
	RowsOf cut{view, view};
	cut.rows.ndim = view.ndim - inner;
	cut.row.ndim = inner;
	for (unsigned d = 0; d < inner; d++) {
		cut.row.dims[d] = view.dims[cut.rows.ndim + d];
		cut.row.strides[d] = view.strides[cut.rows.ndim + d];
	}
	return cut;
}

RowsOf repeat_row(const View &row, const View &rows)
{
	RowsOf repeated{rows, row};
	repeated.rows.data = row.data;
	repeated.rows.dtype = row.dtype;
	repeated.rows.strides = {};
	return repeated;
}

uint64_t norm_units(const Norm &norm)
{
	/* Rows without elements have statistics, all NaN, but no result. */
	if (norm[Norm::INPUT].row.count() == 0 && !norm.mean && !norm.rstd)
		return 0;
	return (rows_of(norm) + rows_of_unit(norm) - 1) / rows_of_unit(norm);
}

/* The parameters of a row stay in a cache, so they count only once. */
uint64_t norm_cost(const Norm &norm)
{
	const uint64_t passes = norm.addends ? 4 : 2;
	const auto elements = static_cast<uint64_t>(norm[Norm::INPUT].row.count());
	return rows_of(norm) * (elements * passes * sizeof(float) + 16);
}

void run_norm(const Norm &norm, uint64_t first, uint64_t count)
{
	const uint64_t end = std::min(rows_of(norm), (first + count) * rows_of_unit(norm));
	const auto length = static_cast<uint64_t>(norm[Norm::INPUT].row.count());
	uint64_t row = first * rows_of_unit(norm);
	for (; length == 0 && row < end; row++) {
		const double none = NAN;
		store_statistics(norm.mean, row, &none, 1);
		store_statistics(norm.rstd, row, &none, 1);
	}
	if (row >= end)
		return;
	NormRows rows(norm, row);
	const uint64_t together = rows.together();
	for (; row < end; row += together)
		compute_rows(norm, rows, row, static_cast<size_t>(std::min(together, end - row)));
}

bool have_bytes(const Call &call)
{
	for (unsigned k = 0; k < call.count; k++)
		if (element_bits(call.views[k].dtype) < 8)
			return false;
	return true;
}

bool is_short(const View &row)
{
	return row.count() <= UNPU_TENSOR_MAX_NORMALIZED;
}

bool has_count(const Call &call, unsigned slot, int64_t count)
{
	return !call.has(slot) || call.view(slot).count() == count;
}

bool is_end_of(const View &view, const View &whole)
{
	if (view.ndim > whole.ndim)
		return false;
	for (unsigned d = 0; d < view.ndim; d++)
		if (view.dims[d] != whole.dims[whole.ndim - view.ndim + d])
			return false;
	return true;
}

} // namespace fw::tensor
