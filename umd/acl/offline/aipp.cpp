// SPDX-License-Identifier: MIT
/**
 * DOC: Preprocessing of images
 *
 * An input of a model may be made of the bytes of images. The steps are in the model, or the program gives them before
 * a run: they are then written into the memory of the input ACL_DYNAMIC_AIPP_NAME, which the device reads in the run.
 */
#include "aipp.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "acl/acl.h"
#include "acl/error_codes/ge_error_codes.h"
#include "base/aipp_image.h"
#include "desc.h"
#include "failure.h"
#include "umd/acl/copy/data_buffer.h"
#include "umd/acl/front.h"
#include "umd/acl/model/dataset.h"
#include "umd/core/context/contexts.h"
#include "weights.h"

using base::Status;
using models::om::Images;
using umd::acl_return;
using umd::find_plain;
using umd::ModelFace;

namespace {

/* find_face() - the model @id, which has an input @index. */
aclError find_face(uint32_t id, size_t index, const char *caller,
		   std::shared_ptr<const ModelFace> &model)
{
	model = umd::find_model_face(id);
	if (!model)
		return static_cast<aclError>(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
	const size_t count = model->face.inputs.size();
	if (index < count)
		return ACL_SUCCESS;
	return acl_return(umd::set_error(
		Status::NULL_POINTER,
		fmt::format("{}: index is {}; the model has {} inputs", caller, index, count)));
}

bool is_dynamic(const Images &images)
{
	return images.steps_input != models::ir::ABSENT;
}

/* find_steps_of() - the input whose steps input @index has; nullptr if it has none. */
const Images *find_steps_of(const ModelFace &model, size_t index)
{
	for (const Images &images : model.face.images)
		if (is_dynamic(images) && static_cast<size_t>(images.steps_input) == index)
			return &images;
	return nullptr;
}

/* class Network - the sizes that an input has behind the steps. */
class Network {
public:
	explicit Network(const Images &images)
		: dims_(images.network.dims),
		  is_last_(images.network.format == models::om::Format::NHWC)
	{
	}

	int64_t channels() const { return dims_[is_last_ ? 3 : 1]; }
	int64_t &height() { return dims_[is_last_ ? 1 : 2]; }
	int64_t &width() { return dims_[is_last_ ? 2 : 3]; }
	int64_t &count() { return dims_[0]; }
	const models::ir::Dims &dims() const { return dims_; }

private:
	models::ir::Dims dims_;
	const bool is_last_;
};

/* The shapes of image and network, where the image has the dims @image. */
void write_shapes(const Images &images, const models::ir::Dims &image, aclAippDims &to)
{
	Network network(images);
	const unpu_aipp &steps = images.steps;
	network.count() = image[0];
	if (network.width() < 0)
		network.width() = image[2];
	if (network.height() < 0)
		network.height() = steps.format == UNPU_AIPP_YUV420SP	? image[1] / 3 * 2
				   : steps.format == UNPU_AIPP_YUV422SP ? image[1] / 2
									: image[1];
	umd::write_dims(images.network.name, image, to.srcDims);
	umd::write_dims(images.network.name, network.dims(), to.aippOutdims);
	to.srcSize = static_cast<size_t>(models::ir::count(image).value_or(0));
	to.aippOutSize = static_cast<size_t>(models::ir::count(network.dims()).value_or(0)) *
			 aclDataTypeSize(umd::type_of(images.network.type));
}

void write_colours(const unpu_aipp &steps, aclAippInfo &info)
{
	const auto is = [&](uint32_t flag) {
		return static_cast<int8_t>((steps.flags & flag) != 0);
	};
	info.cscSwitch = is(UNPU_AIPP_CONVERT);
	info.rbuvSwapSwitch = is(UNPU_AIPP_SWAP_COLOURS);
	info.axSwapSwitch = is(UNPU_AIPP_SWAP_ALPHA);
	info.singleLineMode = 0;
	int32_t *const matrix[9] = {&info.matrixR0C0, &info.matrixR0C1, &info.matrixR0C2,
				    &info.matrixR1C0, &info.matrixR1C1, &info.matrixR1C2,
				    &info.matrixR2C0, &info.matrixR2C1, &info.matrixR2C2};
	int32_t *const out[3] = {&info.outputBias0, &info.outputBias1, &info.outputBias2};
	int32_t *const in[3] = {&info.inputBias0, &info.inputBias1, &info.inputBias2};
	int32_t *const mean[4] = {&info.meanChn0, &info.meanChn1, &info.meanChn2, &info.meanChn3};
	float *const least[4] = {&info.minChn0, &info.minChn1, &info.minChn2, &info.minChn3};
	float *const factor[4] = {&info.varReciChn0, &info.varReciChn1, &info.varReciChn2,
				  &info.varReciChn3};
	for (unsigned k = 0; k < 9; k++)
		*matrix[k] = steps.matrix[k];
	for (unsigned k = 0; k < 3; k++) {
		*out[k] = steps.output_bias[k];
		*in[k] = steps.input_bias[k];
	}
	for (unsigned c = 0; c < 4; c++) {
		*mean[c] = steps.mean[c];
		*least[c] = steps.minimum[c];
		*factor[c] = steps.factor[c];
	}
}

void write_sizes(const Images &images, aclAippInfo &info)
{
	const unpu_aipp &steps = images.steps;
	const auto size = [](uint32_t number) { return static_cast<int32_t>(number); };
	info.inputFormat = static_cast<aclAippInputFormat>(steps.format);
	info.srcImageSizeW = size(steps.width);
	info.srcImageSizeH = size(steps.height);
	info.cropSwitch = images.crops;
	info.loadStartPosW = size(steps.crop_left);
	info.loadStartPosH = size(steps.crop_top);
	info.cropSizeW = images.crops ? size(steps.crop_width) : 0;
	info.cropSizeH = images.crops ? size(steps.crop_height) : 0;
	info.resizeSwitch = 0;
	info.resizeOutputW = info.resizeOutputH = 0;
	info.paddingSwitch = images.pads;
	info.leftPaddingSize = size(steps.pad_left);
	info.rightPaddingSize = size(steps.pad_right);
	info.topPaddingSize = size(steps.pad_top);
	info.bottomPaddingSize = size(steps.pad_bottom);
}

/* A model with profiles has a shape for each. */
void write_all_shapes(const ModelFace &model, const Images &images, aclAippInfo &info)
{
	const std::vector<models::om::Profile> &profiles = model.face.profiles;
	if (profiles.empty()) {
		info.shapeCount = 1;
		write_shapes(images, model.face.inputs[images.input].dims, info.outDims[0]);
		return;
	}
	size_t begin = 0;
	for (size_t i = 0; i < images.input; i++)
		begin += model.face.inputs[i].dims.rank();
	info.shapeCount = std::min<size_t>(profiles.size(), ACL_MAX_SHAPE_COUNT);
	for (size_t p = 0; p < info.shapeCount; p++)
		write_shapes(images, models::ir::Dims(std::span(profiles[p]).subspan(begin, 4)),
			     info.outDims[p]);
}

/* class Completion - the steps of one run, with all sizes. */
class Completion {
public:
	Completion(const ModelFace &model, const Images &images, const char *caller)
		: model_(model), images_(images), network_(images), caller_(caller)
	{
	}

	aclError run(const std::vector<unpu_aipp> &from, std::string &bytes);

private:
	aclError fail(size_t n, const std::string &why) const
	{
		return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
			      fmt::format("{}: image {}: {}", caller_, n, why));
	}
	aclError check_format(size_t n, const unpu_aipp &steps) const;
	aclError check_sizes(size_t n, const unpu_aipp &steps);

	const ModelFace &model_;
	const Images &images_;
	Network network_;
	const char *caller_;
};

aclError Completion::check_format(size_t n, const unpu_aipp &steps) const
{
	const auto channels = static_cast<int64_t>(base::aipp_channels(steps.format));
	if (channels == 0)
		return fail(n, "it has no format; call aclmdlSetAIPPInputFormat first");
	if (steps.width == 0 || steps.height == 0)
		return fail(n, "it has no size; call aclmdlSetAIPPSrcImageSize first");
	if ((steps.flags & UNPU_AIPP_CONVERT) != 0 && channels < 3)
		return fail(n, "it has one channel, and no colours that could be converted");
	if (channels < network_.channels())
		return fail(n, fmt::format("it has {} channels; the network takes {}", channels,
					   network_.channels()));
	const uint32_t columns = base::aipp_columns(steps.format);
	const uint32_t rows = base::aipp_rows(steps.format);
	if ((steps.width | steps.crop_left | steps.crop_width) % columns != 0 ||
	    (steps.height | steps.crop_top | steps.crop_height) % rows != 0)
		return fail(n, "its pixels share colours, so its sizes and places are even");
	return ACL_SUCCESS;
}

aclError Completion::check_sizes(size_t n, const unpu_aipp &steps)
{
	const auto end = [](uint32_t first, uint32_t size) { return uint64_t{first} + size; };
	if (end(steps.crop_left, steps.crop_width) > steps.width ||
	    end(steps.crop_top, steps.crop_height) > steps.height)
		return fail(n, fmt::format("the part of {} x {} pixels at ({}, {}) leaves the "
					   "image of {} x {}",
					   steps.crop_width, steps.crop_height, steps.crop_left,
					   steps.crop_top, steps.width, steps.height));
	const uint64_t width = end(steps.pad_left, steps.crop_width) + steps.pad_right;
	const uint64_t height = end(steps.pad_top, steps.crop_height) + steps.pad_bottom;
	if (width != static_cast<uint64_t>(network_.width()) ||
	    height != static_cast<uint64_t>(network_.height()))
		return fail(n,
			    fmt::format("its steps give {} x {} pixels; the network takes {} x {}",
					width, height, network_.width(), network_.height()));
	const uint64_t most = model_.face.inputs[images_.input].bytes / (n + 1);
	const uint64_t each = base::aipp_bytes(steps.format, steps.width, steps.height).all();
	if (each > most)
		return fail(n, fmt::format("images of {} bytes are more than the {} of "
					   "max_src_image_size",
					   each, model_.face.inputs[images_.input].bytes));
	return ACL_SUCCESS;
}

aclError Completion::run(const std::vector<unpu_aipp> &from, std::string &bytes)
{
	const uint64_t wanted = model_.face.inputs[static_cast<size_t>(images_.steps_input)].bytes /
				sizeof(unpu_aipp);
	if (from.size() != wanted)
		return REFUSE(
			ACL_ERROR_GE_PARAM_INVALID,
			fmt::format("{}: aclmdlCreateAIPP made steps for {} images; a run has "
				    "{} at most",
				    caller_, from.size(), wanted));
	for (size_t n = 0; n < from.size(); n++) {
		unpu_aipp steps = from[n];
		/* Biases go with the direction of a conversion. */
		const bool is_yuv = base::aipp_is_yuv(steps.format);
		std::fill_n(is_yuv ? steps.output_bias : steps.input_bias, 3, 0);
		if (steps.crop_width == 0) {
			steps.crop_width = steps.width;
			steps.crop_height = steps.height;
		}
		TRY_CODE(check_format(n, steps));
		TRY_CODE(check_sizes(n, steps));
		bytes.append(reinterpret_cast<const char *>(&steps), sizeof(steps));
	}
	return ACL_SUCCESS;
}

aclError give_steps(const ModelFace &model, const Images &images, aclmdlDataset *handle,
		    const aclmdlAIPP *aipp, const char *caller)
{
	auto dataset = TRY(find_plain(handle, "dataset", caller));
	auto steps = TRY(find_plain(aipp, "aippParmsSet", caller));
	const auto index = static_cast<size_t>(images.steps_input);
	std::string bytes;
	TRY_CODE(Completion(model, images, caller).run(steps->steps, bytes));
	if (index >= dataset->buffers.size())
		return REFUSE(
			ACL_ERROR_MODEL_INPUT_NOT_MATCH,
			fmt::format("{}: dataset has {} buffers; the steps belong into the one "
				    "of input {} ({})",
				    caller, dataset->buffers.size(), index,
				    model.face.inputs[index].name));
	auto buffer = TRY(find_plain(dataset->buffers[index], "dataBuffer", caller));
	if (buffer->size < bytes.size())
		return REFUSE(ACL_ERROR_MODEL_INPUT_NOT_MATCH,
			      fmt::format("{}: input {} ({}) has {} bytes; the steps need {}",
					  caller, index, model.face.inputs[index].name,
					  buffer->size, bytes.size()));
	auto context = TRY(umd::Contexts::get().current());
	TRY_CODE(
		umd::write_block(context, caller, reinterpret_cast<uint64_t>(buffer->data), bytes));
	if (std::ranges::find(dataset->steps, index) == dataset->steps.end())
		dataset->steps.push_back(index);
	return ACL_SUCCESS;
}

aclError refuse_steps(uint32_t id, size_t index, const char *caller, const char *hint)
{
	return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
		      fmt::format("{}: input {} of model {} {}", caller, index, id, hint));
}

} // namespace

