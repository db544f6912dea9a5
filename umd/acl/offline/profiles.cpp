// SPDX-License-Identifier: MIT
/**
 * DOC: Shapes of models
 *
 * A model may have several shapes, which atc has tried: its profiles. A program chooses one for a dataset, before the
 * run. The choice lies in the dataset; the buffer of the extra input is there because programs expect one. A model with
 * free dims has any shape that the program describes in its dataset.
 */
#include "profiles.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "acl/acl.h"
#include "acl/error_codes/ge_error_codes.h"
#include "failure.h"
#include "offline_model.h"
#include "umd/acl/front.h"
#include "umd/acl/legacy/tensor_desc.h"
#include "umd/acl/model/dataset.h"

using base::Status;
using models::om::Dynamic;
using umd::acl_return;
using umd::find_plain;
using umd::null_argument;
using umd::set_error;

namespace umd {

std::vector<models::ir::Dims> split_shape(const ModelFace &model, const models::om::Profile &shape)
{
	std::vector<models::ir::Dims> dims;
	size_t next = 0;
	for (size_t i = 0; i < model.real_inputs; i++) {
		const unsigned rank = model.face.inputs[i].dims.rank();
		dims.emplace_back(std::span(shape).subspan(next, rank));
		next += rank;
	}
	return dims;
}

/* The largest profile has the most elements in its inputs. */
static size_t largest_profile(const models::om::Face &face)
{
	size_t best = 0;
	double most = -1;
	for (size_t p = 0; p < face.profiles.size(); p++) {
		double product = 1;
		for (const int64_t size : face.profiles[p])
			product *= static_cast<double>(size);
		if (product > most)
			best = p;
		most = std::max(most, product);
	}
	return best;
}

aclError find_profile(const models::om::Face &face, std::span<const int64_t> choice,
		      size_t &profile)
{
	profile = largest_profile(face);
	if (choice.empty())
		return ACL_SUCCESS;
	const auto at =
		std::find_if(face.choices.begin(), face.choices.end(), [&](const auto &each) {
			return std::equal(each.begin(), each.end(), choice.begin(), choice.end());
		});
	if (at == face.choices.end())
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      fmt::format("{} is no profile of the model; it has {}", choice,
					  face.choices));
	profile = static_cast<size_t>(at - face.choices.begin());
	return ACL_SUCCESS;
}

aclError first_shape(const ModelFace &model, models::om::Profile &shape)
{
	shape.clear();
	if (model.face.dynamic == Dynamic::FREE)
		return ACL_SUCCESS;
	if (model.has_profiles()) {
		shape = model.face.profiles[largest_profile(model.face)];
		return ACL_SUCCESS;
	}
	for (size_t i = 0; i < model.real_inputs; i++) {
		const models::ir::Dims &dims = model.face.inputs[i].dims;
		if (!dims.is_known())
			return REFUSE(ACL_ERROR_DESERIALIZE_MODEL,
				      "the model file is broken: an input has an open dim; compile "
				      "the model again");
		shape.insert(shape.end(), dims.begin(), dims.end());
	}
	return ACL_SUCCESS;
}

namespace {

/* "input 1 (x)" */
std::string input_text(const models::om::Port &port, size_t i)
{
	return fmt::format("input {} ({})", i, port.name);
}

/* Appends the shape that a program describes for an input. */
aclError take_desc(const models::om::Port &port, size_t i, const aclTensorDesc &desc,
		   models::om::Profile &shape)
{
	if (desc.shape.size() != port.dims.rank())
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      fmt::format("{} has {} dims in its description and {} in the model",
					  input_text(port, i), desc.shape.size(),
					  port.dims.rank()));
	for (unsigned d = 0; d < port.dims.rank(); d++) {
		const int64_t size = desc.shape[d];
		const bool is_free = port.dims[d] < 0;
		const int64_t least = is_free ? port.least[d] : port.dims[d];
		const int64_t most = is_free ? port.most[d] : port.dims[d];
		if (size < least || (most >= 0 && size > most))
			return REFUSE(
				ACL_ERROR_GE_PARAM_INVALID,
				fmt::format("dim {} of {} is {} in its description; the model "
					    "takes {} to {}",
					    d, input_text(port, i), size, least,
					    most < 0 ? "any size" : std::to_string(most)));
		shape.push_back(size);
	}
	return ACL_SUCCESS;
}

