// SPDX-License-Identifier: MIT
/*
 * DOC: Models from files that read images
 */
#include <cmath>
#include <memory>

#include "acl/error_codes/ge_error_codes.h"
#include "offline/test_models.h"

namespace conformance {

namespace {

using Bytes = std::vector<uint8_t>;
using Floats = std::vector<float>;

class OfflineImages : public DeviceTest {};

constexpr size_t STEPS_BYTES = 192; /* of an image */

/* class Steps - a description for a number of images of 4 x 2 pixels of RGB. */
class Steps {
public:
	explicit Steps(uint64_t images) : handle_(aclmdlCreateAIPP(images))
	{
		EXPECT_NE(handle_, nullptr);
		EXPECT_OK(aclmdlSetAIPPInputFormat(handle_, ACL_RGB888_U8));
		EXPECT_OK(aclmdlSetAIPPSrcImageSize(handle_, 4, 2));
	}
	~Steps() { EXPECT_OK(aclmdlDestroyAIPP(handle_)); }
	Steps(const Steps &) = delete;
	Steps &operator=(const Steps &) = delete;
	operator aclmdlAIPP *() const { return handle_; }

private:
	aclmdlAIPP *const handle_;
};

Bytes counted(size_t count)
{
	Bytes bytes(count);
	for (size_t i = 0; i < count; i++)
		bytes[i] = static_cast<uint8_t>(i);
	return bytes;
}

/* Element [c][y][x] of an image of RGB of which 2 x 2 pixels from column @left on are taken. */
float pixel(size_t c, size_t y, size_t x, size_t left)
{
	return static_cast<float>((y * 4 + x + left) * 3 + c);
}

TEST_F(OfflineImages, FixedStepsAreTold)
{
	const LoadedModel model("photo");
	auto type = ACL_DATA_WITHOUT_AIPP;
	size_t attached = 0;
	EXPECT_OK(aclmdlGetAippType(model.id(), 0, &type, &attached));
	EXPECT_EQ(type, ACL_DATA_WITH_STATIC_AIPP);
	EXPECT_EQ(attached, ACL_INVALID_NODE_INDEX);
	const auto info = std::make_unique<aclAippInfo>();
	EXPECT_OK(aclmdlGetFirstAippInfo(model.id(), 0, info.get()));
	EXPECT_EQ(info->inputFormat, ACL_RGB888_U8);
	EXPECT_EQ(info->srcImageSizeW, 4);
	EXPECT_EQ(info->srcImageSizeH, 2);
	EXPECT_EQ(info->cropSwitch, 1);
	EXPECT_EQ(info->cropSizeW, 2);
	EXPECT_EQ(info->loadStartPosW, 1);
	EXPECT_EQ(info->cscSwitch, 0);
	EXPECT_EQ(info->meanChn1, 10);
	EXPECT_EQ(info->varReciChn2, 0.5f);
	EXPECT_EQ(info->srcDatatype, ACL_FLOAT);
	EXPECT_EQ(info->shapeCount, 1u);
	EXPECT_EQ(info->outDims[0].srcSize, 24u);
	EXPECT_EQ(info->outDims[0].aippOutSize, 48u);
	aclmdlDesc *const desc = aclmdlCreateDesc();
	EXPECT_OK(aclmdlGetDesc(desc, model.id()));
	EXPECT_EQ(aclmdlGetInputDataType(desc, 0), ACL_UINT8);
	EXPECT_EQ(aclmdlGetInputFormat(desc, 0), ACL_FORMAT_NHWC);
	EXPECT_EQ(aclmdlGetInputSizeByIndex(desc, 0), 24u);
	EXPECT_OK(aclmdlDestroyDesc(desc));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "takes no steps",
		     aclmdlSetInputAIPP(model.id(), nullptr, 0, nullptr));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "has its steps in the model",
		     aclmdlSetAIPPByInputIndex(model.id(), nullptr, 0, nullptr));
}

TEST_F(OfflineImages, FixedStepsAreDone)
{
	const LoadedModel model("photo");
	const DeviceBuffer x(24), y(48);
	x.store(counted(24));
	const Dataset in({&x}), out({&y});
	EXPECT_OK(aclmdlExecute(model.id(), in, out));
	Floats wanted;
	for (size_t c = 0; c < 3; c++)
		for (size_t i = 0; i < 4; i++)
			wanted.push_back(std::fabs((pixel(c, i / 2, i % 2, 1) - 10) * 0.5f));
	EXPECT_EQ(y.load<float>(), wanted);
}

