// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>

#include "uapi/tensor_limits.h"
#include "umd/aclnn/descriptor.h"
#include "umd/aclnn/objects.h"
#include "umd/aclnn/operator_row.h"
#include "umd/aclnn/reach.h"
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
 * attributes in any order. It knows no handles: arguments are objects, and @find_member gives the object of a member of
 * a list.
 */
class Plan {
public:
	using FindMember = const aclTensor &(const aclTensor *value);

	/* struct Operand - a view in a slot. @argument: the tensor or list. @member: the index in a list */
	struct Operand {
		uint8_t slot, access;
		uint8_t argument;
		size_t member;
		PlanView view;

		WireView wire() const
		{
			return {view.address,
				view.dtype,
				(access & UNPU_ACCESS_WRITE) != 0,
				{view.dims, view.ndim},
				view.strides};
		}
	};

	Plan(const OperatorRow &row, const Argument *arguments, FindMember &find_member,
	     Descriptor &made)
		: row_(row), arguments_(arguments), find_member_(find_member), made_(made)
	{
	}

	/* run() - looks up the objects of the arguments, calls the rule, and encodes the descriptor. */
	aclnnStatus run();

	/* sentence() - the error message, without the name of the operator. */
	const std::string &sentence() const { return sentence_; }

	std::span<const Operand> operands() const { return {operands_.data(), noperands_}; }

	const OperatorRow &row() const { return row_; }
	const Argument &argument(size_t i) const { return arguments_[i]; }

	/* member() - member @k of list @i. */
	const aclTensor &member(size_t i, size_t k) const
	{
		return find_member_(arguments_[i].tensors->values[k]);
	}

	/* set_compute() - the type of the arithmetic: enum unpu_dtype. */
	void set_compute(uint32_t dtype) { compute_ = dtype; }

	/* note_empty() - notes that there is nothing to compute, so that nothing is launched. */
	void note_empty() { made_.is_empty = true; }

	/* make_view() - makes an unchanged view of tensor @i. Return: an error if the view leaves the address
	 * space. */
	aclnnStatus make_view(size_t i, PlanView &view);

	/* make_dense_view() - makes a view of the elements of tensor @i as one contiguous row. */
	aclnnStatus make_dense_view(size_t i, PlanView &view);

	/* make_member_view() - does the same for member @k of list @i. */
	aclnnStatus make_member_view(size_t i, size_t k, PlanView &view);

	/* find_dim() - finds dim @value of tensor @i; a negative value counts from the end. @name: name of
	 * the argument, for the error message. */
	aclnnStatus find_dim(size_t i, int64_t value, const char *name, unsigned &dim) const;

	/* add_operand() - adds an operand. @argument: the tensor of which it is a view, for error messages
	 * and for updates of its address.
	 * @member: index in a list */
	void add_operand(unsigned slot, uint8_t access, const PlanView &view, size_t argument,
			 size_t member = 0);

	void add_integer(unsigned attribute, int64_t value);
	void add_real(unsigned attribute, double value);

	/* add_integers() - adds an array as attributes. @name: name of the argument. Return: an error if the
	 * descriptor has no room for them. */
	aclnnStatus add_integers(unsigned attribute, std::span<const int64_t> values,
				 const char *name = "an array");
	void add_scalar(unsigned attribute, const aclScalar &value, bool as_real);

	/* fail() - an error with a sentence. */
	aclnnStatus fail(std::string text) const;

	/* fail_missing() - the error of a pointer that is NULL. */
	aclnnStatus fail_missing(const char *what) const;

	/* fail_tensor() - the same, with a message about tensor @i, its type and its shape. */
	aclnnStatus fail_tensor(size_t i, const std::string &text) const;

	/* fail_member() - the same, about member @k of list @i. */
	aclnnStatus fail_member(size_t i, size_t k, const std::string &text) const;

private:
	aclnnStatus check_operands() const;
	const char *fill_view(const aclTensor &tensor, const char *name, PlanView &view);
	uint64_t form_of_operand(const Operand &operand) const;
	void encode();

	const OperatorRow &row_;
	const Argument *const arguments_;
	FindMember &find_member_;
	Descriptor &made_;
	mutable std::string sentence_;
	uint32_t compute_ = 0;
	unsigned noperands_ = 0;
	std::array<Operand, UNPU_TENSOR_MAX_OPERANDS> operands_;
	void add_words(unsigned attribute, std::span<const uint64_t> words);

	/* The part of words_ that belongs to an attribute. */
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
