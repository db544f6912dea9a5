// SPDX-License-Identifier: MIT
/*
 * DOC: Addresses of prepared operators
 *
 * A repeatable executor can be launched with other memory: the address of one of its tensors is replaced in the
 * finished descriptor. Everything else stays: the tensor must be like the one of the first phase.
 */
#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "description.h"
#include "executor.h"
#include "operator_row.h"
#include "reach.h"
#include "types.h"

namespace umd {

namespace {

/* enum class Count - which tensors an index counts. */
enum class Count { ALL, INPUTS, OUTPUTS };

bool is_counted(Role role, Count count)
{
	if (count == Count::INPUTS)
		return role != Role::RESULT;
	return count == Count::ALL || role == Role::RESULT || role == Role::BOTH;
}

/* struct Place - a tensor of the first phase: an argument, or a member of one. */
struct Place {
	size_t argument;
	size_t member;
};

/* count_members() - the tensors of an argument. Members of a list that have no elements are no operands. */
size_t count_members(const aclOpExecutor &executor, size_t argument)
{
	if (executor.row->arguments[argument].form == Form::TENSOR)
		return 1;
	return static_cast<size_t>(
		std::count_if(executor.addresses.begin(), executor.addresses.end(),
			      [&](const auto &address) { return address.argument == argument; }));
}

/* find_place() - finds the tensor with number @index. Return: the number of arguments if there is none. */
Place find_place(const aclOpExecutor &executor, Count count, size_t index)
{
	const auto arguments = executor.row->arguments;
	for (size_t i = 0; i < arguments.size(); i++) {
		const Form form = arguments[i].form;
		if ((form != Form::TENSOR && form != Form::TENSORS) ||
		    !is_counted(arguments[i].role, count))
			continue;
		const size_t members = count_members(executor, i);
		if (index < members)
			return {i, index};
		index -= members;
	}
	return {arguments.size(), 0};
}

aclnnStatus refuse_index(const aclOpExecutor &executor, size_t index)
{
	return refuse(std::string(operator_name(executor.number)) + ": index " +
		      std::to_string(index) + " names none of its tensors");
}

aclnnStatus refuse_form(const aclOpExecutor &executor, const std::string &what,
			const aclTensor &tensor)
{
	return refuse(std::string(operator_name(executor.number)) + ": tensor is " +
		      print_tensor(tensor) +
		      "; its type, shape, strides and offset must be those of " + what +
		      " in the first phase");
}

/* Add and Mul: self, other and out are operands 1, 2 and 0. In place selfRef is operand 1 and 0. */
aclnnStatus set_operand(aclOpExecutor &executor, Count count, size_t index, const aclTensor &tensor,
			void *addr)
{
	const bool in_place =
		std::string_view(operator_name(executor.number)).starts_with("aclnnInplace");
	const size_t first = count == Count::OUTPUTS && !in_place ? 2 : 0;
	const size_t outputs_end = in_place ? 1 : 3;
	const size_t all_end = in_place ? 2 : 3;
	const size_t end = count == Count::INPUTS    ? 2
			   : count == Count::OUTPUTS ? outputs_end
						     : all_end;
	if (index >= end - first)
		return refuse_index(executor, index);
	const int64_t offset = tensor.offset * find_type(tensor.dtype).bytes;
	const uint64_t address = std::bit_cast<uint64_t>(addr) + static_cast<uint64_t>(offset);
	const size_t argument = first + index;
	const size_t operand = (argument + 1) % 3;
	if (form_of(tensor) != executor.forms[operand])
		return refuse_form(executor, "tensor " + std::to_string(argument), tensor);
	executor.op.operands[operand].address = address;
	redescribe(executor, argument, 0, std::bit_cast<uint64_t>(addr));
	if (in_place && index == 0)
		executor.op.operands[0].address = address;
	executor.missing_data = nullptr;
	return OK;
}

/* replace_address() - sets a new address in each operand of the descriptor that is a view of the tensor.
 * Either all of these operands change, or none. */
aclnnStatus replace_address(aclOpExecutor &executor, const Place &place, const aclTensor &tensor,
			    uint64_t data)
{
	const ArgumentRow &argument = executor.row->arguments[place.argument];
	std::vector<uint64_t> changed = executor.words;
	size_t member = 0;
	bool is_operand = false;
	for (const Descriptor::Address &address : executor.addresses) {
		if (address.argument != place.argument)
			continue;
		if (argument.form == Form::TENSORS && member++ != place.member)
			continue;
		if (form_of(tensor) != address.form)
			return refuse_form(executor, argument.name, tensor);
		is_operand = true;
		changed[address.word] = data + address.offset;
		if (const char *wrong = check_operand(&changed[address.word]))
			return refuse(std::string(operator_name(executor.number)) + ": " +
				      argument.name + " has another address; " + wrong);
	}
	if (!is_operand)
		return refuse(std::string(operator_name(executor.number)) + ": " + argument.name +
			      " has no address: in the first phase it was NULL or had no elements");
	executor.words.swap(changed);
	redescribe(executor, place.argument, place.member, data);
	return OK;
}

aclnnStatus set_address(aclOpExecutor &executor, Count count, size_t index, const aclTensor &tensor,
			void *addr)
{
	if (executor.kind == 0)
		return set_operand(executor, count, index, tensor, addr);
	const auto arguments = executor.row->arguments;
	const Place found = find_place(executor, count, index);
	if (found.argument == arguments.size())
		return refuse_index(executor, index);
	/* It has no descriptor. */
	if (executor.is_empty)
		return OK;
	const aclnnStatus status =
		replace_address(executor, found, tensor, std::bit_cast<uint64_t>(addr));
	if (status == OK && executor.missing_data == arguments[found.argument].name)
		executor.missing_data = nullptr;
	return status;
}

aclnnStatus set_address(const char *caller, aclOpExecutor *executor, Count count, size_t index,
			const aclTensor *tensor, void *addr)
{
	if (!executor || !tensor || !addr)
		return refuse_missing("executor, tensor or addr");
	executor = find_executor(caller, executor);
	if (!executor)
		return wrong_parameter;
	if (!(executor->unusual & aclOpExecutor::REPEATABLE))
		return refuse(std::string(caller) +
			      ": executor is for one launch; aclSetAclOpExecutorRepeatable makes "
			      "it repeatable");
	const aclTensor *const found = find_object(tensor, "tensor", caller);
	return found ? set_address(*executor, count, index, *found, addr) : wrong_parameter;
}

} // namespace

} // namespace umd

aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
			     void *addr)
{
	return umd::set_address("aclSetTensorAddr", executor, umd::Count::ALL, index, tensor, addr);
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
				  void *addr)
{
	return umd::set_address("aclSetInputTensorAddr", executor, umd::Count::INPUTS, index,
				tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
				   void *addr)
{
	return umd::set_address("aclSetOutputTensorAddr", executor, umd::Count::OUTPUTS, index,
				tensor, addr);
}

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
	if (!tensor)
		return umd::refuse_missing("tensor");
	aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	found->data = addr;
	return OK;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
	if (!tensor || !addr)
		return umd::refuse_missing("tensor or addr");
	const aclTensor *const found = umd::find_object(tensor, "tensor");
	if (!found)
		return umd::wrong_parameter;
	*addr = found->data;
	return OK;
}
