// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of the operators that work along dims
 *
 * Softmax, Cumsum, ArgMax and Argsort work along one dim, which is the last dim of the views on the wire.
 * ReduceSum, Mean and Norm work along a set of dims. On the wire the result keeps each reduced dim, with size
 * 1.
 */
#include <algorithm>

#include "operands.h"

namespace umd {

namespace {

/* class Rows - the operand, the result and the dims along which the operator works. */
class Rows {
public:
	explicit Rows(Plan &plan);

	const Type &type() const { return type_; }
	aclnnStatus check_types();
	aclnnStatus add_dim(int64_t value);
	void add_all_dims();
	aclnnStatus reduce(bool keeps_dims);
	aclnnStatus check_dims(const int64_t *dims, unsigned ndim);
	aclnnStatus finish(bool has_last_dim);
	aclnnStatus fail_self(const std::string &text) { return plan_.fail_tensor(self_, text); }
	aclnnStatus fail_result(const std::string &text) { return plan_.fail_tensor(out_, text); }
	aclnnStatus check_length(int64_t limit);

	PlanView from, to;

private:
	bool has(unsigned d) const { return dims_ & 1u << d; }

	Plan &plan_;
	size_t self_ = 0, out_ = 0; /* positions of their arguments */
	Type type_{};		    /* type of the operand */
	unsigned dims_ = 0;	    /* bit set of dims */
};

Rows::Rows(Plan &plan) : plan_(plan)
{
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	for (size_t i = 0; i < arguments.size(); i++)
		if (arguments[i].form == Form::TENSOR)
			(arguments[i].role == Role::RESULT ? out_ : self_) = i;
	type_ = find_tensor_type(plan.argument(self_).tensor->dtype);
}

aclnnStatus Rows::check_types()
{
	const Type result = find_tensor_type(plan_.argument(out_).tensor->dtype);
	const bool is_floating = type_.category == Category::FLOATING && type_.bytes <= 4;
	if (plan_.row().types == Types::FLOATING && !is_floating)
		return fail_self("allowed are FLOAT, FLOAT16 and BF16");
	if (type_.dtype == 0)
		return fail_self(numbers_allowed);
	if (plan_.row().types == Types::INDEX) {
		if (result.dtype != UNPU_DTYPE_I32 && result.dtype != UNPU_DTYPE_I64)
			return fail_result("allowed are INT32 and INT64");
	} else if (result.dtype == 0 ||
		   (plan_.row().types != Types::TRUTH && result.category < type_.category)) {
		return fail_result(type_.category == Category::FLOATING ? "the result is floating"
									: "the result is a number");
	}
	uint32_t compute = UNPU_DTYPE_F32;
	if (type_.category != Category::FLOATING)
		compute = UNPU_DTYPE_I64;
	else if (type_.dtype == UNPU_DTYPE_F64 ||
		 (result.dtype == UNPU_DTYPE_F64 && plan_.row().types == Types::NUMBER))
		compute = UNPU_DTYPE_F64;
	plan_.set_compute(compute);
	const aclnnStatus status = plan_.make_view(self_, from);
	return status == OK ? plan_.make_view(out_, to) : status;
}

/* A tensor without dims counts as one of a single dim. */
aclnnStatus Rows::add_dim(int64_t value)
{
	if (from.ndim == 0 && (value == 0 || value == -1))
		return OK;
	unsigned dim = 0;
	if (const aclnnStatus status = plan_.find_dim(self_, value, "dim", dim); status != OK)
		return status;
	if (has(dim))
		return fail_self("dim has " + std::to_string(dim) + " twice");
	dims_ |= 1u << dim;
	return OK;
}

void Rows::add_all_dims()
{
	dims_ = (1u << from.ndim) - 1;
}

aclnnStatus Rows::check_dims(const int64_t *dims, unsigned ndim)
{
	if (to.ndim != ndim || !std::equal(dims, dims + ndim, to.dims))
		return fail_result("the result has shape " + print_shape(dims, ndim));
	if (std::find(dims, dims + ndim, 0) != dims + ndim)
		plan_.note_empty();
	return OK;
}

/* is_one() - whether a shape is [] or [1]. Programs use them interchangeably. */
bool is_one(const int64_t *dims, unsigned ndim)
{
	return ndim == 0 || (ndim == 1 && dims[0] == 1);
}

/* reduce() - checks the shape of the result, and adds the reduced dims that it lacks. */
aclnnStatus Rows::reduce(bool keeps_dims)
{
	int64_t dims[max_dims];
	unsigned ndim = 0;
	for (unsigned d = 0; d < from.ndim; d++)
		if (!has(d) || keeps_dims)
			dims[ndim++] = has(d) ? 1 : from.dims[d];
	if (is_one(dims, ndim) && is_one(to.dims, to.ndim)) {
		to.ndim = ndim;
		to.dims[0] = 1;
		to.strides[0] = 0;
	}
	if (const aclnnStatus status = check_dims(dims, ndim); status != OK)
		return status;
	const PlanView own = to;
	to.ndim = from.ndim;
	for (unsigned d = 0, at = 0; d < from.ndim; d++) {
		to.dims[d] = has(d) ? 1 : own.dims[at];
		to.strides[d] = has(d) ? 0 : own.strides[at];
		at += !has(d) || keeps_dims;
	}
	return OK;
}

/* check_length() - checks that the dims along which the operator works have at most @limit elements
 * together. */
aclnnStatus Rows::check_length(int64_t limit)
{
	int64_t dims[max_dims];
	unsigned ndim = 0;
	for (unsigned d = 0; d < from.ndim; d++)
		if (has(d))
			dims[ndim++] = from.dims[d];
	return count_elements(dims, ndim) <= limit
		       ? OK
		       : fail_self("a result depends on more elements of it than " +
				   std::to_string(limit) + ", which is the most");
}

aclnnStatus Rows::finish(bool has_last_dim)
{
	for (unsigned d = 0; has_last_dim && d < from.ndim; d++) {
		if (!has(d))
			continue;
		move_to_end(from, d);
		move_to_end(to, d);
		break;
	}
	plan_.add_operand(0, UNPU_ACCESS_WRITE, to, out_);
	plan_.add_operand(1, UNPU_ACCESS_READ, from, self_);
	return OK;
}

aclnnStatus check_dtype(Plan &plan, Rows &rows, size_t dtype, size_t out)
{
	const auto wanted = static_cast<aclDataType>(plan.argument(dtype).integer);
	if (wanted != plan.argument(out).tensor->dtype)
		return rows.fail_result("dtype is " + print_type(wanted));
	return OK;
}

aclnnStatus begin_along_dim(Plan &plan, Rows &rows)
{
	const aclnnStatus status = rows.check_types();
	return status == OK ? rows.add_dim(plan.argument(1).integer) : status;
}

aclnnStatus plan_same_shape(Plan &plan, Rows &rows, int64_t limit)
{
	aclnnStatus status = begin_along_dim(plan, rows);
	if (status == OK)
		status = rows.check_length(limit);
	if (status == OK)
		status = rows.check_dims(rows.from.dims, rows.from.ndim);
	return status == OK ? rows.finish(true) : status;
}

aclnnStatus add_dims(Rows &rows, const aclIntArray &dims)
{
	if (dims.size == 0)
		rows.add_all_dims();
	for (uint64_t i = 0; i < dims.size; i++)
		if (const aclnnStatus status = rows.add_dim(dims.values[i]); status != OK)
			return status;
	return OK;
}

/* finish_reduction() - the dims are added. */
aclnnStatus finish_reduction(Rows &rows, bool keeps_dims)
{
	aclnnStatus status = rows.check_length(UNPU_TENSOR_MAX_ROW);
	if (status == OK)
		status = rows.reduce(keeps_dims);
	return status == OK ? rows.finish(false) : status;
}

} // namespace

/* (self, dim, out) */
aclnnStatus plan_softmax(Plan &plan)
{
	Rows rows(plan);
	const bool is_log = plan.row().kind == UNPU_TENSOR_LOG_SOFTMAX;
	return plan_same_shape(plan, rows,
			       is_log ? UNPU_TENSOR_MAX_CLASSES : UNPU_TENSOR_MAX_SOFTMAX);
}

/* (self, dim, dtype, out) */
aclnnStatus plan_cumsum(Plan &plan)
{
	Rows rows(plan);
	const aclnnStatus status = check_dtype(plan, rows, 2, 3);
	return status == OK ? plan_same_shape(plan, rows, UNPU_TENSOR_MAX_ROW) : status;
}

/* (self, dim, descending, out) */
aclnnStatus plan_argsort(Plan &plan)
{
	Rows rows(plan);
	plan.add_integer(0, plan.argument(2).integer);
	return plan_same_shape(plan, rows, UNPU_TENSOR_MAX_SORTED);
}

/* (self, dim, keepdim, out) */
aclnnStatus plan_argmax(Plan &plan)
{
	Rows rows(plan);
	aclnnStatus status = begin_along_dim(plan, rows);
	if (status == OK)
		status = rows.check_length(UNPU_TENSOR_MAX_ROW);
	if (status == OK)
		status = rows.reduce(plan.argument(2).integer != 0);
	const PlanView &self = rows.from;
	if (status == OK &&
	    std::find(self.dims, self.dims + self.ndim, 0) != self.dims + self.ndim &&
	    std::find(rows.to.dims, rows.to.dims + self.ndim, 0) == rows.to.dims + self.ndim)
		return rows.fail_self("a dim without elements has no maximum");
	return status == OK ? rows.finish(true) : status;
}

/* (self, dims, keepDims, dtype, out): an empty list of dims means all dims. */
aclnnStatus plan_reduce(Plan &plan)
{
	Rows rows(plan);
	aclnnStatus status = check_dtype(plan, rows, 3, 4);
	if (status == OK)
		status = rows.check_types();
	if (status == OK)
		status = add_dims(rows, *plan.argument(1).integers);
	return status == OK ? finish_reduction(rows, plan.argument(2).integer != 0) : status;
}

/* (self, dim, keepDim, noopWithEmptyAxes, out) */
aclnnStatus plan_mean_v2(Plan &plan)
{
	Rows rows(plan);
	const aclIntArray &dims = *plan.argument(1).integers;
	const bool reduces = dims.size > 0 || plan.argument(3).integer == 0;
	aclnnStatus status = rows.check_types();
	if (status == OK && reduces)
		status = add_dims(rows, dims);
	return status == OK ? finish_reduction(rows, plan.argument(2).integer != 0) : status;
}

/* (self, out): all dims behind [N, C] */
aclnnStatus plan_global_pool(Plan &plan)
{
	Rows rows(plan);
	aclnnStatus status = rows.check_types();
	if (status == OK && rows.from.ndim < 2)
		return rows.fail_self("it must be [N, C, ..]");
	for (unsigned d = 2; status == OK && d < rows.from.ndim; d++)
		status = rows.add_dim(d);
	return status == OK ? finish_reduction(rows, true) : status;
}

namespace {

/* add_named_dims() - the dims that an array or a number names; all of them where the operator has neither.
 * @keeps: out, whether the result keeps them */
aclnnStatus add_named_dims(Plan &plan, Rows &rows, bool &keeps)
{
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	bool has_dims = false;
	aclnnStatus status = OK;
	for (size_t i = 0; status == OK && i < arguments.size(); i++) {
		if (arguments[i].role != Role::PARAMETER)
			continue;
		const std::string name = arguments[i].name;
		const Argument &value = plan.argument(i);
		if (arguments[i].form == Form::INTEGERS)
			status = add_dims(rows, *value.integers);
		else if (name == "dim")
			status = rows.add_dim(value.integer);
		else if (name == "dtype")
			status = check_dtype(plan, rows, i, arguments.size() - 1);
		else
			keeps = value.integer != 0;
		has_dims = has_dims || name.starts_with("dim");
	}
	if (!has_dims)
		rows.add_all_dims();
	return status;
}

/* has_no_start() - whether the reduction of no elements has no result. */
bool has_no_start(uint32_t kind)
{
	return kind == UNPU_TENSOR_REDUCE_MAX || kind == UNPU_TENSOR_REDUCE_MIN;
}

int64_t most_reduced(uint32_t kind)
{
	const bool is_slow = kind == UNPU_TENSOR_VAR || kind == UNPU_TENSOR_STD ||
			     kind == UNPU_TENSOR_LOG_SUM_EXP;
	return is_slow ? UNPU_TENSOR_MAX_FOLDED : UNPU_TENSOR_MAX_ROW;
}

} // namespace

/* (self, dims or a dim, keepDim, dtype, an attribute, out), of which any but self and out may be missing */
aclnnStatus plan_fold(Plan &plan)
{
	Rows rows(plan);
	bool keeps = false;
	aclnnStatus status = rows.check_types();
	if (status == OK)
		status = add_named_dims(plan, rows, keeps);
	if (status == OK)
		status = rows.check_length(most_reduced(plan.row().kind));
	if (status == OK)
		status = rows.reduce(keeps);
	if (status == OK && has_no_start(plan.row().kind) && !has_elements(rows.from) &&
	    has_elements(rows.to))
		return rows.fail_self("no elements have no extreme one");
	if (status == OK)
		status = add_attributes(plan, rows.type());
	return status == OK ? rows.finish(false) : status;
}

namespace {

/* enum ChoiceSlot - slots of an operator that chooses elements of a tensor, and gives them and their indices. */
enum ChoiceSlot : unsigned { CHOICE_VALUES, CHOICE_INDICES, CHOICE_SELF };

/* load_choice() - loads the operands of such an operator, and checks their types. */
aclnnStatus load_choice(Plan &plan, Operands &operands)
{
	Promotion promotion;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(CHOICE_VALUES, CHOICE_SELF);
	if (status == OK)
		status = operands.check_index(CHOICE_INDICES);
	if (status == OK)
		status = operands.load();
	if (status != OK)
		return status;
	promotion.add(operands.type(CHOICE_SELF));
	return promotion.finish(plan, operands.argument(CHOICE_VALUES));
}

} // namespace

/* (self, dim, keepdim, out, indices) */
aclnnStatus plan_extreme(Plan &plan)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = load_choice(plan, operands);
	if (status != OK)
		return status;
	PlanView &self = operands[CHOICE_SELF];
	const bool keeps = plan.argument(2).integer != 0 && self.ndim != 0;
	const int64_t told = plan.argument(1).integer;
	if (self.ndim == 0 && (told == 0 || told == -1))
		insert_dim(self, 0);
	else
		status = operands.find_dim(CHOICE_SELF, told, dim);
	if (status != OK)
		return status;
	if (self.dims[dim] == 0)
		return operands.fail(CHOICE_SELF, "a dim without elements has no extreme one");
	if (self.dims[dim] > UNPU_TENSOR_MAX_ROW)
		return operands.fail(CHOICE_SELF, "dim " + std::to_string(dim) + " has at most " +
							  std::to_string(UNPU_TENSOR_MAX_ROW) +
							  " elements");
	Shape shape;
	for (unsigned d = 0; d < self.ndim; d++)
		if (d != dim || keeps)
			shape.dims[shape.ndim++] = d == dim ? 1 : self.dims[d];
	for (const unsigned slot : {CHOICE_VALUES, CHOICE_INDICES}) {
		status = operands.check_shape(slot, shape);
		if (status != OK)
			return status;
		if (!keeps)
			insert_dim(operands[slot], dim);
		move_to_end(operands[slot], dim);
	}
	move_to_end(self, dim);
	return operands.finish();
}

