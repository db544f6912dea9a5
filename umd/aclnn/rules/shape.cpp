// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of gated units, triangles, ranges and images
 *
 * SwiGlu and GeGluV3 have a result of half the size of the operand along one dim. Tril and Triu keep a
 * triangle of each matrix, Arange fills a result of any shape in row-major order, and UpsampleNearest2d
 * scales the last two dims of [N, C, H, W].
 */
#include <cmath>
#include <string_view>

#include "operands.h"

namespace umd {

namespace {

/* plan_halves() - plans an operator with two halves. Slot @source has both halves; each slot before it is a
 * result with the shape of one half. */
aclnnStatus plan_halves(Plan &plan, unsigned source)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.find_dim(source, plan.argument(1).integer, dim);
	if (status != OK)
		return status;
	Shape half = operands[source];
	if (half.dims[dim] % 2 != 0)
		return operands.fail(source, "dim " + std::to_string(dim) +
						     " has two halves, so its size must be even");
	half.dims[dim] /= 2;
	for (unsigned slot = 0; slot < source && status == OK; slot++)
		status = operands.check_shape(slot, half);
	plan.add_integer(0, dim);
	return status == OK ? operands.finish() : status;
}

/* check_format() - checks that images are [N, C, H, W]. */
aclnnStatus check_format(const Operands &operands, unsigned slot)
{
	const aclFormat format = operands.tensor(slot).format;
	return format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC
		       ? operands.fail(slot, "its format must have the channels before the image")
		       : OK;
}

/* struct Range - the least and the largest number of elements that Arange accepts. Programs compute the
 * length in float or in double, and rounding may give a quotient just above or just below a whole number. */
struct Range {
	double precise, coarse;
};

/* count_steps() - the exact number of elements for integers. @reaches: whether the end belongs to them */
Range count_steps(__int128 start, __int128 end, __int128 step, bool reaches)
{
	if (step == 0)
		return {HUGE_VAL, HUGE_VAL};
	const __int128 way = end - start, whole = way / step, rest = way % step;
	if (reaches && way != 0 && (way < 0) != (step < 0))
		return {-1, -1};
	/* More than 2^53 elements are refused anyway, so double is exact enough. */
	const auto count =
		static_cast<double>(whole + (reaches || (rest != 0 && (rest < 0) == (step < 0))));
	return {count, count};
}

Range count_range(const aclScalar &start, const aclScalar &end, const aclScalar &step, bool reaches)
{
	if (!start.is_floating && !end.is_floating && !step.is_floating)
		return count_steps(exact_integer(start), exact_integer(end), exact_integer(step),
				   reaches);
	const auto as_float = [](const aclScalar &scalar) {
		return static_cast<float>(scalar.real);
	};
	const double precise = (end.real - start.real) / step.real;
	const float coarse = (as_float(end) - as_float(start)) / as_float(step);
	if (reaches)
		return {std::floor(precise) + (precise >= 0),
			static_cast<double>(std::floor(coarse)) + 1};
	return {std::ceil(precise), static_cast<double>(std::ceil(coarse))};
}

bool is_finite(const aclScalar &scalar)
{
	return !scalar.is_floating || std::isfinite(scalar.real);
}

} // namespace

/* (x, dim, out) */
aclnnStatus plan_swiglu(Plan &plan)
{
	return plan_halves(plan, 1);
}

/* (self, dim, approximate, activateLeft, out, outGelu) */
aclnnStatus plan_geglu(Plan &plan)
{
	const int64_t approximate = plan.argument(2).integer;
	if (approximate != 0 && approximate != 1)
		return plan.fail("approximate is " + std::to_string(approximate) +
				 "; allowed are 0 and 1");
	plan.add_integer(1, approximate);
	plan.add_integer(2, plan.argument(3).integer);
	return plan_halves(plan, 2);
}

/* (self, diagonal, out) or (selfRef, diagonal) */
aclnnStatus plan_triangle(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(1, 2, max_dims);
	if (status == OK)
		status = operands.check_shape(0, operands[1]);
	if (status == OK)
		status = add_attributes(plan, operands.type(0));
	return status == OK ? operands.finish() : status;
}

