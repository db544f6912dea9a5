// SPDX-License-Identifier: MIT
/*
 * DOC: Operators that broadcast
 *
 * Each element of the result follows from one element of each operand.
 */
#include <cmath>

#include "models/lower/rows.h"
#include "unsigned.h"

namespace models {

namespace binary {

namespace {

/* class Spread - the index of the element of @from that belongs to element @i of @to. */
class Spread {
public:
	Spread(const ir::Dims &from, const ir::Dims &to) : to_(to)
	{
		const ir::Dims own = ir::strides_of(from);
		strides_ = ir::Dims::filled(to.rank(), 0);
		for (unsigned d = 0; d < from.rank(); d++)
			if (from[d] != 1)
				strides_[to.rank() - from.rank() + d] = own[d];
	}

	size_t operator()(size_t i) const
	{
		int64_t index = 0;
		for (unsigned d = to_.rank(); d-- > 0;) {
			const auto size = static_cast<size_t>(to_[d]);
			index += static_cast<int64_t>(i % size) * strides_[d];
			i /= size;
		}
		return static_cast<size_t>(index);
	}

private:
	ir::Dims to_, strides_;
};

std::vector<Spread> spreads_of(std::span<const Numbers> in, const Numbers &out)
{
	std::vector<Spread> spreads;
	for (const Numbers &from : in)
		spreads.emplace_back(from.dims, out.dims);
	return spreads;
}

/* fold() - applies @function to the elements of the first two operands, then to the result and the next operand, and
 * so on. */
template <class F> bool fold(std::span<const Numbers> in, Numbers &out, F function)
{
	const bool is_real = in[0].is_real();
	const std::vector<Spread> spreads = spreads_of(in, out);
	for (size_t i = 0; i < out.size(); i++) {
		double real = 0;
		int64_t integer = 0;
		for (size_t k = 0; k < in.size(); k++) {
			const size_t at = spreads[k](i);
			if (is_real)
				real = k == 0 ? in[k].reals[at]
					      : static_cast<double>(
							function(real, in[k].reals[at]));
			else
				integer = k == 0 ? in[k].integers[at]
						 : static_cast<int64_t>(
							   function(integer, in[k].integers[at]));
		}
		/* Like the device, it rounds each step to the type. */
		if (out.is_real())
			out.reals[i] = out.type == ir::Type::FLOAT
					       ? double{static_cast<float>(real)}
					       : real;
		else
			out.integers[i] = is_real ? static_cast<int64_t>(real) : integer;
	}
	return true;
}

/* struct Wrapping - integers wrap, as those of the device do. */
struct Wrapping {
	static int64_t add(int64_t a, int64_t b)
	{
		return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
	}
	static int64_t sub(int64_t a, int64_t b)
	{
		return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
	}
	static int64_t mul(int64_t a, int64_t b)
	{
		return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
	}
	static double add(double a, double b) { return a + b; }
	static double sub(double a, double b) { return a - b; }
	static double mul(double a, double b) { return a * b; }
};

using In = std::span<const Numbers>;

bool evaluate_add(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return Wrapping::add(a, b); });
}

bool evaluate_sub(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return Wrapping::sub(a, b); });
}

bool evaluate_mul(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return Wrapping::mul(a, b); });
}

bool has_zero(const Numbers &numbers)
{
	return std::find(numbers.integers.begin(), numbers.integers.end(), 0) !=
	       numbers.integers.end();
}

bool evaluate_div(Inference &at, In in, Numbers &out)
{
	if (has_zero(in[1]))
		return at.fail("an integer is divided by 0");
	return fold(in, out, [](auto a, auto b) {
		if constexpr (std::is_same_v<decltype(a), int64_t>)
			return b == -1 ? Wrapping::sub(int64_t{0}, a) : a / b;
		else
			return a / b;
	});
}

bool evaluate_mod(Inference &at, In in, Numbers &out)
{
	if (has_zero(in[1]))
		return at.fail("an integer is divided by 0");
	const bool as_c = at.node.integer("fmod", 0) != 0;
	return fold(in, out, [as_c](auto a, auto b) {
		if constexpr (std::is_same_v<decltype(a), int64_t>) {
			const int64_t rest = b == -1 ? 0 : a % b;
			return rest != 0 && !as_c && (rest < 0) != (b < 0) ? rest + b : rest;
		} else {
			return std::fmod(a, b);
		}
	});
}

