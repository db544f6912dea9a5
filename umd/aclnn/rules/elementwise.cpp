// SPDX-License-Identifier: MIT
/*
 * DOC: Rule of the element-wise operators
 *
 * Shapes are broadcast as numpy does. The most general type of the operands is the type of the arithmetic.
 * The type of the result only decides how the result is stored, and must be at least as general. On the wire
 * every operand has the shape of the result, with stride 0 in the dims along which it is broadcast. Ger
 * multiplies each element of one vector by each element of another, and Sum adds the tensors of a list.
 */
#include <algorithm>
#include <cmath>

#include "operands.h"

namespace umd {

namespace {

/* class Broadcast - the steps of the rule. */
class Broadcast {
public:
	explicit Broadcast(Plan &plan) : plan_(plan), arguments_(plan.row().arguments) {}

	aclnnStatus run();

private:
	bool is_source(size_t i) const
	{
		return arguments_[i].form == Form::TENSOR && arguments_[i].role != Role::RESULT;
	}
	const aclTensor &tensor(size_t i) const { return *plan_.argument(i).tensor; }

	/* is_condition() - whether an operand chooses between others, and does not compute with them. */
	bool is_condition(size_t i) const
	{
		return plan_.row().kind == UNPU_TENSOR_WHERE && is_source(i) &&
		       arguments_[i].place == 1;
	}

	aclnnStatus choose_types();
	aclnnStatus check_type(size_t i);
	aclnnStatus check_result_type();
	aclnnStatus find_shape();
	aclnnStatus place_all();
	aclnnStatus place(size_t i, unsigned slot, uint8_t access);
	void add_attributes();
	void add_scalar(unsigned attribute, const aclScalar &scalar);

