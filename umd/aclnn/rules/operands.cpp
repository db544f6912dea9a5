// SPDX-License-Identifier: MIT
/*
 * DOC: Operands by slot
 *
 * Functions that the rules of most operators share: they load, check and add tensors, and change views.
 */
#include "operands.h"

namespace umd {

namespace {

constexpr size_t absent = SIZE_MAX;

/* slot_letters() - the letters for the slots of a kind of operator, from UNPU_TENSOR_LIST. */
const char *slot_letters(uint32_t kind)
{
	switch (kind) {
#define SLOT_LETTERS(name, number, slots, attributes) \
	case number: \
		return slots;
		UNPU_TENSOR_LIST(SLOT_LETTERS)
#undef SLOT_LETTERS
	}
	return "";
}

} // namespace

Operands::Operands(Plan &plan) : plan_(plan)
{
	std::fill(std::begin(arguments_), std::end(arguments_), absent);
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	for (size_t i = 0; i < arguments.size(); i++) {
		if (arguments[i].form != Form::TENSOR || arguments[i].role == Role::PARAMETER ||
		    !plan.argument(i).tensor)
			continue;
		arguments_[arguments[i].place] = i;
		if (arguments[i].role == Role::BOTH)
			arguments_[arguments[i].source] = i;
	}
}

bool Operands::has(unsigned slot) const
{
	return arguments_[slot] != absent;
}

void Operands::leave_out(unsigned slot)
{
	arguments_[slot] = absent;
}

aclnnStatus Operands::load(unsigned dense)
{
	for (unsigned slot = 0; slot < UNPU_TENSOR_MAX_SLOTS; slot++) {
		if (!has(slot))
			continue;
		const aclnnStatus status =
			slot == dense ? plan_.make_dense_view(arguments_[slot], views_[slot])
				      : plan_.make_view(arguments_[slot], views_[slot]);
		if (status != OK)
			return status;
	}
	return OK;
}

aclnnStatus Operands::check_numbers() const
{
	for (unsigned slot = 0; slot < UNPU_TENSOR_MAX_SLOTS; slot++)
		if (has(slot) && type(slot).dtype == 0)
			return fail(slot, numbers_allowed);
	return OK;
}

aclnnStatus Operands::check_floating(unsigned others)
{
	for (unsigned slot = 0; slot < UNPU_TENSOR_MAX_SLOTS; slot++)
		if (has(slot) && !(others & 1u << slot) &&
		    (type(slot).category != Category::FLOATING || type(slot).bytes > 4))
			return fail(slot, "allowed are FLOAT, FLOAT16 and BF16");
	plan_.set_compute(UNPU_DTYPE_F32);
	return OK;
}

aclnnStatus Operands::check_index(unsigned slot) const
{
	const uint32_t dtype = type(slot).dtype;
	return dtype == UNPU_DTYPE_I32 || dtype == UNPU_DTYPE_I64
		       ? OK
		       : fail(slot, "allowed are INT32 and INT64");
}

aclnnStatus Operands::check_same_type(unsigned slot, unsigned other) const
{
	return tensor(slot).dtype == tensor(other).dtype
		       ? OK
		       : fail(slot, "it must have the type " + print_type(tensor(other).dtype));
}

aclnnStatus Operands::check_rank(unsigned slot, unsigned least, unsigned most) const
{
	if (tensor(slot).ndim >= least && tensor(slot).ndim <= most)
		return OK;
	const std::string range = least == most
					  ? std::to_string(least)
					  : std::to_string(least) + " to " + std::to_string(most);
	return fail(slot, "it must have " + range + (most == 1 ? " dim" : " dims"));
}

aclnnStatus Operands::check_shape(unsigned slot, const Shape &shape) const
{
	const aclTensor &given = tensor(slot);
	if (given.ndim == shape.ndim && std::equal(shape.dims, shape.dims + shape.ndim, given.dims))
		return OK;
	const bool is_result = access(slot) & UNPU_ACCESS_WRITE;
	return fail(slot, (is_result ? "the result has shape " : "it must have shape ") +
				  print_shape(shape.dims, shape.ndim));
}

uint8_t Operands::access(unsigned slot) const
{
	switch (slot_letters(plan_.row().kind)[slot]) {
	case 'w':
	case 'v':
	case 'm':
		return UNPU_ACCESS_WRITE;
	case 'q':
		return UNPU_ACCESS_WRITE | UNPU_ACCESS_PARTIAL;
	case 'p':
		return UNPU_ACCESS_READ | UNPU_ACCESS_PARTIAL;
	default:
		return UNPU_ACCESS_READ;
	}
}

aclnnStatus Operands::finish()
{
	bool has_results = false;
	for (unsigned slot = 0; slot < UNPU_TENSOR_MAX_SLOTS; slot++) {
		if (!has(slot))
			continue;
		const PlanView &view = views_[slot];
		plan_.add_operand(slot, access(slot), view, arguments_[slot]);
		if (access(slot) & UNPU_ACCESS_WRITE)
			has_results = has_results || has_elements(view);
	}
	if (!has_results)
		plan_.note_empty();
	return OK;
}

void Promotion::add(const Type &type)
{
	category_ = std::max(category_, type.category);
	is_double_ = is_double_ || type.dtype == UNPU_DTYPE_F64;
}

aclnnStatus Promotion::finish(Plan &plan, size_t result) const
{
	const bool is_floating = category_ == Category::FLOATING;
	if (category_ > find_tensor_type(plan.argument(result).tensor->dtype).category)
		return plan.fail_tensor(result, is_floating ? "the result is floating"
							    : "the result is an integer");
	const uint32_t floating = is_double_ ? uint32_t{UNPU_DTYPE_F64} : uint32_t{UNPU_DTYPE_F32};
	plan.set_compute(is_floating ? floating : uint32_t{UNPU_DTYPE_I64});
	return OK;
}

aclnnStatus add_attributes(Plan &plan, const Type &type)
{
	const bool as_real = type.category == Category::FLOATING;
	const std::span<const ArgumentRow> arguments = plan.row().arguments;
	for (const ConstantRow &constant : plan.row().constants)
		plan.add_integer(constant.attribute, constant.value);
	for (size_t i = 0; i < arguments.size(); i++) {
		const Argument &value = plan.argument(i);
		const unsigned place = arguments[i].place;
		aclnnStatus status = OK;
		if (arguments[i].role != Role::ATTRIBUTE)
			continue;
		if (arguments[i].form == Form::INTEGER)
			plan.add_integer(place, value.integer);
		else if (arguments[i].form == Form::REAL)
			plan.add_real(place, value.real);
		else if (arguments[i].form == Form::SCALAR && value.scalar)
			plan.add_scalar(place, *value.scalar, as_real);
		else if (arguments[i].form == Form::INTEGERS && value.integers)
			status = plan.add_integers(
				place, {value.integers->values.get(), value.integers->size},
				arguments[i].name);
		if (status != OK)
			return status;
	}
	return OK;
}

aclnnStatus add_element(Plan &plan, unsigned attribute, size_t i, const Type &type)
{
	const aclScalar &scalar = *plan.argument(i).scalar;
	if (type.category != Category::FLOATING && has_fraction(scalar))
		return plan.fail(std::string(plan.row().arguments[i].name) + " is " +
				 std::to_string(scalar.real) +
				 "; it must be an integer, as the tensors are");
	plan.add_scalar(attribute, scalar, type.category == Category::FLOATING);
	return OK;
}

aclnnStatus check_entries(const Plan &plan, size_t i, uint64_t count, int64_t least)
{
	const aclIntArray &array = *plan.argument(i).integers;
	const std::string name = plan.row().arguments[i].name;
	if (array.size != count)
		return plan.fail(name + " has " + std::to_string(array.size) +
				 " entries; it must have " + std::to_string(count));
	for (uint64_t k = 0; k < count; k++)
		if (array.values[k] < least || array.values[k] > INT32_MAX)
			return plan.fail(name + " has the entry " +
					 std::to_string(array.values[k]) + "; allowed are " +
					 std::to_string(least) + " to " +
					 std::to_string(INT32_MAX));
	return OK;
}

int64_t count_elements(const int64_t *dims, unsigned ndim)
{
	int64_t count = 1;
	if (std::find(dims, dims + ndim, 0) != dims + ndim)
		return 0;
	for (unsigned d = 0; d < ndim; d++)
		if (__builtin_mul_overflow(count, dims[d], &count))
			return INT64_MAX;
	return count;
}

void insert_dim(PlanView &view, unsigned dim)
{
	std::copy_backward(view.dims + dim, view.dims + view.ndim, view.dims + view.ndim + 1);
	std::copy_backward(view.strides + dim, view.strides + view.ndim,
			   view.strides + view.ndim + 1);
	view.dims[dim] = 1;
	view.strides[dim] = 0;
	view.ndim++;
}

void move_to_end(PlanView &view, unsigned dim)
{
	std::rotate(view.dims + dim, view.dims + dim + 1, view.dims + view.ndim);
	std::rotate(view.strides + dim, view.strides + dim + 1, view.strides + view.ndim);
}

void move_to_front(PlanView &view, unsigned dim)
{
	std::rotate(view.dims, view.dims + dim, view.dims + dim + 1);
	std::rotate(view.strides, view.strides + dim, view.strides + dim + 1);
}

bool join_dims(PlanView &view, unsigned first, unsigned count)
{
	int64_t size = 1, stride = 0;
	for (unsigned d = first + count; d-- > first;) {
		if (view.dims[d] == 1)
			continue;
		int64_t step;
		if (size == 1)
			stride = view.strides[d];
		else if (__builtin_mul_overflow(stride, size, &step) ||
			 (size != 0 && view.dims[d] != 0 && view.strides[d] != step))
			return false;
		if (__builtin_mul_overflow(size, view.dims[d], &size))
			return false;
	}
	if (count == 0) {
		insert_dim(view, first);
		return true;
	}
	std::copy(view.dims + first + count, view.dims + view.ndim, view.dims + first + 1);
	std::copy(view.strides + first + count, view.strides + view.ndim, view.strides + first + 1);
	view.dims[first] = size;
	view.strides[first] = size == 1 ? 0 : stride;
	view.ndim -= count - 1;
	return true;
}

bool broadcast_to(PlanView &view, const Shape &shape)
{
	if (view.ndim > shape.ndim)
		return false;
	while (view.ndim < shape.ndim)
		insert_dim(view, 0);
	for (unsigned d = 0; d < shape.ndim; d++) {
		if (view.dims[d] != 1 && view.dims[d] != shape.dims[d])
			return false;
		view.dims[d] = shape.dims[d]; /* The stride of a dim of size 1 is 0. */
	}
	return true;
}

} // namespace umd
