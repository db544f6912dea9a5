/* SPDX-License-Identifier: MIT */
/*
 * DOC: Preprocessing of images in offline models (AIPP)
 *
 * A model that atc has compiled with --insert_op_conf reads images of bytes. Its steps are fixed, or the program
 * describes them by an aclmdlAIPP and gives them to the dataset before a run. Documentation/models.rst has the
 * arithmetic.
 */
#ifndef ACL_RT_MODEL_MDL_AIPP_H
#define ACL_RT_MODEL_MDL_AIPP_H

#include "acl/acl_base.h"
#include "acl/rt/model/mdl_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

/** typedef aclmdlAIPP - how the images of a run are preprocessed. */
typedef struct aclmdlAIPP aclmdlAIPP;

/** typedef aclAippExtendInfo - programs give NULL for it. */
typedef struct aclAippExtendInfo aclAippExtendInfo;

/** enum aclmdlInputAippType - what an input of a model has to do with it. */
typedef enum aclmdlInputAippType {
	ACL_DATA_WITHOUT_AIPP = 0,
	ACL_DATA_WITH_STATIC_AIPP,
	ACL_DATA_WITH_DYNAMIC_AIPP,
	ACL_DYNAMIC_AIPP_NODE,
} aclmdlInputAippType;

/** enum aclAippInputFormat - how the pixels of an image lie in memory. */
typedef enum aclAippInputFormat {
	ACL_YUV420SP_U8 = 1,
	ACL_XRGB8888_U8 = 2,
	ACL_RGB888_U8 = 3,
	ACL_YUV400_U8 = 4,
	ACL_NC1HWC0DI_FP16 = 5,
	ACL_NC1HWC0DI_S8 = 6,
	ACL_ARGB8888_U8 = 7,
	ACL_YUYV_U8 = 8,
	ACL_YUV422SP_U8 = 9,
	ACL_AYUV444_U8 = 10,
	ACL_RAW10 = 11,
	ACL_RAW12 = 12,
	ACL_RAW16 = 13,
	ACL_RAW24 = 14,
	ACL_AIPP_RESERVED = 0xffff,
} aclAippInputFormat;

/**
 * struct aclAippDims - the shapes before and after it
 * @srcDims: of the image
 * @srcSize: its bytes
 * @aippOutdims: of the input of the network
 * @aippOutSize: its bytes
 */
typedef struct aclAippDims {
	aclmdlIODims srcDims;
	size_t srcSize;
	aclmdlIODims aippOutdims;
	size_t aippOutSize;
} aclAippDims;

/** struct aclAippInfo - the steps that a model has, as the configuration of its compiler names them */
typedef struct aclAippInfo {
	aclAippInputFormat inputFormat;
	int32_t srcImageSizeW;
	int32_t srcImageSizeH;
	int8_t cropSwitch;
	int32_t loadStartPosW;
	int32_t loadStartPosH;
	int32_t cropSizeW;
	int32_t cropSizeH;
	int8_t resizeSwitch;
	int32_t resizeOutputW;
	int32_t resizeOutputH;
	int8_t paddingSwitch;
	int32_t leftPaddingSize;
	int32_t rightPaddingSize;
	int32_t topPaddingSize;
	int32_t bottomPaddingSize;
	int8_t cscSwitch;
	int8_t rbuvSwapSwitch;
	int8_t axSwapSwitch;
	int8_t singleLineMode;
	int32_t matrixR0C0;
	int32_t matrixR0C1;
	int32_t matrixR0C2;
	int32_t matrixR1C0;
	int32_t matrixR1C1;
	int32_t matrixR1C2;
	int32_t matrixR2C0;
	int32_t matrixR2C1;
	int32_t matrixR2C2;
	int32_t outputBias0;
	int32_t outputBias1;
	int32_t outputBias2;
	int32_t inputBias0;
	int32_t inputBias1;
	int32_t inputBias2;
	int32_t meanChn0;
	int32_t meanChn1;
	int32_t meanChn2;
	int32_t meanChn3;
	float minChn0;
	float minChn1;
	float minChn2;
	float minChn3;
	float varReciChn0;
	float varReciChn1;
	float varReciChn2;
	float varReciChn3;
	aclFormat srcFormat;
	aclDataType srcDatatype;
	size_t srcDimNum;
	size_t shapeCount;
	aclAippDims outDims[ACL_MAX_SHAPE_COUNT];
	aclAippExtendInfo *aippExtend;
} aclAippInfo;

