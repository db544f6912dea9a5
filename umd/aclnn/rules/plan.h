// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>

#include "uapi/tensor_limits.h"
#include "umd/aclnn/executor.h"
#include "umd/aclnn/objects.h"
#include "umd/aclnn/operator_row.h"
#include "umd/aclnn/types.h"

namespace umd {

/* struct PlanView - an operand as the device sees it. Dims and strides from @ndim on are not set: a plan has many
 * views, and most of them are never used. */
struct PlanView {
	uint32_t dtype = 0;
	unsigned ndim = 0;
	int64_t dims[max_dims];
	int64_t strides[max_dims];
	uint64_t address = 0;
	uint64_t base = 0; /* address of the tensor's memory */
};

inline bool has_elements(const PlanView &view)
{
	return has_elements(view.dims, view.ndim);
}

/*
 * class Plan - builds the descriptor of a tensor operator. A rule looks at the arguments and adds operands and
 * attributes in any order.
 */
class Plan {
public:
	Plan(const OperatorRow &row, Argument *arguments, aclOpExecutor &executor)
		: row_(row), arguments_(arguments), executor_(executor)
	{
	}

	/* run() - finds the objects of the arguments, calls the rule and encodes the descriptor. */
	aclnnStatus run();

	const OperatorRow &row() const { return row_; }
	const Argument &argument(size_t i) const { return arguments_[i]; }

	/* set_compute() - the type of the arithmetic: enum unpu_dtype. */
	void set_compute(uint32_t dtype) { compute_ = dtype; }

	/* note_empty() - there is nothing to compute, so nothing is launched. */
	void note_empty() { executor_.is_empty = true; }

	/* make_view() - tensor @i as it is. Return: an error for a view that leaves the address space. */
	aclnnStatus make_view(size_t i, PlanView &view);

	/* make_dense_view() - the elements of tensor @i as one row without gaps. */
	aclnnStatus make_dense_view(size_t i, PlanView &view);

	/* make_member_view() - the same of member @k of list @i. */
	aclnnStatus make_member_view(size_t i, size_t k, PlanView &view);

	/* find_dim() - the dim @value of tensor @i; a negative one counts from the end. @name is for the sentence. */
	aclnnStatus find_dim(size_t i, int64_t value, const char *name, unsigned &dim) const;

	/* add_operand() - @argument: the tensor that it is a view of, for sentences and updates of its address.
	 * @member: of a list */
	void add_operand(unsigned slot, uint8_t access, const PlanView &view, size_t argument,
			 size_t member = 0);

	void add_integer(unsigned attribute, int64_t value);
	void add_real(unsigned attribute, double value);

	/* add_integers() - Return: an error where the descriptor has no room for them. @name: of the argument */
	aclnnStatus add_integers(unsigned attribute, std::span<const int64_t> values,
				 const char *name = "an array");
	void add_scalar(unsigned attribute, const aclScalar &value, bool as_real);

	/* fail() - an error with a sentence that begins with the operator's name. */
	aclnnStatus fail(const std::string &text) const;

	/* fail_tensor() - the same about tensor @i, with its type and shape. */
	aclnnStatus fail_tensor(size_t i, const std::string &text) const;

	/* fail_member() - the same about member @k of list @i. */
	aclnnStatus fail_member(size_t i, size_t k, const std::string &text) const;

private:
	struct Operand {
		uint8_t slot, access;
		uint8_t argument;
		size_t member; /* of a list */
		PlanView view;
	};

	aclnnStatus find_arguments();
	aclnnStatus check_operands() const;
	const char *fill_view(const aclTensor &tensor, const char *name, PlanView &view);
	uint64_t form_of_operand(const Operand &operand) const;
	void encode();

	const OperatorRow &row_;
	Argument *const arguments_; /* handles until find_arguments(), then objects */
	aclOpExecutor &executor_;
	uint32_t compute_ = 0;
	unsigned noperands_ = 0;
	std::array<Operand, UNPU_TENSOR_MAX_OPERANDS> operands_;
	void add_words(unsigned attribute, std::span<const uint64_t> words);

	/* Which of words_ an attribute has. */
	struct Attribute {
		uint8_t first = 0;
		uint8_t count = 0;
	};
	std::array<Attribute, UNPU_TENSOR_MAX_ATTRIBUTES> attributes_;
	unsigned nwords_ = 0;
	std::array<uint64_t, UNPU_TENSOR_MAX_WORDS> words_;
};

/* attribute_count() - attributes of a kind, present or absent. */
uint8_t attribute_count(uint32_t kind);

} // namespace umd
