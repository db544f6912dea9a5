// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points with a missing argument
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#pragma once

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_adds.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_muls.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "aclnnop/aclnn_zero.h"

/* clang-format off */

/* X(function, argument, call): @call has NULL for the argument. */
#define MISSING_ARGUMENTS(X) \
	X(aclnnAbsGetWorkspaceSize, "self", \
	  aclnnAbsGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnAbsGetWorkspaceSize, "out", \
	  aclnnAbsGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnNegGetWorkspaceSize, "self", \
	  aclnnNegGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnNegGetWorkspaceSize, "out", \
	  aclnnNegGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnGeluGetWorkspaceSize, "self", \
	  aclnnGeluGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnGeluGetWorkspaceSize, "out", \
	  aclnnGeluGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnSiluGetWorkspaceSize, "self", \
	  aclnnSiluGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnSiluGetWorkspaceSize, "out", \
	  aclnnSiluGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnTanhGetWorkspaceSize, "self", \
	  aclnnTanhGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnTanhGetWorkspaceSize, "out", \
	  aclnnTanhGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnReluGetWorkspaceSize, "self", \
	  aclnnReluGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnReluGetWorkspaceSize, "out", \
	  aclnnReluGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnSigmoidGetWorkspaceSize, "self", \
	  aclnnSigmoidGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnSigmoidGetWorkspaceSize, "out", \
	  aclnnSigmoidGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnHardsigmoidGetWorkspaceSize, "self", \
	  aclnnHardsigmoidGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnHardsigmoidGetWorkspaceSize, "out", \
	  aclnnHardsigmoidGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnHardswishGetWorkspaceSize, "self", \
	  aclnnHardswishGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnHardswishGetWorkspaceSize, "out", \
	  aclnnHardswishGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnExpGetWorkspaceSize, "self", \
	  aclnnExpGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnExpGetWorkspaceSize, "out", \
	  aclnnExpGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnSignGetWorkspaceSize, "self", \
	  aclnnSignGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnSignGetWorkspaceSize, "result", \
	  aclnnSignGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnSqrtGetWorkspaceSize, "self", \
	  aclnnSqrtGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnSqrtGetWorkspaceSize, "out", \
	  aclnnSqrtGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnLogGetWorkspaceSize, "self", \
	  aclnnLogGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnLogGetWorkspaceSize, "out", \
	  aclnnLogGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnSinGetWorkspaceSize, "self", \
	  aclnnSinGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnSinGetWorkspaceSize, "out", \
	  aclnnSinGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnCosGetWorkspaceSize, "input", \
	  aclnnCosGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnCosGetWorkspaceSize, "out", \
	  aclnnCosGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnGeluV2GetWorkspaceSize, "x", \
	  aclnnGeluV2GetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnGeluV2GetWorkspaceSize, "y", \
	  aclnnGeluV2GetWorkspaceSize(tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnEluGetWorkspaceSize, "self", \
	  aclnnEluGetWorkspaceSize(nullptr, scalar, scalar, scalar, tensor, &workspace, &executor)) \
	X(aclnnEluGetWorkspaceSize, "alpha", \
	  aclnnEluGetWorkspaceSize(tensor, nullptr, scalar, scalar, tensor, &workspace, &executor)) \
	X(aclnnEluGetWorkspaceSize, "scale", \
	  aclnnEluGetWorkspaceSize(tensor, scalar, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnEluGetWorkspaceSize, "inputScale", \
	  aclnnEluGetWorkspaceSize(tensor, scalar, scalar, nullptr, tensor, &workspace, &executor)) \
	X(aclnnEluGetWorkspaceSize, "out", \
	  aclnnEluGetWorkspaceSize(tensor, scalar, scalar, scalar, nullptr, &workspace, &executor)) \
	X(aclnnSoftplusGetWorkspaceSize, "self", \
	  aclnnSoftplusGetWorkspaceSize(nullptr, scalar, scalar, tensor, &workspace, &executor)) \
	X(aclnnSoftplusGetWorkspaceSize, "beta", \
	  aclnnSoftplusGetWorkspaceSize(tensor, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnSoftplusGetWorkspaceSize, "threshold", \
	  aclnnSoftplusGetWorkspaceSize(tensor, scalar, nullptr, tensor, &workspace, &executor)) \
	X(aclnnSoftplusGetWorkspaceSize, "out", \
	  aclnnSoftplusGetWorkspaceSize(tensor, scalar, scalar, nullptr, &workspace, &executor)) \
	X(aclnnLeakyReluGetWorkspaceSize, "self", \
	  aclnnLeakyReluGetWorkspaceSize(nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnLeakyReluGetWorkspaceSize, "negativeSlope", \
	  aclnnLeakyReluGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnLeakyReluGetWorkspaceSize, "out", \
	  aclnnLeakyReluGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnGtScalarGetWorkspaceSize, "self", \
	  aclnnGtScalarGetWorkspaceSize(nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnGtScalarGetWorkspaceSize, "other", \
	  aclnnGtScalarGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnGtScalarGetWorkspaceSize, "out", \
	  aclnnGtScalarGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnClampGetWorkspaceSize, "self", \
	  aclnnClampGetWorkspaceSize(nullptr, scalar, scalar, tensor, &workspace, &executor)) \
	X(aclnnClampGetWorkspaceSize, "out", \
	  aclnnClampGetWorkspaceSize(tensor, scalar, scalar, nullptr, &workspace, &executor)) \
	X(aclnnClampMinGetWorkspaceSize, "self", \
	  aclnnClampMinGetWorkspaceSize(nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnClampMinGetWorkspaceSize, "clipValueMin", \
	  aclnnClampMinGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnClampMinGetWorkspaceSize, "out", \
	  aclnnClampMinGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceClampMaxGetWorkspaceSize, "selfRef", \
	  aclnnInplaceClampMaxGetWorkspaceSize(nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceClampMaxGetWorkspaceSize, "clipValueMax", \
	  aclnnInplaceClampMaxGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceThresholdGetWorkspaceSize, "selfRef", \
	  aclnnInplaceThresholdGetWorkspaceSize(nullptr, scalar, scalar, &workspace, &executor)) \
	X(aclnnInplaceThresholdGetWorkspaceSize, "threshold", \
	  aclnnInplaceThresholdGetWorkspaceSize(tensor, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceThresholdGetWorkspaceSize, "value", \
	  aclnnInplaceThresholdGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceExpGetWorkspaceSize, "selfRef", \
	  aclnnInplaceExpGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnInplaceCosGetWorkspaceSize, "inputRef", \
	  aclnnInplaceCosGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnInplaceSinGetWorkspaceSize, "selfRef", \
	  aclnnInplaceSinGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnMulsGetWorkspaceSize, "self", \
	  aclnnMulsGetWorkspaceSize(nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnMulsGetWorkspaceSize, "other", \
	  aclnnMulsGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnMulsGetWorkspaceSize, "out", \
	  aclnnMulsGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceMulsGetWorkspaceSize, "selfRef", \
	  aclnnInplaceMulsGetWorkspaceSize(nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceMulsGetWorkspaceSize, "other", \
	  aclnnInplaceMulsGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceAddsGetWorkspaceSize, "selfRef", \
	  aclnnInplaceAddsGetWorkspaceSize(nullptr, scalar, scalar, &workspace, &executor)) \
	X(aclnnInplaceAddsGetWorkspaceSize, "other", \
	  aclnnInplaceAddsGetWorkspaceSize(tensor, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceAddsGetWorkspaceSize, "alpha", \
	  aclnnInplaceAddsGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceSubsGetWorkspaceSize, "selfRef", \
	  aclnnInplaceSubsGetWorkspaceSize(nullptr, scalar, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubsGetWorkspaceSize, "other", \
	  aclnnInplaceSubsGetWorkspaceSize(tensor, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubsGetWorkspaceSize, "alpha", \
	  aclnnInplaceSubsGetWorkspaceSize(tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceDivsGetWorkspaceSize, "selfRef", \
	  aclnnInplaceDivsGetWorkspaceSize(nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceDivsGetWorkspaceSize, "other", \
	  aclnnInplaceDivsGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceFillScalarGetWorkspaceSize, "selfRef", \
	  aclnnInplaceFillScalarGetWorkspaceSize(nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceFillScalarGetWorkspaceSize, "value", \
	  aclnnInplaceFillScalarGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceZeroGetWorkspaceSize, "selfRef", \
	  aclnnInplaceZeroGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "self", \
	  aclnnSubGetWorkspaceSize(nullptr, tensor, scalar, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "other", \
	  aclnnSubGetWorkspaceSize(tensor, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "alpha", \
	  aclnnSubGetWorkspaceSize(tensor, tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnSubGetWorkspaceSize, "out", \
	  aclnnSubGetWorkspaceSize(tensor, tensor, scalar, nullptr, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "selfRef", \
	  aclnnInplaceSubGetWorkspaceSize(nullptr, tensor, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "other", \
	  aclnnInplaceSubGetWorkspaceSize(tensor, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceSubGetWorkspaceSize, "alpha", \
	  aclnnInplaceSubGetWorkspaceSize(tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnDivGetWorkspaceSize, "self", \
	  aclnnDivGetWorkspaceSize(nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnDivGetWorkspaceSize, "other", \
	  aclnnDivGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnDivGetWorkspaceSize, "out", \
	  aclnnDivGetWorkspaceSize(tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceDivGetWorkspaceSize, "selfRef", \
	  aclnnInplaceDivGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnInplaceDivGetWorkspaceSize, "other", \
	  aclnnInplaceDivGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnEqTensorGetWorkspaceSize, "self", \
	  aclnnEqTensorGetWorkspaceSize(nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnEqTensorGetWorkspaceSize, "other", \
	  aclnnEqTensorGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnEqTensorGetWorkspaceSize, "out", \
	  aclnnEqTensorGetWorkspaceSize(tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnPowScalarTensorGetWorkspaceSize, "self", \
	  aclnnPowScalarTensorGetWorkspaceSize(nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnPowScalarTensorGetWorkspaceSize, "exponent", \
	  aclnnPowScalarTensorGetWorkspaceSize(scalar, nullptr, tensor, &workspace, &executor)) \
	X(aclnnPowScalarTensorGetWorkspaceSize, "out", \
	  aclnnPowScalarTensorGetWorkspaceSize(scalar, tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplacePowTensorTensorGetWorkspaceSize, "self", \
	  aclnnInplacePowTensorTensorGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnInplacePowTensorTensorGetWorkspaceSize, "exponent", \
	  aclnnInplacePowTensorTensorGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnMmGetWorkspaceSize, "self", \
	  aclnnMmGetWorkspaceSize(nullptr, tensor, tensor, 1, &workspace, &executor)) \
	X(aclnnMmGetWorkspaceSize, "mat2", \
	  aclnnMmGetWorkspaceSize(tensor, nullptr, tensor, 1, &workspace, &executor)) \
	X(aclnnMmGetWorkspaceSize, "out", \
	  aclnnMmGetWorkspaceSize(tensor, tensor, nullptr, 1, &workspace, &executor)) \
	X(aclnnMatmulGetWorkspaceSize, "self", \
	  aclnnMatmulGetWorkspaceSize(nullptr, tensor, tensor, 1, &workspace, &executor)) \
	X(aclnnMatmulGetWorkspaceSize, "mat2", \
	  aclnnMatmulGetWorkspaceSize(tensor, nullptr, tensor, 1, &workspace, &executor)) \
	X(aclnnMatmulGetWorkspaceSize, "out", \
	  aclnnMatmulGetWorkspaceSize(tensor, tensor, nullptr, 1, &workspace, &executor)) \
	X(aclnnBatchMatMulGetWorkspaceSize, "self", \
	  aclnnBatchMatMulGetWorkspaceSize(nullptr, tensor, tensor, 1, &workspace, &executor)) \
	X(aclnnBatchMatMulGetWorkspaceSize, "mat2", \
	  aclnnBatchMatMulGetWorkspaceSize(tensor, nullptr, tensor, 1, &workspace, &executor)) \
	X(aclnnBatchMatMulGetWorkspaceSize, "out", \
	  aclnnBatchMatMulGetWorkspaceSize(tensor, tensor, nullptr, 1, &workspace, &executor)) \
	X(aclnnMvGetWorkspaceSize, "self", \
	  aclnnMvGetWorkspaceSize(nullptr, tensor, tensor, 1, &workspace, &executor)) \
	X(aclnnMvGetWorkspaceSize, "vec", \
	  aclnnMvGetWorkspaceSize(tensor, nullptr, tensor, 1, &workspace, &executor)) \
	X(aclnnMvGetWorkspaceSize, "out", \
	  aclnnMvGetWorkspaceSize(tensor, tensor, nullptr, 1, &workspace, &executor)) \
	X(aclnnInplaceCopyGetWorkspaceSize, "selfRef", \
	  aclnnInplaceCopyGetWorkspaceSize(nullptr, tensor, &workspace, &executor)) \
	X(aclnnInplaceCopyGetWorkspaceSize, "src", \
	  aclnnInplaceCopyGetWorkspaceSize(tensor, nullptr, &workspace, &executor)) \
	X(aclnnCastGetWorkspaceSize, "self", \
	  aclnnCastGetWorkspaceSize(nullptr, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnCastGetWorkspaceSize, "out", \
	  aclnnCastGetWorkspaceSize(tensor, ACL_FLOAT, nullptr, &workspace, &executor)) \
	X(aclnnPermuteGetWorkspaceSize, "self", \
	  aclnnPermuteGetWorkspaceSize(nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnPermuteGetWorkspaceSize, "dims", \
	  aclnnPermuteGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnPermuteGetWorkspaceSize, "out", \
	  aclnnPermuteGetWorkspaceSize(tensor, integers, nullptr, &workspace, &executor)) \
	X(aclnnSliceGetWorkspaceSize, "self", \
	  aclnnSliceGetWorkspaceSize(nullptr, 1, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnSliceGetWorkspaceSize, "out", \
	  aclnnSliceGetWorkspaceSize(tensor, 1, 1, 1, 1, nullptr, &workspace, &executor)) \
	X(aclnnRepeatGetWorkspaceSize, "self", \
	  aclnnRepeatGetWorkspaceSize(nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnRepeatGetWorkspaceSize, "repeats", \
	  aclnnRepeatGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnRepeatGetWorkspaceSize, "out", \
	  aclnnRepeatGetWorkspaceSize(tensor, integers, nullptr, &workspace, &executor)) \
	X(aclnnRepeatInterleaveIntWithDimGetWorkspaceSize, "self", \
	  aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(nullptr, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnRepeatInterleaveIntWithDimGetWorkspaceSize, "out", \
	  aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(tensor, 1, 1, 1, nullptr, &workspace, &executor)) \
	X(aclnnSoftmaxGetWorkspaceSize, "self", \
	  aclnnSoftmaxGetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnSoftmaxGetWorkspaceSize, "out", \
	  aclnnSoftmaxGetWorkspaceSize(tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnArgMaxGetWorkspaceSize, "self", \
	  aclnnArgMaxGetWorkspaceSize(nullptr, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnArgMaxGetWorkspaceSize, "out", \
	  aclnnArgMaxGetWorkspaceSize(tensor, 1, 1, nullptr, &workspace, &executor)) \
	X(aclnnReduceSumGetWorkspaceSize, "self", \
	  aclnnReduceSumGetWorkspaceSize(nullptr, integers, 1, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnReduceSumGetWorkspaceSize, "dims", \
	  aclnnReduceSumGetWorkspaceSize(tensor, nullptr, 1, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnReduceSumGetWorkspaceSize, "out", \
	  aclnnReduceSumGetWorkspaceSize(tensor, integers, 1, ACL_FLOAT, nullptr, &workspace, &executor)) \
	X(aclnnMeanGetWorkspaceSize, "self", \
	  aclnnMeanGetWorkspaceSize(nullptr, integers, 1, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnMeanGetWorkspaceSize, "dim", \
	  aclnnMeanGetWorkspaceSize(tensor, nullptr, 1, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnMeanGetWorkspaceSize, "out", \
	  aclnnMeanGetWorkspaceSize(tensor, integers, 1, ACL_FLOAT, nullptr, &workspace, &executor)) \
	X(aclnnCumsumGetWorkspaceSize, "self", \
	  aclnnCumsumGetWorkspaceSize(nullptr, 1, ACL_FLOAT, tensor, &workspace, &executor)) \
	X(aclnnCumsumGetWorkspaceSize, "out", \
	  aclnnCumsumGetWorkspaceSize(tensor, 1, ACL_FLOAT, nullptr, &workspace, &executor)) \
	X(aclnnArgsortGetWorkspaceSize, "self", \
	  aclnnArgsortGetWorkspaceSize(nullptr, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnArgsortGetWorkspaceSize, "out", \
	  aclnnArgsortGetWorkspaceSize(tensor, 1, 1, nullptr, &workspace, &executor)) \
	X(aclnnNormGetWorkspaceSize, "self", \
	  aclnnNormGetWorkspaceSize(nullptr, scalar, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnNormGetWorkspaceSize, "pScalar", \
	  aclnnNormGetWorkspaceSize(tensor, nullptr, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnNormGetWorkspaceSize, "dim", \
	  aclnnNormGetWorkspaceSize(tensor, scalar, nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnNormGetWorkspaceSize, "out", \
	  aclnnNormGetWorkspaceSize(tensor, scalar, integers, 1, nullptr, &workspace, &executor)) \
	X(aclnnSwiGluGetWorkspaceSize, "x", \
	  aclnnSwiGluGetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnSwiGluGetWorkspaceSize, "out", \
	  aclnnSwiGluGetWorkspaceSize(tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnGeGluV3GetWorkspaceSize, "self", \
	  aclnnGeGluV3GetWorkspaceSize(nullptr, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnGeGluV3GetWorkspaceSize, "out", \
	  aclnnGeGluV3GetWorkspaceSize(tensor, 1, 1, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnGeGluV3GetWorkspaceSize, "outGelu", \
	  aclnnGeGluV3GetWorkspaceSize(tensor, 1, 1, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnTrilGetWorkspaceSize, "self", \
	  aclnnTrilGetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnTrilGetWorkspaceSize, "out", \
	  aclnnTrilGetWorkspaceSize(tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnTriuGetWorkspaceSize, "self", \
	  aclnnTriuGetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnTriuGetWorkspaceSize, "out", \
	  aclnnTriuGetWorkspaceSize(tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnInplaceTriuGetWorkspaceSize, "selfRef", \
	  aclnnInplaceTriuGetWorkspaceSize(nullptr, 1, &workspace, &executor)) \
	X(aclnnArangeGetWorkspaceSize, "start", \
	  aclnnArangeGetWorkspaceSize(nullptr, scalar, scalar, tensor, &workspace, &executor)) \
	X(aclnnArangeGetWorkspaceSize, "end", \
	  aclnnArangeGetWorkspaceSize(scalar, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnArangeGetWorkspaceSize, "step", \
	  aclnnArangeGetWorkspaceSize(scalar, scalar, nullptr, tensor, &workspace, &executor)) \
	X(aclnnArangeGetWorkspaceSize, "out", \
	  aclnnArangeGetWorkspaceSize(scalar, scalar, scalar, nullptr, &workspace, &executor)) \
	X(aclnnUpsampleNearest2dGetWorkspaceSize, "self", \
	  aclnnUpsampleNearest2dGetWorkspaceSize(nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnUpsampleNearest2dGetWorkspaceSize, "outputSize", \
	  aclnnUpsampleNearest2dGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnUpsampleNearest2dGetWorkspaceSize, "out", \
	  aclnnUpsampleNearest2dGetWorkspaceSize(tensor, integers, nullptr, &workspace, &executor)) \
	X(aclnnCatGetWorkspaceSize, "tensors", \
	  aclnnCatGetWorkspaceSize(nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnCatGetWorkspaceSize, "out", \
	  aclnnCatGetWorkspaceSize(tensors, 1, nullptr, &workspace, &executor)) \
	X(aclnnConstantPadNdGetWorkspaceSize, "self", \
	  aclnnConstantPadNdGetWorkspaceSize(nullptr, integers, scalar, tensor, &workspace, &executor)) \
	X(aclnnConstantPadNdGetWorkspaceSize, "pad", \
	  aclnnConstantPadNdGetWorkspaceSize(tensor, nullptr, scalar, tensor, &workspace, &executor)) \
	X(aclnnConstantPadNdGetWorkspaceSize, "value", \
	  aclnnConstantPadNdGetWorkspaceSize(tensor, integers, nullptr, tensor, &workspace, &executor)) \
	X(aclnnConstantPadNdGetWorkspaceSize, "out", \
	  aclnnConstantPadNdGetWorkspaceSize(tensor, integers, scalar, nullptr, &workspace, &executor)) \
	X(aclnnReflectionPad1dGetWorkspaceSize, "self", \
	  aclnnReflectionPad1dGetWorkspaceSize(nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnReflectionPad1dGetWorkspaceSize, "padding", \
	  aclnnReflectionPad1dGetWorkspaceSize(tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnReflectionPad1dGetWorkspaceSize, "out", \
	  aclnnReflectionPad1dGetWorkspaceSize(tensor, integers, nullptr, &workspace, &executor)) \
	X(aclnnRollGetWorkspaceSize, "x", \
	  aclnnRollGetWorkspaceSize(nullptr, integers, integers, tensor, &workspace, &executor)) \
	X(aclnnRollGetWorkspaceSize, "shifts", \
	  aclnnRollGetWorkspaceSize(tensor, nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnRollGetWorkspaceSize, "dims", \
	  aclnnRollGetWorkspaceSize(tensor, integers, nullptr, tensor, &workspace, &executor)) \
	X(aclnnRollGetWorkspaceSize, "out", \
	  aclnnRollGetWorkspaceSize(tensor, integers, integers, nullptr, &workspace, &executor)) \
	X(aclnnGatherV2GetWorkspaceSize, "self", \
	  aclnnGatherV2GetWorkspaceSize(nullptr, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnGatherV2GetWorkspaceSize, "index", \
	  aclnnGatherV2GetWorkspaceSize(tensor, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnGatherV2GetWorkspaceSize, "out", \
	  aclnnGatherV2GetWorkspaceSize(tensor, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnIndexSelectGetWorkspaceSize, "self", \
	  aclnnIndexSelectGetWorkspaceSize(nullptr, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnIndexSelectGetWorkspaceSize, "index", \
	  aclnnIndexSelectGetWorkspaceSize(tensor, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnIndexSelectGetWorkspaceSize, "out", \
	  aclnnIndexSelectGetWorkspaceSize(tensor, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceIndexCopyGetWorkspaceSize, "selfRef", \
	  aclnnInplaceIndexCopyGetWorkspaceSize(nullptr, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnInplaceIndexCopyGetWorkspaceSize, "index", \
	  aclnnInplaceIndexCopyGetWorkspaceSize(tensor, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnInplaceIndexCopyGetWorkspaceSize, "source", \
	  aclnnInplaceIndexCopyGetWorkspaceSize(tensor, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnInplaceIndexFillTensorGetWorkspaceSize, "selfRef", \
	  aclnnInplaceIndexFillTensorGetWorkspaceSize(nullptr, 1, integers, scalar, &workspace, &executor)) \
	X(aclnnInplaceIndexFillTensorGetWorkspaceSize, "index", \
	  aclnnInplaceIndexFillTensorGetWorkspaceSize(tensor, 1, nullptr, scalar, &workspace, &executor)) \
	X(aclnnInplaceIndexFillTensorGetWorkspaceSize, "value", \
	  aclnnInplaceIndexFillTensorGetWorkspaceSize(tensor, 1, integers, nullptr, &workspace, &executor)) \
	X(aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, "features", \
	  aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(nullptr, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, "labels", \
	  aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(tensor, nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, "loss", \
	  aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(tensor, tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize, "backprop", \
	  aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(tensor, tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnRmsNormGetWorkspaceSize, "x", \
	  aclnnRmsNormGetWorkspaceSize(nullptr, tensor, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnRmsNormGetWorkspaceSize, "gamma", \
	  aclnnRmsNormGetWorkspaceSize(tensor, nullptr, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnRmsNormGetWorkspaceSize, "yOut", \
	  aclnnRmsNormGetWorkspaceSize(tensor, tensor, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnRmsNormGetWorkspaceSize, "rstdOut", \
	  aclnnRmsNormGetWorkspaceSize(tensor, tensor, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "x1", \
	  aclnnAddRmsNormGetWorkspaceSize(nullptr, tensor, tensor, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "x2", \
	  aclnnAddRmsNormGetWorkspaceSize(tensor, nullptr, tensor, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "gamma", \
	  aclnnAddRmsNormGetWorkspaceSize(tensor, tensor, nullptr, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "yOut", \
	  aclnnAddRmsNormGetWorkspaceSize(tensor, tensor, tensor, 1, nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "rstdOut", \
	  aclnnAddRmsNormGetWorkspaceSize(tensor, tensor, tensor, 1, tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnAddRmsNormGetWorkspaceSize, "xOut", \
	  aclnnAddRmsNormGetWorkspaceSize(tensor, tensor, tensor, 1, tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnLayerNormGetWorkspaceSize, "input", \
	  aclnnLayerNormGetWorkspaceSize(nullptr, integers, tensor, tensor, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnLayerNormGetWorkspaceSize, "normalizedShape", \
	  aclnnLayerNormGetWorkspaceSize(tensor, nullptr, tensor, tensor, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnLayerNormGetWorkspaceSize, "out", \
	  aclnnLayerNormGetWorkspaceSize(tensor, integers, tensor, tensor, 1, nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnGroupNormGetWorkspaceSize, "self", \
	  aclnnGroupNormGetWorkspaceSize(nullptr, tensor, tensor, 1, 1, 1, 1, 1, tensor, tensor, tensor, &workspace, &executor)) \
	X(aclnnGroupNormGetWorkspaceSize, "out", \
	  aclnnGroupNormGetWorkspaceSize(tensor, tensor, tensor, 1, 1, 1, 1, 1, nullptr, tensor, tensor, &workspace, &executor)) \
	X(aclnnGroupNormGetWorkspaceSize, "meanOut", \
	  aclnnGroupNormGetWorkspaceSize(tensor, tensor, tensor, 1, 1, 1, 1, 1, tensor, nullptr, tensor, &workspace, &executor)) \
	X(aclnnGroupNormGetWorkspaceSize, "rstdOut", \
	  aclnnGroupNormGetWorkspaceSize(tensor, tensor, tensor, 1, 1, 1, 1, 1, tensor, tensor, nullptr, &workspace, &executor)) \
	X(aclnnRotaryPositionEmbeddingGetWorkspaceSize, "x", \
	  aclnnRotaryPositionEmbeddingGetWorkspaceSize(nullptr, tensor, tensor, 1, tensor, &workspace, &executor)) \
	X(aclnnRotaryPositionEmbeddingGetWorkspaceSize, "cos", \
	  aclnnRotaryPositionEmbeddingGetWorkspaceSize(tensor, nullptr, tensor, 1, tensor, &workspace, &executor)) \
	X(aclnnRotaryPositionEmbeddingGetWorkspaceSize, "sin", \
	  aclnnRotaryPositionEmbeddingGetWorkspaceSize(tensor, tensor, nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnRotaryPositionEmbeddingGetWorkspaceSize, "yOut", \
	  aclnnRotaryPositionEmbeddingGetWorkspaceSize(tensor, tensor, tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, "query", \
	  aclnnFusedInferAttentionScoreV2GetWorkspaceSize(nullptr, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, "key", \
	  aclnnFusedInferAttentionScoreV2GetWorkspaceSize(tensor, nullptr, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, "value", \
	  aclnnFusedInferAttentionScoreV2GetWorkspaceSize(tensor, tensors, nullptr, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, "inputLayout", \
	  aclnnFusedInferAttentionScoreV2GetWorkspaceSize(tensor, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, nullptr, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnFusedInferAttentionScoreV2GetWorkspaceSize, "attentionOut", \
	  aclnnFusedInferAttentionScoreV2GetWorkspaceSize(tensor, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize, "x", \
	  aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(nullptr, tensor, tensor, tensor, tensor, tensor, tensor, 1, tensor, &workspace, &executor)) \
	X(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize, "weight", \
	  aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(tensor, nullptr, tensor, tensor, tensor, tensor, tensor, 1, tensor, &workspace, &executor)) \
	X(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize, "antiquantScale", \
	  aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(tensor, tensor, nullptr, tensor, tensor, tensor, tensor, 1, tensor, &workspace, &executor)) \
	X(aclnnWeightQuantBatchMatmulV2GetWorkspaceSize, "y", \
	  aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(tensor, tensor, tensor, tensor, tensor, tensor, tensor, 1, nullptr, &workspace, &executor)) \
	X(aclnnTransMatmulWeightGetWorkspaceSize, "mmWeightRef", \
	  aclnnTransMatmulWeightGetWorkspaceSize(nullptr, &workspace, &executor)) \
	X(aclnnTriangularSolveGetWorkspaceSize, "self", \
	  aclnnTriangularSolveGetWorkspaceSize(nullptr, tensor, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnTriangularSolveGetWorkspaceSize, "A", \
	  aclnnTriangularSolveGetWorkspaceSize(tensor, nullptr, 1, 1, 1, tensor, tensor, &workspace, &executor)) \
	X(aclnnTriangularSolveGetWorkspaceSize, "xOut", \
	  aclnnTriangularSolveGetWorkspaceSize(tensor, tensor, 1, 1, 1, nullptr, tensor, &workspace, &executor)) \
	X(aclnnTriangularSolveGetWorkspaceSize, "mOut", \
	  aclnnTriangularSolveGetWorkspaceSize(tensor, tensor, 1, 1, 1, tensor, nullptr, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "input", \
	  aclnnConvolutionGetWorkspaceSize(nullptr, tensor, tensor, integers, integers, integers, 1, integers, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "weight", \
	  aclnnConvolutionGetWorkspaceSize(tensor, nullptr, tensor, integers, integers, integers, 1, integers, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "stride", \
	  aclnnConvolutionGetWorkspaceSize(tensor, tensor, tensor, nullptr, integers, integers, 1, integers, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "padding", \
	  aclnnConvolutionGetWorkspaceSize(tensor, tensor, tensor, integers, nullptr, integers, 1, integers, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "dilation", \
	  aclnnConvolutionGetWorkspaceSize(tensor, tensor, tensor, integers, integers, nullptr, 1, integers, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "outputPadding", \
	  aclnnConvolutionGetWorkspaceSize(tensor, tensor, tensor, integers, integers, integers, 1, nullptr, 1, tensor, 1, &workspace, &executor)) \
	X(aclnnConvolutionGetWorkspaceSize, "output", \
	  aclnnConvolutionGetWorkspaceSize(tensor, tensor, tensor, integers, integers, integers, 1, integers, 1, nullptr, 1, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "self", \
	  aclnnIm2colGetWorkspaceSize(nullptr, integers, integers, integers, integers, tensor, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "kernelSize", \
	  aclnnIm2colGetWorkspaceSize(tensor, nullptr, integers, integers, integers, tensor, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "dilation", \
	  aclnnIm2colGetWorkspaceSize(tensor, integers, nullptr, integers, integers, tensor, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "padding", \
	  aclnnIm2colGetWorkspaceSize(tensor, integers, integers, nullptr, integers, tensor, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "stride", \
	  aclnnIm2colGetWorkspaceSize(tensor, integers, integers, integers, nullptr, tensor, &workspace, &executor)) \
	X(aclnnIm2colGetWorkspaceSize, "out", \
	  aclnnIm2colGetWorkspaceSize(tensor, integers, integers, integers, integers, nullptr, &workspace, &executor)) \
	X(aclnnAvgPool2dGetWorkspaceSize, "self", \
	  aclnnAvgPool2dGetWorkspaceSize(nullptr, integers, integers, integers, 1, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnAvgPool2dGetWorkspaceSize, "kernelSize", \
	  aclnnAvgPool2dGetWorkspaceSize(tensor, nullptr, integers, integers, 1, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnAvgPool2dGetWorkspaceSize, "strides", \
	  aclnnAvgPool2dGetWorkspaceSize(tensor, integers, nullptr, integers, 1, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnAvgPool2dGetWorkspaceSize, "paddings", \
	  aclnnAvgPool2dGetWorkspaceSize(tensor, integers, integers, nullptr, 1, 1, 1, 1, tensor, &workspace, &executor)) \
	X(aclnnAvgPool2dGetWorkspaceSize, "out", \
	  aclnnAvgPool2dGetWorkspaceSize(tensor, integers, integers, integers, 1, 1, 1, 1, nullptr, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "self", \
	  aclnnMaxPoolGetWorkspaceSize(nullptr, integers, integers, 1, integers, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "kernelShape", \
	  aclnnMaxPoolGetWorkspaceSize(tensor, nullptr, integers, 1, integers, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "strides", \
	  aclnnMaxPoolGetWorkspaceSize(tensor, integers, nullptr, 1, integers, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "pads", \
	  aclnnMaxPoolGetWorkspaceSize(tensor, integers, integers, 1, nullptr, integers, 1, tensor, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "dilations", \
	  aclnnMaxPoolGetWorkspaceSize(tensor, integers, integers, 1, integers, nullptr, 1, tensor, &workspace, &executor)) \
	X(aclnnMaxPoolGetWorkspaceSize, "out", \
	  aclnnMaxPoolGetWorkspaceSize(tensor, integers, integers, 1, integers, integers, 1, nullptr, &workspace, &executor))
