// SPDX-License-Identifier: MIT
/*
 * DOC: Quantised numbers
 *
 * Between FLOAT and integers of 8 bits, or of 32 for sums. Products of quantised numbers are not computed here.
 */
#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace quantised {

namespace {

/* along() - a tensor without dims as it is, one of one dim along the axis of the node. */
bool along(Lowering &l, Tensor tensor, const ir::Dims &dims, Tensor &result)
{
	unsigned axis;
	result = tensor;
	if (ir::count(tensor.dims()) == 1) {
		result.view.dims = result.view.strides = {};
		result = broadcast_to(result, dims);
		return true;
	}
	if (!l.at.find_axis(l.at.node.integer("axis", 1), dims.rank(), axis))
		return false;
	if (!(tensor.dims() == ir::Dims{dims[axis]}))
		return l.at.fail("its scale is " + ir::print(tensor.dims()) +
				 "; one number, or one for each element of dim " +
				 std::to_string(axis) + " are computed here");
	const int64_t stride = tensor.view.strides[0];
	result.view.dims = dims;
	result.view.strides = ir::Dims::filled(dims.rank(), 0);
	result.view.strides[axis] = stride;
	return true;
}

bool infer_dequantise(Inference &at)
{
	return at.set(0, at.type(1), at.dims(0));
}

/* (x - zero point) * scale */
bool lower_dequantise(Lowering &l)
{
	Tensor value = l.in(0), scale, zero;
	const ir::Type type = l.out().type;
	if (!l.convert(value, type) || !along(l, l.in(1), l.in(0).dims(), scale))
		return false;
	if (l.has(2)) {
		Tensor from = l.in(2);
		const Tensor moved = l.temporary(type, value.dims());
		if (!l.convert(from, type) || !along(l, from, value.dims(), zero) ||
		    !l.call(umd::sub_row, {value, zero, Scalar(int64_t{1}), moved}))
			return false;
		value = moved;
	}
	return l.call(mul_row, {value, scale, l.out()});
}

bool infer_quantise(Inference &at)
{
	const ir::Type type = at.has(2) ? at.type(2) : ir::Type::UINT8;
	if (type != ir::Type::UINT8 && type != ir::Type::INT8)
		return at.fail(std::string("results of ") + ir::type_name(type) +
			       " are not computed here; UINT8 and INT8 are");
	return at.set(0, type, at.dims(0));
}

/* The nearest even number of x / scale + zero point, within the type. */
bool quantise(Lowering &l, const Tensor &value, const Tensor &scale, const Tensor &zero,
	      const Tensor &out)
{
	const bool is_signed = out.type == ir::Type::INT8;
	const Tensor steps = l.temporary(value.type, value.dims());
	return l.call(umd::div_row, {value, scale, steps}) &&
	       l.call(umd::round_row, {steps, steps}) &&
	       l.call(umd::sub_row, {steps, zero, Scalar(int64_t{-1}), steps}) &&
	       l.call(umd::clamp_row, {steps, Scalar(is_signed ? -128.0 : 0.0),
				       Scalar(is_signed ? 127.0 : 255.0), steps}) &&
	       l.copy(steps, out);
}

bool lower_quantise(Lowering &l)
{
	Tensor value = l.in(0), scale, zero;
	Tensor from = l.has(2) ? l.in(2) : l.number(ir::Type::UINT8, 0);
	return l.convert(value, ir::Type::FLOAT) && l.convert(from, ir::Type::FLOAT) &&
	       along(l, l.in(1), value.dims(), scale) && along(l, from, value.dims(), zero) &&
	       quantise(l, value, scale, zero, l.out());
}

bool infer_dynamic(Inference &at)
{
	return at.set(0, ir::Type::UINT8, at.dims(0)) && at.set(1, ir::Type::FLOAT, {}) &&
	       at.set(2, ir::Type::UINT8, {});
}

/* extreme() - the greatest or the least element, but not below or above 0. */
bool extreme(Lowering &l, const umd::OperatorRow &row, const umd::OperatorRow &with_zero,
	     Tensor &out)
{
	out = l.temporary(ir::Type::FLOAT, {});
	Integers axes;
	for (unsigned d = 0; d < l.in(0).dims().rank(); d++)
		axes.push_back(d);
	return l.call(row, {l.in(0), axes, int64_t{0}, out}) &&
	       l.call(with_zero, {out, l.number(ir::Type::FLOAT, 0), out});
}

/* The scale is the range of the elements and 0, by 255. */
bool lower_dynamic(Lowering &l)
{
	Tensor most, least;
	const Tensor scale = l.out(1), zero = l.temporary(ir::Type::FLOAT, {});
	const Tensor dims_scale = broadcast_to(scale, l.in(0).dims());
	return extreme(l, umd::amax_row, umd::maximum_row, most) &&
	       extreme(l, umd::amin_row, umd::minimum_row, least) &&
	       l.call(umd::sub_row, {most, least, Scalar(int64_t{1}), scale}) &&
	       l.call(umd::muls_row, {scale, Scalar(1.0 / 255), scale}) &&
	       l.call(umd::div_row, {least, scale, zero}) && l.call(umd::neg_row, {zero, zero}) &&
	       l.call(umd::clamp_row, {zero, Scalar(0.0), Scalar(255.0), zero}) &&
	       l.call(umd::round_row, {zero, zero}) && l.copy(zero, l.out(2)) &&
	       quantise(l, l.in(0), dims_scale, broadcast_to(zero, l.in(0).dims()), l.out());
}

constexpr OperatorRow ROWS[] = {
	{"DequantizeLinear", 10, 0, 2, 3, "axis ", infer_dequantise, nullptr, nullptr,
	 lower_dequantise},
	{"QuantizeLinear", 10, 0, 2, 3, "axis saturate ", infer_quantise, nullptr, nullptr,
	 lower_quantise},
	{"DynamicQuantizeLinear", 11, 0, 1, 1, "", infer_dynamic, nullptr, nullptr, lower_dynamic},
};

} // namespace

} // namespace quantised

std::span<const OperatorRow> quantised_rows()
{
	return quantised::ROWS;
}

} // namespace models