namespace {

/* plan_first() - slots 0 and 1 get the first @count elements along a dim of slot 2, and their indices. */
aclnnStatus plan_first(Plan &plan, int64_t told, int64_t count)
{
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = load_choice(plan, operands);
	PlanView &self = operands[CHOICE_SELF];
	const bool has_dim = self.ndim != 0 || (told != 0 && told != -1);
	if (status == OK && has_dim)
		status = operands.find_dim(CHOICE_SELF, told, dim);
	if (status != OK)
		return status;
	const int64_t length = has_dim ? self.dims[dim] : 1;
	count = count < 0 ? length : count;
	if (count > length || length > UNPU_TENSOR_MAX_SORTED)
		return operands.fail(CHOICE_SELF,
				     "dim " + std::to_string(dim) + " must have at least " +
					     std::to_string(count) + " elements and at most " +
					     std::to_string(UNPU_TENSOR_MAX_SORTED));
	Shape shape = self;
	if (has_dim)
		shape.dims[dim] = count;
	for (const unsigned slot : {CHOICE_VALUES, CHOICE_INDICES})
		if (status == OK)
			status = operands.check_shape(slot, shape);
	for (const unsigned slot : {CHOICE_VALUES, CHOICE_INDICES, CHOICE_SELF})
		if (status == OK && has_dim)
			move_to_end(operands[slot], dim);
	return status == OK ? operands.finish() : status;
}

} // namespace

