// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptions of operators for dumps
 *
 * The device's descriptor only has the broadcast shapes, not the shapes that the program gave. While
 * dumps are on, the executor therefore keeps a description of the original tensors. Tensors without
 * elements have no file, and neither have weights of INT4, because their elements are smaller than a byte.
 */
#include "description.h"

#include <bit>
#include <string>

#include "objects.h"
#include "operator_row.h"
#include "types.h"
#include "umd/acl/dump/dump.h"

namespace umd {

namespace {

constexpr size_t prefix_length = sizeof("aclnn") - 1;

/* The device address of the first element of a view of memory that begins at @data. */
uint64_t first_address(uint64_t data, int64_t offset, const Type &type)
{
	return data + static_cast<uint64_t>(offset * type.bytes);
}

/* class Description - the tensors of a call, numbered in their roles. */
class Description {
public:
	explicit Description(const char *name)
	{
		made_->name = name;
		made_->type = made_->name.substr(prefix_length);
	}

	void add(const aclTensor &tensor, DumpTensor::Role role, size_t argument,
		 size_t member = 0);
	void add_attribute(std::string name, double value)
	{
		made_->attributes.emplace_back(std::move(name), value);
	}
	std::shared_ptr<const DumpOperator> take() { return std::move(made_); }

private:
	std::shared_ptr<DumpOperator> made_ = std::make_shared<DumpOperator>();
	uint32_t inputs_ = 0, outputs_ = 0;
};

void Description::add(const aclTensor &tensor, DumpTensor::Role role, size_t argument,
		      size_t member)
{
	const Type type = find_tensor_type(tensor.dtype);
	DumpTensor described;

	described.role = role;
	described.index = role == DumpTensor::Role::INPUT ? inputs_++ : outputs_++;
	if (type.dtype == 0 || !has_elements(tensor.dims, tensor.ndim))
		return;
	described.dtype = type.dtype;
	described.type_number = tensor.dtype;
	described.format = tensor.format;
	described.dims.assign(tensor.dims, tensor.dims + tensor.ndim);
	described.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
	described.storage.assign(tensor.storage_dims, tensor.storage_dims + tensor.storage_ndim);
	described.offset = tensor.offset;
	described.address =
		first_address(std::bit_cast<uint64_t>(tensor.data), tensor.offset, type);
	described.argument = static_cast<uint32_t>(argument);
	described.member = static_cast<uint32_t>(member);
	made_->tensors.push_back(std::move(described));
}

/* Members without elements are no operands, so they have no number in the list. */
void add_members(Description &made, const aclTensorList &list, DumpTensor::Role role,
		 size_t argument)
{
	size_t member = 0;
	for (uint64_t k = 0; k < list.size; k++) {
		const aclTensor &tensor = find_member(list.values[k]);
		made.add(tensor, role, argument, member);
		member += has_elements(tensor.dims, tensor.ndim);
	}
}

void add_argument(Description &made, const ArgumentRow &row, const Argument &argument, size_t i)
{
	using Role = DumpTensor::Role;
	switch (row.form) {
	case Form::TENSOR:
		if (argument.tensor && row.role != umd::Role::RESULT)
			made.add(*argument.tensor, Role::INPUT, i);
		if (argument.tensor &&
		    (row.role == umd::Role::RESULT || row.role == umd::Role::BOTH))
			made.add(*argument.tensor, Role::OUTPUT, i);
		break;
	case Form::TENSORS:
		add_members(made, *argument.tensors,
			    row.role == umd::Role::RESULT ? Role::OUTPUT : Role::INPUT, i);
		break;
	case Form::SCALAR:
		if (argument.scalar)
			made.add_attribute(row.name, argument.scalar->real);
		break;
	case Form::INTEGER:
		made.add_attribute(row.name, static_cast<double>(argument.integer));
		break;
	case Form::REAL:
		made.add_attribute(row.name, argument.real);
		break;
	case Form::INTEGERS:
		for (uint64_t k = 0; argument.integers && k < argument.integers->size; k++)
			made.add_attribute(std::string(row.name) + "[" + std::to_string(k) + "]",
					   static_cast<double>(argument.integers->values[k]));
		break;
	case Form::REALS:
		for (uint64_t k = 0; argument.reals && k < argument.reals->size; k++)
			made.add_attribute(std::string(row.name) + "[" + std::to_string(k) + "]",
					   static_cast<double>(argument.reals->values[k]));
		break;
	case Form::TEXT:
		break;
	}
}

} // namespace

void describe(const Elementwise &call, aclOpExecutor &executor)
{
	/* An operator without elements is not launched, and one without data is refused at its
	 * launch. */
	if (executor.is_empty || executor.missing_data)
		return;
	Description made(operator_name(call.number));
	if (call.alpha)
		made.add_attribute("alpha", call.alpha->real);
	made.add(*call.self, DumpTensor::Role::INPUT, 0);
	made.add(*call.other, DumpTensor::Role::INPUT, 1);
	made.add(*call.out, DumpTensor::Role::OUTPUT, is_in_place(call) ? 0 : 2);
	executor.description = made.take();
}

void describe(const OperatorRow &row, const Argument *arguments, aclOpExecutor &executor)
{
	if (executor.is_empty || executor.missing_data)
		return;
	Description made(operator_name(row.number));
	for (size_t i = 0; i < row.arguments.size(); i++)
		add_argument(made, row.arguments[i], arguments[i], i);
	executor.description = made.take();
}

void redescribe(aclOpExecutor &executor, size_t argument, size_t member, uint64_t data)
{
	if (!executor.description)
		return;
	auto changed = std::make_shared<DumpOperator>(*executor.description);
	for (DumpTensor &tensor : changed->tensors)
		if (tensor.argument == argument && tensor.member == member)
			tensor.address = first_address(
				data, tensor.offset,
				find_tensor_type(static_cast<aclDataType>(tensor.type_number)));
	executor.description = std::move(changed);
}

} // namespace umd
