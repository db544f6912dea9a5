// SPDX-License-Identifier: MIT
/**
 * DOC: Steps of images
 *
 * What a program sets before it gives the steps to a run. A setter checks what it can by itself. The call that gives
 * the steps to a model checks whether they fit it.
 */
#include "aipp.h"

#include <cmath>

#include "base/aipp_image.h"
#include "umd/acl/front.h"

using base::Status;
using umd::acl_return;
using umd::find_plain;
using umd::set_error;

namespace {

constexpr uint64_t MOST_IMAGES = 1 << 16;

Status outside(const char *caller, const char *argument, int64_t value, const char *allowed)
{
	return set_error(Status::NULL_POINTER,
			 fmt::format("{}: {} is {}; allowed {}", caller, argument, value, allowed));
}

Status check_size(const char *caller, const char *argument, int32_t value)
{
	return value >= 0 ? Status::OK : outside(caller, argument, value, "are 0 and more");
}

/* find_steps() - the steps of image @batch. */
base::Result<unpu_aipp *> find_steps(aclmdlAIPP *handle, uint64_t batch, const char *caller)
{
	auto object = TRY(find_plain(handle, "aippParmsSet", caller));
	if (batch < object->steps.size())
		return &object->steps[batch];
	return set_error(
		Status::NULL_POINTER,
		fmt::format("{}: batchIndex is {}; aclmdlCreateAIPP made steps for {} images",
			    caller, batch, object->steps.size()));
}

/* set_flag() - of all images. */
aclError set_flag(aclmdlAIPP *handle, uint32_t flag, bool is_on, const char *caller)
{
	auto object = TRY(find_plain(handle, "aippParmsSet", caller));
	for (unpu_aipp &steps : object->steps)
		steps.flags = is_on ? steps.flags | flag : steps.flags & ~flag;
	return ACL_SUCCESS;
}

aclError set_reals(aclmdlAIPP *handle, uint64_t batch, float (unpu_aipp::*field)[4],
		   const float (&values)[4], const char *caller)
{
	auto steps = TRY(find_steps(handle, batch, caller));
	for (unsigned c = 0; c < 4; c++) {
		if (!std::isfinite(values[c]))
			return acl_return(
				set_error(Status::NULL_POINTER,
					  fmt::format("{}: the number of channel {} is {}", caller,
						      c, values[c])));
		(steps->*field)[c] = values[c];
	}
	return ACL_SUCCESS;
}

} // namespace

aclmdlAIPP *aclmdlCreateAIPP(uint64_t batchSize)
{
	if (batchSize == 0 || batchSize > MOST_IMAGES) {
		(void)acl_return(outside("aclmdlCreateAIPP", "batchSize",
					 static_cast<int64_t>(batchSize), "are 1 to 65536"));
		return nullptr;
	}
	auto *made = umd::make_plain<aclmdlAIPP>();
	if (!made) {
		(void)acl_return(Status::NO_MEMORY);
		return nullptr;
	}
	unpu_aipp steps{};
	steps.magic = UNPU_AIPP_MAGIC;
	std::fill(std::begin(steps.factor), std::end(steps.factor), 1.0f);
	made->steps.assign(batchSize, steps);
	return umd::handle_of(*made);
}