aclError take_descs(const ModelFace &model, const aclmdlDataset &dataset,
		    models::om::Profile &shape)
{
	for (size_t i = 0; i < model.real_inputs; i++) {
		const models::om::Port &port = model.face.inputs[i];
		const aclTensorDesc *desc =
			i < dataset.descs.size() ? peek_plain(dataset.descs[i]) : nullptr;
		if (desc)
			TRY_CODE(take_desc(port, i, *desc, shape));
		else if (!port.dims.is_known())
			return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
				      fmt::format("{} has the shape {} in the model; "
						  "aclmdlSetDatasetTensorDesc gives it the one of "
						  "a run",
						  input_text(port, i),
						  models::ir::print(port.dims)));
		else
			shape.insert(shape.end(), port.dims.begin(), port.dims.end());
	}
	return ACL_SUCCESS;
}

/* The profile gives the shape. A description may say the same. */
aclError check_descs(const ModelFace &model, const aclmdlDataset &dataset,
		     const models::om::Profile &shape)
{
	const std::vector<models::ir::Dims> dims = split_shape(model, shape);
	for (size_t i = 0; i < dims.size() && i < dataset.descs.size(); i++) {
		const aclTensorDesc *desc = peek_plain(dataset.descs[i]);
		if (desc && !std::ranges::equal(desc->shape, dims[i]))
			return REFUSE(
				ACL_ERROR_GE_PARAM_INVALID,
				fmt::format("{} is described as {}, and has {} in the profile "
					    "of the run; {} chooses the profile of a model that "
					    "has some",
					    input_text(model.face.inputs[i], i),
					    models::ir::print(desc->shape),
					    models::ir::print(dims[i]),
					    "aclmdlSetDynamicBatchSize or its kind"));
	}
	return ACL_SUCCESS;
}

} // namespace

aclError find_shape(const ModelFace &model, const aclmdlDataset &dataset,
		    models::om::Profile &shape)
{
	if (!model.has_profiles())
		return take_descs(model, dataset, shape);
	size_t profile;
	TRY_CODE(find_profile(model.face, dataset.choice, profile));
	shape = model.face.profiles[profile];
	return check_descs(model, dataset, shape);
}

namespace {

/* @kind: of the call that chooses */
aclError choose(uint32_t id, const aclmdlDataset *handle, size_t index, Dynamic kind,
		std::vector<int64_t> choice, const char *caller)
{
	auto dataset = TRY(find_plain(handle, "dataset", caller));
	std::shared_ptr<OfflineModel> model;
	TRY_CODE(OfflineModel::find(id, model));
	const auto face = model->face();
	if (face->face.dynamic != kind)
		return REFUSE(
			ACL_ERROR_MODEL_NOT_DYNAMIC,
			fmt::format("{}: model {} was not compiled for this; --dynamic_batch_size, "
				    "--dynamic_image_size and --dynamic_dims of atc each go "
				    "with a call of their own",
				    caller, id));
	if (index != face->real_inputs)
		return acl_return(
			set_error(Status::NULL_POINTER,
				  fmt::format("{}: index is {}; the input {} has {}", caller, index,
					      ACL_DYNAMIC_TENSOR_NAME, face->real_inputs)));
	size_t profile;
	TRY_CODE(find_profile(face->face, choice, profile));
	model->note_choice(face->face.profiles[profile]);
	const_cast<aclmdlDataset *>(dataset)->choice = std::move(choice);
	return ACL_SUCCESS;
}

/* The choice that stands for the dims of all real inputs, one input after the other. */
aclError choice_of(const ModelFace &model, const aclmdlIODims &dims, std::vector<int64_t> &choice)
{
	size_t at = 0;
	const size_t count = std::min<size_t>(dims.dimCount, ACL_MAX_DIM_CNT);
	for (size_t i = 0; i < model.real_inputs; i++)
		for (const int64_t size : model.face.inputs[i].dims) {
			if (at >= count || (size >= 0 && size != dims.dims[at]))
				return acl_return(set_error(
					Status::NULL_POINTER,
					fmt::format(
						"dims do not fit at number {}: they are the dims "
						"of all inputs, one input after the other",
						at)));
			if (size < 0)
				choice.push_back(dims.dims[at]);
			at++;
		}
	if (at == dims.dimCount)
		return ACL_SUCCESS;
	return acl_return(
		set_error(Status::NULL_POINTER,
			  fmt::format("dims has {} sizes; the inputs have {}", dims.dimCount, at)));
}

base::Result<const models::om::Face *> face_of(const aclmdlDesc *modelDesc, const char *caller)
{
	static const models::om::Face none;
	const auto desc = TRY(find_plain(modelDesc, "modelDesc", caller));
	return desc->model ? &desc->model->face : &none;
}

/* How many choices of a kind a program can be told of. */
size_t count_choices(const models::om::Face &face, Dynamic kind, size_t most)
{
	return face.dynamic == kind ? std::min(face.choices.size(), most) : 0;
}

} // namespace

} // namespace umd

