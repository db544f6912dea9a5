// SPDX-License-Identifier: MIT
/*
 * DOC: Descriptions of operators for dumps
 *
 * The device's descriptor only has the broadcast shapes, not the shapes that the program gave. While
 * dumps are on, the executor therefore keeps a description of the original tensors.
 */
#include "description.h"

#include <cstring>

#include "objects.h"
#include "umd/acl/dump/dump.h"

namespace umd {

namespace {

DumpTensor describe_tensor(const aclTensor &tensor, const unpu_operand &operand,
			   DumpTensor::Role role, uint32_t index)
{
	DumpTensor described;

	described.role = role;
	described.index = index;
	described.dtype = operand.dtype;
	described.type_number = tensor.dtype;
	described.format = tensor.format;
	described.dims.assign(tensor.dims, tensor.dims + tensor.ndim);
	described.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
	described.storage.assign(tensor.storage_dims, tensor.storage_dims + tensor.storage_ndim);
	described.offset = tensor.offset;
	described.address = operand.address;
	return described;
}

} // namespace

void describe(const Elementwise &call, aclOpExecutor &executor)
{
	constexpr const char *prefix = "aclnn";
	const unpu_operand *operands = executor.op.operands;
	auto described = std::make_shared<DumpOperator>();

	/* An operator without elements is not launched, and one without data is refused at its
	 * launch. */
	if (executor.empty || executor.missing_data)
		return;
	described->name = call.caller;
	described->type = described->name.substr(std::strlen(prefix));
	if (call.alpha)
		described->attributes.emplace_back("alpha", call.alpha->real);
	described->tensors = {
		describe_tensor(*call.self, operands[1], DumpTensor::Role::INPUT, 0),
		describe_tensor(*call.other, operands[2], DumpTensor::Role::INPUT, 1),
		describe_tensor(*call.out, operands[0], DumpTensor::Role::OUTPUT, 0),
	};
	executor.description = std::move(described);
}

} // namespace umd
