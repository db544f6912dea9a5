// SPDX-License-Identifier: MIT
/*
 * DOC: BATCH_NORM
 *
 * Slot 5 is [C, ..], one row for each channel: slot 0 = (slot 5 - mean) / sqrt(variance + eps) * slot 6 + slot 7,
 * with one factor and one addend for each channel; both may be absent. Attribute 0 says whether mean and variance
 * are those of the row. Then slots 1 and 2 get the mean and 1 / sqrt(..), and slots 3 and 4 become the old
 * statistics, slots 8 and 9, moved by attribute 1 towards the mean and the variance of a sample; each of these six
 * may be absent. Else they are slots 8 and 9, and slots 1 to 4 are absent. Attribute 2 is eps. Sums are made in
 * double.
 */
#include <cmath>

#include "firmware_sim/operators/blocks.h"
#include "firmware_sim/operators/convert.h"
#include "norm.h"

namespace fw::tensor {

namespace {

enum Slot : unsigned {
	OUT,
	MEAN,
	RSTD,
	NEW_MEAN,
	NEW_VARIANCE,
	INPUT,
	FACTORS,
	ADDENDS,
	OLD_MEAN,
	OLD_VARIANCE
};

bool is_training(const Call &call)
{
	return call.integer(0) != 0;
}

RowsOf cut_channels(const View &view)
{
	return cut_rows(view, view.ndim - 1);
}

bool check_batch(const Call &call)
{
	if (!call.has(OUT) || !call.has(INPUT) || !have_bytes(call) ||
	    call.compute != UNPU_DTYPE_F32)
		return false;
	const View &input = call.view(INPUT);
	if (input.ndim < 2 || !call.view(OUT).has_shape_of(input) ||
	    !is_short(cut_channels(input).row))
		return false;
	for (unsigned slot = MEAN; slot <= OLD_VARIANCE; slot++)
		if (slot != INPUT && call.has(slot) &&
		    (call.view(slot).ndim != 1 || call.view(slot).dims[0] != input.dims[0]))
			return false;
	const bool has_new = call.has(NEW_MEAN) || call.has(NEW_VARIANCE);
	if (!is_training(call))
		return call.has(OLD_MEAN) && call.has(OLD_VARIANCE) && !has_new &&
		       !call.has(MEAN) && !call.has(RSTD);
	return call.has(NEW_MEAN) == call.has(OLD_MEAN) &&
	       call.has(NEW_VARIANCE) == call.has(OLD_VARIANCE);
}

uint64_t batch_units(const Call &call)
{
	const RowsOf input = cut_channels(call.view(INPUT));
	const auto each = static_cast<uint64_t>(rows_per_unit(input.row.count()));
	const auto channels = static_cast<uint64_t>(input.row.count() ? input.rows.dims[0] : 0);
	return parts_of(channels, each);
}

/* A row is read up to three times. */
uint64_t batch_cost(const Call &call)
{
	const auto count = static_cast<unsigned __int128>(call.view(INPUT).count());
	return limit_cost(count * (is_training(call) ? 4 : 2) * sizeof(float));
}

double number_at(const View &view, int64_t channel)
{
	double value;
	load_row(view.dtype, view.data + channel * view.strides[0] * element_bytes(view), 0, 1,
		 &value);
	return value;
}

void set_number(const View &view, int64_t channel, double value)
{
	store_row<double>(view.dtype, view.data + channel * view.strides[0] * element_bytes(view),
			  0, 1, &value);
}

/* class Channel - a row of the input and of the result. */
class Channel {
public:
	Channel(const Call &call, const RowsOf &out, const RowsOf &input, Blocks &blocks,
		int64_t number)
		: call_(call), blocks_(blocks), number_(number)
	{
		blocks.move(0, place(out.rows, {number}));
		blocks.move(1, place(input.rows, {number}));
	}