aclError aclmdlDestroyAIPP(const aclmdlAIPP *aippParmsSet)
{
	auto object = TRY(umd::retire_plain(aippParmsSet, "aippParmsSet"));
	auto *own = const_cast<aclmdlAIPP *>(object);
	own->steps = {};
	umd::free_plain(*own);
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPInputFormat(aclmdlAIPP *aippParmsSet, aclAippInputFormat inputFormat)
{
	auto object = TRY(find_plain(aippParmsSet, "aippParmsSet"));
	if (base::aipp_channels(inputFormat) == 0)
		return acl_return(
			outside("aclmdlSetAIPPInputFormat", "inputFormat", inputFormat,
				"are the formats of 8 bits a channel: 1 to 4 and 7 to 10"));
	for (unpu_aipp &steps : object->steps)
		steps.format = inputFormat;
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPCscParams(aclmdlAIPP *aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0,
				int16_t cscMatrixR0C1, int16_t cscMatrixR0C2, int16_t cscMatrixR1C0,
				int16_t cscMatrixR1C1, int16_t cscMatrixR1C2, int16_t cscMatrixR2C0,
				int16_t cscMatrixR2C1, int16_t cscMatrixR2C2,
				uint8_t cscOutputBiasR0, uint8_t cscOutputBiasR1,
				uint8_t cscOutputBiasR2, uint8_t cscInputBiasR0,
				uint8_t cscInputBiasR1, uint8_t cscInputBiasR2)
{
	auto object = TRY(find_plain(aippParmsSet, "aippParmsSet"));
	for (unpu_aipp &steps : object->steps) {
		const int32_t matrix[9] = {cscMatrixR0C0, cscMatrixR0C1, cscMatrixR0C2,
					   cscMatrixR1C0, cscMatrixR1C1, cscMatrixR1C2,
					   cscMatrixR2C0, cscMatrixR2C1, cscMatrixR2C2};
		const int32_t out[3] = {cscOutputBiasR0, cscOutputBiasR1, cscOutputBiasR2};
		const int32_t in[3] = {cscInputBiasR0, cscInputBiasR1, cscInputBiasR2};
		std::copy(std::begin(matrix), std::end(matrix), steps.matrix);
		std::copy(std::begin(out), std::end(out), steps.output_bias);
		std::copy(std::begin(in), std::end(in), steps.input_bias);
	}
	return set_flag(aippParmsSet, UNPU_AIPP_CONVERT, cscSwitch != 0, "aclmdlSetAIPPCscParams");
}

aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t rbuvSwapSwitch)
{
	return set_flag(aippParmsSet, UNPU_AIPP_SWAP_COLOURS, rbuvSwapSwitch != 0,
			"aclmdlSetAIPPRbuvSwapSwitch");
}

aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP *aippParmsSet, int8_t axSwapSwitch)
{
	return set_flag(aippParmsSet, UNPU_AIPP_SWAP_ALPHA, axSwapSwitch != 0,
			"aclmdlSetAIPPAxSwapSwitch");
}

aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP *aippParmsSet, int32_t srcImageSizeW,
				   int32_t srcImageSizeH)
{
	auto object = TRY(find_plain(aippParmsSet, "aippParmsSet"));
	TRY(check_size("aclmdlSetAIPPSrcImageSize", "srcImageSizeW", srcImageSizeW));
	TRY(check_size("aclmdlSetAIPPSrcImageSize", "srcImageSizeH", srcImageSizeH));
	for (unpu_aipp &steps : object->steps) {
		steps.width = static_cast<uint32_t>(srcImageSizeW);
		steps.height = static_cast<uint32_t>(srcImageSizeH);
	}
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPScfParams(aclmdlAIPP *aippParmsSet, int8_t scfSwitch, int32_t scfInputSizeW,
				int32_t scfInputSizeH, int32_t scfOutputSizeW,
				int32_t scfOutputSizeH, uint64_t batchIndex)
{
	(void)TRY(find_steps(aippParmsSet, batchIndex, "aclmdlSetAIPPScfParams"));
	if (scfSwitch == 0 || (scfInputSizeW == scfOutputSizeW && scfInputSizeH == scfOutputSizeH))
		return ACL_SUCCESS;
	return acl_return(set_error(Status::NOT_SUPPORTED,
				    "aclmdlSetAIPPScfParams: images are not resized here; give "
				    "images of the right size, or take a part by "
				    "aclmdlSetAIPPCropParams"));
}

aclError aclmdlSetAIPPCropParams(aclmdlAIPP *aippParmsSet, int8_t cropSwitch, int32_t cropStartPosW,
				 int32_t cropStartPosH, int32_t cropSizeW, int32_t cropSizeH,
				 uint64_t batchIndex)
{
	constexpr const char *CALLER = "aclmdlSetAIPPCropParams";
	auto steps = TRY(find_steps(aippParmsSet, batchIndex, CALLER));
	TRY(check_size(CALLER, "cropStartPosW", cropStartPosW));
	TRY(check_size(CALLER, "cropStartPosH", cropStartPosH));
	TRY(check_size(CALLER, "cropSizeW", cropSizeW));
	TRY(check_size(CALLER, "cropSizeH", cropSizeH));
	const bool is_on = cropSwitch != 0;
	if (is_on && (cropSizeW == 0 || cropSizeH == 0))
		return acl_return(outside(CALLER, cropSizeW ? "cropSizeH" : "cropSizeW", 0,
					  "are 1 and more"));
	steps->crop_left = is_on ? static_cast<uint32_t>(cropStartPosW) : 0;
	steps->crop_top = is_on ? static_cast<uint32_t>(cropStartPosH) : 0;
	steps->crop_width = is_on ? static_cast<uint32_t>(cropSizeW) : 0;
	steps->crop_height = is_on ? static_cast<uint32_t>(cropSizeH) : 0;
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPPaddingParams(aclmdlAIPP *aippParmsSet, int8_t paddingSwitch,
				    int32_t paddingSizeTop, int32_t paddingSizeBottom,
				    int32_t paddingSizeLeft, int32_t paddingSizeRight,
				    uint64_t batchIndex)
{
	constexpr const char *CALLER = "aclmdlSetAIPPPaddingParams";
	auto steps = TRY(find_steps(aippParmsSet, batchIndex, CALLER));
	TRY(check_size(CALLER, "paddingSizeTop", paddingSizeTop));
	TRY(check_size(CALLER, "paddingSizeBottom", paddingSizeBottom));
	TRY(check_size(CALLER, "paddingSizeLeft", paddingSizeLeft));
	TRY(check_size(CALLER, "paddingSizeRight", paddingSizeRight));
	const bool is_on = paddingSwitch != 0;
	steps->pad_top = is_on ? static_cast<uint32_t>(paddingSizeTop) : 0;
	steps->pad_bottom = is_on ? static_cast<uint32_t>(paddingSizeBottom) : 0;
	steps->pad_left = is_on ? static_cast<uint32_t>(paddingSizeLeft) : 0;
	steps->pad_right = is_on ? static_cast<uint32_t>(paddingSizeRight) : 0;
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPDtcPixelMean(aclmdlAIPP *aippParmsSet, int16_t dtcPixelMeanChn0,
				   int16_t dtcPixelMeanChn1, int16_t dtcPixelMeanChn2,
				   int16_t dtcPixelMeanChn3, uint64_t batchIndex)
{
	auto steps = TRY(find_steps(aippParmsSet, batchIndex, "aclmdlSetAIPPDtcPixelMean"));
	const int32_t values[4] = {dtcPixelMeanChn0, dtcPixelMeanChn1, dtcPixelMeanChn2,
				   dtcPixelMeanChn3};
	std::copy(std::begin(values), std::end(values), steps->mean);
	return ACL_SUCCESS;
}

aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP *aippParmsSet, float dtcPixelMinChn0,
				  float dtcPixelMinChn1, float dtcPixelMinChn2,
				  float dtcPixelMinChn3, uint64_t batchIndex)
{
	return set_reals(aippParmsSet, batchIndex, &unpu_aipp::minimum,
			 {dtcPixelMinChn0, dtcPixelMinChn1, dtcPixelMinChn2, dtcPixelMinChn3},
			 "aclmdlSetAIPPDtcPixelMin");
}

aclError aclmdlSetAIPPPixelVarReci(aclmdlAIPP *aippParmsSet, float dtcPixelVarReciChn0,
				   float dtcPixelVarReciChn1, float dtcPixelVarReciChn2,
				   float dtcPixelVarReciChn3, uint64_t batchIndex)
{
	return set_reals(aippParmsSet, batchIndex, &unpu_aipp::factor,
			 {dtcPixelVarReciChn0, dtcPixelVarReciChn1, dtcPixelVarReciChn2,
			  dtcPixelVarReciChn3},
			 "aclmdlSetAIPPPixelVarReci");
}
