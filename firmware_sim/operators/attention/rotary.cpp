// SPDX-License-Identifier: MIT
/*
 * DOC: ROTARY
 *
 * Slot 0 = slot 1 * slot 2 + rotated slot 1 * slot 3, with one shape, along the last dim. Mode 0 takes the first
 * half of a row and the second one as pairs, mode 1 neighbours; (a, b) is rotated to (-b, a).
 *
 * A unit is as many rows as have about 16 Ki elements. A few rows are computed at a time: where they lie if they are
 * contiguous F32, else in scratch memory.
 */
#include "firmware_sim/operators/convert.h"
#include "firmware_sim/operators/kernels.h"
#include "firmware_sim/operators/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "firmware_sim/operators/attention/rotary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "firmware_sim/operators/vector-inl.h"

#ifndef FW_TENSOR_ROTARY
#define FW_TENSOR_ROTARY

namespace fw::tensor {

/* struct Turn - one row. */
struct Turn {
	float *to; /* may be @from */
	const float *from;
	const float *cosines;
	const float *sines;
};

} // namespace fw::tensor

#endif /* FW_TENSOR_ROTARY */

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* Both halves are loaded before one is stored, so the result may be the operand. */
HWY_INLINE void turn_halves(const Turn &turn, size_t half)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const float *from = turn.from, *cosines = turn.cosines, *sines = turn.sines;
	size_t i = 0, k = half;
	for (; i + lanes <= half; i += lanes, k += lanes) {
		const auto a = hn::LoadU(d, from + i), b = hn::LoadU(d, from + k);
		const auto left = hn::Sub(hn::Mul(a, hn::LoadU(d, cosines + i)),
					  hn::Mul(b, hn::LoadU(d, sines + i)));
		const auto right = hn::Add(hn::Mul(b, hn::LoadU(d, cosines + k)),
					   hn::Mul(a, hn::LoadU(d, sines + k)));
		hn::StoreU(left, d, turn.to + i);
		hn::StoreU(right, d, turn.to + k);
	}
	for (; i < half; i++, k++) {
		const float a = from[i], b = from[k];
		turn.to[i] = a * cosines[i] - b * sines[i];
		turn.to[k] = b * cosines[k] + a * sines[k];
	}
}

/* @n: even */
HWY_INLINE void turn_neighbours(const Turn &turn, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const float *from = turn.from, *cosines = turn.cosines, *sines = turn.sines;
	size_t i = 0;
	/* A vector of one lane has no neighbours. */
	for (; lanes > 1 && i + lanes <= n; i += lanes) {
		const auto x = hn::LoadU(d, from + i);
		const auto straight = hn::Mul(x, hn::LoadU(d, cosines + i));
		const auto crossed = hn::Mul(hn::Reverse2(d, x), hn::LoadU(d, sines + i));
		hn::StoreU(hn::OddEven(hn::Add(straight, crossed), hn::Sub(straight, crossed)), d,
			   turn.to + i);
	}
	for (; i < n; i += 2) {
		const float a = from[i], b = from[i + 1];
		turn.to[i] = a * cosines[i] - b * sines[i];
		turn.to[i + 1] = b * cosines[i + 1] + a * sines[i + 1];
	}
}

void turn_rows(const Turn *turns, size_t rows, size_t n, bool has_halves)
{
	for (size_t row = 0; row < rows; row++) {
		if (has_halves)
			turn_halves(turns[row], n / 2);
		else
			turn_neighbours(turns[row], n);
	}
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(turn_rows);

namespace {

constexpr unsigned SLOTS = 4;
/* The maximum number of rows that are computed together, and about how many elements these rows have. */
constexpr int64_t TOGETHER = 16, ELEMENTS = 1024;

bool check_rotary(const Call &call)
{
	for (unsigned slot = 0; slot < SLOTS; slot++)
		if (!call.has(slot) || element_bits(call.view(slot).dtype) < 8 ||
		    !call.view(slot).has_shape_of(call.view(0)))
			return false;
	return call.compute == UNPU_DTYPE_F32 && call.view(0).ndim > 0 &&
	       row_length(call.view(0)) <= UNPU_TENSOR_MAX_ROTARY &&
	       row_length(call.view(0)) % 2 == 0 && (call.integer(0) == 0 || call.integer(0) == 1);
}

uint64_t rotary_units(const Call &call)
{
	const View &out = call.view(0);
	if (row_length(out) == 0)
		return 0;
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(out)));
	return (static_cast<uint64_t>(row_count(out)) + each - 1) / each;
}

uint64_t rotary_cost(const Call &call)
{
	return static_cast<uint64_t>(call.view(0).count()) * 2 * sizeof(float) +
	       static_cast<uint64_t>(row_count(call.view(0))) * 16;
}

int64_t rows_together(const Call &call)
{
	return std::clamp<int64_t>(ELEMENTS / row_length(call.view(0)), 1, TOGETHER);
}

size_t rotary_bytes(const Call &call)
{
	const int64_t most = std::max(row_length(call.view(0)), ELEMENTS);
	return static_cast<size_t>(SLOTS * most) * sizeof(float);
}