TEST_F(OfflineImages, StepsMayComeWithARun)
{
	const LoadedModel model("steps");
	const uint32_t id = model.id();
	const DeviceBuffer x(64), steps_buffer(2 * STEPS_BYTES), chosen(8), y(96);
	const Dataset in({&x, &steps_buffer, &chosen}), out({&y});
	x.store(counted(64));
	EXPECT_OK(aclmdlSetDynamicBatchSize(id, in, 2, 2));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "input 1 (ascend_dynamic_aipp_data) has no steps",
		     aclmdlExecute(id, in, out));
	const Steps steps(2);
	EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 2, 0, 2, 2, 0));
	EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 0, 0, 1, 2, 1));
	EXPECT_OK(aclmdlSetAIPPPaddingParams(steps, 1, 0, 0, 1, 0, 1));
	EXPECT_OK(aclmdlSetAIPPDtcPixelMean(steps, 5, 5, 5, 0, 1));
	EXPECT_OK(aclmdlSetInputAIPP(id, in, 1, steps));
	EXPECT_OK(aclmdlExecute(id, in, out));
	Floats wanted;
	for (size_t c = 0; c < 3; c++)
		for (size_t i = 0; i < 4; i++)
			wanted.push_back(pixel(c, i / 2, i % 2, 2));
	for (size_t c = 0; c < 3; c++)
		for (size_t i = 0; i < 4; i++)
			wanted.push_back(i % 2 ? 24 + pixel(c, i / 2, 0, 0) - 5 : 0);
	EXPECT_EQ(y.load<float>(), wanted);
	/* Others for the next run, of one image. */
	EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 0, 0, 2, 2, 0));
	EXPECT_OK(aclmdlSetAIPPByInputIndex(id, in, 0, steps));
	EXPECT_OK(aclmdlSetDynamicBatchSize(id, in, 2, 1));
	EXPECT_OK(aclmdlExecute(id, in, out));
	EXPECT_EQ(y.load<float>()[1], pixel(0, 0, 1, 0));
}

TEST_F(OfflineImages, StepsThatDoNotFitAreRefused)
{
	const LoadedModel model("steps");
	const uint32_t id = model.id();
	const DeviceBuffer x(64), small(STEPS_BYTES), good(2 * STEPS_BYTES);
	const Dataset in({&x, &good}), tight({&x, &small}), lone({&x});
	const auto refuses = [&](const char *why, const Steps &steps) {
		EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, why, aclmdlSetInputAIPP(id, in, 1, steps));
	};
	const Steps steps(2), one(1);
	refuses("steps for 1 images; a run has 2", one);
	refuses("give 4 x 2 pixels; the network takes 2 x 2", steps);
	for (uint64_t i = 0; i < 2; i++)
		EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 2, 0, 2, 2, i));
	EXPECT_OK(aclmdlSetInputAIPP(id, in, 1, steps));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "has 192 bytes; the steps need 384",
		     aclmdlSetInputAIPP(id, tight, 1, steps));
	EXPECT_FAILS(ACL_ERROR_MODEL_INPUT_NOT_MATCH, "dataset has 1 buffers",
		     aclmdlSetInputAIPP(id, lone, 1, steps));
	EXPECT_FAILS(ACL_ERROR_GE_PARAM_INVALID, "takes no steps",
		     aclmdlSetInputAIPP(id, in, 0, steps));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "aippParmsSet",
		     aclmdlSetInputAIPP(id, in, 1, nullptr));
	EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 3, 0, 2, 2, 1));
	refuses("image 1: the part of 2 x 2 pixels at (3, 0) leaves the image", steps);
	EXPECT_OK(aclmdlSetAIPPCropParams(steps, 1, 2, 0, 2, 2, 1));
	EXPECT_OK(aclmdlSetAIPPSrcImageSize(steps, 40, 2));
	refuses("more than the 64 of max_src_image_size", steps);
	EXPECT_OK(aclmdlSetAIPPSrcImageSize(steps, 4, 2));
	EXPECT_OK(aclmdlSetAIPPInputFormat(steps, ACL_YUV400_U8));
	refuses("has 1 channels; the network takes 3", steps);
	EXPECT_OK(aclmdlSetAIPPInputFormat(steps, ACL_YUV420SP_U8));
	EXPECT_OK(aclmdlSetAIPPSrcImageSize(steps, 5, 2));
	refuses("are even", steps);
}

TEST_F(OfflineImages, SettersCheckWhatTheyGet)
{
	const Steps steps(2);
	EXPECT_EQ(aclmdlCreateAIPP(0), nullptr);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "inputFormat is 11",
		     aclmdlSetAIPPInputFormat(steps, ACL_RAW10));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "batchIndex is 2",
		     aclmdlSetAIPPDtcPixelMin(steps, 0, 0, 0, 0, 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "channel 3",
		     aclmdlSetAIPPPixelVarReci(steps, 1, 1, 1, NAN, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "srcImageSizeH is -1",
		     aclmdlSetAIPPSrcImageSize(steps, 4, -1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "cropSizeW is 0",
		     aclmdlSetAIPPCropParams(steps, 1, 0, 0, 0, 2, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "paddingSizeLeft is -2",
		     aclmdlSetAIPPPaddingParams(steps, 1, 0, 0, -2, 0, 0));
	EXPECT_OK(aclmdlSetAIPPScfParams(steps, 0, 4, 4, 8, 8, 0));
	EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "not resized",
		     aclmdlSetAIPPScfParams(steps, 1, 4, 4, 8, 8, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "aippParmsSet",
		     aclmdlSetAIPPRbuvSwapSwitch(nullptr, 1));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "aippParmsSet", aclmdlDestroyAIPP(nullptr));
}

} // namespace

} // namespace conformance
