// SPDX-License-Identifier: MIT
/*
 * DOC: Rules of joins and pads
 *
 * Cat, Stack, the splits, ConstantPadNd, the pads by copies and Roll move elements of one type. On the wire pads have
 * an entry for each dim, outermost first, and none is negative: a negative pad cuts the operand's view.
 */
#include <vector>

#include "operands.h"

namespace umd {

namespace {

/* class Joined - collects the tensors in the list of Cat. */
class Joined {
public:
	explicit Joined(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus run();

private:
	const aclTensorList &list() const { return *plan_.argument(0).tensors; }
	aclnnStatus check_member(size_t k);
	aclnnStatus add_member(size_t k);

	Plan &plan_;
	Operands operands_;
	unsigned dim_ = 0;
	unsigned count_ = 0; /* number of tensors with elements */
	int64_t left_ = 0;   /* elements of the result's dim that are not covered yet */
};

/* Whether a tensor is ignored. Programs pass a tensor of shape [0] as the first one of a list. */
bool is_none(const aclTensor &tensor)
{
	return tensor.ndim == 1 && tensor.dims[0] == 0;
}

aclnnStatus Joined::check_member(size_t k)
{
	const aclTensor &member = plan_.member(0, k), &out = operands_.tensor(0);
	if (member.dtype != out.dtype)
		return plan_.fail_member(0, k, "the result has the type " + print_type(out.dtype));
	if (is_none(member))
		return OK;
	bool fits = member.ndim == out.ndim;
	for (unsigned d = 0; fits && d < out.ndim; d++)
		fits = d == dim_ ? member.dims[d] <= left_ : member.dims[d] == out.dims[d];
	if (!fits)
		return plan_.fail_member(0, k,
					 "it does not fit along dim " + std::to_string(dim_) +
						 " into the result's shape " + print_shape(out));
	left_ -= member.dims[dim_];
	return OK;
}

/* Adds a tensor. A descriptor has room for 16 operands. */
aclnnStatus Joined::add_member(size_t k)
{
	PlanView view;
	const aclnnStatus status = plan_.make_member_view(0, k, view);
	if (status != OK || !has_elements(view))
		return status;
	if (++count_ == UNPU_TENSOR_MAX_OPERANDS)
		return plan_.fail("tensors has more than " +
				  std::to_string(UNPU_TENSOR_MAX_OPERANDS - 1) +
				  " members with elements");
	plan_.add_operand(1, UNPU_ACCESS_READ, view, 0, k);
	return OK;
}

aclnnStatus Joined::run()
{
	aclnnStatus status = operands_.check_numbers();
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = operands_.find_dim(0, plan_.argument(1).integer, dim_);
	if (status != OK)
		return status;
	left_ = operands_[0].dims[dim_];
	for (size_t k = 0; k < list().size && status == OK; k++) {
		status = check_member(k);
		if (status == OK)
			status = add_member(k);
	}
	if (status != OK)
		return status;
	if (left_ != 0)
		return operands_.fail(0, "its dim " + std::to_string(dim_) + " has " +
						 std::to_string(left_) +
						 " elements more than the tensors together");
	plan_.add_integer(0, dim_);
	return operands_.finish();
}

/* class Split - gives the results of a list their parts of the operand. */
class Split {
public:
	explicit Split(Plan &plan) : plan_(plan), operands_(plan) {}

	aclnnStatus run();

private:
	const aclTensorList &list() const { return *plan_.argument(3).tensors; }
	aclnnStatus check_count(uint64_t parts) const;
	aclnnStatus find_sizes();
	aclnnStatus add_members();

