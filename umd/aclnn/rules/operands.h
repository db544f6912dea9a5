// SPDX-License-Identifier: MIT
#pragma once

#include "plan.h"

namespace umd {

/* numbers_allowed - the text of the error message for a tensor whose type find_tensor_type() does not know:
 * it lists the allowed types. */
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
 * class Operands - the tensors of an operator by slot. A rule first loads and checks them. Then it changes
 * their views into the form that this kind of operator has on the wire. At the end it calls finish().
 */
class Operands {
public:
	explicit Operands(Plan &plan);

	/* load() - makes a view of each tensor that the program passed. Lists are not loaded.
	 * @dense: a slot whose elements count as contiguous, whatever its strides are */
	aclnnStatus load(unsigned dense = UNPU_TENSOR_MAX_SLOTS);

	bool has(unsigned slot) const;

	/* leave_out() - drops a tensor that the operator does not need. */
	void leave_out(unsigned slot);
	PlanView &operator[](unsigned slot) { return views_[slot]; }
	const aclTensor &tensor(unsigned slot) const
	{
		return *plan_.argument(arguments_[slot]).tensor;
	}
	size_t argument(unsigned slot) const { return arguments_[slot]; }
	Type type(unsigned slot) const { return find_tensor_type(tensor(slot).dtype); }

	/* check_numbers() - checks that the device supports the type of each tensor. */
	aclnnStatus check_numbers() const;

	/* check_floating() - checks that each tensor is FLOAT, FLOAT16 or BF16, and sets F32 as the type of
	 * the arithmetic.
	 * @others: bit set of slots that may have other types */
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

	/* finish() - adds all operands to the descriptor. If no result has elements, the operator counts as
	 * empty. */
	aclnnStatus finish();

private:
	uint8_t access(unsigned slot) const;

	Plan &plan_;
	size_t arguments_[UNPU_TENSOR_MAX_SLOTS];
	PlanView views_[UNPU_TENSOR_MAX_SLOTS];
};

/*
 * class Promotion - the type of the arithmetic of several operands: the most general one, by the rules of
 * torch. The type of the result only decides how the result is stored, and must be at least as general.
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

/* add_attributes() - adds the arguments and constants that are attributes of this kind of operator.
 * @type: decides whether scalars are passed as integers or as floating-point numbers */
aclnnStatus add_attributes(Plan &plan, const Type &type);

/* add_element() - adds scalar argument @i as an attribute. It is converted to @type, because it becomes an
 * element of the result. */
aclnnStatus add_element(Plan &plan, unsigned attribute, size_t i, const Type &type);

/* check_entries() - checks that array @i has @count entries, each from @least to INT32_MAX. */
aclnnStatus check_entries(const Plan &plan, size_t i, uint64_t count, int64_t least);

/* count_elements() - the product of the dims; INT64_MAX if it is larger. */
int64_t count_elements(const int64_t *dims, unsigned ndim);

/* insert_dim() - adds a dim of size 1 before dim @dim. */
void insert_dim(PlanView &view, unsigned dim);
void move_to_end(PlanView &view, unsigned dim);
void move_to_front(PlanView &view, unsigned dim);

/* join_dims() - merges @count dims, from @first on, into one dim. Return: false if no single stride can
 * replace their strides. */
bool join_dims(PlanView &view, unsigned first, unsigned count);

/* broadcast_to() - broadcasts @view to the shape, by stride 0. Return: false if the dims do not fit. */
bool broadcast_to(PlanView &view, const Shape &shape);

} // namespace umd
