// SPDX-License-Identifier: MIT
#pragma once

#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

namespace fw::tensor {

/** struct RowsOf - a view cut in two: the dims that count its rows, and the dims of the row that begins at the
 * first element. A row has one dim or several. */
struct RowsOf {
	View rows;
	View row;
};

/** cut_rows() - cuts a view before its last @inner dims. */
RowsOf cut_rows(const View &view, unsigned inner);

/** repeat_row() - a view in which each of @rows rows is the same row of numbers. */
RowsOf repeat_row(const View &row, const View &rows);

/** class Norm - a call of any norm in one form. Each row of the input is normalised by itself. */
class Norm {
public:
	static constexpr unsigned MAX_VIEWS = 5, RESULT = 0, INPUT = 1;

	Norm(const RowsOf &result, const RowsOf &input) : count_(2), views_{result, input} {}

	/* add() - one more view. Return: its number */
	unsigned add(const RowsOf &view)
	{
		views_[count_] = view;
		return count_++;
	}

	unsigned count() const { return count_; }
	const RowsOf &operator[](unsigned view) const { return views_[view]; }

	/* Indices of views; 0: there is no such view. The input is a result too if it is the sum of two
	 * addends. */
	unsigned addends = 0; /* the index of the first of two addends */
	unsigned factors = 0;
	unsigned summands = 0;
	bool is_centered = false; /* whether the mean is subtracted */
	const View *mean = nullptr;
	const View *rstd = nullptr;
	double epsilon = 0;

private:
	unsigned count_;
	std::array<RowsOf, MAX_VIEWS> views_;
};

/** norm_units(), norm_cost() - Kernel::units, cost_bytes of all norms. */
uint64_t norm_units(const Norm &norm);
uint64_t norm_cost(const Norm &norm);

/** run_norm() - Kernel::run of all norms. */
void run_norm(const Norm &norm, uint64_t first, uint64_t count);

/** norm_kernel() - makes the kernel of a kind. @read describes a call of the kind as a Norm. */
template <Norm (*read)(const Call &call)>
constexpr Kernel norm_kernel(uint32_t kind, bool (*check)(const Call &call))
{
	return {kind,
		check,
		[](const Call &call) { return norm_units(read(call)); },
		[](const Call &call) { return norm_cost(read(call)); },
		nullptr,
		[](const Call &call, uint64_t first, uint64_t count, std::byte *) {
			run_norm(read(call), first, count);
			return Finding{};
		}};
}

/** have_bytes() - whether the elements of each operand have whole bytes. */
bool have_bytes(const Call &call);

/** is_short() - whether a row, which has the dims of @row, is not too long. */
bool is_short(const View &row);

/** has_count() - whether a slot is absent or has @count elements: those of a statistic may have any shape. */
bool has_count(const Call &call, unsigned slot, int64_t count);

/** is_end_of() - whether the dims of @view equal the last dims of @whole. */
bool is_end_of(const View &view, const View &whole);

} // namespace fw::tensor