namespace {

/* (start, end, ..) */
aclnnStatus check_ends(const Plan &plan)
{
	for (size_t i = 0; i < 2; i++)
		if (!is_finite(*plan.argument(i).scalar))
			return plan.fail(std::string(i == 0 ? "start" : "end") + " is " +
					 std::to_string(plan.argument(i).scalar->real) +
					 "; it must be finite");
	return OK;
}

/* set_range_type() - the type of the arithmetic of a range. */
void set_range_type(Plan &plan, const Type &type)
{
	if (type.category != Category::FLOATING)
		plan.set_compute(UNPU_DTYPE_I64);
	else
		plan.set_compute(type.dtype == UNPU_DTYPE_F64 ? uint32_t{UNPU_DTYPE_F64}
							      : uint32_t{UNPU_DTYPE_F32});
}

/* (start, end, step, out). @reaches: whether the end belongs to the range */
aclnnStatus plan_steps(Plan &plan, bool reaches)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	const aclScalar &start = *plan.argument(0).scalar, &end = *plan.argument(1).scalar;
	const aclScalar &step = *plan.argument(2).scalar;
	const Type type = operands.type(0);
	const bool is_floating = type.category == Category::FLOATING;
	if (!is_floating && (has_fraction(start) || has_fraction(step)))
		return operands.fail(0, "the result is floating");
	status = check_ends(plan);
	if (status != OK)
		return status;
	const Range range = count_range(start, end, step, reaches);
	if (!(range.precise >= 0) || !std::isfinite(range.precise))
		return plan.fail("step is " + std::to_string(step.real) +
				 ", which does not lead from start to end");
	const auto count = static_cast<double>(count_elements(operands[0].dims, operands[0].ndim));
	if (count != range.precise && count != range.coarse)
		return operands.fail(0, "the result has " +
						std::to_string(static_cast<int64_t>(
							std::min(range.precise, 0x1p62))) +
						" elements");
	set_range_type(plan, type);
	plan.add_scalar(0, start, is_floating);
	plan.add_scalar(1, step, is_floating);
	return operands.finish();
}

} // namespace

aclnnStatus plan_arange(Plan &plan)
{
	return plan_steps(plan, false);
}

aclnnStatus plan_range(Plan &plan)
{
	return plan_steps(plan, true);
}

/* (start, end, steps, out) */
aclnnStatus plan_linspace(Plan &plan)
{
	Operands operands(plan);
	const aclScalar &start = *plan.argument(0).scalar, &end = *plan.argument(1).scalar;
	const int64_t steps = plan.argument(2).integer;
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = check_ends(plan);
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	if (steps != count_elements(operands[0].dims, operands[0].ndim))
		return operands.fail(0, "steps is " + std::to_string(steps) +
						", which is its number of elements");
	aclScalar step = end;
	step.is_floating = true;
	step.real = steps > 1 ? (end.real - start.real) / static_cast<double>(steps - 1) : 0;
	plan.add_scalar(0, start, true);
	plan.add_scalar(1, step, true);
	return operands.finish();
}

/* (self, outputSize, out) */
aclnnStatus plan_upsample(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(1, 4, 4);
	if (status == OK)
		status = check_format(operands, 1);
	if (status == OK)
		status = check_entries(plan, 1, 2, 1);
	if (status != OK)
		return status;
	Shape shape = operands[1];
	if (shape.dims[2] == 0 || shape.dims[3] == 0)
		return operands.fail(1, "an image must have an element");
	std::copy_n(plan.argument(1).integers->values.get(), 2, shape.dims + 2);
	status = operands.check_shape(0, shape);
	return status == OK ? operands.finish() : status;
}