bool evaluate_pow(Inference &, In in, Numbers &out)
{
	const std::vector<Spread> spreads = spreads_of(in, out);
	for (size_t i = 0; i < out.size(); i++) {
		const double value = std::pow(in[0].real(spreads[0](i)), in[1].real(spreads[1](i)));
		if (out.is_real())
			out.reals[i] = value;
		else
			out.integers[i] =
				std::fabs(value) < 0x1p63 ? static_cast<int64_t>(value) : 0;
	}
	return true;
}

bool evaluate_min(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return b < a || b != b ? b : a; });
}

bool evaluate_max(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return b > a || b != b ? b : a; });
}

bool evaluate_equal(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a == b; });
}

bool evaluate_less(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a < b; });
}

bool evaluate_less_equal(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a <= b; });
}

bool evaluate_greater(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a > b; });
}

bool evaluate_greater_equal(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a >= b; });
}

bool evaluate_and(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a != 0 && b != 0; });
}

bool evaluate_or(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return a != 0 || b != 0; });
}

bool evaluate_xor(Inference &, In in, Numbers &out)
{
	return fold(in, out, [](auto a, auto b) { return (a != 0) != (b != 0); });
}

bool evaluate_where(Inference &, In in, Numbers &out)
{
	const std::vector<Spread> spreads = spreads_of(in, out);
	for (size_t i = 0; i < out.size(); i++) {
		const size_t chosen = in[0].integers[spreads[0](i)] != 0 ? 1 : 2;
		const Numbers &from = in[chosen];
		const size_t at = spreads[chosen](i);
		if (out.is_real())
			out.reals[i] = from.reals[at];
		else
			out.integers[i] = from.integers[at];
	}
	return true;
}

bool find_shape(Inference &at, ir::Dims &dims)
{
	dims = at.dims(0);
	for (size_t i = 1; i < at.count(); i++)
		if (!at.has(i) || !broadcast(dims, at.dims(i), dims))
			return at.fail("its operands can't be broadcast: " + ir::print(dims) +
				       " and " + (at.has(i) ? ir::print(at.dims(i)) : "nothing"));
	return true;
}

bool infer_where(Inference &at)
{
	ir::Dims dims;
	if (at.type(0) != ir::Type::BOOL || at.type(1) != at.type(2))
		return at.fail("its operands must be BOOL and two of one type");
	return find_shape(at, dims) && at.set(0, at.type(1), dims);
}

bool infer_pow(Inference &at)
{
	ir::Dims dims;
	return find_shape(at, dims) && at.set(0, at.type(0), dims);
}

template <const umd::OperatorRow &ROW> bool lower_two(Lowering &l)
{
	return l.call(ROW, {l.in(0), l.in(1), l.out()});
}

/* The kind SUM takes 15 tensors. */
bool sum_all(Lowering &l, const Tensor &out)
{
	constexpr size_t MOST = 15;
	std::vector<Tensor> members;
	const Tensor sum = l.count() > MOST ? l.temporary(out.type, out.dims()) : out;
	for (size_t i = 0; i < l.count(); i++) {
		members.push_back(l.in(i));
		const bool is_last = i + 1 == l.count();
		if (!is_last && members.size() < MOST)
			continue;
		if (!l.call(umd::sum_row, {members, is_last ? out : sum}))
			return false;
		members = {sum};
	}
	return true;
}

bool lower_sum(Lowering &l)
{
	return sum_all(l, l.out());
}

bool lower_mean(Lowering &l)
{
	const Tensor sum = l.temporary(l.out().type, l.out().dims());
	return sum_all(l, sum) &&
	       l.call(umd::muls_row, {sum, Scalar(1.0 / static_cast<double>(l.count())), l.out()});
}

bool lower_sub(Lowering &l)
{
	return l.call(umd::sub_row, {l.in(0), l.in(1), Scalar(int64_t{1}), l.out()});
}

/* A quotient of integers is rounded toward zero. */
bool lower_div(Lowering &l)
{
	const bool is_real = ir::is_floating(l.in(0).type);
	return l.call(is_real ? umd::div_row : quotient_row, {l.in(0), l.in(1), l.out()});
}

/* chain() - combines any number of operands, two at a time. */
bool chain(Lowering &l, const umd::OperatorRow &row)
{
	if (l.count() == 1)
		return l.copy(l.in(0), l.out());
	for (size_t i = 1; i < l.count(); i++) {
		Tensor before = i == 1 ? broadcast_to(l.in(0), l.out().dims()) : l.out();
		if (!l.call(row, {before, l.in(i), l.out()}))
			return false;
	}
	return true;
}