/**
 * aclmdlGetAippType() - asks what an input has to do with it
 * @modelId: of a load
 * @index: of the input, from 0 on
 * @type: out
 * @dynamicAttachedDataIndex: out, of ACL_DATA_WITH_DYNAMIC_AIPP the input with its steps; else ACL_INVALID_NODE_INDEX
 *
 * Context: any thread.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for NULL and behind the last input; ACL_ERROR_GE_EXEC_MODEL_ID_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetAippType(uint32_t modelId, size_t index,
					       aclmdlInputAippType *type,
					       size_t *dynamicAttachedDataIndex);

/**
 * aclmdlGetFirstAippInfo() - asks which steps an input has
 * @modelId: of a load
 * @index: of the input, from 0 on
 * @aippInfo: out, all but aippExtend
 *
 * Context: any thread.
 * Return: ACL_SUCCESS; ACL_ERROR_NOT_STATIC_AIPP; ACL_ERROR_INVALID_PARAM for NULL and behind the last input;
 * ACL_ERROR_GE_EXEC_MODEL_ID_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlGetFirstAippInfo(uint32_t modelId, size_t index,
						    aclAippInfo *aippInfo);

/**
 * aclmdlSetInputAIPP() - chooses the steps of the next runs
 * @modelId: of a load
 * @dataset: its inputs
 * @index: of the input ACL_DYNAMIC_AIPP_NAME
 * @aippParmsSet: the steps; they are copied
 *
 * Context: any thread; blocks until they are on the device. A program calls it when the dataset has its buffers, and
 * again for other steps.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_PARAM_INVALID for an input without such steps, and steps that do not fit the model;
 * ACL_ERROR_MODEL_INPUT_NOT_MATCH for a buffer that is missing or too small; ACL_ERROR_INVALID_PARAM for NULL;
 * ACL_ERROR_GE_EXEC_MODEL_ID_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetInputAIPP(uint32_t modelId, aclmdlDataset *dataset,
						size_t index, const aclmdlAIPP *aippParmsSet);

/**
 * aclmdlSetAIPPByInputIndex() - chooses the steps of the next runs
 * @modelId: of a load
 * @dataset: its inputs
 * @index: of the input of the image
 * @aippParmsSet: the steps; they are copied
 *
 * Context: any thread; blocks until they are on the device. A program calls it when the dataset has its buffers, and
 * again for other steps.
 * Return: ACL_SUCCESS; ACL_ERROR_GE_PARAM_INVALID for an input without such steps, and steps that do not fit the model;
 * ACL_ERROR_MODEL_INPUT_NOT_MATCH for a buffer that is missing or too small; ACL_ERROR_INVALID_PARAM for NULL;
 * ACL_ERROR_GE_EXEC_MODEL_ID_INVALID.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPByInputIndex(uint32_t modelId, aclmdlDataset *dataset,
						       size_t index,
						       const aclmdlAIPP *aippParmsSet);

/**
 * aclmdlCreateAIPP() - creates a description of steps
 * @batchSize: how many images a run has at most, 1 to 65536
 *
 * Context: any thread; never blocks.
 * Return: NULL for another number, and without memory.
 */
ACL_FUNC_VISIBILITY aclmdlAIPP *aclmdlCreateAIPP(uint64_t batchSize);

/**
 * aclmdlDestroyAIPP() - destroys one
 * @aippParmsSet: a description
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for what is none.
 */
ACL_FUNC_VISIBILITY aclError aclmdlDestroyAIPP(const aclmdlAIPP *aippParmsSet);

