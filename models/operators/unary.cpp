// SPDX-License-Identifier: MIT
/*
 * DOC: Operators of one operand
 *
 * Each element of the result follows from one element.
 */
#include <cmath>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

bool infer_same(Inference &at)
{
	return at.set(0, at.type(0), at.dims(0));
}

namespace unary {

namespace {

template <const umd::OperatorRow &ROW> bool lower_unary(Lowering &l)
{
	return l.call(ROW, {l.in(0), l.out()});
}

/* compute() - applies @function to each element. */
template <class F> bool compute(std::span<const Numbers> in, Numbers &out, F function)
{
	for (size_t i = 0; i < out.integers.size(); i++)
		out.integers[i] = static_cast<int64_t>(function(in[0].integers[i]));
	for (size_t i = 0; i < out.reals.size(); i++)
		out.reals[i] = static_cast<double>(function(in[0].reals[i]));
	return true;
}

bool evaluate_neg(Inference &, std::span<const Numbers> in, Numbers &out)
{
	for (size_t i = 0; i < out.integers.size(); i++)
		out.integers[i] = static_cast<int64_t>(-static_cast<uint64_t>(in[0].integers[i]));
	for (size_t i = 0; i < out.reals.size(); i++)
		out.reals[i] = -in[0].reals[i];
	return true;
}

bool evaluate_abs(Inference &at, std::span<const Numbers> in, Numbers &out)
{
	if (!out.is_real()) {
		for (size_t i = 0; i < out.size(); i++) {
			const int64_t value = in[0].integers[i];
			out.integers[i] =
				value < 0 && out.type != ir::Type::UINT64
					? static_cast<int64_t>(-static_cast<uint64_t>(value))
					: value;
		}
		return true;
	}
	(void)at;
	return compute(in, out, [](auto x) { return std::fabs(static_cast<double>(x)); });
}

bool evaluate_relu(Inference &, std::span<const Numbers> in, Numbers &out)
{
	for (size_t i = 0; i < out.size(); i++) {
		if (out.is_real())
			out.reals[i] = in[0].reals[i] < 0 ? 0 : in[0].reals[i];
		else
			out.integers[i] = std::max<int64_t>(in[0].integers[i], 0);
	}
	return true;
}

bool evaluate_floor(Inference &, std::span<const Numbers> in, Numbers &out)
{
	return compute(in, out, [](auto x) { return std::floor(static_cast<double>(x)); });
}

bool evaluate_ceil(Inference &, std::span<const Numbers> in, Numbers &out)
{
	return compute(in, out, [](auto x) { return std::ceil(static_cast<double>(x)); });
}

bool evaluate_round(Inference &, std::span<const Numbers> in, Numbers &out)
{
	return compute(in, out, [](auto x) { return std::nearbyint(static_cast<double>(x)); });
}

bool evaluate_sqrt(Inference &, std::span<const Numbers> in, Numbers &out)
{
	return compute(in, out, [](auto x) { return std::sqrt(static_cast<double>(x)); });
}

bool evaluate_not(Inference &, std::span<const Numbers> in, Numbers &out)
{
	return compute(in, out, [](auto x) { return x == 0; });
}

/* float_of(), integer_of() - convert an element of another type. */
int64_t integer_of(double value, ir::Type type)
{
	if (type == ir::Type::BOOL)
		return value != 0;
	if (std::isnan(value))
		return 0;
	return value >= 0x1p63	  ? INT64_MAX
	       : value <= -0x1p63 ? INT64_MIN
				  : static_cast<int64_t>(value);
}

bool infer_cast(Inference &at)
{
	const ir::TypeRow *row = ir::find_type(static_cast<int32_t>(at.node.integer("to", 0)));
	if (!row || row->type == ir::Type::STRING || at.type(0) == ir::Type::STRING)
		return at.fail("it casts to or from a type that has no numbers here");
	return at.set(0, row->type, at.dims(0));
}

bool evaluate_cast(Inference &, std::span<const Numbers> in, Numbers &out)
{
	for (size_t i = 0; i < out.integers.size(); i++)
		out.integers[i] = in[0].is_real() ? integer_of(in[0].reals[i], out.type)
				  : out.type == ir::Type::BOOL ? in[0].integers[i] != 0
							       : in[0].integers[i];
	for (size_t i = 0; i < out.reals.size(); i++)
		out.reals[i] = in[0].real(i);
	return true;
}

bool lower_cast(Lowering &l)
{
	if (l.in(0).type == l.out().type)
		return l.copy(l.in(0), l.out());
	return l.call(umd::cast_row, {l.in(0), int64_t{ir::row_of(l.out().type).device}, l.out()});
}

bool infer_cast_like(Inference &at)
{
	if (at.type(0) == ir::Type::STRING || at.type(1) == ir::Type::STRING)
		return at.fail("it casts to or from a type that has no numbers here");
	return at.set(0, at.type(1), at.dims(0));
}

bool infer_truth_of_one(Inference &at)
{
	return at.set(0, ir::Type::BOOL, at.dims(0));
}

bool lower_elu(Lowering &l)
{
	return l.call(umd::elu_row, {l.in(0), Scalar(l.at.node.real("alpha", 1)), Scalar(1.0),
				     Scalar(1.0), l.out()});
}

bool lower_selu(Lowering &l)
{
	const double alpha = l.at.node.real("alpha", 1.67326319217681884765625);
	const double gamma = l.at.node.real("gamma", 1.05070102214813232421875);
	return l.call(umd::elu_row, {l.in(0), Scalar(alpha), Scalar(gamma), Scalar(1.0), l.out()});
}

bool lower_celu(Lowering &l)
{
	const double alpha = l.at.node.real("alpha", 1);
	if (alpha == 0)
		return l.at.fail("alpha is 0");
	return l.call(umd::elu_row,
		      {l.in(0), Scalar(alpha), Scalar(1.0), Scalar(1 / alpha), l.out()});
}

bool lower_leaky_relu(Lowering &l)
{
	return l.call(umd::leaky_relu_row,
		      {l.in(0), Scalar(l.at.node.real("alpha", 0.01)), l.out()});
}

bool lower_softplus(Lowering &l)
{
	return l.call(umd::softplus_row, {l.in(0), Scalar(1.0), Scalar(20.0), l.out()});
}

/* x / (1 + |x|) */
bool lower_softsign(Lowering &l)
{
	const Tensor size = l.temporary(l.in(0).type, l.in(0).dims());
	return l.call(umd::abs_row, {l.in(0), size}) &&
	       l.call(umd::adds_row, {size, Scalar(1.0), Scalar(1.0), size}) &&
	       l.call(umd::div_row, {l.in(0), size, l.out()});
}

/* max(0, min(1, alpha * x + beta)): the kind HARDSIGMOID has other numbers. */
bool lower_hard_sigmoid(Lowering &l)
{
	const double alpha = l.at.node.real("alpha", 0.2), beta = l.at.node.real("beta", 0.5);
	const Tensor scaled = l.temporary(l.in(0).type, l.in(0).dims());
	return l.call(umd::muls_row, {l.in(0), Scalar(alpha), scaled}) &&
	       l.call(umd::adds_row, {scaled, Scalar(beta), Scalar(1.0), scaled}) &&
	       l.call(umd::clamp_row, {scaled, Scalar(0.0), Scalar(1.0), l.out()});
}

bool lower_thresholded_relu(Lowering &l)
{
	return l.copy(l.in(0), l.out()) &&
	       l.call(umd::inplace_threshold_row,
		      {l.out(), Scalar(l.at.node.real("alpha", 1)), Scalar(0.0)});
}

/* x * tanh(log(1 + e^x)) */
bool lower_mish(Lowering &l)
{
	const Tensor bent = l.temporary(l.in(0).type, l.in(0).dims());
	return l.call(umd::softplus_row, {l.in(0), Scalar(1.0), Scalar(20.0), bent}) &&
	       l.call(umd::tanh_row, {bent, bent}) && l.call(mul_row, {l.in(0), bent, l.out()});
}

bool lower_gelu(Lowering &l)
{
	const bool by_tanh = l.at.node.text("approximate", "none") == "tanh";
	return l.call(umd::gelu_v2_row, {l.in(0), int64_t{by_tanh}, l.out()});
}

bool lower_reciprocal(Lowering &l)
{
	return l.call(umd::div_row, {l.number(l.in(0).type, 1), l.in(0), l.out()});
}

/* A NaN is not equal to itself. */
bool lower_is_nan(Lowering &l)
{
	const Tensor same = l.temporary(ir::Type::BOOL, l.in(0).dims());
	return l.call(umd::eq_tensor_row, {l.in(0), l.in(0), same}) &&
	       l.call(umd::logical_not_row, {same, l.out()});
}

bool lower_is_inf(Lowering &l)
{
	const bool above = l.at.node.integer("detect_positive", 1) != 0;
	const bool below = l.at.node.integer("detect_negative", 1) != 0;
	Tensor value = l.in(0);
	if (!above && !below)
		return l.call(fill_row, {l.out(), Scalar(int64_t{0})});
	if (above && below) {
		value = l.temporary(value.type, value.dims());
		if (!l.call(umd::abs_row, {l.in(0), value}))
			return false;
	}
	return l.call(umd::eq_tensor_row,
		      {value, l.number(value.type, above ? HUGE_VAL : -HUGE_VAL), l.out()});
}

/* slope * x below 0 */
bool infer_prelu(Inference &at)
{
	ir::Dims dims;
	if (at.type(0) != at.type(1) || !broadcast(at.dims(0), at.dims(1), dims) ||
	    !(dims == at.dims(0)))
		return at.fail("its slope " + ir::print(at.dims(1)) +
			       " can't be broadcast to its operand " + ir::print(at.dims(0)));
	return infer_same(at);
}

bool lower_prelu(Lowering &l)
{
	return l.call(prelu_row, {l.in(0), l.in(1), l.out()});
}

/* x + bias below -lambd, x - bias above lambd, and 0 between them. */
bool lower_shrink(Lowering &l)
{
	const double bias = l.at.node.real("bias", 0), edge = l.at.node.real("lambd", 0.5);
	const ir::Type type = l.in(0).type;
	const Tensor side = l.temporary(ir::Type::BOOL, l.in(0).dims());
	const Tensor moved = l.temporary(type, l.in(0).dims()),
		     low = l.temporary(type, l.in(0).dims());
	return l.call(umd::adds_row, {l.in(0), Scalar(bias), Scalar(1.0), moved}) &&
	       l.call(umd::lt_scalar_row, {l.in(0), Scalar(-edge), side}) &&
	       l.call(umd::swhere_row, {side, moved, l.number(type, 0), low}) &&
	       l.call(umd::adds_row, {l.in(0), Scalar(-bias), Scalar(1.0), moved}) &&
	       l.call(umd::gt_scalar_row, {l.in(0), Scalar(edge), side}) &&
	       l.call(umd::swhere_row, {side, moved, low, l.out()});
}

/* The bounds were attributes before opset 11. */
bool find_bound(Lowering &l, size_t i, const char *attribute, Operand &bound)
{
	if (const ir::Attribute *found = l.at.node.find(attribute)) {
		bound = Scalar(found->reals.empty() ? 0.0 : double{found->reals[0]});
		return true;
	}
	if (!l.has(i))
		return true;
	if (!ir::is_floating(l.in(0).type)) {
		std::vector<int64_t> values;
		if (!l.at.integers(i, values) || values.size() != 1)
			return values.empty() ? false : l.at.fail("a bound is no single number");
		bound = Scalar(values[0]);
		return true;
	}
	std::vector<double> values;
	if (!l.at.reals(i, values) || values.size() != 1)
		return values.empty() ? false : l.at.fail("a bound is no single number");
	bound = Scalar(values[0]);
	return true;
}

/* Bounds are tensors if they are computed when the model runs. */
bool clip_by_tensors(Lowering &l)
{
	const bool has_least = l.has(1), has_most = l.has(2);
	for (size_t i = 1; i < 3; i++)
		if (l.has(i) && ir::count(l.at.dims(i)) != 1)
			return l.at.fail("a bound is no single number");
	const auto single = [&l](size_t i) {
		Tensor tensor = l.in(i);
		tensor.view.dims = tensor.view.strides = {};
		return tensor;
	};
	const Tensor lifted = has_most ? l.temporary(l.in(0).type, l.in(0).dims()) : l.out();
	if (has_least && !l.call(umd::maximum_row, {l.in(0), single(1), lifted}))
		return false;
	return !has_most ||
	       l.call(umd::minimum_row, {has_least ? lifted : l.in(0), single(2), l.out()});
}

bool lower_clip(Lowering &l)
{
	for (size_t i = 1; i < 3; i++)
		if (l.has(i) && !l.at.in(i).constant)
			return clip_by_tensors(l);
	Operand least, most;
	return find_bound(l, 1, "min", least) && find_bound(l, 2, "max", most) &&
	       l.call(umd::clamp_row, {l.in(0), least, most, l.out()});
}

constexpr OperatorRow ROWS[] = {
	{"Abs", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_abs,
	 lower_unary<umd::abs_row>},
	{"Neg", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_neg,
	 lower_unary<umd::neg_row>},
	{"Sign", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::sign_row>},
	{"Relu", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_relu,
	 lower_unary<umd::relu_row>},
	{"Sigmoid", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, nullptr,
	 lower_unary<umd::sigmoid_row>},
	{"Tanh", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, nullptr,
	 lower_unary<umd::tanh_row>},
	{"Exp", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, nullptr,
	 lower_unary<umd::exp_row>},
	{"Log", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, nullptr,
	 lower_unary<umd::log_row>},
	{"Sqrt", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_sqrt,
	 lower_unary<umd::sqrt_row>},
	{"Sin", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::sin_row>},
	{"Cos", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::cos_row>},
	{"Tan", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::tan_row>},
	{"Sinh", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::sinh_row>},
	{"Cosh", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::cosh_row>},
	{"HardSwish", 14, 0, 1, 1, "", infer_same, nullptr, nullptr,
	 lower_unary<umd::hardswish_row>},
	{"Floor", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_floor,
	 lower_unary<umd::floor_row>},
	{"Ceil", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, evaluate_ceil,
	 lower_unary<umd::ceil_row>},
	{"Round", 11, 0, 1, 1, "", infer_same, nullptr, evaluate_round,
	 lower_unary<umd::round_row>},
	{"Not", 1, 0, 1, 1, "", infer_same, nullptr, evaluate_not,
	 lower_unary<umd::logical_not_row>},
	{"Reciprocal", 1, 0, 1, 1, "consumed_inputs ", infer_same, nullptr, nullptr,
	 lower_reciprocal},
	{"Elu", 1, 0, 1, 1, "consumed_inputs alpha ", infer_same, nullptr, nullptr, lower_elu},
	{"Selu", 1, 0, 1, 1, "consumed_inputs alpha gamma ", infer_same, nullptr, nullptr,
	 lower_selu},
	{"Celu", 12, 0, 1, 1, "alpha ", infer_same, nullptr, nullptr, lower_celu},
	{"LeakyRelu", 1, 0, 1, 1, "consumed_inputs alpha ", infer_same, nullptr, nullptr,
	 lower_leaky_relu},
	{"Softplus", 1, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_softplus},
	{"Softsign", 1, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_softsign},
	{"HardSigmoid", 1, 0, 1, 1, "consumed_inputs alpha beta ", infer_same, nullptr, nullptr,
	 lower_hard_sigmoid},
	{"ThresholdedRelu", 10, 0, 1, 1, "alpha ", infer_same, nullptr, nullptr,
	 lower_thresholded_relu},
	{"Mish", 18, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_mish},
	{"Gelu", 20, 0, 1, 1, "approximate ", infer_same, nullptr, nullptr, lower_gelu},
	{"Gelu", 1, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_gelu, "com.microsoft"},
	{"Shrink", 9, 0, 1, 1, "bias lambd ", infer_same, nullptr, nullptr, lower_shrink},
	{"Clip", 1, 0, 1, 3, "consumed_inputs min max ", infer_same, nullptr, nullptr, lower_clip},
	{"Erf", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::erf_row>},
	{"Asin", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::asin_row>},
	{"Acos", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::acos_row>},
	{"Atan", 7, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::atan_row>},
	{"Asinh", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::asinh_row>},
	{"Acosh", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::acosh_row>},
	{"Atanh", 9, 0, 1, 1, "", infer_same, nullptr, nullptr, lower_unary<umd::atanh_row>},
	{"BitwiseNot", 18, 0, 1, 1, "", infer_same, nullptr, nullptr,
	 lower_unary<umd::bitwise_not_row>},
	{"PRelu", 1, 0, 2, 2, "consumed_inputs ", infer_prelu, nullptr, nullptr, lower_prelu},
	{"Cast", 6, 0, 1, 1, "to saturate ", infer_cast, nullptr, evaluate_cast, lower_cast},
	{"CastLike", 15, 0, 2, 2, "saturate ", infer_cast_like, nullptr, evaluate_cast, lower_cast},
	{"IsNaN", 9, 0, 1, 1, "", infer_truth_of_one, nullptr, nullptr, lower_is_nan},
	{"IsInf", 10, 0, 1, 1, "detect_negative detect_positive ", infer_truth_of_one, nullptr,
	 nullptr, lower_is_inf},
};

} // namespace

} // namespace unary

std::span<const OperatorRow> unary_rows()
{
	return unary::ROWS;
}

} // namespace models
