// SPDX-License-Identifier: MIT
/*
 * DOC: Operators of shapes
 *
 * Their results are computed from shapes and constants, so they are known before the model runs.
 */
#include <cmath>

#include "models/lower/rows.h"
#include "row.h"

namespace models {

namespace shapes {

namespace {

using In = std::span<const Numbers>;

/* find_part() - the range of dims from attribute start to attribute end of Shape. */
void find_part(const Inference &at, unsigned &start, unsigned &end)
{
	const auto rank = static_cast<int64_t>(at.dims(0).rank());
	const auto clamp = [rank](int64_t value) {
		return static_cast<unsigned>(
			std::clamp<int64_t>(value < 0 ? value + rank : value, 0, rank));
	};
	start = clamp(at.node.integer("start", 0));
	end = std::max(start, clamp(at.node.integer("end", rank)));
}

bool infer_shape(Inference &at)
{
	unsigned start, end;
	find_part(at, start, end);
	return at.set(0, ir::Type::INT64, {static_cast<int64_t>(end - start)});
}

/* Neither reads the elements of its operand. */
bool evaluate_shape(Inference &at, In, Numbers &out)
{
	unsigned start, end;
	find_part(at, start, end);
	for (unsigned d = start; d < end; d++)
		out.integers[d - start] = at.dims(0)[d];
	return true;
}

bool infer_size(Inference &at)
{
	return at.set(0, ir::Type::INT64, {});
}

bool evaluate_size(Inference &at, In, Numbers &out)
{
	out.integers[0] = *ir::count(at.dims(0));
	return true;
}

bool infer_constant_of_shape(Inference &at)
{
	std::vector<int64_t> dims;
	const ir::Constant *value = at.constant_of("value");
	if (!at.integers(0, dims))
		return false;
	if (dims.size() > ir::MAX_RANK ||
	    std::any_of(dims.begin(), dims.end(), [](int64_t size) { return size < 0; }))
		return at.fail("its shape is " + ir::print(dims) +
			       ", which is none of up to 8 dims");
	if (value && (ir::count(value->dims) != 1 || !can_compute(value->type)))
		return at.fail("its value is no single number");
	return at.set(0, value ? value->type : ir::Type::FLOAT,
		      ir::Dims(std::span<const int64_t>(dims)));
}

bool evaluate_constant_of_shape(Inference &at, In, Numbers &out)
{
	const ir::Constant *value = at.constant_of("value");
	if (!value)
		return true;
	const Numbers number = decode(*value);
	std::fill(out.integers.begin(), out.integers.end(), out.is_real() ? 0 : number.integers[0]);
	std::fill(out.reals.begin(), out.reals.end(), out.is_real() ? number.reals[0] : 0);
	return true;
}

bool lower_constant_of_shape(Lowering &l)
{
	const ir::Constant *value = l.at.constant_of("value");
	const Numbers number = value ? decode(*value) : Numbers();
	const Scalar scalar = !value		 ? Scalar(0.0)
			      : number.is_real() ? Scalar(number.reals[0])
						 : Scalar(number.integers[0]);
	return l.call(fill_row, {movable(l.out()), scalar});
}

bool infer_range(Inference &at)
{
	std::vector<double> start, end, step;
	if (!at.reals(0, start) || !at.reals(1, end) || !at.reals(2, step))
		return false;
	if (start.size() != 1 || end.size() != 1 || step.size() != 1 || step[0] == 0)
		return at.fail("start, limit and delta must be numbers, and delta not 0");
	const double count = std::max(0.0, std::ceil((end[0] - start[0]) / step[0]));
	if (!(count <= static_cast<double>(MOST_NUMBERS)))
		return at.fail("it has more than " + std::to_string(MOST_NUMBERS) + " elements");
	return at.set(0, at.type(0), {static_cast<int64_t>(count)});
}

bool evaluate_range(Inference &, In in, Numbers &out)
{
	for (size_t i = 0; i < out.size(); i++) {
		if (out.is_real())
			out.reals[i] = in[0].reals[0] + static_cast<double>(i) * in[2].reals[0];
		else
			out.integers[i] =
				static_cast<int64_t>(static_cast<uint64_t>(in[0].integers[0]) +
						     i * static_cast<uint64_t>(in[2].integers[0]));
	}
	return true;
}

bool infer_eye(Inference &at)
{
	const ir::TypeRow *row = ir::find_type(
		static_cast<int32_t>(at.node.integer("dtype", static_cast<int64_t>(at.type(0)))));
	if (!row || row->type == ir::Type::STRING || at.dims(0).rank() != 2)
		return at.fail("its operand must have 2 dims, and its result numbers");
	return at.set(0, row->type, at.dims(0));
}

bool evaluate_eye(Inference &at, In, Numbers &out)
{
	const int64_t k = at.node.integer("k", 0), columns = out.dims[1];
	for (size_t i = 0; i < out.size(); i++) {
		const int64_t row = static_cast<int64_t>(i) / columns;
		const int64_t column = static_cast<int64_t>(i) % columns;
		if (__int128(column) - row != k)
			continue;
		if (out.is_real())
			out.reals[i] = 1;
		else
			out.integers[i] = 1;
	}
	return true;
}

constexpr OperatorRow ROWS[] = {
	{"Shape", 1, 0, 1, 1, "start end ", infer_shape, nullptr, evaluate_shape},
	{"Size", 1, 0, 1, 1, "", infer_size, nullptr, evaluate_size},
	{"ConstantOfShape", 9, 0, 1, 1, "value ", infer_constant_of_shape, nullptr,
	 evaluate_constant_of_shape, lower_constant_of_shape},
	{"Range", 11, 0, 3, 3, "", infer_range, nullptr, evaluate_range},
	{"EyeLike", 9, 0, 1, 1, "dtype k ", infer_eye, nullptr, evaluate_eye},
};

} // namespace

} // namespace shapes

std::span<const OperatorRow> shape_rows()
{
	return shapes::ROWS;
}

} // namespace models
