// SPDX-License-Identifier: MIT
/*
 * DOC: Operators of signals
 *
 * Windows and filters are constants. A discrete Fourier transform is a product with a matrix of sines and cosines.
 */
#include <cmath>
#include <numbers>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace signals {

namespace {

using In = std::span<const Numbers>;

/* read_count() - one integer. */
bool read_count(Inference &at, size_t i, int64_t least, int64_t &value)
{
	std::vector<int64_t> values;
	if (!at.integers(i, values))
		return false;
	if (values.size() != 1 || values[0] < least || values[0] > MOST_NUMBERS)
		return at.fail("its operand " + at.name_of(i) + " must be a number from " +
			       std::to_string(least) + " to " + std::to_string(MOST_NUMBERS));
	value = values[0];
	return true;
}

bool set_real(Inference &at, const ir::Dims &dims)
{
	const ir::TypeRow *row =
		ir::find_type(static_cast<int32_t>(at.node.integer("output_datatype", 1)));
	if (!row || !ir::is_floating(row->type))
		return at.fail("output_datatype must be a type of floating numbers");
	return at.set(0, row->type, dims);
}

bool infer_window(Inference &at)
{
	int64_t size;
	return read_count(at, 0, 1, size) && set_real(at, {size});
}

/* A sum of cosines. */
template <int A, int B, int C> bool evaluate_window(Inference &at, In, Numbers &out)
{
	constexpr double UNIT = 1e6;
	const bool is_periodic = at.node.integer("periodic", 1) != 0;
	const double turns = static_cast<double>(out.size()) - (is_periodic ? 0 : 1);
	for (size_t i = 0; i < out.size(); i++) {
		const double angle = 2 * std::numbers::pi * static_cast<double>(i) / turns;
		out.reals[i] =
			A / UNIT - B / UNIT * std::cos(angle) + C / UNIT * std::cos(2 * angle);
	}
	return true;
}

bool infer_mel(Inference &at)
{
	int64_t filters, length, rate;
	std::vector<double> low, high;
	if (!read_count(at, 0, 1, filters) || !read_count(at, 1, 1, length) ||
	    !read_count(at, 2, 1, rate) || !at.reals(3, low) || !at.reals(4, high))
		return false;
	if (low.size() != 1 || high.size() != 1 || !(low[0] >= 0) || !(high[0] > low[0]) ||
	    !(high[0] < 1e9))
		return at.fail("its edges must be two frequencies, the upper one last");
	return set_real(at, {length / 2 + 1, filters});
}

/* Triangles, whose corners are at equal distances in mel. */
bool evaluate_mel(Inference &at, In in, Numbers &out)
{
	const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
	const double low = mel(in[3].real(0)), high = mel(in[4].real(0));
	const int64_t bins = out.dims[0], filters = out.dims[1];
	const double step = (high - low) / static_cast<double>(filters + 2);
	std::vector<int64_t> corners;
	for (int64_t k = 0; k < filters + 2; k++) {
		const double hertz =
			700 * (std::pow(10, (low + step * static_cast<double>(k)) / 2595) - 1);
		const double place = (in[1].real(0) + 1) * hertz / in[2].real(0);
		corners.push_back(std::min(static_cast<int64_t>(std::floor(place)), bins - 1));
	}
	for (int64_t f = 0; f < filters; f++) {
		const auto at_filter = [&](int64_t bin) -> double & {
			return out.reals[static_cast<size_t>(bin * filters + f)];
		};
		const auto corner = [&](int64_t k) { return corners[static_cast<size_t>(f + k)]; };
		if (corner(0) == corner(1))
			at_filter(corner(1)) = 1;
		for (int64_t bin = corner(0); bin <= corner(1) && corner(0) != corner(1); bin++)
			at_filter(bin) = static_cast<double>(bin - corner(0)) /
					 static_cast<double>(corner(1) - corner(0));
		for (int64_t bin = corner(1); bin < corner(2); bin++)
			at_filter(bin) = static_cast<double>(corner(2) - bin) /
					 static_cast<double>(corner(2) - corner(1));
	}
	(void)at;
	return true;
}

/*
 * struct Transform - a discrete Fourier transform.
 * @samples: that are there @length: of the signal; those that are not there are 0
 * @parts: 1, or 2 where the signal is complex @results: how many are wanted
 */
struct Transform {
	int64_t samples = 0, length = 0, parts = 1, results = 0;
	bool is_inverse = false;
};

/* make_matrix() - [samples * parts, results * 2], so that a row of a dense signal times it is a row of results. */
bool make_matrix(Lowering &l, const Transform &of, Tensor &matrix)
{
	constexpr int64_t MOST = 1 << 23;
	const ir::Dims dims = {of.samples * of.parts, of.results * 2};
	const std::optional<int64_t> count = ir::count(dims);
	if (!count || *count > MOST)
		return l.at.fail("its signal has " + std::to_string(of.samples) +
				 " samples, of which a matrix of " + ir::print(dims) +
				 " would be made; it may have 2^23 numbers");
	std::vector<double> values(static_cast<size_t>(*count));
	const double scale = of.is_inverse ? 1.0 / static_cast<double>(of.length) : 1.0;
	size_t i = 0;
	for (int64_t n = 0; n < of.samples; n++)
		for (int64_t part = 0; part < of.parts; part++)
			for (int64_t k = 0; k < of.results; k++) {
				const auto turn = static_cast<double>(
					static_cast<int64_t>(__int128(n) * k % of.length));
				const double angle = (of.is_inverse ? 2 : -2) * std::numbers::pi *
						     turn / static_cast<double>(of.length);
				const double c = scale * std::cos(angle),
					     s = scale * std::sin(angle);
				values[i++] = part == 0 ? c : -s;
				values[i++] = part == 0 ? s : c;
			}
	matrix = l.table(l.in(0).type, dims, values);
	return true;
}

/* read_transform() - of DFT. @axis: receives the dim of the samples */
bool read_transform(Inference &at, unsigned &axis, Transform &transform)
{
	const ir::Dims &dims = at.dims(0);
	int64_t wanted = at.node.integer("axis", 1);
	if (at.has(2)) {
		std::vector<int64_t> given;
		if (!at.integers(2, given) || given.size() != 1)
			return at.fail("its axis must be one number that is known");
		wanted = given[0];
	}
	const bool is_half = at.node.integer("onesided", 0) != 0;
	if (dims.rank() < 2 || !at.find_axis(wanted, dims.rank(), axis))
		return at.fail("its operand must have 2 dims at least");
	transform.parts = dims[dims.rank() - 1];
	transform.samples = transform.length = dims[axis];
	transform.is_inverse = at.node.integer("inverse", 0) != 0;
	if (at.has(1) && !read_count(at, 1, 1, transform.length))
		return false;
	if (axis == dims.rank() - 1 || transform.parts < 1 || transform.parts > 2)
		return at.fail("the last dim of its operand must be 1 or 2, and not its axis");
	if (transform.length < 1 || transform.length > MOST_NUMBERS)
		return at.fail("its length must be from 1 to " + std::to_string(MOST_NUMBERS));
	if (is_half && (transform.is_inverse || transform.parts == 2))
		return at.fail("onesided is computed of real signals, and not inversely");
	transform.samples = std::min(transform.samples, transform.length);
	transform.results = is_half ? transform.length / 2 + 1 : transform.length;
	return true;
}

bool infer_dft(Inference &at)
{
	unsigned axis;
	Transform transform;
	ir::Dims dims = at.dims(0);
	if (!read_transform(at, axis, transform))
		return false;
	dims[axis] = transform.results;
	dims[dims.rank() - 1] = 2;
	return at.set(0, at.type(0), dims);
}

/* moved() - dim @axis as the last but one. */
Tensor moved(Tensor tensor, unsigned axis)
{
	const int64_t size = tensor.view.dims[axis], stride = tensor.view.strides[axis];
	const unsigned place = tensor.view.dims.rank() - 2;
	tensor.view.dims.erase(axis);
	tensor.view.strides.erase(axis);
	tensor.view.dims.insert(place, size);
	tensor.view.strides.insert(place, stride);
	return tensor;
}

/* rows() - a dense tensor as a matrix, whose rows are its last two dims. */
Tensor rows(Tensor tensor)
{
	const ir::Dims dims = tensor.dims();
	const int64_t offset = tensor.view.offset;
	const int64_t columns = dims[dims.rank() - 2] * dims[dims.rank() - 1];
	tensor.view = View::dense({*ir::count(dims.span().first(dims.rank() - 2)), columns});
	tensor.view.offset = offset;
	return tensor;
}

bool lower_dft(Lowering &l)
{
	unsigned axis;
	Transform transform;
	Tensor matrix, signal = l.in(0);
	if (!read_transform(l.at, axis, transform) || !make_matrix(l, transform, matrix))
		return false;
	signal.view.dims[axis] = transform.samples;
	signal = moved(signal, axis);
	const Tensor out = moved(l.out(), axis);
	const Tensor made = out.view.is_dense() ? out : l.temporary(out.type, out.dims());
	if (transform.samples == 0)
		return l.call(fill_row, {l.out(), Scalar(0.0)});
	return l.make_dense(signal) &&
	       l.call(umd::matmul_row, {rows(signal), matrix, rows(made), int64_t{0}}) &&
	       (out.view.is_dense() || l.copy(made, out));
}

/* read_frames() - of STFT: how far the frames are apart, and how many there are. */
bool read_frames(Inference &at, Transform &transform, int64_t &step, int64_t &frames)
{
	const ir::Dims &dims = at.dims(0);
	if (dims.rank() < 2 || dims.rank() > 3 ||
	    (dims.rank() == 3 && dims[2] != 1 && dims[2] != 2))
		return at.fail("its signal is " + ir::print(dims) +
			       "; [batch, length, 1 or 2] are computed here");
	if (!read_count(at, 1, 1, step))
		return false;
	if (!at.has(2) && !at.has(3))
		return at.fail("it has neither a window nor a frame_length");
	if (at.has(2) && at.dims(2).rank() != 1)
		return at.fail("its window must have one dim");
	if (at.has(3) ? !read_count(at, 3, 1, transform.length) : false)
		return false;
	if (!at.has(3))
		transform.length = at.dims(2)[0];
	if (at.has(2) && (at.dims(2)[0] != transform.length || at.type(2) != at.type(0)))
		return at.fail("its window has not the type or the length of a frame");
	if (transform.length < 1 || transform.length > std::min(dims[1], MOST_NUMBERS))
		return at.fail("its frames are longer than the signal, or empty");
	transform.parts = dims.rank() == 3 ? dims[2] : 1;
	transform.samples = transform.length;
	const bool is_half = at.node.integer("onesided", 1) != 0 && transform.parts == 1;
	transform.results = is_half ? transform.length / 2 + 1 : transform.length;
	frames = (dims[1] - transform.length) / step + 1;
	return true;
}

bool infer_stft(Inference &at)
{
	Transform transform;
	int64_t step, frames;
	return read_frames(at, transform, step, frames) &&
	       at.set(0, at.type(0), {at.dims(0)[0], frames, transform.results, 2});
}

/* Frames are a view in which samples are there more than once. */
bool lower_stft(Lowering &l)
{
	Transform transform;
	int64_t step, frames;
	Tensor matrix, signal = l.in(0);
	if (!read_frames(l.at, transform, step, frames) || !make_matrix(l, transform, matrix))
		return false;
	const ir::Dims strides = signal.view.strides;
	const int64_t inner = signal.dims().rank() == 3 ? strides[2] : 1;
	signal.view.dims = {signal.dims()[0], frames, transform.length, transform.parts};
	signal.view.strides = {strides[0], strides[1] * step, strides[1], inner};
	if (l.has(2)) {
		Tensor window = l.in(2);
		window.view.dims.push(1);
		window.view.strides.push(0);
		const Tensor product = l.temporary(signal.type, signal.dims());
		if (!l.call(mul_row, {signal, window, product}))
			return false;
		signal = product;
	}
	return l.make_dense(signal) &&
	       l.call(umd::matmul_row, {rows(signal), matrix, rows(l.out()), int64_t{0}});
}

constexpr OperatorRow ROWS[] = {
	{"HannWindow", 17, 0, 1, 1, "output_datatype periodic ", infer_window, nullptr,
	 evaluate_window<500000, 500000, 0>},
	{"HammingWindow", 17, 0, 1, 1, "output_datatype periodic ", infer_window, nullptr,
	 evaluate_window<543478, 456522, 0>},
	{"BlackmanWindow", 17, 0, 1, 1, "output_datatype periodic ", infer_window, nullptr,
	 evaluate_window<420000, 500000, 80000>},
	{"MelWeightMatrix", 17, 0, 5, 5, "output_datatype ", infer_mel, nullptr, evaluate_mel},
	{"DFT", 17, 0, 1, 3, "axis inverse onesided ", infer_dft, nullptr, nullptr, lower_dft},
	{"STFT", 17, 0, 2, 4, "onesided ", infer_stft, nullptr, nullptr, lower_stft},
};

} // namespace

} // namespace signals

std::span<const OperatorRow> signal_rows()
{
	return signals::ROWS;
}

} // namespace models