/**
 * aclmdlSetAIPPInputFormat() - sets how the pixels lie
 * @aippParmsSet: a description
 * @inputFormat: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, and a number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPInputFormat(aclmdlAIPP *aippParmsSet,
						      aclAippInputFormat inputFormat);

/**
 * aclmdlSetAIPPCscParams() - sets the conversion of colours
 * @aippParmsSet: a description
 * @cscSwitch: whether colours are converted
 * @cscMatrixR0C0: of the matrix
 * @cscMatrixR0C1: of the matrix
 * @cscMatrixR0C2: of the matrix
 * @cscMatrixR1C0: of the matrix
 * @cscMatrixR1C1: of the matrix
 * @cscMatrixR1C2: of the matrix
 * @cscMatrixR2C0: of the matrix
 * @cscMatrixR2C1: of the matrix
 * @cscMatrixR2C2: of the matrix
 * @cscOutputBiasR0: of a channel
 * @cscOutputBiasR1: of a channel
 * @cscOutputBiasR2: of a channel
 * @cscInputBiasR0: of a channel
 * @cscInputBiasR1: of a channel
 * @cscInputBiasR2: of a channel
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, and a number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCscParams(
	aclmdlAIPP *aippParmsSet, int8_t cscSwitch, int16_t cscMatrixR0C0, int16_t cscMatrixR0C1,
	int16_t cscMatrixR0C2, int16_t cscMatrixR1C0, int16_t cscMatrixR1C1, int16_t cscMatrixR1C2,
	int16_t cscMatrixR2C0, int16_t cscMatrixR2C1, int16_t cscMatrixR2C2,
	uint8_t cscOutputBiasR0, uint8_t cscOutputBiasR1, uint8_t cscOutputBiasR2,
	uint8_t cscInputBiasR0, uint8_t cscInputBiasR1, uint8_t cscInputBiasR2);

/**
 * aclmdlSetAIPPRbuvSwapSwitch() - exchanges red and blue, or U and V
 * @aippParmsSet: a description
 * @rbuvSwapSwitch: whether it is done
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, and a number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPRbuvSwapSwitch(aclmdlAIPP *aippParmsSet,
							 int8_t rbuvSwapSwitch);

/**
 * aclmdlSetAIPPAxSwapSwitch() - tells that the fourth byte of a pixel, in the place of the first, is X or A
 * @aippParmsSet: a description
 * @axSwapSwitch: whether it is done
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, and a number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPAxSwapSwitch(aclmdlAIPP *aippParmsSet,
						       int8_t axSwapSwitch);

/**
 * aclmdlSetAIPPSrcImageSize() - sets the size of the image
 * @aippParmsSet: a description
 * @srcImageSizeW: width
 * @srcImageSizeH: height
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, and a number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPSrcImageSize(aclmdlAIPP *aippParmsSet,
						       int32_t srcImageSizeW,
						       int32_t srcImageSizeH);

/**
 * aclmdlSetAIPPScfParams() - sets the resizing, which is not supported
 * @aippParmsSet: a description
 * @scfSwitch: whether it is done
 * @scfInputSizeW: width before
 * @scfInputSizeH: height before
 * @scfOutputSizeW: width after
 * @scfOutputSizeH: height after
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS where both sizes are one, or it is off; ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
 * ACL_ERROR_INVALID_PARAM for a description that is none, and an image that it does not have.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPScfParams(aclmdlAIPP *aippParmsSet, int8_t scfSwitch,
						    int32_t scfInputSizeW, int32_t scfInputSizeH,
						    int32_t scfOutputSizeW, int32_t scfOutputSizeH,
						    uint64_t batchIndex);

/**
 * aclmdlSetAIPPCropParams() - sets the part that is used
 * @aippParmsSet: a description
 * @cropSwitch: whether it is done
 * @cropStartPosW: left end
 * @cropStartPosH: upper end
 * @cropSizeW: width
 * @cropSizeH: height
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, an image that it does not have, and a
 * number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPCropParams(aclmdlAIPP *aippParmsSet, int8_t cropSwitch,
						     int32_t cropStartPosW, int32_t cropStartPosH,
						     int32_t cropSizeW, int32_t cropSizeH,
						     uint64_t batchIndex);

/**
 * aclmdlSetAIPPPaddingParams() - sets the border
 * @aippParmsSet: a description
 * @paddingSwitch: whether it is done
 * @paddingSizeTop: rows above
 * @paddingSizeBottom: rows below
 * @paddingSizeLeft: columns on the left
 * @paddingSizeRight: columns on the right
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, an image that it does not have, and a
 * number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError
aclmdlSetAIPPPaddingParams(aclmdlAIPP *aippParmsSet, int8_t paddingSwitch, int32_t paddingSizeTop,
			   int32_t paddingSizeBottom, int32_t paddingSizeLeft,
			   int32_t paddingSizeRight, uint64_t batchIndex);

/**
 * aclmdlSetAIPPDtcPixelMean() - sets what is subtracted from a channel
 * @aippParmsSet: a description
 * @dtcPixelMeanChn0: of channel 0
 * @dtcPixelMeanChn1: of channel 1
 * @dtcPixelMeanChn2: of channel 2
 * @dtcPixelMeanChn3: of channel 3
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, an image that it does not have, and a
 * number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMean(
	aclmdlAIPP *aippParmsSet, int16_t dtcPixelMeanChn0, int16_t dtcPixelMeanChn1,
	int16_t dtcPixelMeanChn2, int16_t dtcPixelMeanChn3, uint64_t batchIndex);

/**
 * aclmdlSetAIPPDtcPixelMin() - sets what is subtracted from a channel too
 * @aippParmsSet: a description
 * @dtcPixelMinChn0: of channel 0
 * @dtcPixelMinChn1: of channel 1
 * @dtcPixelMinChn2: of channel 2
 * @dtcPixelMinChn3: of channel 3
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, an image that it does not have, and a
 * number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPDtcPixelMin(aclmdlAIPP *aippParmsSet,
						      float dtcPixelMinChn0, float dtcPixelMinChn1,
						      float dtcPixelMinChn2, float dtcPixelMinChn3,
						      uint64_t batchIndex);

/**
 * aclmdlSetAIPPPixelVarReci() - sets by what a channel is multiplied
 * @aippParmsSet: a description
 * @dtcPixelVarReciChn0: of channel 0
 * @dtcPixelVarReciChn1: of channel 1
 * @dtcPixelVarReciChn2: of channel 2
 * @dtcPixelVarReciChn3: of channel 3
 * @batchIndex: of the image
 *
 * Context: any thread; never blocks.
 * Return: ACL_SUCCESS; ACL_ERROR_INVALID_PARAM for a description that is none, an image that it does not have, and a
 * number outside of its range.
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetAIPPPixelVarReci(
	aclmdlAIPP *aippParmsSet, float dtcPixelVarReciChn0, float dtcPixelVarReciChn1,
	float dtcPixelVarReciChn2, float dtcPixelVarReciChn3, uint64_t batchIndex);

#ifdef __cplusplus
}
#endif

#endif /* ACL_RT_MODEL_MDL_AIPP_H */
