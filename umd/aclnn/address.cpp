// SPDX-License-Identifier: MIT
/*
 * DOC: Addresses of prepared operators
 *
 * A repeatable executor can be launched with other memory: the address of one of its tensors is replaced in the
 * finished descriptor. Everything else stays, so nothing is checked again but by the device.
 */
#include <bit>
#include <string>

#include "executor.h"
#include "types.h"
#include "umd/aclnn/operators/operator_row.h"

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

/* find_argument() - the argument that @index counts; the number of arguments if there is none. */
size_t find_argument(std::span<const ArgumentRow> arguments, Count count, size_t index)
{
	size_t i = 0;
	for (; i < arguments.size(); i++) {
		if (arguments[i].form != Form::TENSOR || !is_counted(arguments[i].role, count))
			continue;
		if (index-- == 0)
			return i;
	}
	return i;
}

aclnnStatus refuse_index(const aclOpExecutor &executor, size_t index)
{
	return refuse(std::string(executor.caller) + ": index " + std::to_string(index) +
		      " names none of its tensors");
}

/* Add and Mul: self, other and out are operands 1, 2 and 0. */
aclnnStatus set_operand(aclOpExecutor &executor, Count count, size_t index, const aclTensor &tensor,
			void *addr)
{
	const size_t first = count == Count::OUTPUTS ? 2 : 0;
	const size_t end = count == Count::INPUTS ? 2 : 3;
	if (index >= end - first)
		return refuse_index(executor, index);
	const int64_t offset = tensor.offset * find_type(tensor.dtype).bytes;
	executor.op.operands[(first + index + 1) % 3].address =
		std::bit_cast<uint64_t>(addr) + static_cast<uint64_t>(offset);
	executor.missing_data = nullptr;
	return OK;
}

aclnnStatus set_address(aclOpExecutor *executor, Count count, size_t index, const aclTensor *tensor,
			void *addr)
{
	if (!executor || !tensor || !addr)
		return refuse_missing("executor, tensor or addr");
	if (executor->kind == 0)
		return set_operand(*executor, count, index, *tensor, addr);
	const auto arguments = executor->row->arguments;
	const size_t found = find_argument(arguments, count, index);
	if (found == arguments.size())
		return refuse_index(*executor, index);
	for (const aclOpExecutor::Address &address : executor->addresses)
		if (address.argument == found)
			executor->words[address.word] =
				std::bit_cast<uint64_t>(addr) + address.offset;
	if (executor->missing_data == arguments[found].name)
		executor->missing_data = nullptr;
	return OK;
}

} // namespace

} // namespace umd

aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
			     void *addr)
{
	return umd::set_address(executor, umd::Count::ALL, index, tensor, addr);
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
				  void *addr)
{
	return umd::set_address(executor, umd::Count::INPUTS, index, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
				   void *addr)
{
	return umd::set_address(executor, umd::Count::OUTPUTS, index, tensor, addr);
}

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
	if (!tensor)
		return umd::refuse_missing("tensor");
	tensor->data = addr;
	return OK;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
	if (!tensor || !addr)
		return umd::refuse_missing("tensor or addr");
	*addr = tensor->data;
	return OK;
}