	void run()
	{
		if (is_training(call_))
			measure();
		else
			load();
		const double rstd = 1 / std::sqrt(variance_ + call_.real(2));
		if (call_.has(MEAN))
			set_number(call_.view(MEAN), number_, mean_);
		if (call_.has(RSTD))
			set_number(call_.view(RSTD), number_, rstd);
		normalize(rstd);
	}

private:
	/* for_parts() - calls @part(numbers, n) for the blocks of the input. */
	template <class Part> void for_parts(Part part)
	{
		for (uint64_t at = 0; at < blocks_.count(); at += Blocks::SIZE) {
			alignas(64) float buffer[Blocks::SIZE];
			const auto n = static_cast<size_t>(
				std::min<uint64_t>(Blocks::SIZE, blocks_.count() - at));
			part(blocks_.read(1, at, n, buffer), n);
		}
	}

	void load()
	{
		mean_ = number_at(call_.view(OLD_MEAN), number_);
		variance_ = number_at(call_.view(OLD_VARIANCE), number_);
	}

	/* Two passes: the differences from the mean make the variance exact. */
	void measure()
	{
		const auto count = static_cast<double>(blocks_.count());
		double sum = 0, squares = 0;
		for_parts([&](const float *numbers, size_t n) {
			for (size_t i = 0; i < n; i++)
				sum += static_cast<double>(numbers[i]);
		});
		mean_ = sum / count;
		for_parts([&](const float *numbers, size_t n) {
			for (size_t i = 0; i < n; i++) {
				const double way = static_cast<double>(numbers[i]) - mean_;
				squares += way * way;
			}
		});
		variance_ = squares / count;
		move(OLD_MEAN, NEW_MEAN, mean_);
		move(OLD_VARIANCE, NEW_VARIANCE, squares / std::max(count - 1, 1.0));
	}

	void move(unsigned from, unsigned to, double towards)
	{
		const double momentum = call_.real(1);
		if (call_.has(to))
			set_number(call_.view(to), number_,
				   (1 - momentum) * number_at(call_.view(from), number_) +
					   momentum * towards);
	}

	void normalize(double rstd)
	{
		const double factor =
			rstd * (call_.has(FACTORS) ? number_at(call_.view(FACTORS), number_) : 1);
		const double addend =
			call_.has(ADDENDS) ? number_at(call_.view(ADDENDS), number_) : 0;
		for (uint64_t at = 0; at < blocks_.count(); at += Blocks::SIZE) {
			alignas(64) float from[Blocks::SIZE], to[Blocks::SIZE];
			const auto n = static_cast<size_t>(
				std::min<uint64_t>(Blocks::SIZE, blocks_.count() - at));
			const float *numbers = blocks_.read(1, at, n, from);
			float *target = blocks_.target(0, at, n, to);
			for (size_t i = 0; i < n; i++)
				target[i] = static_cast<float>(
					(static_cast<double>(numbers[i]) - mean_) * factor +
					addend);
			blocks_.write(0, at, n, target);
		}
	}

	const Call &call_;
	Blocks &blocks_;
	const int64_t number_;
	double mean_ = 0, variance_ = 0;
};

Finding run_batch(const Call &call, uint64_t first, uint64_t count, std::byte *)
{
	const RowsOf out = cut_channels(call.view(OUT)), input = cut_channels(call.view(INPUT));
	const int64_t each = rows_per_unit(input.row.count()), channels = input.rows.dims[0];
	const int64_t end = std::min(channels, static_cast<int64_t>(first + count) * each);
	const View *const views[] = {&out.row, &input.row};
	Blocks blocks(views, 2);
	for (int64_t channel = static_cast<int64_t>(first) * each; channel < end; channel++)
		Channel(call, out, input, blocks, channel).run();
	return {};
}

constexpr Kernel BATCH_NORM_KERNELS[] = {
	{UNPU_TENSOR_BATCH_NORM, check_batch, batch_units, batch_cost, nullptr, run_batch},
};

} // namespace

const std::span<const Kernel> batch_norm_kernels = BATCH_NORM_KERNELS;

} // namespace fw::tensor
