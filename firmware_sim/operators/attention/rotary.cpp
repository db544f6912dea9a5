// SPDX-License-Identifier: MIT
/*
 * DOC: ROTARY
 *
 * Slot 0 = slot 1 * slot 2 + rotated slot 1 * slot 3, with one shape, along the last dim. Mode 0 takes the first
 * half of a row and the second one as pairs, mode 1 neighbours; (a, b) is rotated to (-b, a).
 *
 * A unit is as many rows as have about 16 Ki elements. Rows of F32 are computed where they lie, others in buffers.
 * A row of cosines or sines that was converted is kept while the next rows share it.
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

/* struct Turn - parts of one row: of both halves, or one part in which pairs are neighbours. */
struct Turn {
	float *to[2];
	const float *from[2];
	const float *cosines[2];
	const float *sines[2];
};

} // namespace fw::tensor

#endif /* FW_TENSOR_ROTARY */

HWY_BEFORE_NAMESPACE();

namespace fw::tensor {
namespace HWY_NAMESPACE {

/* Both halves are loaded before one is stored, so the result may be the operand. */
void turn_halves(const Turn &turn, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	size_t i = 0;
	for (; i + lanes <= n; i += lanes) {
		const auto a = hn::LoadU(d, turn.from[0] + i), b = hn::LoadU(d, turn.from[1] + i);
		const auto left = hn::Sub(hn::Mul(a, hn::LoadU(d, turn.cosines[0] + i)),
					  hn::Mul(b, hn::LoadU(d, turn.sines[0] + i)));
		const auto right = hn::Add(hn::Mul(b, hn::LoadU(d, turn.cosines[1] + i)),
					   hn::Mul(a, hn::LoadU(d, turn.sines[1] + i)));
		hn::StoreU(left, d, turn.to[0] + i);
		hn::StoreU(right, d, turn.to[1] + i);
	}
	for (; i < n; i++) {
		const float a = turn.from[0][i], b = turn.from[1][i];
		turn.to[0][i] = a * turn.cosines[0][i] - b * turn.sines[0][i];
		turn.to[1][i] = b * turn.cosines[1][i] + a * turn.sines[1][i];
	}
}

/* @n: even */
void turn_neighbours(const Turn &turn, size_t n)
{
	const Floats d;
	const size_t lanes = hn::Lanes(d);
	const float *from = turn.from[0], *cosines = turn.cosines[0], *sines = turn.sines[0];
	float *to = turn.to[0];
	size_t i = 0;
	/* A vector of one lane has no neighbours. */
	for (; lanes > 1 && i + lanes <= n; i += lanes) {
		const auto x = hn::LoadU(d, from + i);
		const auto straight = hn::Mul(x, hn::LoadU(d, cosines + i));
		const auto crossed = hn::Mul(hn::Reverse2(d, x), hn::LoadU(d, sines + i));
		hn::StoreU(hn::OddEven(hn::Add(straight, crossed), hn::Sub(straight, crossed)), d,
			   to + i);
	}
	for (; i < n; i += 2) {
		const float a = from[i], b = from[i + 1];
		to[i] = a * cosines[i] - b * sines[i];
		to[i + 1] = b * cosines[i + 1] + a * sines[i + 1];
	}
}

} // namespace HWY_NAMESPACE
} // namespace fw::tensor

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace fw::tensor {

HWY_EXPORT(turn_halves);
HWY_EXPORT(turn_neighbours);

namespace {

constexpr unsigned SLOTS = 4;

bool check_rotary(const Call &call)
{
	for (unsigned slot = 0; slot < SLOTS; slot++)
		if (!call.has(slot) || element_bits(call.view(slot).dtype) < 8 ||
		    !call.view(slot).has_shape_of(call.view(0)))
			return false;
	return call.compute == UNPU_DTYPE_F32 && call.view(0).ndim > 0 &&
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

/* class Rotation - turns one row after the other. */
class Rotation {
public:
	Rotation(const Call &call, uint64_t first) : call_(call), walk_(start(call, first))
	{
		for (unsigned k = 0; k < SLOTS; k++)
			is_line_[k] = call.view(k).dtype == UNPU_DTYPE_F32 &&
				      inner_stride(call.view(k)) == sizeof(float);
	}
	Rotation(const Rotation &) = delete;

	void turn_row()
	{
		const int64_t length = row_length(call_.view(0));
		const bool has_halves = call_.integer(0) == 0;
		for (int64_t at = 0; at < length; at += SIZE) {
			const int64_t n = std::min<int64_t>(SIZE, length - at);
			if (has_halves)
				turn_part({at / 2, (length + at) / 2}, 2, n / 2);
			else
				turn_part({at, 0}, 1, n);
		}
		walk_.next();
	}

private:
	static constexpr int64_t SIZE = 1024; /* even */

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

	/* Elements @first[i] .. @first[i] + @n - 1 of the row, for each of @parts parts. */
	void turn_part(const std::array<int64_t, 2> &first, size_t parts, int64_t n)
	{
		Turn turn;
		for (size_t i = 0; i < parts; i++) {
			turn.from[i] = read(1, first[i], n, i);
			turn.cosines[i] = read(2, first[i], n, i);
			turn.sines[i] = read(3, first[i], n, i);
			turn.to[i] = is_direct(0) ? floats_at(0, first[i])
						  : buffers_[0] + static_cast<int64_t>(i) * n;
		}
		if (parts == 2)
			HWY_DYNAMIC_DISPATCH(turn_halves)(turn, static_cast<size_t>(n));
		else
			HWY_DYNAMIC_DISPATCH(turn_neighbours)(turn, static_cast<size_t>(n));
		const View &out = call_.view(0);
		for (size_t i = 0; i < parts && !is_direct(0); i++)
			store_row<float>(out.dtype, walk_[0] + first[i] * inner_stride(out),
					 inner_stride(out), static_cast<size_t>(n), turn.to[i]);
	}

	bool is_direct(unsigned view) const
	{
		return is_line_[view] &&
		       reinterpret_cast<uintptr_t>(walk_[view]) % alignof(float) == 0;
	}

	float *floats_at(unsigned view, int64_t first) const
	{
		return reinterpret_cast<float *>(walk_[view]) + first;
	}

	const float *read(unsigned view, int64_t first, int64_t n, size_t part)
	{
		if (is_direct(view))
			return floats_at(view, first);
		const View &from = call_.view(view);
		const std::byte *place = walk_[view] + first * inner_stride(from);
		float *to = buffers_[view] + static_cast<int64_t>(part) * n;
		const bool is_kept =
			view > 1 && row_length(from) <= SIZE && kept_[view][part] == place;
		if (!is_kept)
			load_row<float>(from.dtype, place, inner_stride(from),
					static_cast<size_t>(n), to);
		kept_[view][part] = place;
		return to;
	}

	const Call &call_;
	RowWalk walk_;
	bool is_line_[SLOTS];
	const std::byte *kept_[SLOTS][2] = {}; /* what a part of a buffer was converted of */
	alignas(64) float buffers_[SLOTS][SIZE];
};

Finding run_rotary(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const View &out = call.view(0);
	const auto each = static_cast<uint64_t>(rows_per_unit(row_length(out)));
	const auto rows = static_cast<uint64_t>(row_count(out));
	const uint64_t end = std::min(rows, (first + count) * each);
	if (first * each >= end)
		return {};
	Rotation rotation(call, first * each);
	for (uint64_t row = first * each; row < end; row++)
		rotation.turn_row();
	return {};
}

constexpr Kernel ROTARY_KERNELS[] = {
	{UNPU_TENSOR_ROTARY, check_rotary, rotary_units, rotary_cost, nullptr, run_rotary},
};

} // namespace

const std::span<const Kernel> rotary_kernels = ROTARY_KERNELS;

} // namespace fw::tensor

#endif /* HWY_ONCE */
