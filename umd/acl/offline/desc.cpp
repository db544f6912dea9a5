// SPDX-License-Identifier: MIT
/**
 * DOC: Descriptions of models
 *
 * What a program asks before it allocates buffers. A description shares the face of its model, so it costs nothing and
 * outlives the model.
 */
#include "desc.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/error_codes/ge_error_codes.h"
#include "base/aipp_image.h"
#include "failure.h"
#include "source.h"
#include "umd/acl/front.h"

using base::Status;
using models::om::Port;
using umd::acl_return;
using umd::find_plain;
using umd::null_argument;
using umd::set_error;

namespace umd {

void ModelFace::complete()
{
	real_inputs = face.inputs.size();
	if (!has_profiles())
		return;
	Port port;
	port.name = ACL_DYNAMIC_TENSOR_NAME;
	port.type = models::ir::Type::INT64;
	port.dims.push(static_cast<int64_t>(face.choices[0].size()));
	port.bytes = face.choices[0].size() * sizeof(int64_t);
	face.inputs.push_back(std::move(port));
}

void write_dims(const std::string &name, const models::ir::Dims &sizes, aclmdlIODims &dims)
{
	const size_t length = std::min<size_t>(name.size(), sizeof(dims.name) - 1);
	std::memcpy(dims.name, name.data(), length);
	dims.name[length] = '\0';
	dims.dimCount = sizes.rank();
	std::copy(sizes.begin(), sizes.end(), dims.dims);
}

aclDataType type_of(models::ir::Type type)
{
	using models::ir::Type;
	switch (type) {
	case Type::FLOAT:
		return ACL_FLOAT;
	case Type::UINT8:
		return ACL_UINT8;
	case Type::INT8:
		return ACL_INT8;
	case Type::UINT16:
		return ACL_UINT16;
	case Type::INT16:
		return ACL_INT16;
	case Type::INT32:
		return ACL_INT32;
	case Type::INT64:
		return ACL_INT64;
	case Type::STRING:
		return ACL_STRING;
	case Type::BOOL:
		return ACL_BOOL;
	case Type::FLOAT16:
		return ACL_FLOAT16;
	case Type::DOUBLE:
		return ACL_DOUBLE;
	case Type::UINT32:
		return ACL_UINT32;
	case Type::UINT64:
		return ACL_UINT64;
	case Type::BFLOAT16:
		return ACL_BF16;
	case Type::NONE:
		break;
	}
	return ACL_DT_UNDEFINED;
}

aclFormat format_of(models::om::Format format)
{
	using models::om::Format;
	switch (format) {
	case Format::NCHW:
		return ACL_FORMAT_NCHW;
	case Format::NHWC:
		return ACL_FORMAT_NHWC;
	case Format::NCDHW:
		return ACL_FORMAT_NCDHW;
	case Format::NDHWC:
		return ACL_FORMAT_NDHWC;
	case Format::ND:
		break;
	}
	return ACL_FORMAT_ND;
}

namespace {

enum class Way { INPUT, OUTPUT };

/* An empty description has no inputs and no outputs. */
const std::vector<Port> &ports_of(const aclmdlDesc &desc, Way way)
{
	static const std::vector<Port> none;
	if (!desc.model)
		return none;
	return way == Way::INPUT ? desc.model->face.inputs : desc.model->face.outputs;
}

/* find_port() - input or output @index.
 * Return: NULL_POINTER behind the last one; as find_plain(); sets the error message */
base::Result<const Port *> find_port(const aclmdlDesc *modelDesc, Way way, size_t index,
				     const char *caller = __builtin_FUNCTION())
{
	const auto desc = TRY(find_plain(modelDesc, "modelDesc", caller));
	const std::vector<Port> &ports = ports_of(*desc, way);
	if (index < ports.size())
		return &ports[index];
	return set_error(Status::NULL_POINTER,
			 fmt::format("{}: index is {}; the model has {} {}", caller, index,
				     ports.size(), way == Way::INPUT ? "inputs" : "outputs"));
}

template <class T, class Get>
T ask(const aclmdlDesc *modelDesc, Way way, size_t index, T otherwise, Get get,
      const char *caller = __builtin_FUNCTION())
{
	const auto port = find_port(modelDesc, way, index, caller);
	(void)acl_return(port.status());
	return port ? get(**port) : otherwise;
}

size_t count_ports(const aclmdlDesc *modelDesc, Way way, const char *caller = __builtin_FUNCTION())
{
	const auto desc = find_plain(modelDesc, "modelDesc", caller);
	(void)acl_return(desc.status());
	return desc ? ports_of(**desc, way).size() : 0;
}

size_t bytes_of(const Port &port)
{
	return static_cast<size_t>(port.bytes);
}

const char *name_of(const Port &port)
{
	return port.name.c_str();
}

aclError get_dims(const aclmdlDesc *modelDesc, Way way, size_t index, aclmdlIODims *dims,
		  const char *caller = __builtin_FUNCTION())
{
	if (!dims)
		return acl_return(null_argument("dims"));
	auto port = TRY(find_port(modelDesc, way, index, caller));
	write_dims(port->name, port->dims, *dims);
	return ACL_SUCCESS;
}

/* An image as its pixels are: n, h, w, c, whatever its bytes are. */
void write_image(const models::om::Images &images, const Port &port, aclmdlIODims &dims)
{
	const auto size = [](uint32_t number) {
		return number ? static_cast<int64_t>(number) : models::ir::UNKNOWN;
	};
	const unpu_aipp &steps = images.steps;
	write_dims(port.name,
		   {port.dims[0], size(steps.height), size(steps.width),
		    base::aipp_channels(steps.format)},
		   dims);
}

aclError find_index(const aclmdlDesc *modelDesc, Way way, const char *name, size_t *index,
		    const char *caller = __builtin_FUNCTION())
{
	auto desc = TRY(find_plain(modelDesc, "modelDesc", caller));
	if (!name || !index)
		return acl_return(null_argument(name ? "index" : "name"));
	const std::vector<Port> &ports = ports_of(*desc, way);
	std::string names;
	for (size_t i = 0; i < ports.size(); i++) {
		if (ports[i].name == name) {
			*index = i;
			return ACL_SUCCESS;
		}
		names += (i ? ", " : "") + ports[i].name;
	}
	return acl_return(
		set_error(Status::NULL_POINTER, fmt::format("{}: name is \"{}\"; the model has {}",
							    caller, name, names)));
}

aclError fill_desc(aclmdlDesc *modelDesc, const Source &source, const char *caller)
{
	auto desc = TRY(find_plain(modelDesc, "modelDesc", caller));
	auto made = std::make_shared<ModelFace>();
	TRY_CODE(read_face(source, made->face));
	made->complete();
	desc->model = std::move(made);
	return ACL_SUCCESS;
}

} // namespace

} // namespace umd