/* (self, outputSize, alignCorners, a scale for each dim, out): 0 is no scale. Images [N, C, ..]. */
aclnnStatus plan_resize(Plan &plan)
{
	constexpr int64_t HALF_PIXEL = 0, ALIGN_CORNERS = 2;
	constexpr double cubic = -0.75;
	Operands operands(plan);
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	const aclIntArray &sizes = *plan.argument(1).integers;
	const size_t dims = arguments.size() - 4; /* each has a scale */
	const int64_t mode = plan.row().constants[0].value;
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(1, static_cast<unsigned>(dims) + 2,
					     static_cast<unsigned>(dims) + 2);
	if (status == OK)
		status = check_entries(plan, 1, dims, 0);
	if (status != OK)
		return status;
	Shape shape = operands[1];
	int64_t scales[max_dims];
	std::fill_n(scales, shape.ndim, std::bit_cast<int64_t>(1.0));
	for (size_t k = 0; k < dims; k++) {
		const int64_t size = shape.dims[2 + k];
		const double told = plan.argument(3 + k).real;
		const double own = static_cast<double>(sizes.values[k]) / static_cast<double>(size);
		if (size > UNPU_TENSOR_MAX_WINDOW || (size == 0 && sizes.values[k] != 0))
			return operands.fail(
				1, "dim " + std::to_string(2 + k) + " must have 1 to " +
					   std::to_string(UNPU_TENSOR_MAX_WINDOW) + " elements");
		if (!(told >= 0) || std::isinf(told))
			return plan.fail(std::string(arguments[3 + k].name) + " is " +
					 std::to_string(told) + "; it must be 0 or above");
		shape.dims[2 + k] = sizes.values[k];
		if (size != 0 && sizes.values[k] != 0)
			scales[2 + k] = std::bit_cast<int64_t>(told > 0 ? told : own);
	}
	status = operands.check_shape(0, shape);
	plan.add_integer(0, mode);
	plan.add_integer(1, plan.argument(2).integer ? ALIGN_CORNERS : HALF_PIXEL);
	plan.add_integer(2, 0);
	if (status == OK)
		status = plan.add_integers(3, {scales, shape.ndim});
	plan.add_real(4, cubic);
	plan.add_integer(5, 0);
	return status == OK ? operands.finish() : status;
}

/* (self, scales, mode, out): as ONNX has it without more attributes. Images [N, C, ..]. */
aclnnStatus plan_resize_by_scales(Plan &plan)
{
	constexpr unsigned FIRST = 2;
	const aclFloatArray &given = *plan.argument(1).reals;
	const std::string_view mode = plan.argument(2).text;
	Operands operands(plan);
	aclnnStatus status = operands.check_floating();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_rank(1, FIRST + 1, max_dims);
	if (status != OK)
		return status;
	if (mode != "nearest" && mode != "bilinear" && mode != "linear")
		return plan.fail("mode is \"" + std::string(mode) +
				 "\"; allowed are nearest and bilinear");
	if (mode == "nearest")
		status = operands.check_same_type(0, 1);
	if (status != OK)
		return status;
	Shape shape = operands[1];
	const bool has_all = given.size == shape.ndim;
	if (!has_all && given.size + FIRST != shape.ndim)
		return plan.fail("scales has " + std::to_string(given.size) +
				 " entries; allowed are " + std::to_string(shape.ndim - FIRST) +
				 " and " + std::to_string(shape.ndim));
	int64_t scales[max_dims];
	std::fill_n(scales, shape.ndim, std::bit_cast<int64_t>(1.0));
	for (unsigned d = has_all ? 0 : FIRST; d < shape.ndim; d++) {
		const double scale = static_cast<double>(given.values[has_all ? d : d - FIRST]);
		const double size = std::floor(static_cast<double>(shape.dims[d]) * scale);
		if (!(scale > 0) || !(size <= UNPU_TENSOR_MAX_WINDOW) || (d < FIRST && scale != 1))
			return plan.fail("scales has the entry " + std::to_string(scale) +
					 " for dim " + std::to_string(d) +
					 (d < FIRST ? "; it must be 1" : ""));
		if (d < FIRST)
			continue;
		if (shape.dims[d] < 1 || shape.dims[d] > UNPU_TENSOR_MAX_WINDOW)
			return operands.fail(1, "dim " + std::to_string(d) + " must have 1 to " +
							std::to_string(UNPU_TENSOR_MAX_WINDOW) +
							" elements");
		shape.dims[d] = static_cast<int64_t>(size);
		scales[d] = std::bit_cast<int64_t>(scale);
	}
	status = operands.check_shape(0, shape);
	plan.add_integer(0, mode == "nearest" ? 0 : 1);
	plan.add_integer(1, 0);
	plan.add_integer(2, 0);
	if (status == OK)
		status = plan.add_integers(3, {scales, shape.ndim});
	plan.add_real(4, 0);
	plan.add_integer(5, 0);
	return status == OK ? operands.finish() : status;
}

} // namespace umd
