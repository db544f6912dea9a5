// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions and pools along three dims
 *
 * The device has windows of two dims. A pool of three is one of its two inner dims and then one of the first dim. A
 * convolution is the sum of those of the slices of its weight, with slices of the image.
 */
#include "models/lower/rows.h"
#include "windows.h"

namespace models::windows {

namespace {

/* select() - the numbers of @count dims of a window from @first on. */
Window select(const Window &from, unsigned first, unsigned count)
{
	Window to;
	to.axes = count;
	to.rounds_up = from.rounds_up;
	const auto pick = [&](const Integers &numbers) {
		return numbers.empty()
			       ? numbers
			       : Integers(numbers.begin() + first, numbers.begin() + first + count);
	};
	to.kernel = pick(from.kernel);
	to.strides = pick(from.strides);
	to.dilations = pick(from.dilations);
	to.low = pick(from.low);
	to.high = pick(from.high);
	to.extra = pick(from.extra);
	return to;
}

/* as() - a dense tensor with other dims, which have as many elements. */
Tensor as(Tensor tensor, const ir::Dims &dims)
{
	const int64_t offset = tensor.view.offset;
	tensor.view = View::dense(dims);
	tensor.view.offset = offset;
	return tensor;
}

/* swapped() - dims 1 and 2 in the place of each other. */
Tensor swapped(Tensor tensor)
{
	std::swap(tensor.view.dims[1], tensor.view.dims[2]);
	std::swap(tensor.view.strides[1], tensor.view.strides[2]);
	return tensor;
}

/* struct Slices - each @step-th index of dim 2, @count of them from @first on. */
struct Slices {
	int64_t first, step, count;

	Tensor of(Tensor tensor) const
	{
		tensor.view.offset += first * tensor.view.strides[2];
		tensor.view.strides[2] *= step;
		tensor.view.dims[2] = count;
		return tensor;
	}
};

/* add() - @out += the convolution of slices of the image by one of the weight. */
bool add(Lowering &l, const Window &flat, Convolution one, const Slices &from, const Slices &to)
{
	Tensor image = swapped(from.of(one.image)), target = to.of(one.out);
	const ir::Dims in = image.dims(), out = target.dims();
	if (!l.make_dense(image) || !l.make_dense(one.weight))
		return false;
	const Tensor part = l.temporary(one.out.type, {in[0], in[1], out[1], out[3], out[4]});
	one.image = as(image, {in[0] * in[1], in[2], in[3], in[4]});
	one.out = as(part, {in[0] * in[1], out[1], out[3], out[4]});
	return convolve(l, flat, one) &&
	       l.call(umd::sub_row, {target, swapped(part), Scalar(int64_t{-1}), target});
}

} // namespace

bool convolve_cube(Lowering &l, const Window &window, const Convolution &of)
{
	constexpr int64_t MOST_SLICES = 1024;
	const Window flat = select(window, 1, 2);
	const int64_t stride = window.strides[0];
	const int64_t sources = of.image.dims()[2], places = of.out.dims()[2];
	if (window.kernel[0] > MOST_SLICES)
		return l.at.fail("its window has more than 1024 slices");
	if (const auto *given = std::get_if<Tensor>(&of.bias)) {
		Tensor bias = *given;
		if (bias.dims().rank() != 1 || bias.dims()[0] != of.out.dims()[1])
			return l.at.fail("its bias is " + ir::print(bias.dims()));
		for (unsigned d = 0; d < 3; d++) {
			bias.view.dims.push(1);
			bias.view.strides.push(0);
		}
		if (!l.copy(broadcast_to(bias, of.out.dims()), of.out))
			return false;
	} else if (!l.call(fill_row, {of.out, Scalar(0.0)})) {
		return false;
	}
	/* Index i of one side belongs to index i * stride + shift of the other one. */
	const int64_t most = of.is_transposed ? sources : places;
	const int64_t others = of.is_transposed ? places : sources;
	for (int64_t k = 0; k < window.kernel[0]; k++) {
		const int64_t shift = k * window.dilations[0] - window.low[0];
		const int64_t first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
		const int64_t last = others - 1 - shift;
		const int64_t end = last < 0 ? 0 : std::min(most, last / stride + 1);
		if (first >= end)
			continue;
		const Slices dense = {first, 1, end - first};
		const Slices apart = {first * stride + shift, stride, end - first};
		Convolution one = of;
		one.bias = {};
		one.weight.view.offset += k * one.weight.view.strides[2];
		one.weight.view.dims.erase(2);
		one.weight.view.strides.erase(2);
		if (!add(l, flat, one, of.is_transposed ? dense : apart,
			 of.is_transposed ? apart : dense))
			return false;
	}
	return true;
}

bool pool_cube(Lowering &l, const Window &window, Pool *pool, Tensor image, const Tensor &out)
{
	const ir::Dims from = image.dims(), to = out.dims();
	const int64_t images = from[0] * from[1];
	Window depth = select(window, 0, 1);
	const Tensor flat = l.temporary(out.type, {images, from[2], to[3], to[4]});
	if (!l.make_dense(image) ||
	    !pool(l, select(window, 1, 2), as(image, {images, from[2], from[3], from[4]}), flat))
		return false;
	/* The inner dims are one, along which the window has a size of 1. */
	depth.axes = 2;
	for (Integers *numbers : {&depth.kernel, &depth.strides, &depth.dilations})
		numbers->push_back(1);
	for (Integers *numbers : {&depth.low, &depth.high})
		numbers->push_back(0);
	return pool(l, depth, as(flat, {images, 1, from[2], to[3] * to[4]}),
		    as(out, {images, 1, to[2], to[3] * to[4]}));
}

} // namespace models::windows