using umd::Way;

aclmdlDesc *aclmdlCreateDesc()
{
	auto *desc = umd::make_plain<aclmdlDesc>();
	if (!desc) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	desc->model = nullptr;
	return umd::handle_of(*desc);
}

aclError aclmdlDestroyDesc(aclmdlDesc *modelDesc)
{
	auto desc = TRY(umd::retire_plain(modelDesc, "modelDesc"));
	desc->model = nullptr;
	umd::free_plain(*desc);
	return ACL_SUCCESS;
}

aclError aclmdlGetDesc(aclmdlDesc *modelDesc, uint32_t modelId)
{
	auto desc = TRY(find_plain(modelDesc, "modelDesc"));
	auto face = umd::find_model_face(modelId);
	if (!face)
		return static_cast<aclError>(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
	desc->model = std::move(face);
	return ACL_SUCCESS;
}

aclError aclmdlGetDescFromFile(aclmdlDesc *modelDesc, const char *modelPath)
{
	umd::Source source;
	TRY_CODE(umd::open_source(modelPath, source));
	return umd::fill_desc(modelDesc, source, "aclmdlGetDescFromFile");
}

aclError aclmdlGetDescFromMem(aclmdlDesc *modelDesc, const void *model, size_t modelSize)
{
	umd::Source source;
	TRY_CODE(umd::open_source(model, modelSize, source));
	return umd::fill_desc(modelDesc, source, "aclmdlGetDescFromMem");
}

size_t aclmdlGetNumInputs(aclmdlDesc *modelDesc)
{
	return umd::count_ports(modelDesc, Way::INPUT, "aclmdlGetNumInputs");
}

size_t aclmdlGetNumOutputs(aclmdlDesc *modelDesc)
{
	return umd::count_ports(modelDesc, Way::OUTPUT, "aclmdlGetNumOutputs");
}

size_t aclmdlGetInputSizeByIndex(aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(modelDesc, Way::INPUT, index, size_t{0}, umd::bytes_of,
			"aclmdlGetInputSizeByIndex");
}

size_t aclmdlGetOutputSizeByIndex(aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(modelDesc, Way::OUTPUT, index, size_t{0}, umd::bytes_of,
			"aclmdlGetOutputSizeByIndex");
}

const char *aclmdlGetInputNameByIndex(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(modelDesc, Way::INPUT, index, "", umd::name_of,
			"aclmdlGetInputNameByIndex");
}

const char *aclmdlGetOutputNameByIndex(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(modelDesc, Way::OUTPUT, index, "", umd::name_of,
			"aclmdlGetOutputNameByIndex");
}

aclError aclmdlGetInputIndexByName(const aclmdlDesc *modelDesc, const char *name, size_t *index)
{
	return umd::find_index(modelDesc, Way::INPUT, name, index, "aclmdlGetInputIndexByName");
}

aclError aclmdlGetOutputIndexByName(const aclmdlDesc *modelDesc, const char *name, size_t *index)
{
	return umd::find_index(modelDesc, Way::OUTPUT, name, index, "aclmdlGetOutputIndexByName");
}

aclDataType aclmdlGetInputDataType(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(
		modelDesc, Way::INPUT, index, ACL_DT_UNDEFINED,
		[](const Port &port) { return umd::type_of(port.type); }, "aclmdlGetInputDataType");
}

aclDataType aclmdlGetOutputDataType(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(
		modelDesc, Way::OUTPUT, index, ACL_DT_UNDEFINED,
		[](const Port &port) { return umd::type_of(port.type); },
		"aclmdlGetOutputDataType");
}

aclFormat aclmdlGetInputFormat(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(
		modelDesc, Way::INPUT, index, ACL_FORMAT_UNDEFINED,
		[](const Port &port) { return umd::format_of(port.format); },
		"aclmdlGetInputFormat");
}

aclFormat aclmdlGetOutputFormat(const aclmdlDesc *modelDesc, size_t index)
{
	return umd::ask(
		modelDesc, Way::OUTPUT, index, ACL_FORMAT_UNDEFINED,
		[](const Port &port) { return umd::format_of(port.format); },
		"aclmdlGetOutputFormat");
}

aclError aclmdlGetInputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
	TRY_CODE(umd::get_dims(modelDesc, Way::INPUT, index, dims, "aclmdlGetInputDims"));
	const umd::ModelFace &model = *umd::peek_plain(modelDesc)->model;
	const models::om::Images *const images = model.images_of(index);
	if (images && images->steps_input == models::ir::ABSENT)
		umd::write_image(*images, model.face.inputs[index], *dims);
	return ACL_SUCCESS;
}