aclError aclmdlSetDynamicBatchSize(uint32_t modelId, aclmdlDataset *dataset, size_t index,
				   uint64_t batchSize)
{
	return umd::choose(modelId, dataset, index, Dynamic::BATCH,
			   {static_cast<int64_t>(batchSize)}, "aclmdlSetDynamicBatchSize");
}

aclError aclmdlSetDynamicHWSize(uint32_t modelId, aclmdlDataset *dataset, size_t index,
				uint64_t height, uint64_t width)
{
	return umd::choose(modelId, dataset, index, Dynamic::IMAGE,
			   {static_cast<int64_t>(height), static_cast<int64_t>(width)},
			   "aclmdlSetDynamicHWSize");
}

aclError aclmdlSetInputDynamicDims(uint32_t modelId, aclmdlDataset *dataset, size_t index,
				   const aclmdlIODims *dims)
{
	if (!dims)
		return acl_return(null_argument("dims"));
	const auto face = umd::find_model_face(modelId);
	if (!face)
		return static_cast<aclError>(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
	std::vector<int64_t> choice;
	TRY_CODE(umd::choice_of(*face, *dims, choice));
	return umd::choose(modelId, dataset, index, Dynamic::DIMS, std::move(choice),
			   "aclmdlSetInputDynamicDims");
}

aclError aclmdlGetDynamicBatch(const aclmdlDesc *modelDesc, aclmdlBatch *batch)
{
	auto face = TRY(umd::face_of(modelDesc, "aclmdlGetDynamicBatch"));
	if (!batch)
		return acl_return(null_argument("batch"));
	batch->batchCount = umd::count_choices(*face, Dynamic::BATCH, ACL_MAX_BATCH_NUM);
	for (size_t i = 0; i < batch->batchCount; i++)
		batch->batch[i] = static_cast<uint64_t>(face->choices[i][0]);
	return ACL_SUCCESS;
}

aclError aclmdlGetDynamicHW(const aclmdlDesc *modelDesc, size_t index, aclmdlHW *hw)
{
	(void)index;
	auto face = TRY(umd::face_of(modelDesc, "aclmdlGetDynamicHW"));
	if (!hw)
		return acl_return(null_argument("hw"));
	hw->hwCount = umd::count_choices(*face, Dynamic::IMAGE, ACL_MAX_HW_NUM);
	for (size_t i = 0; i < hw->hwCount; i++)
		for (size_t k = 0; k < 2; k++)
			hw->hw[i][k] = static_cast<uint64_t>(face->choices[i][k]);
	return ACL_SUCCESS;
}

aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc *modelDesc, size_t index,
					size_t *gearCount)
{
	(void)index;
	auto face = TRY(umd::face_of(modelDesc, "aclmdlGetInputDynamicGearCount"));
	if (!gearCount)
		return acl_return(null_argument("gearCount"));
	*gearCount = umd::count_choices(*face, Dynamic::DIMS, face->choices.size());
	return ACL_SUCCESS;
}

aclError aclmdlGetInputDynamicDims(const aclmdlDesc *modelDesc, size_t index, aclmdlIODims *dims,
				   size_t gearCount)
{
	(void)index;
	auto face = TRY(umd::face_of(modelDesc, "aclmdlGetInputDynamicDims"));
	if (!dims)
		return acl_return(null_argument("dims"));
	const size_t count = umd::count_choices(*face, Dynamic::DIMS, face->choices.size());
	if (gearCount != count)
		return acl_return(set_error(
			Status::NULL_POINTER,
			fmt::format("gearCount is {}; aclmdlGetInputDynamicGearCount tells {}",
				    gearCount, count)));
	for (size_t i = 0; i < count; i++) {
		const models::om::Profile &profile = face->profiles[i];
		dims[i].name[0] = '\0';
		dims[i].dimCount = std::min<size_t>(profile.size(), ACL_MAX_DIM_CNT);
		std::copy_n(profile.begin(), dims[i].dimCount, dims[i].dims);
	}
	return ACL_SUCCESS;
}