/* chain_flipped() - of unsigned numbers. */
bool chain_flipped(Lowering &l, const umd::OperatorRow &row)
{
	Tensor all = l.in(0);
	if (!wide::flip(l, all))
		return false;
	for (size_t i = 1; i < l.count(); i++) {
		Tensor next = l.in(i);
		const Tensor made = l.temporary(all.type, l.out().dims());
		if (!wide::flip(l, next) ||
		    !l.call(row, {broadcast_to(all, l.out().dims()), next, made}))
			return false;
		all = made;
	}
	return wide::flip(l, all) && l.copy(all, movable(l.out()));
}

bool lower_max(Lowering &l)
{
	if (wide::is_unsigned(l.out().type))
		return chain_flipped(l, umd::maximum_row);
	return chain(l, umd::maximum_row);
}

bool lower_min(Lowering &l)
{
	if (wide::is_unsigned(l.out().type))
		return chain_flipped(l, umd::minimum_row);
	return chain(l, umd::minimum_row);
}

/* Without fmod a remainder has the sign of the divisor. */
bool lower_mod(Lowering &l)
{
	const bool as_c = l.at.node.integer("fmod", 0) != 0;
	if (l.out().type == ir::Type::UINT16 || l.out().type == ir::Type::UINT32) {
		Tensor a = l.in(0), b = l.in(1);
		const Tensor rest = l.temporary(ir::Type::INT64, l.out().dims());
		return wide::widen(l, a) && wide::widen(l, b) &&
		       l.call(umd::remainder_tensor_tensor_row, {a, b, rest}) &&
		       wide::narrow(l, rest, l.out());
	}
	return l.call(as_c ? umd::fmod_tensor_row : umd::remainder_tensor_tensor_row,
		      {l.in(0), l.in(1), l.out()});
}

bool lower_where(Lowering &l)
{
	return l.call(umd::swhere_row,
		      {l.in(0), movable(l.in(1)), movable(l.in(2)), movable(l.out())});
}

bool lower_pow(Lowering &l)
{
	Tensor exponent = l.in(1);
	if (exponent.type == ir::Type::UINT16 || exponent.type == ir::Type::UINT32) {
		if (!wide::widen(l, exponent))
			return false;
	}
	/* Computes in the more general type of the two. The result has the type of the base. */
	if (ir::is_floating(exponent.type) && !ir::is_floating(l.in(0).type)) {
		const Tensor power = l.temporary(exponent.type, l.out().dims());
		return l.call(pow_row, {l.in(0), exponent, power}) && l.copy(power, l.out());
	}
	/* The device computes squares and cubes as products if it knows the exponent. */
	const ir::Constant *constant = l.at.in(1).constant;
	if (constant && ir::count(constant->dims) == 1 && l.in(0).type == exponent.type &&
	    ir::is_floating(exponent.type) && l.in(0).dims() == l.out().dims())
		return l.call(umd::pow_tensor_scalar_row,
			      {l.in(0), Scalar(decode(*constant).real(0)), l.out()});
	return l.call(pow_row, {l.in(0), exponent, l.out()});
}

bool infer_shift(Inference &at)
{
	const std::string_view direction = at.node.text("direction", "");
	if (direction != "LEFT" && direction != "RIGHT")
		return at.fail("direction is " + std::string(direction));
	if (at.type(0) != ir::Type::UINT8 && !wide::is_unsigned(at.type(0)))
		return at.fail("its operands must be unsigned");
	if (at.type(0) == ir::Type::UINT64 && direction == "RIGHT")
		return at.fail("UINT64 to the right is not computed here");
	return infer_broadcast(at);
}

/* A product with a power of 2, or a quotient. */
bool lower_shift(Lowering &l)
{
	constexpr int64_t MOST = 62; /* INT64 has this power; no other type has as many bits */
	const bool is_left = l.at.node.text("direction", "") == "LEFT";
	const ir::Dims dims = l.out().dims();
	Tensor value = l.in(0), places = l.in(1);
	if (!wide::widen(l, value) || !wide::widen(l, places))
		return false;
	const Tensor power = l.temporary(ir::Type::INT64, places.dims());
	const Tensor made = l.temporary(ir::Type::INT64, dims);
	const bool is_whole = value.type == l.out().type || l.out().type == ir::Type::UINT64;
	Tensor least = places;
	if (!is_whole) {
		least = l.temporary(ir::Type::INT64, places.dims());
		if (!l.call(umd::minimum_row, {places, l.integer(ir::Type::INT64, MOST), least}))
			return false;
	}
	return l.call(pow_row, {l.integer(ir::Type::INT64, 2), least, power}) &&
	       l.call(is_left ? mul_row : quotient_row, {value, power, made}) &&
	       wide::narrow(l, made, l.out());
}

