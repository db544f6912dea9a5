// SPDX-License-Identifier: MIT
/*
 * DOC: Quantised numbers
 *
 * Between FLOAT and integers of 8 bits, or of 32 for sums. FLOAT has each integer up to 2^24, so products of numbers of
 * 8 bits are computed in it, a part of the sums at a time, and the parts are added as INT32.
 */
#include "models/lower/rows.h"
#include "windows.h"

namespace models {

namespace quantised {

namespace {

/* along() - returns a tensor without dims unchanged, and one with one dim as a view along the axis of the node. */
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

/* x / scale rounded to nearest, ties to even, plus the zero point, limited to the range of the type. */
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

/* extreme() - the greatest element, or 0 if it is negative; or the least element, or 0 if it is positive. */
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

/* The scale is the size of the range that contains all elements and 0, divided by 255. */
bool lower_dynamic(Lowering &l)
{
	Tensor most, least;
	const Tensor scale = l.out(1), zero = l.temporary(ir::Type::FLOAT, {});
	const Tensor dims_scale = broadcast_to(scale, l.in(0).dims());
	return extreme(l, umd::amax_row, umd::maximum_row, most) &&
	       extreme(l, umd::amin_row, umd::minimum_row, least) &&
	       l.call(umd::sub_row, {most, least, Scalar(int64_t{1}), scale}) &&
	       l.call(umd::div_row, {scale, l.number(ir::Type::FLOAT, 255), scale}) &&
	       l.call(umd::div_row, {least, scale, zero}) && l.call(umd::neg_row, {zero, zero}) &&
	       l.call(umd::clamp_row, {zero, Scalar(0.0), Scalar(255.0), zero}) &&
	       l.call(umd::round_row, {zero, zero}) && l.copy(zero, l.out(2)) &&
	       quantise(l, l.in(0), dims_scale, broadcast_to(zero, l.in(0).dims()), l.out());
}

/* As many products of two differences of numbers of 8 bits are a sum that FLOAT has, whatever their order is. */
constexpr int64_t MOST_SUMMED = (1 << 24) / (255 * 255);

bool is_small(ir::Type type)
{
	return type == ir::Type::UINT8 || type == ir::Type::INT8;
}

/* centred() - operand @i as FLOAT without its zero point, operand @zero: one, or one for each index of @axis. */
bool centred(Lowering &l, size_t i, size_t zero, unsigned axis, Tensor &result)
{
	result = l.in(i);
	if (!is_small(result.type))
		return l.at.fail("its operands must be UINT8 or INT8");
	if (!l.convert(result, ir::Type::FLOAT) || !l.has(zero))
		return l.has(zero) ? false : true;
	Tensor from = l.in(zero);
	const ir::Dims &dims = result.dims();
	if (!l.convert(from, ir::Type::FLOAT))
		return false;
	if (ir::count(from.dims()) == 1) {
		from.view.dims = from.view.strides = {};
	} else if (from.dims().rank() == 1 && from.dims()[0] == dims[axis]) {
		for (unsigned d = axis + 1; d < dims.rank(); d++) {
			from.view.dims.push(1);
			from.view.strides.push(0);
		}
	} else {
		return l.at.fail("its zero point is " + ir::print(from.dims()) +
				 "; one number, or one for each row or column are computed here");
	}
	const Tensor moved = l.temporary(ir::Type::FLOAT, dims);
	const bool is_good = l.call(umd::sub_row, {result, from, Scalar(int64_t{1}), moved});
	result = moved;
	return is_good;
}

/* part() - indices from @first on of a dim, at most @most of them. */
Tensor part(Tensor tensor, unsigned axis, int64_t first, int64_t most)
{
	tensor.view.offset += first * tensor.view.strides[axis];
	tensor.view.dims[axis] = std::min(most, tensor.view.dims[axis] - first);
	return tensor;
}

/* add_part() - @sum += @some, which are whole numbers of FLOAT. */
bool add_part(Lowering &l, Tensor some, const Tensor &sum, bool is_first)
{
	if (is_first)
		return l.copy(some, sum);
	return l.convert(some, ir::Type::INT32) &&
	       l.call(umd::sub_row, {sum, some, Scalar(int64_t{-1}), sum});
}

/* find_product() - the shape of a product of matrices. */
bool find_product(Inference &at, size_t left, size_t right, ir::Dims &dims)
{
	const ir::Dims &a = at.dims(left), &b = at.dims(right);
	if (a.rank() < 2 || b.rank() < 2 || a[a.rank() - 1] != b[b.rank() - 2])
		return at.fail("its operands are " + ir::print(a) + " and " + ir::print(b) +
			       ", which is no product of matrices");
	ir::Dims rest = b;
	rest[b.rank() - 2] = 1;
	dims = a;
	dims[a.rank() - 1] = 1;
	return broadcast(dims, rest, dims) ||
	       at.fail("the batches of its operands can't be broadcast");
}

/* multiply() - of operands @left and @right, whose zero points are the operands behind them. @sum: of INT32 */
bool multiply(Lowering &l, size_t left, size_t left_zero, size_t right, size_t right_zero,
	      const Tensor &sum)
{
	Tensor a, b;
	const unsigned inner = l.at.dims(left).rank() - 1, row = l.at.dims(right).rank() - 2;
	if (!centred(l, left, left_zero, inner - 1, a) ||
	    !centred(l, right, right_zero, row + 1, b))
		return false;
	const int64_t length = a.dims()[inner];
	if (length == 0)
		return l.call(fill_row, {sum, Scalar(int64_t{0})});
	for (int64_t k = 0; k < length; k += MOST_SUMMED) {
		const Tensor some = l.temporary(ir::Type::FLOAT, sum.dims());
		if (!l.call(umd::matmul_row, {part(a, inner, k, MOST_SUMMED),
					      part(b, row, k, MOST_SUMMED), some, int64_t{0}}) ||
		    !add_part(l, some, sum, k == 0))
			return false;
	}
	return true;
}

bool infer_matmul(Inference &at)
{
	ir::Dims dims;
	return find_product(at, 0, 1, dims) && at.set(0, ir::Type::INT32, dims);
}

bool lower_matmul(Lowering &l)
{
	return multiply(l, 0, 2, 1, 3, l.out());
}

bool infer_scaled_matmul(Inference &at)
{
	ir::Dims dims;
	return find_product(at, 0, 3, dims) && at.set(0, at.type(7), dims);
}

/* rescale() - @sum of INT32 by the scales of both operands, quantised by operands @scale and @scale + 1.
 * @axis: of the result, where the second operand has a scale for each index */
bool rescale(Lowering &l, const Tensor &sum, size_t scale, unsigned axis)
{
	Tensor value = sum;
	const Tensor out = l.out();
	Tensor zero = l.in(scale + 1);
	if (!is_small(out.type) || !l.convert(value, ir::Type::FLOAT) ||
	    !l.convert(zero, ir::Type::FLOAT))
		return l.at.fail("its result must be UINT8 or INT8");
	for (const size_t i : {size_t{1}, size_t{4}}) {
		Tensor factor = l.in(i);
		if (ir::count(factor.dims()) == 1) {
			factor.view.dims = factor.view.strides = {};
		} else if (i == 4 && factor.dims().rank() == 1 &&
			   factor.dims()[0] == out.dims()[axis]) {
			for (unsigned d = axis + 1; d < out.dims().rank(); d++) {
				factor.view.dims.push(1);
				factor.view.strides.push(0);
			}
		} else {
			return l.at.fail("its scale is " + ir::print(factor.dims()) +
					 "; one number, or one for each column or channel are "
					 "computed here");
		}
		const Tensor made = l.temporary(ir::Type::FLOAT, out.dims());
		if (!l.call(mul_row, {value, factor, made}))
			return false;
		value = made;
	}
	Tensor step = l.in(scale);
	if (ir::count(step.dims()) != 1 || ir::count(zero.dims()) != 1)
		return l.at.fail("the scale of its result must be one number");
	step.view.dims = step.view.strides = zero.view.dims = zero.view.strides = {};
	return quantise(l, value, broadcast_to(step, out.dims()), broadcast_to(zero, out.dims()),
			out);
}

bool lower_scaled_matmul(Lowering &l)
{
	const Tensor sum = l.temporary(ir::Type::INT32, l.out().dims());
	return multiply(l, 0, 2, 3, 5, sum) && rescale(l, sum, 6, l.out().dims().rank() - 1);
}

bool infer_conv(Inference &at)
{
	ir::Dims dims;
	return windows::conv_dims(at, 1, dims) && at.set(0, ir::Type::INT32, dims);
}

/* convolve() - as multiply(). The pads are zero points, which are 0 here. */
bool convolve(Lowering &l, size_t image, size_t image_zero, size_t weight, size_t weight_zero,
	      const Tensor &sum)
{
	Tensor a, b;
	windows::Window window;
	if (l.at.dims(0).rank() > 4)
		return l.at.fail("images of 1 and of 2 dims are computed here");
	if (!windows::check_kernel(l.at, window, l.at.dims(weight).span().subspan(2)) ||
	    !centred(l, image, image_zero, 1, a) || !centred(l, weight, weight_zero, 0, b))
		return false;
	const int64_t channels = b.dims()[1];
	const int64_t area = *ir::count(b.dims().span().subspan(2));
	const int64_t each = area > 0 ? MOST_SUMMED / area : 1;
	if (each == 0 || (l.at.node.integer("group", 1) != 1 && each < channels))
		return l.at.fail("its weight is " + ir::print(b.dims()) +
				 "; the sums of a group have more than " +
				 std::to_string(MOST_SUMMED) + " products");
	for (int64_t k = 0; k < channels; k += each) {
		const bool is_whole = each >= channels;
		const Tensor some = l.temporary(ir::Type::FLOAT, sum.dims());
		if (!windows::convolve(l, window,
				       {is_whole ? a : part(a, 1, k, each),
					is_whole ? b : part(b, 1, k, each),
					{},
					some,
					false}) ||
		    !add_part(l, some, sum, k == 0))
			return false;
	}
	return true;
}

bool lower_conv(Lowering &l)
{
	return convolve(l, 0, 2, 1, 3, l.out());
}

bool infer_scaled_conv(Inference &at)
{
	ir::Dims dims;
	return windows::conv_dims(at, 3, dims) && at.set(0, at.type(7), dims);
}

bool lower_scaled_conv(Lowering &l)
{
	const Tensor sum = l.temporary(ir::Type::INT32, l.out().dims());
	if (!convolve(l, 0, 2, 3, 5, sum))
		return false;
	if (l.has(8)) {
		Tensor bias = l.in(8);
		if (bias.type != ir::Type::INT32 || bias.dims().rank() != 1)
			return l.at.fail("its bias must be INT32 of one dim");
		for (unsigned d = 2; d < sum.dims().rank(); d++) {
			bias.view.dims.push(1);
			bias.view.strides.push(0);
		}
		if (!l.call(umd::sub_row, {sum, bias, Scalar(int64_t{-1}), sum}))
			return false;
	}
	return rescale(l, sum, 6, 1);
}

constexpr const char *CONV = "auto_pad dilations group kernel_shape pads strides ";

constexpr OperatorRow ROWS[] = {
	{"DequantizeLinear", 10, 0, 2, 3, "axis ", infer_dequantise, nullptr, nullptr,
	 lower_dequantise},
	{"QuantizeLinear", 10, 0, 2, 3, "axis saturate ", infer_quantise, nullptr, nullptr,
	 lower_quantise},
	{"DynamicQuantizeLinear", 11, 0, 1, 1, "", infer_dynamic, nullptr, nullptr, lower_dynamic},
	{"MatMulInteger", 10, 0, 2, 4, "", infer_matmul, nullptr, nullptr, lower_matmul},
	{"QLinearMatMul", 10, 0, 8, 8, "", infer_scaled_matmul, nullptr, nullptr,
	 lower_scaled_matmul},
	{"ConvInteger", 10, 0, 2, 4, CONV, infer_conv, nullptr, nullptr, lower_conv},
	{"QLinearConv", 10, 0, 8, 9, CONV, infer_scaled_conv, nullptr, nullptr, lower_scaled_conv},
};

} // namespace

} // namespace quantised

std::span<const OperatorRow> quantised_rows()
{
	return quantised::ROWS;
}

} // namespace models
