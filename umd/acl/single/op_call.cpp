// SPDX-License-Identifier: MIT
/**
 * DOC: Calls of single operators
 *
 * What a program says of an operator, as the compiler of models reads it.
 */
#include "op_call.h"

#include <algorithm>

#include <cstring>

#include <fmt/format.h>

#include "op_attr.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/legacy/tensor_desc.h"
#include "umd/acl/offline/desc.h"
#include "umd/acl/offline/failure.h"

namespace umd {

using base::Status;
using models::SingleOp;
using models::SingleTensor;
using models::ir::Type;
using models::om::Format;

namespace {

constexpr Type TYPES[] = {Type::FLOAT,	Type::FLOAT16, Type::INT8,    Type::INT32, Type::UINT8,
			  Type::INT16,	Type::UINT16,  Type::UINT32,  Type::INT64, Type::UINT64,
			  Type::DOUBLE, Type::BOOL,    Type::BFLOAT16};
constexpr Format FORMATS[] = {Format::ND, Format::NCHW, Format::NHWC, Format::NCDHW, Format::NDHWC};

aclError read_format(const std::string &name, aclFormat told, Format &format)
{
	const auto *const at = std::ranges::find(FORMATS, told, format_of);
	if (at == std::end(FORMATS))
		return REFUSE(ACL_ERROR_FORMAT_NOT_MATCH,
			      fmt::format("{} has the format {}; there are ND (2), NCHW (0), NHWC "
					  "(1), NCDHW (30) and NDHWC (27)",
					  name, static_cast<int>(told)));
	format = *at;
	return ACL_SUCCESS;
}

/* @may_be_open: of a result, whose dims the operator tells */
aclError read_dims(const std::string &name, const aclTensorDesc &desc, bool may_be_open,
		   SingleTensor &tensor)
{
	for (const int64_t size : desc.shape) {
		if (size < 0 && !(may_be_open && size == UNKNOWN_LENGTH))
			return acl_return(set_error(
				Status::NULL_POINTER,
				fmt::format("{} has the dim {}; {}", name, size,
					    may_be_open ? "a result has as many dims as the "
							  "operator gives, each 0 or more, or -1"
							: "an operator is compiled for known "
							  "shapes, so each dim is 0 or more")));
		tensor.dims.push_back(size < 0 ? models::DimRange{} : models::DimRange{size, size});
	}
	return ACL_SUCCESS;
}

aclError read_tensor(const std::string &name, const aclTensorDesc *handle, bool is_result,
		     SingleTensor &tensor, bool &is_on_host)
{
	auto desc = TRY(find_plain(handle, name.c_str(), "aclopExecuteV2"));
	is_on_host = !is_result && desc->place != ACL_MEMTYPE_DEVICE;
	if (desc->type == ACL_DT_UNDEFINED && !is_result) {
		tensor.is_absent = true;
		return ACL_SUCCESS;
	}
	const auto *const type = std::ranges::find(TYPES, desc->type, type_of);
	if (type == std::end(TYPES))
		return REFUSE(ACL_ERROR_UNSUPPORTED_DATA_TYPE,
			      fmt::format("{} has the type {}, which no operator computes here",
					  name, static_cast<int>(desc->type)));
	tensor.type = *type;
	Format stored = Format::ND;
	TRY_CODE(read_format(name, desc->format, tensor.format));
	TRY_CODE(read_format(name, desc->storage_format, stored));
	TRY_CODE(read_dims(name, *desc, is_result, tensor));
	if (desc->constant && !is_result)
		tensor.elements.emplace(static_cast<const char *>(desc->constant),
					desc->constant_bytes);
	return ACL_SUCCESS;
}

Status check_counts(const OpText &text)
{
	if (!text.type)
		return null_argument("opType");
	if (text.input_count < 0 || text.output_count < 0)
		return set_error(Status::NULL_POINTER,
				 fmt::format("numInputs is {} and numOutputs is {}; neither may be "
					     "negative",
					     text.input_count, text.output_count));
	if (text.input_count > 0 && !text.inputs)
		return null_argument("inputDesc");
	return text.output_count > 0 && !text.outputs ? null_argument("outputDesc") : Status::OK;
}

template <class T> void put(std::string &key, const T &value)
{
	key.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

void put_text(std::string &key, const std::string &text)
{
	put(key, text.size());
	key += text;
}

void put_tensor(std::string &key, const SingleTensor &tensor)
{
	put(key, tensor.type);
	put(key, tensor.format);
	put(key, tensor.is_absent);
	put(key, tensor.dims.size());
	for (const models::DimRange &dim : tensor.dims) {
		put(key, dim.least);
		put(key, dim.most);
	}
	put(key, tensor.elements.has_value());
	put_text(key, tensor.elements.value_or(""));
}

void put_attribute(std::string &key, const models::ir::Attribute &attribute)
{
	put_text(key, attribute.name);
	put(key, attribute.kind);
	put(key, attribute.is_list);
	put(key, attribute.integers.size());
	for (const int64_t value : attribute.integers)
		put(key, value);
	put(key, attribute.reals.size());
	for (const float value : attribute.reals)
		put(key, value);
	put(key, attribute.texts.size());
	for (const std::string &text : attribute.texts)
		put_text(key, text);
}

} // namespace

aclError read_call(const OpText &text, OpCall &call)
{
	TRY(check_counts(text));
	call.op.type = text.type;
	if (text.attr) {
		auto attr = TRY(find_plain(text.attr, "attr", "aclopExecuteV2"));
		call.op.attributes = attr->values;
	}
	call.op.inputs.resize(static_cast<size_t>(text.input_count));
	call.op.outputs.resize(static_cast<size_t>(text.output_count));
	for (int i = 0; i < text.input_count; i++) {
		bool is_on_host = false;
		TRY_CODE(read_tensor(fmt::format("inputDesc[{}]", i), text.inputs[i], false,
				     call.op.inputs[static_cast<size_t>(i)], is_on_host));
		call.on_host.push_back(is_on_host);
	}
	for (int i = 0; i < text.output_count; i++) {
		bool is_on_host = false;
		TRY_CODE(read_tensor(fmt::format("outputDesc[{}]", i), text.outputs[i], true,
				     call.op.outputs[static_cast<size_t>(i)], is_on_host));
	}
	return ACL_SUCCESS;
}

aclError read_host_inputs(OpCall &call, const aclDataBuffer *const inputs[])
{
	for (size_t i = 0; i < call.on_host.size(); i++) {
		SingleTensor &tensor = call.op.inputs[i];
		if (!call.on_host[i] || tensor.is_absent || tensor.elements)
			continue;
		auto buffer = TRY(find_plain(inputs[i], "inputs", "aclopExecuteV2"));
		if (!buffer->data && buffer->size > 0)
			return REFUSE(ACL_ERROR_OP_INPUT_NOT_MATCH,
				      fmt::format("input {} has the address NULL", i));
		tensor.elements.emplace(static_cast<const char *>(buffer->data), buffer->size);
	}
	return ACL_SUCCESS;
}

std::string key_of(const SingleOp &op)
{
	std::string key;
	put_text(key, op.type);
	for (const std::vector<SingleTensor> *list : {&op.inputs, &op.outputs}) {
		put(key, list->size());
		for (const SingleTensor &tensor : *list)
			put_tensor(key, tensor);
	}
	for (const models::ir::Attribute &attribute : op.attributes)
		put_attribute(key, attribute);
	return key;
}

aclError describe_results(int count, aclTensorDesc *const descs[], const models::om::Face &face)
{
	for (int i = 0; i < count && static_cast<size_t>(i) < face.outputs.size(); i++) {
		auto desc = TRY(find_plain(descs[i], "outputDesc"));
		if (std::ranges::find(desc->shape, UNKNOWN_LENGTH) == desc->shape.end())
			continue;
		const auto dims = face.outputs[static_cast<size_t>(i)].dims.span();
		desc->shape.assign(dims.begin(), dims.end());
		desc->storage_shape = desc->origin_shape = desc->shape;
	}
	return ACL_SUCCESS;
}

} // namespace umd