/* class Rotation - rotates all rows of a unit, a few rows at a time. */
class Rotation {
public:
	Rotation(const Call &call, uint64_t first, std::byte *scratch)
		: call_(call), walk_(start(call, first)), length_(row_length(call.view(0)))
	{
		const int64_t most = std::max(length_, ELEMENTS);
		for (unsigned k = 0; k < SLOTS; k++) {
			buffers_[k] = reinterpret_cast<float *>(scratch) + k * most;
			strides_[k] = inner_stride(call.view(k));
			/* All rows are aligned, or none: the steps are whole floats. */
			is_line_[k] = call.view(k).dtype == UNPU_DTYPE_F32 &&
				      strides_[k] == sizeof(float) &&
				      reinterpret_cast<uintptr_t>(walk_[k]) % alignof(float) == 0;
			are_lines_ = are_lines_ && is_line_[k];
		}
	}

	void turn(size_t rows)
	{
		Turn turns[TOGETHER];
		walk_.take(rows, places_);
		if (are_lines_)
			for (size_t row = 0; row < rows; row++)
				turns[row] = {line_of(0, row), line_of(1, row), line_of(2, row),
					      line_of(3, row)};
		else
			convert(rows, turns);
		HWY_DYNAMIC_DISPATCH(turn_rows)
		(turns, rows, static_cast<size_t>(length_), call_.integer(0) == 0);
		for (size_t row = 0; !is_line_[0] && row < rows; row += row_run(0, row, rows))
			store_row<float>(call_.view(0).dtype, places_[0][row], strides_[0],
					 row_run(0, row, rows) * static_cast<size_t>(length_),
					 buffer_of(0, row));
	}

private:
	static RowWalk start(const Call &call, uint64_t first)
	{
		View rows[SLOTS];
		const View *views[SLOTS];
		for (unsigned k = 0; k < SLOTS; k++) {
			rows[k] = call.view(k);
			rows[k].ndim--;
			views[k] = &rows[k];
		}
		return {views, SLOTS, first};
	}

	void convert(size_t rows, Turn *turns)
	{
		const float *from[TOGETHER], *cosines[TOGETHER], *sines[TOGETHER];
		read(1, rows, from);
		read(2, rows, cosines);
		read(3, rows, sines);
		for (size_t row = 0; row < rows; row++)
			turns[row] = {is_line_[0] ? line_of(0, row) : buffer_of(0, row), from[row],
				      cosines[row], sines[row]};
	}

	/* @view: all rows are contiguous ones of floats */
	float *line_of(unsigned view, size_t row) const
	{
		return reinterpret_cast<float *>(places_[view][row]);
	}

	float *buffer_of(unsigned view, size_t row) const
	{
		return buffers_[view] + static_cast<int64_t>(row) * length_;
	}

	/* row_run() - how many rows from @row on follow each other in memory without a gap. */
	size_t row_run(unsigned view, size_t row, size_t rows) const
	{
		size_t run = 1;
		while (row + run < rows &&
		       places_[view][row + run] - places_[view][row + run - 1] ==
			       length_ * strides_[view])
			run++;
		return run;
	}

	/* Finds rows in memory, or converts them. If a row is the same memory as the row before, both share
	 * the converted numbers. */
	void read(unsigned view, size_t rows, const float **parts)
	{
		for (size_t row = 0; row < rows;) {
			const bool is_repeated =
				row > 0 && places_[view][row] == places_[view][row - 1];
			if (is_line_[view] || is_repeated) {
				parts[row] = is_line_[view] ? line_of(view, row) : parts[row - 1];
				row++;
				continue;
			}
			const size_t run = row_run(view, row, rows);
			load_row<float>(call_.view(view).dtype, places_[view][row], strides_[view],
					run * static_cast<size_t>(length_), buffer_of(view, row));
			for (const size_t end = row + run; row < end; row++)
				parts[row] = buffer_of(view, row);
		}
	}

	const Call &call_;
	RowWalk walk_;
	int64_t length_;
	float *buffers_[SLOTS];
	int64_t strides_[SLOTS]; /* in bytes */
	bool is_line_[SLOTS];	 /* rows are contiguous ones of floats */
	bool are_lines_ = true;
	std::byte *places_[SLOTS][TOGETHER];
};

Finding run_rotary(const Call &call, uint64_t first, uint64_t count, std::byte *scratch)
{
	const View &out = call.view(0);
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(out)));
	const auto rows = static_cast<uint64_t>(row_count(out));
	const uint64_t end = std::min(rows, (first + count) * each);
	if (first * each >= end)
		return {};
	const auto together = static_cast<uint64_t>(rows_together(call));
	Rotation rotation(call, first * each, scratch);
	for (uint64_t row = first * each; row < end; row += together)
		rotation.turn(static_cast<size_t>(std::min(together, end - row)));
	return {};
}

constexpr Kernel ROTARY_KERNELS[] = {
	{UNPU_TENSOR_ROTARY, check_rotary, rotary_units, rotary_cost, rotary_bytes, run_rotary},
};

} // namespace

const std::span<const Kernel> rotary_kernels = ROTARY_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
