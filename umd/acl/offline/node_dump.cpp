// SPDX-License-Identifier: MIT
/**
 * DOC: Dumps of the nodes of models
 *
 * A dump has each launch of a node, with the names of the ONNX file. Nodes that are views have no launch.
 */
#include "node_dump.h"

#include <cstring>

#include <fmt/format.h>

#include "uapi/tensor.h"
#include "umd/acl/dump/dump_file.h"
#include "umd/core/process/node_names.h"

namespace umd {

namespace {

struct Type {
	uint32_t dtype;
	aclDataType number;
};

constexpr Type TYPES[] = {{UNPU_DTYPE_F32, ACL_FLOAT}, {UNPU_DTYPE_F16, ACL_FLOAT16},
			  {UNPU_DTYPE_BF16, ACL_BF16}, {UNPU_DTYPE_I8, ACL_INT8},
			  {UNPU_DTYPE_I16, ACL_INT16}, {UNPU_DTYPE_I32, ACL_INT32},
			  {UNPU_DTYPE_I64, ACL_INT64}, {UNPU_DTYPE_U8, ACL_UINT8},
			  {UNPU_DTYPE_BOOL, ACL_BOOL}, {UNPU_DTYPE_F64, ACL_DOUBLE}};

/* class Operands - adds the operands of one descriptor. */
class Operands {
public:
	Operands(std::span<const uint64_t> words, DumpOperator &to)
		: at_(std::as_bytes(words)), to_(to)
	{
	}

	void add_all()
	{
		unpu_tensor_op head;
		if (!take(&head, sizeof(head)))
			return;
		for (const uint8_t count : head.words)
			at_ = at_.subspan(std::min<size_t>(at_.size(), count * sizeof(uint64_t)));
		for (uint8_t i = 0; i < head.noperands; i++)
			if (!add())
				return;
	}

private:
	bool take(void *to, size_t bytes)
	{
		if (at_.size() < bytes)
			return false;
		std::memcpy(to, at_.data(), bytes);
		at_ = at_.subspan(bytes);
		return true;
	}

	bool add();
	void add(const unpu_tensor_operand &from, DumpTensor::Role role,
		 std::span<const int64_t> dims, std::span<const int64_t> strides);

	std::span<const std::byte> at_;
	DumpOperator &to_;
	uint32_t inputs_ = 0, outputs_ = 0;
};

void Operands::add(const unpu_tensor_operand &from, DumpTensor::Role role,
		   std::span<const int64_t> dims, std::span<const int64_t> strides)
{
	const auto *const type = std::ranges::find(TYPES, from.dtype, &Type::dtype);
	const uint32_t index = role == DumpTensor::Role::INPUT ? inputs_++ : outputs_++;
	if (type == std::end(TYPES) || std::ranges::find(dims, 0) != dims.end())
		return;
	DumpTensor tensor;
	tensor.role = role;
	tensor.index = index;
	tensor.dtype = type->dtype;
	tensor.type_number = type->number;
	tensor.format = ACL_FORMAT_ND;
	tensor.dims.assign(dims.begin(), dims.end());
	tensor.strides.assign(strides.begin(), strides.end());
	tensor.storage = tensor.dims;
	tensor.address = from.address;
	to_.tensors.push_back(std::move(tensor));
}

bool Operands::add()
{
	unpu_tensor_operand from;
	int64_t shape[2 * UNPU_TENSOR_MAX_DIMS];
	if (!take(&from, sizeof(from)) || from.ndim > UNPU_TENSOR_MAX_DIMS ||
	    !take(shape, 2 * from.ndim * sizeof(shape[0])))
		return false;
	const std::span<const int64_t> dims(shape, from.ndim),
		strides(shape + from.ndim, from.ndim);
	if ((from.access & UNPU_ACCESS_READ) != 0)
		add(from, DumpTensor::Role::INPUT, dims, strides);
	if ((from.access & UNPU_ACCESS_WRITE) != 0)
		add(from, DumpTensor::Role::OUTPUT, dims, strides);
	return true;
}

} // namespace

std::shared_ptr<const DumpOperator> describe_launch(const std::string &node,
						    std::span<const uint64_t> words)
{
	auto made = std::make_shared<DumpOperator>();
	NodeName name = name_of_node(node);
	made->type = std::move(name.type);
	made->name = std::move(name.name);
	Operands(words, *made).add_all();
	return made;
}

DumpOrigin origin_of(const ModelFace &model, uint64_t run)
{
	return {model.face.name,
		fmt::format("{}/{}/{}", file_part(model.face.name), model.id, run)};
}

} // namespace umd
