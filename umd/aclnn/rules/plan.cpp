// SPDX-License-Identifier: MIT
/*
 * DOC: Plan of a tensor operator
 *
 * The first phase of every operator of umd/aclnn/operators.json: it refuses everything that the device would
 * refuse. The error message names the operator, the argument, its type and shape, and what is allowed. The
 * executor owns the finished descriptor, so the program may destroy every argument.
 */
#include "plan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "operands.h"

namespace umd {

using Wide = __int128;

uint8_t attribute_count(uint32_t kind)
{
	switch (kind) {
#define ATTRIBUTE_COUNT(name, number, slots, attributes) \
	case number: \
		return sizeof(attributes) - 1;
		UNPU_TENSOR_LIST(ATTRIBUTE_COUNT)
#undef ATTRIBUTE_COUNT
	}
	return 0;
}

aclnnStatus Plan::fail(std::string text) const
{
	sentence_ = std::move(text);
	return wrong_parameter;
}

aclnnStatus Plan::fail_missing(const char *what) const
{
	sentence_ = std::string(what) + " is NULL";
	return missing_parameter;
}

aclnnStatus Plan::fail_tensor(size_t i, const std::string &text) const
{
	return fail(std::string(row_.arguments[i].name) + " is " +
		    print_tensor(*arguments_[i].tensor) + "; " + text);
}

aclnnStatus Plan::fail_member(size_t i, size_t k, const std::string &text) const
{
	return fail(std::string(row_.arguments[i].name) + "[" + std::to_string(k) + "] is " +
		    print_tensor(member(i, k)) + "; " + text);
}

static uint32_t find_element(aclDataType dtype)
{
	return dtype == ACL_INT4 ? uint32_t{UNPU_DTYPE_I4} : find_tensor_type(dtype).dtype;
}

/* fill_view() - Return: what is wrong with the view; nullptr if nothing is. */
const char *Plan::fill_view(const aclTensor &tensor, const char *name, PlanView &view)
{
	view.dtype = find_element(tensor.dtype);
	view.ndim = tensor.ndim;
	view.base = std::bit_cast<uint64_t>(tensor.data);
	for (unsigned d = 0; d < tensor.ndim; d++) {
		view.dims[d] = tensor.dims[d];
		/* The stride of a dim of size 1 is never used and may be garbage. */
		view.strides[d] = tensor.dims[d] == 1 ? 0 : tensor.strides[d];
	}
	if (!has_elements(view))
		return nullptr;
	const Wide before = Wide(tensor.offset) * element_bits(view.dtype);
	if (before % 8 != 0)
		return "its first element is not at the begin of a byte";
	const Wide first = Wide(view.base) + before / 8;
	if (before / 8 != static_cast<int64_t>(before / 8) ||
	    (tensor.data && first != static_cast<uint64_t>(first)))
		return "its view leaves the address space";
	view.address = static_cast<uint64_t>(first);
	if (!tensor.data && !made_.missing_data)
		made_.missing_data = name;
	return check_reach({view.address, view.dtype, false, {view.dims, view.ndim}, view.strides},
			   tensor.data != nullptr);
}

aclnnStatus Plan::make_view(size_t i, PlanView &view)
{
	const char *wrong = fill_view(*arguments_[i].tensor, row_.arguments[i].name, view);
	return wrong ? fail_tensor(i, wrong) : OK;
}

aclnnStatus Plan::make_dense_view(size_t i, PlanView &view)
{
	aclTensor dense = *arguments_[i].tensor;
	dense.dims[0] = count_elements(dense.dims, dense.ndim);
	dense.strides[0] = 1;
	dense.ndim = 1;
	const char *wrong = fill_view(dense, row_.arguments[i].name, view);
	return wrong ? fail_tensor(i, wrong) : OK;
}

aclnnStatus Plan::make_member_view(size_t i, size_t k, PlanView &view)
{
	const char *wrong = fill_view(member(i, k), row_.arguments[i].name, view);
	return wrong ? fail_member(i, k, wrong) : OK;
}

aclnnStatus Plan::check_operands() const
{
	for (unsigned k = 0; k < noperands_; k++) {
		const Operand &operand = operands_[k];
		const char *wrong = check_reach(operand.wire(), operand.view.base != 0);
		if (!wrong)
			continue;
		return row_.arguments[operand.argument].form == Form::TENSORS
			       ? fail_member(operand.argument, operand.member, wrong)
			       : fail_tensor(operand.argument, wrong);
	}
	return OK;
}

aclnnStatus Plan::find_dim(size_t i, int64_t value, const char *name, unsigned &dim) const
{
	const int64_t count = arguments_[i].tensor->ndim;
	if (value < -count || value >= count)
		return fail_tensor(i, std::string(name) + " is " + std::to_string(value) +
					      "; allowed are " + std::to_string(-count) + " to " +
					      std::to_string(count - 1));
	dim = static_cast<unsigned>(value < 0 ? value + count : value);
	return OK;
}

void Plan::add_operand(unsigned slot, uint8_t access, const PlanView &view, size_t argument,
		       size_t member)
{
	operands_[noperands_++] = {static_cast<uint8_t>(slot), access,
				   static_cast<uint8_t>(argument), member, view};
}

void Plan::add_words(unsigned attribute, std::span<const uint64_t> words)
{
	attributes_[attribute] = {static_cast<uint8_t>(nwords_),
				  static_cast<uint8_t>(words.size())};
	std::copy(words.begin(), words.end(), words_.begin() + nwords_);
	nwords_ += static_cast<unsigned>(words.size());
}

void Plan::add_integer(unsigned attribute, int64_t value)
{
	const uint64_t word[] = {static_cast<uint64_t>(value)};
	add_words(attribute, word);
}

void Plan::add_real(unsigned attribute, double value)
{
	const uint64_t word[] = {std::bit_cast<uint64_t>(value)};
	add_words(attribute, word);
}

aclnnStatus Plan::add_integers(unsigned attribute, std::span<const int64_t> values,
			       const char *name)
{
	const size_t room = words_.size() - nwords_;
	if (values.size() > room)
		return fail(std::string(name) + " has " + std::to_string(values.size()) +
			    " entries; at most " + std::to_string(room) + " are possible");
	add_words(attribute, {reinterpret_cast<const uint64_t *>(values.data()), values.size()});
	return OK;
}

void Plan::add_scalar(unsigned attribute, const aclScalar &value, bool as_real)
{
	const uint64_t bits = as_real ? std::bit_cast<uint64_t>(value.real)
				      : static_cast<uint64_t>(value.integer);
	const bool is_above = value.dtype == ACL_UINT64 && value.integer < 0;
	const uint64_t type = is_above ? uint64_t{UNPU_DTYPE_U64} : uint64_t{UNPU_DTYPE_I64};
	const uint64_t words[] = {as_real ? uint64_t{UNPU_DTYPE_F64} : type, bits};
	add_words(attribute, words);
}

uint64_t Plan::form_of_operand(const Operand &operand) const
{
	const Argument &argument = arguments_[operand.argument];
	const bool is_member = row_.arguments[operand.argument].form == Form::TENSORS;
	return form_of(is_member ? member(operand.argument, operand.member) : *argument.tensor);
}

void Plan::encode()
{
	std::vector<uint64_t> &words = made_.words;
	unpu_tensor_op head{};
	size_t count = sizeof(head) / sizeof(uint64_t);
	head.kind = row_.kind;
	head.compute = static_cast<uint8_t>(compute_);
	head.noperands = static_cast<uint8_t>(noperands_);
	for (size_t a = 0; a < attributes_.size(); a++) {
		head.words[a] = attributes_[a].count;
		count += attributes_[a].count;
	}
	head.nattributes = attribute_count(row_.kind);
	for (unsigned i = 0; i < noperands_; i++)
		count +=
			sizeof(unpu_tensor_operand) / sizeof(uint64_t) + 2 * operands_[i].view.ndim;
	words.resize(count);
	uint64_t *to = words.data();
	const auto put = [&to](const void *from, size_t bytes) {
		memcpy(to, from, bytes);
		to += bytes / sizeof(uint64_t);
	};
	put(&head, sizeof(head));
	for (const Attribute &attribute : attributes_)
		put(words_.data() + attribute.first, attribute.count * sizeof(uint64_t));
	std::stable_sort(operands_.begin(), operands_.begin() + noperands_,
			 [](const Operand &a, const Operand &b) { return a.slot < b.slot; });
	made_.addresses.reserve(noperands_);
	for (unsigned i = 0; i < noperands_; i++) {
		const Operand &from = operands_[i];
		unpu_tensor_operand operand{};
		operand.address = from.view.address;
		operand.slot = from.slot;
		operand.dtype = static_cast<uint8_t>(from.view.dtype);
		operand.access = from.access;
		operand.ndim = static_cast<uint8_t>(from.view.ndim);
		made_.addresses.push_back({from.argument, static_cast<uint16_t>(to - words.data()),
					   from.view.address - from.view.base,
					   form_of_operand(from)});
		put(&operand, sizeof(operand));
		put(from.view.dims, from.view.ndim * sizeof(int64_t));
		put(from.view.strides, from.view.ndim * sizeof(int64_t));
	}
}

aclnnStatus Plan::run()
{
	aclnnStatus status = row_.rule(*this);
	if (status != OK || made_.is_empty)
		return status;
	status = check_operands();
	if (status == OK)
		encode();
	return status;
}

} // namespace umd