aclError aclmdlGetInputDimsV2(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
	return umd::get_dims(modelDesc, Way::INPUT, index, dims, "aclmdlGetInputDimsV2");
}

aclError aclmdlGetInputDimsRange(const aclmdlDesc *modelDesc, size_t index,
				 aclmdlIODimsRange *dimsRange)
{
	if (!dimsRange)
		return acl_return(null_argument("dimsRange"));
	auto port = TRY(umd::find_port(modelDesc, Way::INPUT, index, "aclmdlGetInputDimsRange"));
	dimsRange->rangeCount = port->dims.rank();
	for (unsigned d = 0; d < port->dims.rank(); d++) {
		const bool is_open = port->dims[d] < 0;
		dimsRange->range[d][0] = is_open ? port->least[d] : port->dims[d];
		dimsRange->range[d][1] = is_open ? port->most[d] : port->dims[d];
	}
	return ACL_SUCCESS;
}

aclError aclmdlGetOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
	return umd::get_dims(modelDesc, Way::OUTPUT, index, dims, "aclmdlGetOutputDims");
}

aclError aclmdlGetCurOutputDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims)
{
	TRY_CODE(umd::get_dims(modelDesc, Way::OUTPUT, index, dims, "aclmdlGetCurOutputDims"));
	const umd::ModelFace &model = *umd::peek_plain(modelDesc)->model;
	if (model.face.dynamic == models::om::Dynamic::FREE)
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      "the model has free dims, so its outputs have no shape before a "
			      "run; after one, aclmdlGetDatasetTensorDesc tells it");
	return model.has_profiles() && model.id != 0 ? umd::current_dims(model.id, index, *dims)
						     : ACL_SUCCESS;
}

const char *aclmdlGetTensorRealName(const aclmdlDesc *modelDesc, const char *name)
{
	const auto desc = find_plain(modelDesc, "modelDesc");
	(void)acl_return(desc && !name ? null_argument("name") : desc.status());
	if (!desc || !name)
		return nullptr;
	const std::string_view wanted(name);
	for (const Way way : {Way::INPUT, Way::OUTPUT})
		for (const Port &port : umd::ports_of(**desc, way))
			if (port.name == wanted || (wanted.size() == ACL_MAX_TENSOR_NAME_LEN - 1 &&
						    port.name.starts_with(wanted)))
				return port.name.c_str();
	(void)acl_return(set_error(
		Status::NULL_POINTER,
		fmt::format("aclmdlGetTensorRealName: no input and no output is called \"{}\"",
			    wanted)));
	return nullptr;
}

const char *aclmdlGetOpAttr(aclmdlDesc *modelDesc, const char *opName, const char *attr)
{
	const auto desc = find_plain(modelDesc, "modelDesc");
	if (desc && opName && attr)
		return "";
	(void)acl_return(desc ? null_argument(opName ? "attr" : "opName") : desc.status());
	return nullptr;
}
