// SPDX-License-Identifier: MIT
#pragma once

#include "plan.h"

namespace umd {

/* numbers_allowed - what is allowed for a tensor of another type than find_tensor_type() knows. */
inline constexpr const char *numbers_allowed =
	"allowed are FLOAT, FLOAT16, BF16, DOUBLE, INT8, INT16, INT32, INT64, UINT8 and BOOL";

/* struct Shape - the dims that an operand must have. */
struct Shape {
	Shape() = default;
	Shape(const PlanView &view) : ndim(view.ndim) { std::copy_n(view.dims, ndim, dims); }
	Shape(std::initializer_list<int64_t> sizes)
	{
		for (const int64_t size : sizes)
			dims[ndim++] = size;
	}

	unsigned ndim = 0;
	int64_t dims[max_dims] = {};
};

/*
 * class Operands - the tensors of an operator by slot. A rule loads them, checks them, changes their views into the
 * form that the kind has on the wire, and finishes.
 */
class Operands {
public:
	explicit Operands(Plan &plan);

	/* load() - makes the view of each tensor that is there. Lists are not loaded.
	 * @dense: a slot whose elements follow each other, whatever its strides are */
	aclnnStatus load(unsigned dense = UNPU_TENSOR_MAX_SLOTS);

	bool has(unsigned slot) const;

	/* leave_out() - the operator does not need the tensor. */
	void leave_out(unsigned slot);
	PlanView &operator[](unsigned slot) { return views_[slot]; }
	const aclTensor &tensor(unsigned slot) const
	{
		return *plan_.argument(arguments_[slot]).tensor;
	}
	size_t argument(unsigned slot) const { return arguments_[slot]; }
	Type type(unsigned slot) const { return find_tensor_type(tensor(slot).dtype); }

	/* check_numbers() - each tensor has a type of the device. */
	aclnnStatus check_numbers() const;

	/* check_floating() - each tensor is FLOAT, FLOAT16 or BF16; arithmetic is done in F32.
	 * @others: bits of slots that have other types */
	aclnnStatus check_floating(unsigned others = 0);

	aclnnStatus check_index(unsigned slot) const;
	aclnnStatus check_same_type(unsigned slot, unsigned other) const;
	aclnnStatus check_rank(unsigned slot, unsigned least, unsigned most) const;
	aclnnStatus check_shape(unsigned slot, const Shape &shape) const;
	aclnnStatus find_dim(unsigned slot, int64_t value, unsigned &dim) const
	{
		return plan_.find_dim(arguments_[slot], value, "dim", dim);
	}

	aclnnStatus fail(unsigned slot, const std::string &text) const
	{
		return plan_.fail_tensor(arguments_[slot], text);
	}

	/* finish() - adds all operands. An operator without results is empty. */
	aclnnStatus finish();

private:
	uint8_t access(unsigned slot) const;

	Plan &plan_;
	size_t arguments_[UNPU_TENSOR_MAX_SLOTS];
	PlanView views_[UNPU_TENSOR_MAX_SLOTS];
};

/*
 * class Promotion - the type of the arithmetic of several operands: the most general one, as torch has it. The result
 * selects only how it is stored, and must be as general.
 */
class Promotion {
public:
	void add(const Type &type);

	/* finish() - sets the type. @result: argument of the result */
	aclnnStatus finish(Plan &plan, size_t result) const;

private:
	Category category_ = Category::TRUTH;
	bool is_double_ = false;
};

/* add_attributes() - the arguments and constants of the entry point that are attributes of the kind.
 * @type: selects whether scalars are integers or reals */
aclnnStatus add_attributes(Plan &plan, const Type &type);

/* add_element() - scalar argument @i, which becomes elements of type @type. */
aclnnStatus add_element(Plan &plan, unsigned attribute, size_t i, const Type &type);

/* check_entries() - array @i has @count entries of @least to INT32_MAX each. */
aclnnStatus check_entries(const Plan &plan, size_t i, uint64_t count, int64_t least);

/* count_elements() - the product of the dims; INT64_MAX where it is larger. */
int64_t count_elements(const int64_t *dims, unsigned ndim);

/* insert_dim() - adds a dim of size 1 before dim @dim. */
void insert_dim(PlanView &view, unsigned dim);
void move_to_end(PlanView &view, unsigned dim);
void move_to_front(PlanView &view, unsigned dim);

/* join_dims() - makes one dim of @count dims from @first on. Return: false if no stride can serve them. */
bool join_dims(PlanView &view, unsigned first, unsigned count);

/* broadcast_to() - gives @view the shape by stride 0. Return: false where dims do not fit. */
bool broadcast_to(PlanView &view, const Shape &shape);

} // namespace umd