constexpr OperatorRow ROWS[] = {
	{"Add", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_broadcast, nullptr,
	 evaluate_add, lower_sum},
	{"Sub", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_broadcast, nullptr,
	 evaluate_sub, lower_sub},
	{"Mul", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_broadcast, nullptr,
	 evaluate_mul, lower_two<mul_row>},
	{"Div", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_broadcast, nullptr,
	 evaluate_div, lower_div},
	{"Mod", 10, 0, 2, 2, "fmod ", infer_broadcast, nullptr, evaluate_mod, lower_mod},
	{"Pow", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_pow, nullptr, evaluate_pow,
	 lower_pow},
	{"Sum", 1, 0, 1, ANY, "consumed_inputs ", infer_broadcast, nullptr, evaluate_add,
	 lower_sum},
	{"Mean", 1, 0, 1, ANY, "consumed_inputs ", infer_broadcast, nullptr, nullptr, lower_mean},
	{"Min", 1, 0, 1, ANY, "consumed_inputs ", infer_broadcast, nullptr, evaluate_min,
	 lower_min},
	{"Max", 1, 0, 1, ANY, "consumed_inputs ", infer_broadcast, nullptr, evaluate_max,
	 lower_max},
	{"Equal", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr,
	 evaluate_equal, lower_two<umd::eq_tensor_row>},
	{"Less", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr, evaluate_less,
	 lower_two<umd::lt_tensor_row>},
	{"LessOrEqual", 12, 0, 2, 2, "", infer_truth, nullptr, evaluate_less_equal,
	 lower_two<umd::le_tensor_row>},
	{"Greater", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr,
	 evaluate_greater, lower_two<umd::gt_tensor_row>},
	{"GreaterOrEqual", 12, 0, 2, 2, "", infer_truth, nullptr, evaluate_greater_equal,
	 lower_two<umd::ge_tensor_row>},
	{"And", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr, evaluate_and,
	 lower_two<umd::logical_and_row>},
	{"Or", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr, evaluate_or,
	 lower_two<umd::logical_or_row>},
	{"Xor", 1, 0, 2, 2, "axis broadcast consumed_inputs ", infer_truth, nullptr, evaluate_xor,
	 lower_two<umd::logical_xor_row>},
	{"BitShift", 11, 0, 2, 2, "direction ", infer_shift, nullptr, nullptr, lower_shift},
	{"BitwiseAnd", 18, 0, 2, 2, "", infer_broadcast, nullptr, nullptr,
	 lower_two<umd::bitwise_and_tensor_row>},
	{"BitwiseOr", 18, 0, 2, 2, "", infer_broadcast, nullptr, nullptr,
	 lower_two<umd::bitwise_or_tensor_row>},
	{"BitwiseXor", 18, 0, 2, 2, "", infer_broadcast, nullptr, nullptr,
	 lower_two<umd::bitwise_xor_tensor_row>},
	{"Where", 9, 0, 3, 3, "", infer_where, nullptr, evaluate_where, lower_where},
};

} // namespace

} // namespace binary

bool infer_broadcast(Inference &at)
{
	ir::Dims dims;
	for (size_t i = 1; i < at.count(); i++)
		if (at.has(i) && at.type(i) != at.type(0))
			return at.fail("its operands have the types " +
				       std::string(ir::type_name(at.type(0))) + " and " +
				       ir::type_name(at.type(i)) + "; they must have one");
	return binary::find_shape(at, dims) && at.set(0, at.type(0), dims);
}

bool infer_truth(Inference &at)
{
	ir::Dims dims;
	if (at.type(0) != at.type(1))
		return at.fail("its operands must have one type");
	return binary::find_shape(at, dims) && at.set(0, ir::Type::BOOL, dims);
}

std::span<const OperatorRow> binary_rows()
{
	return binary::ROWS;
}

} // namespace models