	Plan &plan_;
	const std::span<const ArgumentRow> arguments_;
	size_t result_ = 0; /* position of the argument that is the result */
	bool has_source_ = false;
	bool is_double_ = false;
	Category category_ = Category::TRUTH;
	unsigned ndim_ = 0;
	int64_t dims_[max_dims] = {};
};

aclnnStatus Broadcast::check_type(size_t i)
{
	const Type type = find_tensor_type(tensor(i).dtype);
	const bool is_floating = type.category == Category::FLOATING && type.bytes <= 4;
	if (plan_.row().types == Types::FLOATING && !is_floating)
		return plan_.fail_tensor(i, "allowed are FLOAT, FLOAT16 and BF16");
	if (type.dtype == 0)
		return plan_.fail_tensor(i, numbers_allowed);
	if (plan_.row().types == Types::INTEGER && type.category == Category::FLOATING)
		return plan_.fail_tensor(i,
					 "allowed are INT8, INT16, INT32, INT64, UINT8 and BOOL");
	if (is_condition(i) && type.dtype != UNPU_DTYPE_BOOL && type.dtype != UNPU_DTYPE_U8)
		return plan_.fail_tensor(i, "allowed are BOOL and UINT8");
	return OK;
}

aclnnStatus Broadcast::choose_types()
{
	for (size_t i = 0; i < arguments_.size(); i++) {
		const ArgumentRow &argument = arguments_[i];
		if (argument.form == Form::SCALAR && plan_.argument(i).scalar) {
			/* Programs pass 1.0f even for integer tensors, so a scalar without a fraction counts
			 * as an integer. */
			if (has_fraction(*plan_.argument(i).scalar))
				category_ = Category::FLOATING;
		}
		if (argument.form != Form::TENSOR)
			continue;
		if (argument.role != Role::SOURCE)
			result_ = i;
		if (const aclnnStatus status = check_type(i); status != OK)
			return status;
		if (!is_source(i) || is_condition(i))
			continue;
		has_source_ = true;
		const Type type = find_tensor_type(tensor(i).dtype);
		category_ = std::max(category_, type.category);
		is_double_ = is_double_ || type.dtype == UNPU_DTYPE_F64;
	}
	return check_result_type();
}

aclnnStatus Broadcast::check_result_type()
{
	const Types types = plan_.row().types;
	const Type result = find_tensor_type(tensor(result_).dtype);
	if (!has_source_) {
		category_ = std::max(category_, result.category);
		is_double_ = result.dtype == UNPU_DTYPE_F64;
	}
	if (types == Types::QUOTIENT)
		category_ = Category::FLOATING;
	if (types != Types::TRUTH && category_ > result.category)
		return plan_.fail_tensor(result_, category_ == Category::FLOATING
							  ? "the result is floating"
							  : "the result is an integer");
	if (category_ != Category::FLOATING)
		plan_.set_compute(UNPU_DTYPE_I64);
	else
		plan_.set_compute(is_double_ ? uint32_t{UNPU_DTYPE_F64} : uint32_t{UNPU_DTYPE_F32});
	return OK;
}

aclnnStatus Broadcast::find_shape()
{
	const aclTensor &result = tensor(result_);
	for (size_t i = 0; i < arguments_.size(); i++)
		if (is_source(i))
			ndim_ = std::max(ndim_, tensor(i).ndim);
	std::fill_n(dims_, ndim_, 1);
	for (size_t i = 0; i < arguments_.size(); i++) {
		if (!is_source(i))
			continue;
		const unsigned missing = ndim_ - tensor(i).ndim;
		for (unsigned d = missing; d < ndim_; d++) {
			const int64_t size = tensor(i).dims[d - missing];
			if (size != 1 && dims_[d] != 1 && size != dims_[d])
				return plan_.fail_tensor(i,
							 "it can't be broadcast with the operands "
							 "before it, whose shape is " +
								 print_shape(dims_, ndim_));
			dims_[d] = size == 1 ? dims_[d] : size;
		}
	}
	if (!has_source_) {
		ndim_ = result.ndim;
		std::copy_n(result.dims, ndim_, dims_);
	}
	if (result.ndim != ndim_ || !std::equal(dims_, dims_ + ndim_, result.dims))
		return plan_.fail_tensor(result_,
					 "the result has shape " + print_shape(dims_, ndim_));
	if (std::find(dims_, dims_ + ndim_, 0) != dims_ + ndim_)
		plan_.note_empty();
	return OK;
}

aclnnStatus Broadcast::place(size_t i, unsigned slot, uint8_t access)
{
	PlanView own, view;
	if (const aclnnStatus status = plan_.make_view(i, own); status != OK)
		return status;
	const unsigned missing = ndim_ - own.ndim;
	view.dtype = own.dtype;
	view.address = own.address;
	view.base = own.base;
	view.ndim = ndim_;
	for (unsigned d = 0; d < ndim_; d++) {
		view.dims[d] = dims_[d];
		/* A dim of size 1 has stride 0 already. */
		view.strides[d] = d < missing ? 0 : own.strides[d - missing];
	}
	plan_.add_operand(slot, access, view, i);
	return OK;
}

aclnnStatus Broadcast::place_all()
{
	for (size_t i = 0; i < arguments_.size(); i++) {
		const ArgumentRow &argument = arguments_[i];
		if (argument.form != Form::TENSOR)
			continue;
		aclnnStatus status = OK;
		if (argument.role != Role::SOURCE)
			status = place(i, argument.place, UNPU_ACCESS_WRITE);
		if (status == OK && argument.role == Role::BOTH)
			status = place(i, argument.source, UNPU_ACCESS_READ);
		if (argument.role == Role::SOURCE)
			status = place(i, argument.place, UNPU_ACCESS_READ);
		if (status != OK)
			return status;
	}
	return OK;
}

/* is_bound() - whether an attribute is only compared with elements, and never becomes part of a result. */
bool is_bound(uint32_t kind, unsigned attribute)
{
	return kind == UNPU_TENSOR_GT_SCALAR || kind == UNPU_TENSOR_CLAMP ||
	       (kind == UNPU_TENSOR_THRESHOLD && attribute == 0);
}

/* Adds a scalar. A bound above the range of INT64 becomes the largest INT64. Any other UINT64 scalar wraps,
 * as results do. */
void Broadcast::add_scalar(unsigned attribute, const aclScalar &scalar)
{
	const bool as_real = category_ == Category::FLOATING;
	aclScalar bounded = scalar;
	if (!as_real && is_bound(plan_.row().kind, attribute) && exact_integer(scalar) > INT64_MAX)
		bounded.integer = INT64_MAX;
	plan_.add_scalar(attribute, bounded, as_real);
}

void Broadcast::add_attributes()
{
	const bool as_real = category_ == Category::FLOATING;
	for (size_t i = 0; i < arguments_.size(); i++) {
		const ArgumentRow &argument = arguments_[i];
		if (argument.form == Form::SCALAR && plan_.argument(i).scalar)
			add_scalar(argument.place, *plan_.argument(i).scalar);
		if (argument.form == Form::INTEGER)
			plan_.add_integer(argument.place, plan_.argument(i).integer);
	}
	for (const ConstantRow &constant : plan_.row().constants) {
		aclScalar scalar{};
		scalar.real = static_cast<double>(constant.value);
		scalar.integer = constant.value;
		if (constant.form == Form::SCALAR)
			plan_.add_scalar(constant.attribute, scalar, as_real);
		else
			plan_.add_integer(constant.attribute, constant.value);
	}
}

aclnnStatus Broadcast::run()
{
	aclnnStatus status = choose_types();
	if (status == OK)
		status = find_shape();
	if (status == OK)
		status = place_all();
	if (status == OK)
		add_attributes();
	return status;
}

constexpr uint64_t most_members = UNPU_TENSOR_MAX_OPERANDS - 1;

/* widen() - broadcasts @shape with the shape of @tensor. Return: false if these shapes can't be broadcast. */
bool widen(Shape &shape, const aclTensor &tensor)
{
	if (tensor.ndim > shape.ndim) {
		const unsigned more = tensor.ndim - shape.ndim;
		std::copy_backward(shape.dims, shape.dims + shape.ndim, shape.dims + tensor.ndim);
		std::fill_n(shape.dims, more, 1);
		shape.ndim = tensor.ndim;
	}
	const unsigned missing = shape.ndim - tensor.ndim;
	for (unsigned d = 0; d < tensor.ndim; d++) {
		int64_t &size = shape.dims[missing + d];
		if (size != 1 && tensor.dims[d] != 1 && size != tensor.dims[d])
			return false;
		size = size == 1 ? tensor.dims[d] : size;
	}
	return true;
}

aclnnStatus check_members(Plan &plan, const aclTensorList &list, Shape &shape)
{
	Promotion promotion;
	if (list.size == 0 || list.size > most_members)
		return plan.fail("tensors has " + std::to_string(list.size) +
				 " members; allowed are 1 to " + std::to_string(most_members));
	for (size_t k = 0; k < list.size; k++) {
		const aclTensor &member = plan.member(0, k);
		const Type type = find_tensor_type(member.dtype);
		if (type.dtype == 0)
			return plan.fail_member(0, k, numbers_allowed);
		promotion.add(type);
		const Shape before = shape;
		if (!widen(shape, member))
			return plan.fail_member(0, k,
						"it can't be broadcast with the members before "
						"it, whose shape is " +
							print_shape(before.dims, before.ndim));
	}
	return promotion.finish(plan, 1);
}

} // namespace

aclnnStatus plan_elementwise(Plan &plan)
{
	return Broadcast(plan).run();
}

/* (x, approximate, y) */
aclnnStatus plan_gelu(Plan &plan)
{
	const int64_t approximate = plan.argument(1).integer;
	if (approximate != 0 && approximate != 1)
		return plan.fail("approximate is " + std::to_string(approximate) +
				 "; allowed are 0 and 1");
	return plan_elementwise(plan);
}

/* (tensors, out) */
aclnnStatus plan_sum(Plan &plan)
{
	const aclTensorList &list = *plan.argument(0).tensors;
	Operands operands(plan);
	Shape shape;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = check_members(plan, list, shape);
	if (status == OK)
		status = operands.check_shape(0, shape);
	if (status == OK)
		status = operands.load();
	for (size_t k = 0; status == OK && k < list.size; k++) {
		PlanView view;
		status = plan.make_member_view(0, k, view);
		if (status != OK)
			break;
		broadcast_to(view, shape);
		plan.add_operand(1, UNPU_ACCESS_READ, view, 0, k);
	}
	return status == OK ? operands.finish() : status;
}

/* (self, weight, out): one weight, or one for each channel, which are dim 1 of self. */
aclnnStatus plan_prelu(Plan &plan)
{
	enum Slot : unsigned { OUT, SELF, WEIGHT };
	Operands operands(plan);
	Promotion promotion;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_rank(WEIGHT, 0, 1);
	for (const unsigned slot : {SELF, WEIGHT})
		promotion.add(operands.type(slot));
	if (status == OK)
		status = promotion.finish(plan, operands.argument(OUT));
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	const Shape shape = operands[SELF];
	PlanView &weight = operands[WEIGHT];
	if (weight.ndim == 1 && weight.dims[0] != 1)
		for (unsigned d = 2; d < shape.ndim; d++)
			insert_dim(weight, weight.ndim);
	const bool is_one = weight.ndim == 0 || weight.dims[0] == 1;
	if ((!is_one && shape.ndim < 2) || !broadcast_to(weight, shape))
		return operands.fail(WEIGHT, "it must have one element, or one for each element of "
					     "dim 1 of self");
	status = operands.check_shape(OUT, shape);
	return status == OK ? operands.finish() : status;
}

/* (self, vec2, out) */
aclnnStatus plan_ger(Plan &plan)
{
	Operands operands(plan);
	Promotion promotion;
	aclnnStatus status = operands.check_numbers();
	for (const unsigned slot : {1u, 2u}) {
		if (status == OK)
			status = operands.check_rank(slot, 1, 1);
		promotion.add(operands.type(slot));
	}
	if (status == OK)
		status = promotion.finish(plan, operands.argument(0));
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	PlanView &self = operands[1], &other = operands[2];
	const Shape shape = {self.dims[0], other.dims[0]};
	status = operands.check_shape(0, shape);
	if (status != OK)
		return status;
	insert_dim(self, 1);
	broadcast_to(self, shape);
	broadcast_to(other, shape);
	return operands.finish();
}

} // namespace umd