	Plan &plan_;
	Operands operands_;
	unsigned dim_ = 0;
	std::vector<int64_t> sizes_; /* along the dim, of each result */
};

aclnnStatus Split::check_count(uint64_t parts) const
{
	return list().size == parts
		       ? OK
		       : plan_.fail("out has " + std::to_string(list().size) +
				    " members; self has " + std::to_string(parts) + " parts");
}

/* The second argument is the size of all but the last result, or an array with the size of each. */
aclnnStatus Split::find_sizes()
{
	const int64_t whole = operands_[1].dims[dim_];
	int64_t left = whole;
	if (plan_.row().arguments[1].form == Form::INTEGERS) {
		const aclIntArray &given = *plan_.argument(1).integers;
		if (const aclnnStatus status = check_count(given.size); status != OK)
			return status;
		sizes_.assign(given.values.get(), given.values.get() + given.size);
		for (const int64_t size : sizes_) {
			if (size < 0 || size > left)
				return plan_.fail("splitSize has the entry " +
						  std::to_string(size) + "; dim " +
						  std::to_string(dim_) + " of self has " +
						  std::to_string(left) + " elements left");
			left -= size;
		}
		return left == 0 ? OK
				 : plan_.fail("splitSize has entries for " +
					      std::to_string(whole - left) + " elements; dim " +
					      std::to_string(dim_) + " of self has " +
					      std::to_string(whole));
	}
	const int64_t each = plan_.argument(1).integer;
	if (each < 0 || (each == 0 && whole != 0))
		return plan_.fail("splitSections is " + std::to_string(each) +
				  "; it must be positive, and less than 2^63");
	const int64_t parts = whole == 0 ? 1 : (whole - 1) / each + 1;
	if (const aclnnStatus status = check_count(static_cast<uint64_t>(parts)); status != OK)
		return status;
	for (; left > 0; left -= each)
		sizes_.push_back(std::min(each, left));
	if (whole == 0)
		sizes_.push_back(0);
	return OK;
}

aclnnStatus Split::add_members()
{
	unsigned count = 0;
	for (size_t k = 0; k < list().size; k++) {
		const aclTensor &member = plan_.member(3, k), &self = operands_.tensor(1);
		Shape shape = operands_[1];
		shape.dims[dim_] = sizes_[k];
		if (member.dtype != self.dtype)
			return plan_.fail_member(3, k,
						 "self has the type " + print_type(self.dtype));
		if (member.ndim != shape.ndim ||
		    !std::equal(shape.dims, shape.dims + shape.ndim, member.dims))
			return plan_.fail_member(3, k,
						 "the result has shape " +
							 print_shape(shape.dims, shape.ndim));
		PlanView view;
		const aclnnStatus status = plan_.make_member_view(3, k, view);
		if (status != OK)
			return status;
		if (!has_elements(view))
			continue;
		if (++count == UNPU_TENSOR_MAX_OPERANDS)
			return plan_.fail("out has more than " +
					  std::to_string(UNPU_TENSOR_MAX_OPERANDS - 1) +
					  " members with elements");
		plan_.add_operand(0, UNPU_ACCESS_WRITE, view, 3, k);
	}
	return OK;
}

aclnnStatus Split::run()
{
	aclnnStatus status = operands_.check_numbers();
	if (status == OK)
		status = operands_.load();
	if (status == OK)
		status = operands_.find_dim(1, plan_.argument(2).integer, dim_);
	if (status == OK)
		status = find_sizes();
	if (status == OK)
		status = add_members();
	if (status != OK)
		return status;
	plan_.add_integer(0, dim_);
	plan_.add_operand(1, UNPU_ACCESS_READ, operands_[1], 0);
	if (!has_elements(operands_[1]))
		plan_.note_empty();
	return OK;
}

/* class Pad - how many elements the result has before and after the operand, for each dim. */
class Pad {
public:
	explicit Pad(Plan &plan) : plan_(plan), operands(plan) {}

