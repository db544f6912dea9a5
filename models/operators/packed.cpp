// SPDX-License-Identifier: MIT
/*
 * DOC: Convolutions with packed weights
 *
 * What the compiler makes of a Conv whose weights are known. The channels of the image lie side by side.
 */
#include "packed.h"

#include <cmath>
#include <cstring>

#include "models/lower/rows.h"
#include "uapi/tensor_limits.h"
#include "windows.h"

namespace models {

namespace packed {

namespace {

constexpr int64_t BLOCK = UNPU_PACKED_CHANNELS;

/* fits() - whether the device takes it: see UNPU_PACKED_COLUMNS. */
bool fits(const ir::Node &conv, int64_t channels, const ir::Dims &dims)
{
	const std::span<const int64_t> strides = conv.integers("strides");
	const std::span<const int64_t> dilations = conv.integers("dilations");
	double extent[2];
	for (unsigned d = 0; d < 2; d++) {
		const int64_t dilation = dilations.size() == 2 ? dilations[d] : 1;
		extent[d] =
			static_cast<double>(dilation) * static_cast<double>(dims[2 + d] - 1) + 1;
	}
	const auto stride = static_cast<double>(strides.size() == 2 ? strides[1] : 1);
	return static_cast<double>(channels) * extent[0] *
		       (stride * UNPU_PACKED_COLUMNS + extent[1]) <=
	       static_cast<double>(UNPU_TENSOR_MAX_TAPS);
}

/* read() - the numbers of the window of a node. */
bool read(Inference &at, windows::Window &window)
{
	const ir::Dims &weight = at.dims(1);
	if (at.dims(0).rank() != 4 || (weight.rank() != 3 && weight.rank() != 5))
		return at.fail("its weights are not packed");
	return windows::read_window(at, window,
				    weight.span().subspan(weight.rank() == 3 ? 0 : 1, 2));
}

bool infer(Inference &at)
{
	windows::Window window;
	if (!read(at, window))
		return false;
	ir::Dims dims = at.dims(0);
	const ir::Dims &weight = at.dims(1);
	dims[1] = at.node.integer("channels", 0);
	const bool fit = weight.rank() == 3 ? weight[2] == dims[1] && at.dims(0)[1] == dims[1]
					    : weight[3] == at.dims(0)[1] && weight[4] == BLOCK &&
						      dims[1] > (weight[0] - 1) * BLOCK &&
						      dims[1] <= weight[0] * BLOCK;
	if (!fit || at.type(0) != ir::Type::FLOAT || at.type(1) != ir::Type::FLOAT)
		return at.fail("its operands are " + ir::print(at.dims(0)) + " and " +
			       ir::print(weight));
	for (unsigned d = 0; d < 2; d++) {
		dims[2 + d] = windows::slide(window, d, dims[2 + d]);
		if (dims[2 + d] < 1)
			return at.fail("its window is larger than the image");
	}
	if ((at.has(2) && (at.dims(2).rank() != 1 || at.dims(2)[0] != dims[1])) ||
	    (at.has(3) && !(at.dims(3) == dims)))
		return at.fail("its bias or what it adds has another shape than its result");
	return at.set(0, at.type(0), dims);
}

bool lower(Lowering &l)
{
	windows::Window window;
	if (!read(l.at, window))
		return false;
	Tensor image = l.in(0), bias, more;
	const Tensor out = l.image(ir::Type::FLOAT, l.at.out(0).dims);
	if (!l.make_image(image))
		return false;
	const Integers padding = {window.low[0], window.low[1], window.high[0], window.high[1]};
	Operand added, biased;
	if (l.has(2)) {
		bias = l.in(2);
		if (!l.make_dense(bias))
			return false;
		biased = bias;
	}
	if (l.has(3)) {
		more = l.in(3);
		if (!l.make_image(more))
			return false;
		added = more;
	}
	l.alias(0, out);
	return l.call(packed_convolution_row,
		      {image, l.in(1), biased, added, window.strides, padding, window.dilations,
		       l.at.node.integer(FUNCTION, UNPU_FINISH_NONE),
		       l.at.node.real(NUMBER, HUGE_VAL), out});
}

constexpr OperatorRow ROWS[] = {
	{TYPE, 1, 0, 2, 4, "auto_pad channels dilations function group number pads strides ", infer,
	 nullptr, nullptr, lower, DOMAIN},
};

} // namespace

const char *why_not(const ir::Node &conv, ir::Type type, const ir::Dims &dims)
{
	const int64_t groups = conv.integer("group", 1);
	if (type != ir::Type::FLOAT)
		return "its numbers are not FLOAT";
	if (dims.rank() != 4)
		return "its image has not two dims";
	if (*ir::count(dims) == 0)
		return "its weights have no elements";
	if (groups != 1 && (groups != dims[0] || dims[1] != 1))
		return "its groups have several channels";
	if (!fits(conv, groups == 1 ? dims[1] : groups, dims))
		return "its windows have too many elements";
	return "";
}

std::string pack(std::string_view weights, ir::Dims &dims, bool is_deep)
{
	const int64_t outs = dims[0], ins = dims[1], window = dims[2] * dims[3];
	const int64_t blocks = (outs + BLOCK - 1) / BLOCK;
	const auto each = static_cast<int64_t>(sizeof(float));
	std::string made(
		static_cast<size_t>((is_deep ? outs : blocks * BLOCK * ins) * window * each), 0);
	for (int64_t o = 0; o < outs; o++)
		for (int64_t i = 0; i < ins; i++)
			for (int64_t t = 0; t < window; t++) {
				const int64_t from = (o * ins + i) * window + t;
				const int64_t to =
					is_deep ? t * outs + o
						: ((o / BLOCK * window + t) * ins + i) * BLOCK +
							  o % BLOCK;
				std::memcpy(made.data() + to * each, weights.data() + from * each,
					    sizeof(float));
			}
	const int64_t down = dims[2], across = dims[3];
	dims = is_deep ? ir::Dims{down, across, outs} : ir::Dims{blocks, down, across, ins, BLOCK};
	return made;
}

} // namespace packed

std::span<const OperatorRow> packed_rows()
{
	return packed::ROWS;
}

} // namespace models
