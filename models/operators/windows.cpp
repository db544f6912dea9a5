// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions and pools
 *
 * The kinds of the device have windows of two dims. So operators with one dim get another one of size 1. Those with
 * three dims are in cubes.cpp.
 */
#include "windows.h"

#include "models/lower/rows.h"

namespace models {

namespace windows {

namespace {

constexpr int64_t MOST = INT32_MAX;

/* read_each() - reads an attribute with an entry for each dim. If it is missing, each entry is @otherwise. */
bool read_each(Inference &at, const char *attribute, unsigned axes, int64_t least,
	       int64_t otherwise, Integers &values)
{
	const std::span<const int64_t> given = at.node.integers(attribute);
	values.assign(given.begin(), given.end());
	if (values.empty())
		values.assign(axes, otherwise);
	if (values.size() != axes)
		return at.fail(std::string(attribute) + " has " + std::to_string(values.size()) +
			       " entries; the image has " + std::to_string(axes) + " dims");
	for (const int64_t value : values)
		if (value < least || value > MOST)
			return at.fail(std::string(attribute) + " has the entry " +
				       std::to_string(value));
	return true;
}

/* Computes the pads from the attributes, or so that the result has size / stride elements. */
bool read_pads(Inference &at, Window &window)
{
	const std::string_view mode = at.node.text("auto_pad", "NOTSET");
	const std::span<const int64_t> pads = at.node.integers("pads");
	const unsigned axes = window.axes;
	window.low.assign(axes, 0);
	window.high.assign(axes, 0);
	if (mode == "VALID" || (mode == "NOTSET" && pads.empty()))
		return true;
	if (mode == "NOTSET") {
		if (pads.size() != 2 * size_t{axes})
			return at.fail("pads must have an entry for both ends of each dim");
		for (unsigned d = 0; d < axes; d++) {
			window.low[d] = pads[d];
			window.high[d] = pads[axes + d];
			if (std::min(pads[d], pads[axes + d]) < 0 ||
			    std::max(pads[d], pads[axes + d]) > MOST)
				return at.fail("pads has a negative entry");
		}
		return true;
	}
	if (mode != "SAME_UPPER" && mode != "SAME_LOWER")
		return at.fail("auto_pad is " + std::string(mode));
	for (unsigned d = 0; d < axes; d++) {
		const int64_t size = at.dims(0)[2 + d], stride = window.strides[d];
		const int64_t wanted = (size + stride - 1) / stride;
		const int64_t extent = window.dilations[d] * (window.kernel[d] - 1) + 1;
		const int64_t sum = std::max<int64_t>((wanted - 1) * stride + extent - size, 0);
		window.low[d] = mode == "SAME_UPPER" ? sum / 2 : sum - sum / 2;
		window.high[d] = sum - window.low[d];
	}
	return true;
}

} // namespace

bool read_window(Inference &at, Window &window, std::span<const int64_t> kernel)
{
	const unsigned rank = at.dims(0).rank();
	if (rank < 3 || rank > 5)
		return at.fail("its operand is " + ir::print(at.dims(0)) +
			       "; images of 1, 2 and 3 dims are computed here");
	window.axes = rank - 2;
	for (unsigned d = 0; d < window.axes; d++)
		if (at.dims(0)[2 + d] > MOST)
			return at.fail("a dim of its image has more than 2^31 elements");
	window.kernel.assign(kernel.begin(), kernel.end());
	window.rounds_up = at.node.integer("ceil_mode", 0) != 0;
	if (window.kernel.size() != window.axes)
		return at.fail("its window has " + std::to_string(kernel.size()) +
			       " dims; the image has " + std::to_string(window.axes));
	for (const int64_t size : window.kernel)
		if (size < 1 || size > MOST)
			return at.fail("its window is " + ir::print(kernel));
	return read_each(at, "strides", window.axes, 1, 1, window.strides) &&
	       read_each(at, "dilations", window.axes, 1, 1, window.dilations) &&
	       read_pads(at, window);
}

/* slide() - the number of positions of the window along dim @d; less than 1 if it does not fit. */
int64_t slide(const Window &window, unsigned d, int64_t size)
{
	const int64_t extent = window.dilations[d] * (window.kernel[d] - 1) + 1;
	const int64_t rest = size + window.low[d] + window.high[d] - extent;
	if (rest < 0)
		return 0;
	int64_t count =
		(rest + (window.rounds_up ? window.strides[d] - 1 : 0)) / window.strides[d] + 1;
	/* A window must not begin in the padding at the end. */
	if (window.rounds_up && (count - 1) * window.strides[d] >= size + window.low[d])
		count--;
	return count;
}

namespace {

} // namespace

bool check_kernel(Inference &at, Window &window, std::span<const int64_t> weight)
{
	const std::span<const int64_t> given = at.node.integers("kernel_shape");
	if (!given.empty() && !std::equal(given.begin(), given.end(), weight.begin(), weight.end()))
		return at.fail("kernel_shape is not that of its weight");
	return read_window(at, window, weight);
}

bool conv_dims(Inference &at, size_t operand, ir::Dims &dims)
{
	Window window;
	const ir::Dims &weight = at.dims(operand);
	if (weight.rank() < 3 || weight.rank() != at.dims(0).rank())
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(weight));
	if (!check_kernel(at, window, weight.span().subspan(2)))
		return false;
	dims = at.dims(0);
	dims[1] = weight[0];
	for (unsigned d = 0; d < window.axes; d++) {
		dims[2 + d] = slide(window, d, dims[2 + d]);
		if (dims[2 + d] < 1)
			return at.fail("its window is larger than the image");
	}
	return true;
}

namespace {

bool infer_conv(Inference &at)
{
	ir::Dims dims;
	return conv_dims(at, 1, dims) && at.set(0, at.type(0), dims);
}

/* pad() - makes a copy of @image with a border of @value. */
bool pad(Lowering &l, Tensor &image, const Window &window, double value)
{
	Integers sizes;
	ir::Dims dims = image.dims();
	for (unsigned d = window.axes; d-- > 0;) {
		sizes.push_back(window.low[d]);
		sizes.push_back(window.high[d]);
		dims[2 + d] += window.low[d] + window.high[d];
	}
	const Tensor padded = l.temporary(image.type, dims);
	const bool is_good =
		l.call(umd::constant_pad_nd_row, {image, sizes, Scalar(value), padded});
	image = padded;
	return is_good;
}

Operand operand_or_null(const Lowering &l, size_t i)
{
	return l.has(i) ? Operand(l.in(i)) : Operand();
}

/* sides_of() - the pads in the order of the entry point: before and behind each dim. */
Integers sides_of(const Integers &low, const Integers &high)
{
	Integers sides;
	for (size_t d = 0; d < low.size(); d++) {
		sides.push_back(low[d]);
		sides.push_back(high[d]);
	}
	return sides;
}

} // namespace

bool convolve(Lowering &l, const Window &window, const Convolution &of)
{
	const Integers extra = of.is_transposed ? window.extra : Integers(window.axes, 0);
	return l.call(umd::convolution_row, {of.image, of.weight, of.bias, window.strides,
					     sides_of(window.low, window.high), window.dilations,
					     int64_t{of.is_transposed}, extra,
					     l.at.node.integer("group", 1), of.out, int64_t{0}});
}

namespace {

bool lower_conv(Lowering &l)
{
	Window window;
	const Convolution all = {l.in(0), l.in(1), operand_or_null(l, 2), l.out(), false};
	if (!check_kernel(l.at, window, l.at.dims(1).span().subspan(2)))
		return false;
	return window.axes == 3 ? convolve_cube(l, window, all) : convolve(l, window, all);
}

/* read_transposed() - reads the window of a transposed convolution. Its pads are chosen so that the result has
 * output_shape. */
bool read_transposed(Inference &at, Window &window, ir::Dims &dims)
{
	const ir::Dims &weight = at.dims(1);
	const std::span<const int64_t> shape = at.node.integers("output_shape");
	const std::string_view mode = at.node.text("auto_pad", "NOTSET");
	if (weight.rank() < 3 || weight.rank() != at.dims(0).rank())
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(weight));
	if (!check_kernel(at, window, weight.span().subspan(2)) ||
	    !read_each(at, "output_padding", window.axes, 0, 0, window.extra))
		return false;
	dims = at.dims(0);
	if (__builtin_mul_overflow(weight[1], at.node.integer("group", 1), &dims[1]))
		return at.fail("group is too large");
	for (unsigned d = 0; d < window.axes; d++) {
		const int64_t size = dims[2 + d], stride = window.strides[d];
		const int64_t whole = (size - 1) * stride + window.extra[d] +
				      (window.kernel[d] - 1) * window.dilations[d] + 1;
		const bool is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
		int64_t wanted = whole - window.low[d] - window.high[d];
		if (!shape.empty() || is_same) {
			const size_t from = shape.size() - window.axes + d;
			if (!shape.empty() && shape.size() < window.axes)
				return at.fail("output_shape has too few entries");
			wanted = shape.empty() ? size * stride : shape[from];
			if (wanted < 1 || wanted > MOST)
				return at.fail("output_shape has the entry " +
					       std::to_string(wanted));
			const int64_t sum = std::max<int64_t>(whole - wanted, 0);
			window.low[d] = mode == "SAME_UPPER" ? sum / 2 : sum - sum / 2;
			window.high[d] = sum - window.low[d];
			window.extra[d] += std::max<int64_t>(wanted - whole, 0);
		}
		if (wanted < 1)
			return at.fail("its pads leave nothing of the result");
		dims[2 + d] = wanted;
	}
	return true;
}

bool infer_conv_transpose(Inference &at)
{
	Window window;
	ir::Dims dims;
	return read_transposed(at, window, dims) && at.set(0, at.type(0), dims);
}

bool lower_conv_transpose(Lowering &l)
{
	Window window;
	ir::Dims dims;
	if (!read_transposed(l.at, window, dims))
		return false;
	const Convolution all = {l.in(0), l.in(1), operand_or_null(l, 2), l.out(), true};
	return window.axes == 3 ? convolve_cube(l, window, all) : convolve(l, window, all);
}

bool infer_pool(Inference &at)
{
	Window window;
	if (!read_window(at, window, at.node.integers("kernel_shape")))
		return false;
	ir::Dims dims = at.dims(0);
	for (unsigned d = 0; d < window.axes; d++) {
		dims[2 + d] = slide(window, d, dims[2 + d]);
		if (dims[2 + d] < 1)
			return at.fail("its window is larger than the image");
	}
	return at.set(0, at.type(0), dims) && (!at.wants(1) || at.set(1, ir::Type::INT64, dims));
}

/* with_height() - a view of an image with one dim as an image with two. */
Tensor with_height(Tensor tensor)
{
	if (tensor.dims().rank() == 3) {
		tensor.view.dims.insert(2, 1);
		tensor.view.strides.insert(2, 0);
	}
	return tensor;
}

void add_height(Window &window)
{
	if (window.axes == 2)
		return;
	for (Integers *numbers : {&window.kernel, &window.strides, &window.dilations})
		numbers->insert(numbers->begin(), 1);
	for (Integers *numbers : {&window.low, &window.high})
		numbers->insert(numbers->begin(), 0);
}

bool max_pool(Lowering &l, Window window, const Tensor &image, const Tensor &out)
{
	add_height(window);
	const Integers pads = {window.low[0], window.low[1], window.high[0], window.high[1]};
	return l.call(umd::max_pool_row,
		      {with_height(image), window.kernel, window.strides, int64_t{0}, pads,
		       window.dilations, int64_t{window.rounds_up}, with_height(out)});
}

bool lower_max_pool(Lowering &l)
{
	Window window;
	if (l.at.wants(1))
		return l.at.fail("its second result, the indices, is not computed here");
	if (!read_window(l.at, window, l.at.node.integers("kernel_shape")))
		return false;
	/* FLOAT has each integer of 8 bits. */
	const ir::Type type = l.in(0).type;
	const bool is_small = type == ir::Type::UINT8 || type == ir::Type::INT8;
	Tensor image = l.in(0);
	if (is_small && !l.convert(image, ir::Type::FLOAT))
		return false;
	const Tensor out = is_small ? l.temporary(ir::Type::FLOAT, l.out().dims()) : l.out();
	return (window.axes == 3 ? pool_cube(l, window, max_pool, image, out)
				 : max_pool(l, window, image, out)) &&
	       (!is_small || l.copy(out, l.out()));
}

/* counts_of() - for each window along dim @d, the number of elements of the image that it covers. */
std::vector<double> counts_of(const Window &window, unsigned d, int64_t size, int64_t places)
{
	std::vector<double> counts;
	for (int64_t k = 0; k < places; k++) {
		const int64_t begin = k * window.strides[d] - window.low[d];
		const int64_t end = begin + window.kernel[d];
		counts.push_back(static_cast<double>(
			std::max<int64_t>(std::min(end, size) - std::max<int64_t>(begin, 0), 0)));
	}
	return counts;
}

/* The kind needs the same pad on both sides of a dim. If they differ, the image is padded by a copy first, and each
 * mean is then corrected by the number of elements that are not padding. */
bool pool_padded(Lowering &l, Window window, bool counts_pads)
{
	Window padded = window;
	Tensor image = l.in(0);
	const ir::Dims out = l.out().dims();
	/* A last window that is rounded up needs its elements. */
	for (unsigned d = 0; d < window.axes; d++) {
		const int64_t needed = (out[2 + d] - 1) * window.strides[d] + window.kernel[d];
		const int64_t has = image.dims()[2 + d] + window.low[d] + window.high[d];
		padded.high[d] += std::max<int64_t>(needed - has, 0);
	}
	if (counts_pads && window.rounds_up)
		return l.at.fail("pads that differ on the sides of a dim are not computed with "
				 "ceil_mode and count_include_pad");
	if (*ir::count(out.span().subspan(2)) > MOST_NUMBERS)
		return l.at.fail(
			"its result is too large for pads that differ on the sides of a dim");
	if (!pad(l, image, padded, 0))
		return false;
	const Tensor means = counts_pads ? l.out() : l.temporary(l.out().type, out);
	Window plain = padded;
	add_height(plain);
	if (!l.call(umd::avg_pool2d_row,
		    {with_height(image), plain.kernel, plain.strides, Integers{0, 0}, int64_t{0},
		     int64_t{1}, int64_t{0}, int64_t{0}, with_height(means)}))
		return false;
	if (counts_pads)
		return true;
	std::vector<double> factors = {1};
	ir::Dims dims;
	for (unsigned d = 0; d < window.axes; d++) {
		std::vector<double> more;
		const std::vector<double> counts =
			counts_of(window, d, l.in(0).dims()[2 + d], out[2 + d]);
		for (const double factor : factors)
			for (const double count : counts)
				more.push_back(factor * static_cast<double>(window.kernel[d]) /
					       std::max(count, 1.0));
		factors = std::move(more);
		dims.push(out[2 + d]);
	}
	return l.call(mul_row, {means, l.table(l.out().type, dims, factors), l.out()});
}

/* Context: the pads of each dim are the same on both sides */
bool average_pool(Lowering &l, Window window, const Tensor &image, const Tensor &out)
{
	const bool counts_pads = l.at.node.integer("count_include_pad", 0) != 0;
	add_height(window);
	return l.call(umd::avg_pool2d_row,
		      {with_height(image), window.kernel, window.strides, window.low,
		       int64_t{window.rounds_up}, int64_t{counts_pads}, int64_t{0}, int64_t{0},
		       with_height(out)});
}

bool lower_average_pool(Lowering &l)
{
	Window window;
	if (!read_window(l.at, window, l.at.node.integers("kernel_shape")))
		return false;
	const bool counts_pads = l.at.node.integer("count_include_pad", 0) != 0;
	for (const int64_t dilation : window.dilations)
		if (dilation != 1)
			return l.at.fail("dilations other than 1 are not computed here");
	if (window.axes == 3 && window.low != window.high)
		return l.at.fail("pads of 3 dims that differ on the sides of a dim are not "
				 "computed here");
	if (window.axes == 3)
		return pool_cube(l, window, average_pool, l.in(0), l.out());
	return window.low != window.high ? pool_padded(l, window, counts_pads)
					 : average_pool(l, window, l.in(0), l.out());
}

bool infer_global_pool(Inference &at)
{
	ir::Dims dims = at.dims(0);
	if (dims.rank() < 3)
		return at.fail("its operand has no image");
	for (unsigned d = 2; d < dims.rank(); d++)
		dims[d] = 1;
	return at.set(0, at.type(0), dims);
}

bool lower_global_average(Lowering &l)
{
	Integers axes;
	for (unsigned d = 2; d < l.in(0).dims().rank(); d++)
		axes.push_back(d);
	return l.call(umd::mean_row, {l.in(0), axes, int64_t{1},
				      int64_t{ir::row_of(l.out().type).device}, l.out()});
}

bool lower_global_max(Lowering &l)
{
	/* All of the image is one row. */
	Tensor image = l.in(0), out = l.out();
	const ir::Dims &dims = l.in(0).dims();
	const int64_t elements = *ir::count(dims.span().subspan(2));
	if (!l.make_dense(image))
		return false;
	image.view = {{dims[0], dims[1], 1, elements},
		      ir::strides_of({dims[0], dims[1], 1, elements}),
		      image.view.offset};
	out.view = View::dense({dims[0], dims[1], 1, 1});
	const Integers kernel = {1, elements};
	return l.call(umd::max_pool_row, {image, kernel, kernel, int64_t{0}, Integers{0, 0, 0, 0},
					  Integers{1, 1}, int64_t{0}, out});
}

constexpr OperatorRow ROWS[] = {
	{"Conv", 1, 0, 2, 3, "auto_pad dilations group kernel_shape pads strides ", infer_conv,
	 nullptr, nullptr, lower_conv},
	{"ConvTranspose", 1, 0, 2, 3,
	 "auto_pad dilations group kernel_shape output_padding output_shape pads strides ",
	 infer_conv_transpose, nullptr, nullptr, lower_conv_transpose},
	{"MaxPool", 1, 0, 1, 1,
	 "auto_pad ceil_mode dilations kernel_shape pads storage_order strides ", infer_pool,
	 nullptr, nullptr, lower_max_pool},
	{"AveragePool", 1, 0, 1, 1,
	 "auto_pad ceil_mode count_include_pad dilations kernel_shape pads strides ", infer_pool,
	 nullptr, nullptr, lower_average_pool},
	{"GlobalAveragePool", 1, 0, 1, 1, "", infer_global_pool, nullptr, nullptr,
	 lower_global_average},
	{"GlobalMaxPool", 1, 0, 1, 1, "", infer_global_pool, nullptr, nullptr, lower_global_max},
};

} // namespace

} // namespace windows

std::span<const OperatorRow> window_rows()
{
	return windows::ROWS;
}

} // namespace models