/* (self, k, dim, largest, sorted, valuesOut, indicesOut): the elements are sorted in any case */
aclnnStatus plan_topk(Plan &plan)
{
	const int64_t count = plan.argument(1).integer;
	if (count < 0)
		return plan.fail("k is " + std::to_string(count) + "; it must not be negative");
	plan.add_integer(0, plan.argument(3).integer != 0);
	return plan_first(plan, plan.argument(2).integer, count);
}

/* (self, stable, dim, descending, valuesOut, indicesOut): the order is stable in any case */
aclnnStatus plan_sort(Plan &plan)
{
	plan.add_integer(0, plan.argument(3).integer != 0);
	return plan_first(plan, plan.argument(2).integer, -1);
}

/* (self, order, dims, keepDims, out) or (self, order, dims, keepDims, dtype, out) */
aclnnStatus plan_norm(Plan &plan)
{
	Rows rows(plan);
	const bool has_dtype = plan.row().arguments.size() == 6;
	plan.add_scalar(0, *plan.argument(1).scalar, true);
	aclnnStatus status = has_dtype ? check_dtype(plan, rows, 4, 5) : OK;
	if (status == OK)
		status = rows.check_types();
	if (status == OK)
		status = add_dims(rows, *plan.argument(2).integers);
	return status == OK ? finish_reduction(rows, plan.argument(3).integer != 0) : status;
}

} // namespace umd