aclError umd::check_steps(const ModelFace &model, const aclmdlDataset &dataset)
{
	for (const Images &images : model.face.images) {
		const auto index = static_cast<size_t>(images.steps_input);
		if (is_dynamic(images) &&
		    std::ranges::find(dataset.steps, index) == dataset.steps.end())
			return REFUSE(ACL_ERROR_GE_PARAM_INVALID,
				      fmt::format("input {} ({}) has no steps for the images; "
						  "aclmdlSetInputAIPP gives them to the dataset",
						  index, model.face.inputs[index].name));
	}
	return ACL_SUCCESS;
}

aclError aclmdlGetAippType(uint32_t modelId, size_t index, aclmdlInputAippType *type,
			   size_t *dynamicAttachedDataIndex)
{
	if (!type || !dynamicAttachedDataIndex)
		return acl_return(umd::null_argument(type ? "dynamicAttachedDataIndex" : "type"));
	std::shared_ptr<const ModelFace> model;
	TRY_CODE(find_face(modelId, index, "aclmdlGetAippType", model));
	const Images *const images = model->images_of(index);
	*type = find_steps_of(*model, index) ? ACL_DYNAMIC_AIPP_NODE
		: !images		     ? ACL_DATA_WITHOUT_AIPP
		: is_dynamic(*images)	     ? ACL_DATA_WITH_DYNAMIC_AIPP
					     : ACL_DATA_WITH_STATIC_AIPP;
	*dynamicAttachedDataIndex = images && is_dynamic(*images)
					    ? static_cast<size_t>(images->steps_input)
					    : ACL_INVALID_NODE_INDEX;
	return ACL_SUCCESS;
}

aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index, aclAippInfo *aippInfo)
{
	if (!aippInfo)
		return acl_return(umd::null_argument("aippInfo"));
	std::shared_ptr<const ModelFace> model;
	TRY_CODE(find_face(modelId, index, "aclmdlGetFirstAippInfo", model));
	const Images *const images = model->images_of(index);
	if (!images || is_dynamic(*images))
		return REFUSE(ACL_ERROR_NOT_STATIC_AIPP,
			      fmt::format("input {} of model {} {}; aclmdlGetAippType tells so",
					  index, modelId,
					  images ? "gets its steps with each run"
						 : "preprocesses no images"));
	write_sizes(*images, *aippInfo);
	write_colours(images->steps, *aippInfo);
	aippInfo->srcFormat = umd::format_of(images->network.format);
	aippInfo->srcDatatype = umd::type_of(images->network.type);
	aippInfo->srcDimNum = images->network.dims.rank();
	write_all_shapes(*model, *images, *aippInfo);
	return ACL_SUCCESS;
}

aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset *dataset, size_t index,
			    const aclmdlAIPP *aippParmsSet)
{
	std::shared_ptr<const ModelFace> model;
	TRY_CODE(find_face(modelId, index, "aclmdlSetInputAIPP", model));
	const Images *const images = find_steps_of(*model, index);
	if (!images)
		return refuse_steps(modelId, index, "aclmdlSetInputAIPP",
				    "takes no steps of images; the input " ACL_DYNAMIC_AIPP_NAME
				    " of a model with the aipp_mode dynamic does");
	return give_steps(*model, *images, dataset, aippParmsSet, "aclmdlSetInputAIPP");
}

aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset *dataset, size_t index,
				   const aclmdlAIPP *aippParmsSet)
{
	std::shared_ptr<const ModelFace> model;
	TRY_CODE(find_face(modelId, index, "aclmdlSetAIPPByInputIndex", model));
	const Images *const images = model->images_of(index);
	if (!images || !is_dynamic(*images))
		return refuse_steps(modelId, index, "aclmdlSetAIPPByInputIndex",
				    images ? "has its steps in the model"
					   : "preprocesses no images");
	return give_steps(*model, *images, dataset, aippParmsSet, "aclmdlSetAIPPByInputIndex");
}
