// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions, pools and sizes of images
 *
 * Windows move along one dim or two: operators of one dim get another one of size 1.
 */
#include <bit>
#include <cmath>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace windows {

namespace {

/* struct Window - the numbers of a window, by dim of the image. */
struct Window {
	unsigned axes = 0;
	Integers kernel, strides, dilations, low, high, extra;
	bool rounds_up = false;
};

constexpr int64_t MOST = INT32_MAX;

/* read_each() - an attribute with an entry for each dim, or @otherwise in each. */
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

/* The pads, by attribute or so that the result has size / stride elements. */
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

bool read_window(Inference &at, Window &window, std::span<const int64_t> kernel)
{
	const unsigned rank = at.dims(0).rank();
	if (rank < 3 || rank > 4)
		return at.fail("its operand is " + ir::print(at.dims(0)) +
			       "; images of 1 and of 2 dims are computed here");
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

/* slide() - how many places the window has along dim @d; less than 1 where it does not fit. */
int64_t slide(const Window &window, unsigned d, int64_t size)
{
	const int64_t extent = window.dilations[d] * (window.kernel[d] - 1) + 1;
	const int64_t rest = size + window.low[d] + window.high[d] - extent;
	if (rest < 0)
		return 0;
	int64_t count =
		(rest + (window.rounds_up ? window.strides[d] - 1 : 0)) / window.strides[d] + 1;
	/* A window must not begin in the pad behind. */
	if (window.rounds_up && (count - 1) * window.strides[d] >= size + window.low[d])
		count--;
	return count;
}

bool check_kernel(Inference &at, Window &window, std::span<const int64_t> weight)
{
	const std::span<const int64_t> given = at.node.integers("kernel_shape");
	if (!given.empty() && !std::equal(given.begin(), given.end(), weight.begin(), weight.end()))
		return at.fail("kernel_shape is not that of its weight");
	return read_window(at, window, weight);
}

bool infer_conv(Inference &at)
{
	Window window;
	const ir::Dims &weight = at.dims(1);
	if (weight.rank() < 3 || weight.rank() != at.dims(0).rank())
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(weight));
	if (!check_kernel(at, window, weight.span().subspan(2)))
		return false;
	ir::Dims dims = at.dims(0);
	dims[1] = weight[0];
	for (unsigned d = 0; d < window.axes; d++) {
		dims[2 + d] = slide(window, d, dims[2 + d]);
		if (dims[2 + d] < 1)
			return at.fail("its window is larger than the image");
	}
	return at.set(0, at.type(0), dims);
}

/* pad() - @image with @value around it. */
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

/* sides_of() - the pads as the entry point has them: before and behind each dim. */
Integers sides_of(const Integers &low, const Integers &high)
{
	Integers sides;
	for (size_t d = 0; d < low.size(); d++) {
		sides.push_back(low[d]);
		sides.push_back(high[d]);
	}
	return sides;
}

bool lower_conv(Lowering &l)
{
	Window window;
	if (!check_kernel(l.at, window, l.at.dims(1).span().subspan(2)))
		return false;
	return l.call(umd::convolution_row, {l.in(0), l.in(1), operand_or_null(l, 2),
					     window.strides, sides_of(window.low, window.high),
					     window.dilations, int64_t{0}, Integers(window.axes, 0),
					     l.at.node.integer("group", 1), l.out(), int64_t{0}});
}

/* read_transposed() - the window, with pads so that the result has output_shape. */
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
	return l.call(umd::convolution_row,
		      {l.in(0), l.in(1), operand_or_null(l, 2), window.strides,
		       sides_of(window.low, window.high), window.dilations, int64_t{1},
		       window.extra, l.at.node.integer("group", 1), l.out(), int64_t{0}});
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

/* with_height() - an image of one dim as one of two. */
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

bool lower_max_pool(Lowering &l)
{
	Window window;
	if (l.at.wants(1))
		return l.at.fail("its second result, the indices, is not computed here");
	if (!read_window(l.at, window, l.at.node.integers("kernel_shape")))
		return false;
	add_height(window);
	const Integers pads = {window.low[0], window.low[1], window.high[0], window.high[1]};
	/* FLOAT has each integer of 8 bits. */
	const ir::Type type = l.in(0).type;
	const bool is_small = type == ir::Type::UINT8 || type == ir::Type::INT8;
	Tensor image = l.in(0);
	if (is_small && !l.convert(image, ir::Type::FLOAT))
		return false;
	const Tensor out = is_small ? l.temporary(ir::Type::FLOAT, l.out().dims()) : l.out();
	return l.call(umd::max_pool_row,
		      {with_height(image), window.kernel, window.strides, int64_t{0}, pads,
		       window.dilations, int64_t{window.rounds_up}, with_height(out)}) &&
	       (!is_small || l.copy(out, l.out()));
}

/* counts_of() - of the elements of the image that each window along dim @d covers. */
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

/* The kind has the same pad on both sides of a dim. Else the image gets its pads before, and each mean is corrected by
 * the number of elements that are real. */
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

bool lower_average_pool(Lowering &l)
{
	Window window;
	if (!read_window(l.at, window, l.at.node.integers("kernel_shape")))
		return false;
	const bool counts_pads = l.at.node.integer("count_include_pad", 0) != 0;
	for (const int64_t dilation : window.dilations)
		if (dilation != 1)
			return l.at.fail("dilations other than 1 are not computed here");
	if (window.low != window.high)
		return pool_padded(l, window, counts_pads);
	add_height(window);
	return l.call(umd::avg_pool2d_row,
		      {with_height(l.in(0)), window.kernel, window.strides, window.low,
		       int64_t{window.rounds_up}, int64_t{counts_pads}, int64_t{0}, int64_t{0},
		       with_height(l.out())});
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
	const Tensor image = with_height(l.in(0));
	if (image.dims().rank() != 4)
		return l.at.fail("images of 1 and of 2 dims are computed here");
	const Integers kernel = {image.dims()[2], image.dims()[3]};
	return l.call(umd::max_pool_row, {image, kernel, kernel, int64_t{0}, Integers{0, 0, 0, 0},
					  Integers{1, 1}, int64_t{0}, with_height(l.out())});
}

/* find_sizes() - the dims of a resized operand, by sizes or scales. */
bool find_sizes(Inference &at, ir::Dims &dims)
{
	const bool is_resize = at.node.type == "Resize" && at.node.version >= 11;
	std::vector<int64_t> sizes;
	std::vector<double> scales;
	const size_t scale_at = is_resize ? 2 : 1;
	const ir::Attribute *attribute = at.node.find("scales");
	dims = at.dims(0);
	const auto is_given = [&at](size_t i) { return at.has(i) && ir::count(at.dims(i)) != 0; };
	if (at.node.find("axes") && !at.node.integers("axes").empty())
		return at.fail("axes is not understood here");
	if (attribute)
		scales.assign(attribute->reals.begin(), attribute->reals.end());
	else if (is_resize && is_given(3)) {
		if (!at.integers(3, sizes))
			return false;
	} else if (!is_given(scale_at) || !at.reals(scale_at, scales)) {
		return is_given(scale_at) ? false : at.fail("it has neither sizes nor scales");
	}
	if (sizes.empty() ? scales.size() != dims.rank() : sizes.size() != dims.rank())
		return at.fail("sizes or scales must have an entry for each dim");
	for (unsigned d = 0; d < dims.rank(); d++) {
		const double size = sizes.empty()
					    ? std::floor(static_cast<double>(dims[d]) * scales[d])
					    : static_cast<double>(sizes[d]);
		if (!(size >= 0 && size < 0x1p36))
			return at.fail("its result would have no size along dim " +
				       std::to_string(d));
		dims[d] = static_cast<int64_t>(size);
	}
	return true;
}

bool infer_resize(Inference &at)
{
	ir::Dims dims;
	return find_sizes(at, dims) && at.set(0, at.type(0), dims);
}

/* word_of() - the place of @word among @words; -1 where it is none of them. */
int64_t word_of(std::string_view word, std::initializer_list<std::string_view> words)
{
	const auto at = std::find(words.begin(), words.end(), word);
	return at == words.end() ? -1 : at - words.begin();
}

/* find_scales() - of each dim, as bits. Without scales they are the quotients of the sizes. */
bool find_scales(Lowering &l, Integers &bits)
{
	const bool is_new = l.at.node.type == "Resize" && l.at.node.version >= 11;
	const size_t place = is_new ? 2 : 1;
	const ir::Attribute *attribute = l.at.node.find("scales");
	std::vector<double> scales;
	if (attribute)
		scales.assign(attribute->reals.begin(), attribute->reals.end());
	else if (l.has(place) && ir::count(l.at.dims(place)) != 0 && !l.at.reals(place, scales))
		return false;
	for (unsigned d = 0; d < l.in(0).dims().rank(); d++) {
		const auto from = static_cast<double>(l.in(0).dims()[d]);
		const double scale =
			scales.empty() ? static_cast<double>(l.out().dims()[d]) / from : scales[d];
		bits.push_back(std::bit_cast<int64_t>(from == 0 ? 1.0 : scale));
	}
	return true;
}

bool lower_resize(Lowering &l)
{
	const ir::Node &node = l.at.node;
	const bool is_new = node.type == "Resize" && node.version >= 11;
	const std::string_view mode = node.text("mode", "nearest");
	const std::string_view place =
		is_new ? node.text("coordinate_transformation_mode", "half_pixel")
		       : std::string_view("asymmetric");
	const std::string_view rounding = is_new ? node.text("nearest_mode", "round_prefer_floor")
						 : std::string_view("floor");
	const int64_t mode_number =
		word_of(mode == "bilinear" ? "linear" : mode, {"nearest", "linear", "cubic"});
	const int64_t place_number = word_of(place, {"half_pixel", "asymmetric", "align_corners",
						     "pytorch_half_pixel", "half_pixel_symmetric"});
	const int64_t rounding_number =
		word_of(rounding, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
	if (std::min({mode_number, place_number, rounding_number}) < 0 ||
	    node.integer("antialias", 0) != 0)
		return l.at.fail("mode " + std::string(mode) + " with " + std::string(place) +
				 " and " + std::string(rounding) + " is not computed here");
	Integers scales;
	if (!find_scales(l, scales))
		return false;
	const bool moves = mode_number == 0;
	const Tensor from = moves ? movable(l.in(0)) : l.in(0);
	const Tensor to = moves ? movable(l.out()) : l.out();
	if (!moves && !ir::is_floating(from.type))
		return l.at.fail("mode " + std::string(mode) + " is computed of floating numbers");
	return l.call(moves ? resize_nearest_row : resize_row,
		      {from, mode_number, place_number, rounding_number, scales,
		       node.real("cubic_coeff_a", -0.75), node.integer("exclude_outside", 0), to});
}

constexpr const char *RESIZE = "coordinate_transformation_mode cubic_coeff_a exclude_outside "
			       "extrapolation_value mode nearest_mode antialias axes "
			       "keep_aspect_ratio_policy scales ";

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
	{"Resize", 10, 0, 1, 4, RESIZE, infer_resize, nullptr, nullptr, lower_resize},
	{"Upsample", 7, 9, 1, 2, "mode scales ", infer_resize, nullptr, nullptr, lower_resize},
};

} // namespace

} // namespace windows

std::span<const OperatorRow> window_rows()
{
	return windows::ROWS;
}

} // namespace models