	aclnnStatus begin();
	aclnnStatus set(unsigned dim, int64_t low, int64_t high);
	aclnnStatus finish();

private:
	Plan &plan_;

public:
	Operands operands;

private:
	int64_t low_[max_dims] = {}, high_[max_dims] = {};
};

aclnnStatus Pad::begin()
{
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	return status == OK ? operands.load() : status;
}

/* Sets the pads of a dim. A negative pad makes the operand's view smaller. */
aclnnStatus Pad::set(unsigned dim, int64_t low, int64_t high)
{
	PlanView &self = operands[1];
	const int64_t cut = std::min<int64_t>(low, 0);
	int64_t size;
	if (low == INT64_MIN || __builtin_add_overflow(self.dims[dim], cut, &size) ||
	    __builtin_add_overflow(size, std::min<int64_t>(high, 0), &size) || size < 0)
		return operands.fail(1, "dim " + std::to_string(dim) +
						" has fewer elements than are cut off");
	if (size > 0 && has_elements(self))
		self.address += static_cast<uint64_t>(-cut) *
				static_cast<uint64_t>(self.strides[dim]) *
				static_cast<uint64_t>(operands.type(1).bytes);
	self.dims[dim] = size;
	self.strides[dim] = size == 1 ? 0 : self.strides[dim];
	low_[dim] = std::max<int64_t>(low, 0);
	high_[dim] = std::max<int64_t>(high, 0);
	return OK;
}

aclnnStatus Pad::finish()
{
	Shape shape = operands[1];
	for (unsigned d = 0; d < shape.ndim; d++)
		if (__builtin_add_overflow(shape.dims[d], low_[d], &shape.dims[d]) ||
		    __builtin_add_overflow(shape.dims[d], high_[d], &shape.dims[d]))
			return operands.fail(0, "a dim of the result is too large");
	aclnnStatus status = operands.check_shape(0, shape);
	if (status == OK)
		status = plan_.add_integers(0, {low_, shape.ndim});
	if (status == OK)
		status = plan_.add_integers(1, {high_, shape.ndim});
	return status == OK ? operands.finish() : status;
}

/* add_shift() - adds @shift to the shift of a dim of @size elements, modulo its size. */
void add_shift(int64_t &sum, int64_t shift, int64_t size)
{
	if (size > 0)
		sum = (sum + shift % size) % size;
}

aclnnStatus finish_roll(Plan &plan, Operands &operands, std::span<const int64_t> shifts)
{
	const aclnnStatus status = plan.add_integers(0, shifts);
	return status == OK ? operands.finish() : status;
}

/* Without dims, the whole operand is shifted as one flat row, by one shift. */
aclnnStatus plan_flat_roll(Plan &plan, Operands &operands)
{
	const aclIntArray &shifts = *plan.argument(1).integers;
	if (shifts.size != 1)
		return plan.fail("dims is empty, so shifts must have 1 entry, not " +
				 std::to_string(shifts.size));
	int64_t sum = 0;
	add_shift(sum, shifts.values[0], count_elements(operands[0].dims, operands[0].ndim));
	PlanView out = operands[0], self = operands[1];
	/* Long rows are copied faster, so the dims are joined if possible. */
	if (join_dims(out, 0, out.ndim) && join_dims(self, 0, self.ndim)) {
		operands[0] = out;
		operands[1] = self;
	}
	return finish_roll(plan, operands, {&sum, 1});
}

} // namespace

/* (self, splitSections or splitSize, dim, out) */
aclnnStatus plan_split(Plan &plan)
{
	return Split(plan).run();
}

/* (tensors, dim, out) */
aclnnStatus plan_cat(Plan &plan)
{
	return Joined(plan).run();
}

/* (tensors, dim, out): each tensor is one element of a new dim. */
aclnnStatus plan_stack(Plan &plan)
{
	const aclTensorList &list = *plan.argument(0).tensors;
	Operands operands(plan);
	unsigned dim = 0;
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.find_dim(0, plan.argument(1).integer, dim);
	if (status != OK)
		return status;
	const PlanView &out = operands[0];
	if (list.size == 0 || list.size >= UNPU_TENSOR_MAX_OPERANDS ||
	    out.dims[dim] != static_cast<int64_t>(list.size))
		return operands.fail(0, "tensors has " + std::to_string(list.size) +
						" members; allowed are 1 to " +
						std::to_string(UNPU_TENSOR_MAX_OPERANDS - 1) +
						", as many as dim " + std::to_string(dim) + " has");
	for (size_t k = 0; k < list.size; k++) {
		const aclTensor &member = plan.member(0, k);
		PlanView view;
		if (member.dtype != operands.tensor(0).dtype)
			return plan.fail_member(0, k,
						"the result has the type " +
							print_type(operands.tensor(0).dtype));
		bool fits = member.ndim + 1 == out.ndim;
		for (unsigned d = 0; fits && d < member.ndim; d++)
			fits = member.dims[d] == out.dims[d + (d >= dim)];
		if (!fits)
			return plan.fail_member(0, k,
						"it does not fit into the result's shape " +
							print_shape(operands.tensor(0)));
		status = plan.make_member_view(0, k, view);
		if (status != OK)
			return status;
		insert_dim(view, dim);
		plan.add_operand(1, UNPU_ACCESS_READ, view, 0, k);
	}
	plan.add_integer(0, dim);
	return operands.finish();
}

/* (self, pad, value, out): pad has two entries for each dim from the last one on. */
aclnnStatus plan_constant_pad(Plan &plan)
{
	Pad pad(plan);
	aclnnStatus status = pad.begin();
	if (status != OK)
		return status;
	const aclIntArray &sizes = *plan.argument(1).integers;
	const unsigned ndim = pad.operands[1].ndim;
	if (sizes.size % 2 != 0 || sizes.size > 2 * ndim)
		return pad.operands.fail(1, "pad has " + std::to_string(sizes.size) +
						    " entries; it must have 2 for each of its last "
						    "dims");
	for (unsigned k = 0; 2 * k < sizes.size && status == OK; k++)
		status = pad.set(ndim - 1 - k, sizes.values[2 * k], sizes.values[2 * k + 1]);
	if (status == OK)
		status = add_element(plan, 2, 2, pad.operands.type(0));
	return status == OK ? pad.finish() : status;
}

namespace {

/* plan_copied_pad() - (self, padding, out): elements of self around its last @dims dims. padding has two entries for
 * each of them, from the last one on. */
aclnnStatus plan_copied_pad(Plan &plan, unsigned dims)
{
	Pad pad(plan);
	aclnnStatus status = pad.begin();
	if (status == OK)
		status = pad.operands.check_rank(1, dims + 1, dims + 2);
	if (status == OK)
		status = check_entries(plan, 1, 2 * dims, 0);
	if (status != OK)
		return status;
	const int64_t *sizes = plan.argument(1).integers->values.get();
	const bool is_mirrored = plan.row().kind == UNPU_TENSOR_REFLECTION_PAD;
	for (unsigned k = 0; k < dims && status == OK; k++) {
		const unsigned dim = pad.operands[1].ndim - 1 - k;
		const int64_t most = std::max(sizes[2 * k], sizes[2 * k + 1]);
		const int64_t size = pad.operands[1].dims[dim];
		if (is_mirrored ? most >= size : most > 0 && size == 0)
			return pad.operands.fail(1, is_mirrored
							    ? "padding must be smaller than dim " +
								      std::to_string(dim)
							    : "dim " + std::to_string(dim) +
								      " has no element to repeat");
		status = pad.set(dim, sizes[2 * k], sizes[2 * k + 1]);
	}
	return status == OK ? pad.finish() : status;
}

} // namespace

aclnnStatus plan_pad_1d(Plan &plan)
{
	return plan_copied_pad(plan, 1);
}

aclnnStatus plan_pad_2d(Plan &plan)
{
	return plan_copied_pad(plan, 2);
}

aclnnStatus plan_pad_3d(Plan &plan)
{
	return plan_copied_pad(plan, 3);
}

/* (x, shifts, dims, out) */
aclnnStatus plan_roll(Plan &plan)
{
	Operands operands(plan);
	aclnnStatus status = operands.check_numbers();
	if (status == OK)
		status = operands.check_same_type(0, 1);
	if (status == OK)
		status = operands.load();
	if (status == OK)
		status = operands.check_shape(0, operands[1]);
	if (status != OK)
		return status;
	const aclIntArray &shifts = *plan.argument(1).integers, &dims = *plan.argument(2).integers;
	if (dims.size == 0)
		return plan_flat_roll(plan, operands);
	if (shifts.size != dims.size)
		return plan.fail("shifts has " + std::to_string(shifts.size) +
				 " entries; it must have as many as dims, " +
				 std::to_string(dims.size));
	int64_t sums[max_dims] = {};
	for (uint64_t i = 0; i < dims.size; i++) {
		unsigned dim = 0;
		status = plan.find_dim(operands.argument(1), dims.values[i], "an entry of dims",
				       dim);
		if (status != OK)
			return status;
		add_shift(sums[dim], shifts.values[i], operands[1].dims[dim]);
	}
	return finish_roll(plan, operands, {sums, operands[1].ndim});
}

} // namespace umd
