// SPDX-License-Identifier: MIT
/*
 * DOC: Normalisations
 */
#include <cmath>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace norms {

namespace {

bool infer_batch_norm(Inference &at)
{
	const ir::Dims &dims = at.dims(0);
	if (dims.rank() < 2)
		return at.fail("its operand has no channels");
	for (size_t i = 1; i < 5; i++)
		if (!at.has(i) || !(at.dims(i) == ir::Dims{dims[1]}))
			return at.fail(
				"scale, B, mean and var must have an element for each channel");
	const bool is_old = at.node.version < 7;
	if (at.node.integer("training_mode", 0) != 0 || at.wants(1) ||
	    (is_old && at.node.integer("is_test", 0) == 0))
		return at.fail("it is for training; export the model for inference");
	if (at.node.integer("spatial", 1) == 0)
		return at.fail("spatial 0 is not computed here");
	return infer_same(at);
}

/* by_channel() - a view of a tensor with one dim, whose elements lie along dim 1 of @dims. */
Tensor by_channel(Tensor tensor, const ir::Dims &dims)
{
	const int64_t stride = tensor.view.strides[0];
	tensor.view.strides = ir::Dims::filled(dims.rank(), 0);
	tensor.view.strides[1] = stride;
	tensor.view.dims = dims;
	return tensor;
}

/* (X - mean) / sqrt(var + epsilon) * scale + B, as X * factor + rest. */
/* fold_batch_norm() - a factor and an addend for each channel, if all that they follow from is known. */
bool fold_batch_norm(Lowering &l, Tensor &factor, Tensor &rest)
{
	std::vector<double> values[5];
	for (size_t i = 1; i < 5; i++)
		if (!l.at.in(i).constant || !can_compute(l.at.type(i)) ||
		    *ir::count(l.at.dims(i)) > MOST_NUMBERS || !l.at.reals(i, values[i]))
			return false;
	std::vector<double> factors, rests;
	for (size_t c = 0; c < values[4].size(); c++) {
		factors.push_back(values[1][c] /
				  std::sqrt(values[4][c] + l.at.node.real("epsilon", 1e-5)));
		rests.push_back(values[3][c] * factors[c] - values[2][c]);
	}
	factor = l.table(l.in(0).type, l.at.dims(4), factors);
	rest = l.table(l.in(0).type, l.at.dims(4), rests);
	return true;
}

bool lower_batch_norm(Lowering &l)
{
	const Tensor &image = l.in(0);
	Tensor known_factor, known_rest;
	if (fold_batch_norm(l, known_factor, known_rest)) {
		const Tensor product = l.temporary(image.type, image.dims());
		return l.call(mul_row, {image, by_channel(known_factor, image.dims()), product}) &&
		       l.call(umd::sub_row, {product, by_channel(known_rest, image.dims()),
					     Scalar(1.0), l.out()});
	}
	const ir::Type type = l.in(4).type;
	const ir::Dims channels = l.in(4).dims();
	const Tensor factor = l.temporary(type, channels), rest = l.temporary(type, channels);
	const Tensor scaled = l.temporary(image.type, image.dims());
	return l.call(umd::adds_row,
		      {l.in(4), Scalar(l.at.node.real("epsilon", 1e-5)), Scalar(1.0), factor}) &&
	       l.call(umd::sqrt_row, {factor, factor}) &&
	       l.call(umd::div_row, {l.in(1), factor, factor}) &&
	       l.call(mul_row, {l.in(3), factor, rest}) &&
	       l.call(umd::sub_row, {l.in(2), rest, Scalar(1.0), rest}) &&
	       l.call(mul_row, {image, by_channel(factor, image.dims()), scaled}) &&
	       l.call(umd::sub_row,
		      {scaled, by_channel(rest, image.dims()), Scalar(-1.0), l.out()});
}

bool infer_layer_norm(Inference &at)
{
	unsigned axis;
	const ir::Dims &dims = at.dims(0);
	if (!at.find_axis(at.node.integer("axis", -1), dims.rank(), axis))
		return false;
	const ir::Dims row(dims.span().subspan(axis));
	for (size_t i = 1; i < 3; i++)
		if (at.has(i) && !(at.dims(i) == row))
			return at.fail("Scale and B must have the shape " + ir::print(row));
	ir::Dims rows = dims;
	for (unsigned d = axis; d < dims.rank(); d++)
		rows[d] = 1;
	return infer_same(at) && at.set(1, ir::Type::FLOAT, rows) &&
	       at.set(2, ir::Type::FLOAT, rows);
}

bool lower_layer_norm(Lowering &l)
{
	unsigned axis;
	const ir::Dims &dims = l.in(0).dims();
	if (!l.at.find_axis(l.at.node.integer("axis", -1), dims.rank(), axis))
		return false;
	const std::span<const int64_t> row = dims.span().subspan(axis);
	return l.call(umd::layer_norm_row,
		      {l.in(0), Integers(row.begin(), row.end()),
		       l.has(1) ? Operand(l.in(1)) : Operand(),
		       l.has(2) ? Operand(l.in(2)) : Operand(), l.at.node.real("epsilon", 1e-5),
		       l.out(), l.at.wants(1) ? Operand(l.out(1)) : Operand(),
		       l.at.wants(2) ? Operand(l.out(2)) : Operand()});
}

bool infer_channel_norm(Inference &at)
{
	const ir::Dims &dims = at.dims(0);
	if (dims.rank() < 2)
		return at.fail("its operand has no channels");
	for (size_t i = 1; i < 3; i++)
		if (!(at.dims(i) == ir::Dims{dims[1]}))
			return at.fail("scale and bias must have an element for each channel");
	return infer_same(at);
}

bool normalise_groups(Lowering &l, int64_t groups)
{
	const ir::Dims &dims = l.in(0).dims();
	if (groups < 1)
		return l.at.fail("num_groups is " + std::to_string(groups));
	const Tensor mean = l.temporary(l.out().type, {dims[0], groups});
	const Tensor deviation = l.temporary(l.out().type, {dims[0], groups});
	return l.call(umd::group_norm_row,
		      {l.in(0), l.in(1), l.in(2), dims[0], dims[1],
		       *ir::count(dims.span().subspan(2)), groups, l.at.node.real("epsilon", 1e-5),
		       l.out(), mean, deviation});
}

bool lower_instance_norm(Lowering &l)
{
	return normalise_groups(l, l.in(0).dims()[1]);
}

/* Before opset 21 scale and bias have one element for each group. */
bool lower_group_norm(Lowering &l)
{
	return normalise_groups(l, l.at.node.integer("num_groups", 0));
}

/* X / (bias + alpha / size * sum of X^2 over channels around)^beta: the sum is a mean of a window along the channels,
 * times its size. */
bool lower_lrn(Lowering &l)
{
	const ir::Dims &dims = l.in(0).dims();
	const int64_t size = l.at.node.integer("size", 0);
	if (dims.rank() < 2 || size < 1 || size > 1 << 20)
		return l.at.fail("size must be positive, and its operand have channels");
	const int64_t inner = *ir::count(dims.span().subspan(2));
	const ir::Type type = l.in(0).type;
	const Tensor squares = l.temporary(type, dims), sums = l.temporary(type, dims);
	ir::Dims wide = {dims[0], 1, dims[1] + size - 1, inner};
	const Tensor padded = l.temporary(type, wide);
	const auto as_image = [&](Tensor tensor) {
		tensor.view = View::dense({dims[0], 1, dims[1], inner});
		return tensor;
	};
	return l.call(mul_row, {l.in(0), l.in(0), squares}) &&
	       l.call(umd::constant_pad_nd_row,
		      {as_image(squares), Integers{0, 0, (size - 1) / 2, size / 2}, Scalar(0.0),
		       padded}) &&
	       l.call(umd::avg_pool2d_row,
		      {padded, Integers{size, 1}, Integers{1, 1}, Integers{0, 0}, int64_t{0},
		       int64_t{1}, int64_t{0}, int64_t{0}, as_image(sums)}) &&
	       l.call(umd::muls_row, {sums, Scalar(l.at.node.real("alpha", 1e-4)), sums}) &&
	       l.call(umd::adds_row,
		      {sums, Scalar(l.at.node.real("bias", 1)), Scalar(1.0), sums}) &&
	       l.call(umd::pow_tensor_scalar_row,
		      {sums, Scalar(l.at.node.real("beta", 0.75)), sums}) &&
	       l.call(umd::div_row, {l.in(0), sums, l.out()});
}

/* (X - mean) / (deviation + 1e-9) over axes. */
bool lower_mean_variance(Lowering &l)
{
	const ir::Dims &dims = l.in(0).dims();
	const std::span<const int64_t> given = l.at.node.integers("axes");
	Integers axes(given.begin(), given.end());
	if (!l.at.node.find("axes"))
		axes = {0, 2, 3};
	ir::Dims kept = dims;
	for (const int64_t value : axes) {
		unsigned axis;
		if (!l.at.find_axis(value, dims.rank(), axis, "an entry of axes"))
			return false;
		kept[axis] = 1;
	}
	const ir::Type type = l.in(0).type;
	const int64_t number = ir::row_of(type).device;
	const Tensor mean = l.temporary(type, kept), moved = l.temporary(type, dims);
	const Tensor square = l.temporary(type, dims);
	return l.call(umd::mean_row, {l.in(0), axes, int64_t{1}, number, mean}) &&
	       l.call(umd::sub_row, {l.in(0), mean, Scalar(1.0), moved}) &&
	       l.call(mul_row, {moved, moved, square}) &&
	       l.call(umd::mean_row, {square, axes, int64_t{1}, number, mean}) &&
	       l.call(umd::sqrt_row, {mean, mean}) &&
	       l.call(umd::adds_row, {mean, Scalar(1e-9), Scalar(1.0), mean}) &&
	       l.call(umd::div_row, {moved, mean, l.out()});
}

constexpr OperatorRow ROWS[] = {
	{"BatchNormalization", 1, 0, 5, 5,
	 "epsilon momentum training_mode spatial is_test consumed_inputs ", infer_batch_norm,
	 nullptr, nullptr, lower_batch_norm},
	{"LayerNormalization", 1, 0, 2, 3, "axis epsilon stash_type ", infer_layer_norm, nullptr,
	 nullptr, lower_layer_norm},
	{"InstanceNormalization", 1, 0, 3, 3, "epsilon consumed_inputs ", infer_channel_norm,
	 nullptr, nullptr, lower_instance_norm},
	{"LRN", 1, 0, 1, 1, "alpha beta bias size ", infer_same, nullptr, nullptr, lower_lrn},
	{"MeanVarianceNormalization", 9, 0, 1, 1, "axes ", infer_same, nullptr, nullptr,
	 lower_mean_variance},
	{"GroupNormalization", 21, 0, 3, 3, "epsilon num_groups stash_type ", infer_channel_norm,
	 nullptr, nullptr, lower_group_norm},
};

} // namespace

} // namespace norms

std::span<const OperatorRow> norm_rows()
{
	return norms::ROWS;
}

} // namespace models
