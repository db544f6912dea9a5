// SPDX-License-Identifier: MIT
/*
 * DOC: Entry points with a missing argument
 *
 * Written from umd/aclnn/operators.json by tests/gates/operators.py --update.
 */
#pragma once

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_addcdiv.h"
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
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_ger.h"
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
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
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
#include "aclnnop/aclnn_scatter.h"
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
#include "aclnnop/aclnn_sum.h"
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

/* X(name, argument, ...): the arguments that follow have NULL in the place of @argument. */
#define MISSING_ARGUMENTS(X) \
	X(Abs, "self", nullptr, tensor) \
	X(Abs, "out", tensor, nullptr) \
	X(Neg, "self", nullptr, tensor) \
	X(Neg, "out", tensor, nullptr) \
	X(Gelu, "self", nullptr, tensor) \
	X(Gelu, "out", tensor, nullptr) \
	X(Silu, "self", nullptr, tensor) \
	X(Silu, "out", tensor, nullptr) \
	X(Tanh, "self", nullptr, tensor) \
	X(Tanh, "out", tensor, nullptr) \
	X(Relu, "self", nullptr, tensor) \
	X(Relu, "out", tensor, nullptr) \
	X(Sigmoid, "self", nullptr, tensor) \
	X(Sigmoid, "out", tensor, nullptr) \
	X(Hardsigmoid, "self", nullptr, tensor) \
	X(Hardsigmoid, "out", tensor, nullptr) \
	X(Hardswish, "self", nullptr, tensor) \
	X(Hardswish, "out", tensor, nullptr) \
	X(Exp, "self", nullptr, tensor) \
	X(Exp, "out", tensor, nullptr) \
	X(Sign, "self", nullptr, tensor) \
	X(Sign, "result", tensor, nullptr) \
	X(Sqrt, "self", nullptr, tensor) \
	X(Sqrt, "out", tensor, nullptr) \
	X(Log, "self", nullptr, tensor) \
	X(Log, "out", tensor, nullptr) \
	X(Sin, "self", nullptr, tensor) \
	X(Sin, "out", tensor, nullptr) \
	X(Cos, "input", nullptr, tensor) \
	X(Cos, "out", tensor, nullptr) \
	X(GeluV2, "x", nullptr, 1, tensor) \
	X(GeluV2, "y", tensor, 1, nullptr) \
	X(Elu, "self", nullptr, scalar, scalar, scalar, tensor) \
	X(Elu, "alpha", tensor, nullptr, scalar, scalar, tensor) \
	X(Elu, "scale", tensor, scalar, nullptr, scalar, tensor) \
	X(Elu, "inputScale", tensor, scalar, scalar, nullptr, tensor) \
	X(Elu, "out", tensor, scalar, scalar, scalar, nullptr) \
	X(Softplus, "self", nullptr, scalar, scalar, tensor) \
	X(Softplus, "beta", tensor, nullptr, scalar, tensor) \
	X(Softplus, "threshold", tensor, scalar, nullptr, tensor) \
	X(Softplus, "out", tensor, scalar, scalar, nullptr) \
	X(LeakyRelu, "self", nullptr, scalar, tensor) \
	X(LeakyRelu, "negativeSlope", tensor, nullptr, tensor) \
	X(LeakyRelu, "out", tensor, scalar, nullptr) \
	X(GtScalar, "self", nullptr, scalar, tensor) \
	X(GtScalar, "other", tensor, nullptr, tensor) \
	X(GtScalar, "out", tensor, scalar, nullptr) \
	X(Clamp, "self", nullptr, scalar, scalar, tensor) \
	X(Clamp, "out", tensor, scalar, scalar, nullptr) \
	X(ClampMin, "self", nullptr, scalar, tensor) \
	X(ClampMin, "clipValueMin", tensor, nullptr, tensor) \
	X(ClampMin, "out", tensor, scalar, nullptr) \
	X(InplaceClampMax, "selfRef", nullptr, scalar) \
	X(InplaceClampMax, "clipValueMax", tensor, nullptr) \
	X(InplaceThreshold, "selfRef", nullptr, scalar, scalar) \
	X(InplaceThreshold, "threshold", tensor, nullptr, scalar) \
	X(InplaceThreshold, "value", tensor, scalar, nullptr) \
	X(InplaceExp, "selfRef", nullptr) \
	X(InplaceCos, "inputRef", nullptr) \
	X(InplaceSin, "selfRef", nullptr) \
	X(Muls, "self", nullptr, scalar, tensor) \
	X(Muls, "other", tensor, nullptr, tensor) \
	X(Muls, "out", tensor, scalar, nullptr) \
	X(InplaceMuls, "selfRef", nullptr, scalar) \
	X(InplaceMuls, "other", tensor, nullptr) \
	X(InplaceAdds, "selfRef", nullptr, scalar, scalar) \
	X(InplaceAdds, "other", tensor, nullptr, scalar) \
	X(InplaceAdds, "alpha", tensor, scalar, nullptr) \
	X(InplaceSubs, "selfRef", nullptr, scalar, scalar) \
	X(InplaceSubs, "other", tensor, nullptr, scalar) \
	X(InplaceSubs, "alpha", tensor, scalar, nullptr) \
	X(InplaceDivs, "selfRef", nullptr, scalar) \
	X(InplaceDivs, "other", tensor, nullptr) \
	X(InplaceFillScalar, "selfRef", nullptr, scalar) \
	X(InplaceFillScalar, "value", tensor, nullptr) \
	X(InplaceZero, "selfRef", nullptr) \
	X(Sub, "self", nullptr, tensor, scalar, tensor) \
	X(Sub, "other", tensor, nullptr, scalar, tensor) \
	X(Sub, "alpha", tensor, tensor, nullptr, tensor) \
	X(Sub, "out", tensor, tensor, scalar, nullptr) \
	X(InplaceSub, "selfRef", nullptr, tensor, scalar) \
	X(InplaceSub, "other", tensor, nullptr, scalar) \
	X(InplaceSub, "alpha", tensor, tensor, nullptr) \
	X(Div, "self", nullptr, tensor, tensor) \
	X(Div, "other", tensor, nullptr, tensor) \
	X(Div, "out", tensor, tensor, nullptr) \
	X(InplaceDiv, "selfRef", nullptr, tensor) \
	X(InplaceDiv, "other", tensor, nullptr) \
	X(EqTensor, "self", nullptr, tensor, tensor) \
	X(EqTensor, "other", tensor, nullptr, tensor) \
	X(EqTensor, "out", tensor, tensor, nullptr) \
	X(PowScalarTensor, "self", nullptr, tensor, tensor) \
	X(PowScalarTensor, "exponent", scalar, nullptr, tensor) \
	X(PowScalarTensor, "out", scalar, tensor, nullptr) \
	X(InplacePowTensorTensor, "self", nullptr, tensor) \
	X(InplacePowTensorTensor, "exponent", tensor, nullptr) \
	X(Mm, "self", nullptr, tensor, tensor, 1) \
	X(Mm, "mat2", tensor, nullptr, tensor, 1) \
	X(Mm, "out", tensor, tensor, nullptr, 1) \
	X(Matmul, "self", nullptr, tensor, tensor, 1) \
	X(Matmul, "mat2", tensor, nullptr, tensor, 1) \
	X(Matmul, "out", tensor, tensor, nullptr, 1) \
	X(BatchMatMul, "self", nullptr, tensor, tensor, 1) \
	X(BatchMatMul, "mat2", tensor, nullptr, tensor, 1) \
	X(BatchMatMul, "out", tensor, tensor, nullptr, 1) \
	X(Mv, "self", nullptr, tensor, tensor, 1) \
	X(Mv, "vec", tensor, nullptr, tensor, 1) \
	X(Mv, "out", tensor, tensor, nullptr, 1) \
	X(InplaceCopy, "selfRef", nullptr, tensor) \
	X(InplaceCopy, "src", tensor, nullptr) \
	X(Cast, "self", nullptr, ACL_FLOAT, tensor) \
	X(Cast, "out", tensor, ACL_FLOAT, nullptr) \
	X(Permute, "self", nullptr, integers, tensor) \
	X(Permute, "dims", tensor, nullptr, tensor) \
	X(Permute, "out", tensor, integers, nullptr) \
	X(Slice, "self", nullptr, 1, 1, 1, 1, tensor) \
	X(Slice, "out", tensor, 1, 1, 1, 1, nullptr) \
	X(Repeat, "self", nullptr, integers, tensor) \
	X(Repeat, "repeats", tensor, nullptr, tensor) \
	X(Repeat, "out", tensor, integers, nullptr) \
	X(RepeatInterleaveIntWithDim, "self", nullptr, 1, 1, 1, tensor) \
	X(RepeatInterleaveIntWithDim, "out", tensor, 1, 1, 1, nullptr) \
	X(Softmax, "self", nullptr, 1, tensor) \
	X(Softmax, "out", tensor, 1, nullptr) \
	X(ArgMax, "self", nullptr, 1, 1, tensor) \
	X(ArgMax, "out", tensor, 1, 1, nullptr) \
	X(ReduceSum, "self", nullptr, integers, 1, ACL_FLOAT, tensor) \
	X(ReduceSum, "dims", tensor, nullptr, 1, ACL_FLOAT, tensor) \
	X(ReduceSum, "out", tensor, integers, 1, ACL_FLOAT, nullptr) \
	X(Mean, "self", nullptr, integers, 1, ACL_FLOAT, tensor) \
	X(Mean, "dim", tensor, nullptr, 1, ACL_FLOAT, tensor) \
	X(Mean, "out", tensor, integers, 1, ACL_FLOAT, nullptr) \
	X(Cumsum, "self", nullptr, 1, ACL_FLOAT, tensor) \
	X(Cumsum, "out", tensor, 1, ACL_FLOAT, nullptr) \
	X(Argsort, "self", nullptr, 1, 1, tensor) \
	X(Argsort, "out", tensor, 1, 1, nullptr) \
	X(Norm, "self", nullptr, scalar, integers, 1, tensor) \
	X(Norm, "pScalar", tensor, nullptr, integers, 1, tensor) \
	X(Norm, "dim", tensor, scalar, nullptr, 1, tensor) \
	X(Norm, "out", tensor, scalar, integers, 1, nullptr) \
	X(SwiGlu, "x", nullptr, 1, tensor) \
	X(SwiGlu, "out", tensor, 1, nullptr) \
	X(GeGluV3, "self", nullptr, 1, 1, 1, tensor, tensor) \
	X(GeGluV3, "out", tensor, 1, 1, 1, nullptr, tensor) \
	X(GeGluV3, "outGelu", tensor, 1, 1, 1, tensor, nullptr) \
	X(Tril, "self", nullptr, 1, tensor) \
	X(Tril, "out", tensor, 1, nullptr) \
	X(Triu, "self", nullptr, 1, tensor) \
	X(Triu, "out", tensor, 1, nullptr) \
	X(InplaceTriu, "selfRef", nullptr, 1) \
	X(Arange, "start", nullptr, scalar, scalar, tensor) \
	X(Arange, "end", scalar, nullptr, scalar, tensor) \
	X(Arange, "step", scalar, scalar, nullptr, tensor) \
	X(Arange, "out", scalar, scalar, scalar, nullptr) \
	X(UpsampleNearest2d, "self", nullptr, integers, tensor) \
	X(UpsampleNearest2d, "outputSize", tensor, nullptr, tensor) \
	X(UpsampleNearest2d, "out", tensor, integers, nullptr) \
	X(Cat, "tensors", nullptr, 1, tensor) \
	X(Cat, "out", tensors, 1, nullptr) \
	X(ConstantPadNd, "self", nullptr, integers, scalar, tensor) \
	X(ConstantPadNd, "pad", tensor, nullptr, scalar, tensor) \
	X(ConstantPadNd, "value", tensor, integers, nullptr, tensor) \
	X(ConstantPadNd, "out", tensor, integers, scalar, nullptr) \
	X(ReflectionPad1d, "self", nullptr, integers, tensor) \
	X(ReflectionPad1d, "padding", tensor, nullptr, tensor) \
	X(ReflectionPad1d, "out", tensor, integers, nullptr) \
	X(Roll, "x", nullptr, integers, integers, tensor) \
	X(Roll, "shifts", tensor, nullptr, integers, tensor) \
	X(Roll, "dims", tensor, integers, nullptr, tensor) \
	X(Roll, "out", tensor, integers, integers, nullptr) \
	X(GatherV2, "self", nullptr, 1, tensor, tensor) \
	X(GatherV2, "index", tensor, 1, nullptr, tensor) \
	X(GatherV2, "out", tensor, 1, tensor, nullptr) \
	X(IndexSelect, "self", nullptr, 1, tensor, tensor) \
	X(IndexSelect, "index", tensor, 1, nullptr, tensor) \
	X(IndexSelect, "out", tensor, 1, tensor, nullptr) \
	X(InplaceIndexCopy, "selfRef", nullptr, 1, tensor, tensor) \
	X(InplaceIndexCopy, "index", tensor, 1, nullptr, tensor) \
	X(InplaceIndexCopy, "source", tensor, 1, tensor, nullptr) \
	X(InplaceIndexFillTensor, "selfRef", nullptr, 1, integers, scalar) \
	X(InplaceIndexFillTensor, "index", tensor, 1, nullptr, scalar) \
	X(InplaceIndexFillTensor, "value", tensor, 1, integers, nullptr) \
	X(SoftmaxCrossEntropyWithLogits, "features", nullptr, tensor, tensor, tensor) \
	X(SoftmaxCrossEntropyWithLogits, "labels", tensor, nullptr, tensor, tensor) \
	X(SoftmaxCrossEntropyWithLogits, "loss", tensor, tensor, nullptr, tensor) \
	X(SoftmaxCrossEntropyWithLogits, "backprop", tensor, tensor, tensor, nullptr) \
	X(RmsNorm, "x", nullptr, tensor, 1, tensor, tensor) \
	X(RmsNorm, "gamma", tensor, nullptr, 1, tensor, tensor) \
	X(RmsNorm, "yOut", tensor, tensor, 1, nullptr, tensor) \
	X(RmsNorm, "rstdOut", tensor, tensor, 1, tensor, nullptr) \
	X(AddRmsNorm, "x1", nullptr, tensor, tensor, 1, tensor, tensor, tensor) \
	X(AddRmsNorm, "x2", tensor, nullptr, tensor, 1, tensor, tensor, tensor) \
	X(AddRmsNorm, "gamma", tensor, tensor, nullptr, 1, tensor, tensor, tensor) \
	X(AddRmsNorm, "yOut", tensor, tensor, tensor, 1, nullptr, tensor, tensor) \
	X(AddRmsNorm, "rstdOut", tensor, tensor, tensor, 1, tensor, nullptr, tensor) \
	X(AddRmsNorm, "xOut", tensor, tensor, tensor, 1, tensor, tensor, nullptr) \
	X(LayerNorm, "input", nullptr, integers, tensor, tensor, 1, tensor, tensor, tensor) \
	X(LayerNorm, "normalizedShape", tensor, nullptr, tensor, tensor, 1, tensor, tensor, tensor) \
	X(LayerNorm, "out", tensor, integers, tensor, tensor, 1, nullptr, tensor, tensor) \
	X(GroupNorm, "self", nullptr, tensor, tensor, 1, 1, 1, 1, 1, tensor, tensor, tensor) \
	X(GroupNorm, "out", tensor, tensor, tensor, 1, 1, 1, 1, 1, nullptr, tensor, tensor) \
	X(GroupNorm, "meanOut", tensor, tensor, tensor, 1, 1, 1, 1, 1, tensor, nullptr, tensor) \
	X(GroupNorm, "rstdOut", tensor, tensor, tensor, 1, 1, 1, 1, 1, tensor, tensor, nullptr) \
	X(RotaryPositionEmbedding, "x", nullptr, tensor, tensor, 1, tensor) \
	X(RotaryPositionEmbedding, "cos", tensor, nullptr, tensor, 1, tensor) \
	X(RotaryPositionEmbedding, "sin", tensor, tensor, nullptr, 1, tensor) \
	X(RotaryPositionEmbedding, "yOut", tensor, tensor, tensor, 1, nullptr) \
	X(FusedInferAttentionScoreV2, "query", nullptr, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor) \
	X(FusedInferAttentionScoreV2, "key", tensor, nullptr, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor) \
	X(FusedInferAttentionScoreV2, "value", tensor, tensors, nullptr, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor) \
	X(FusedInferAttentionScoreV2, "inputLayout", tensor, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, nullptr, 1, 1, 1, 1, 1, 1, 1, 1, tensor, tensor) \
	X(FusedInferAttentionScoreV2, "attentionOut", tensor, tensors, tensors, tensor, tensor, integers, integers, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, tensor, integers, 1, 1, 1, 1, text, 1, 1, 1, 1, 1, 1, 1, 1, nullptr, tensor) \
	X(WeightQuantBatchMatmulV2, "x", nullptr, tensor, tensor, tensor, tensor, tensor, tensor, 1, tensor) \
	X(WeightQuantBatchMatmulV2, "weight", tensor, nullptr, tensor, tensor, tensor, tensor, tensor, 1, tensor) \
	X(WeightQuantBatchMatmulV2, "antiquantScale", tensor, tensor, nullptr, tensor, tensor, tensor, tensor, 1, tensor) \
	X(WeightQuantBatchMatmulV2, "y", tensor, tensor, tensor, tensor, tensor, tensor, tensor, 1, nullptr) \
	X(TransMatmulWeight, "mmWeightRef", nullptr) \
	X(TriangularSolve, "self", nullptr, tensor, 1, 1, 1, tensor, tensor) \
	X(TriangularSolve, "A", tensor, nullptr, 1, 1, 1, tensor, tensor) \
	X(TriangularSolve, "xOut", tensor, tensor, 1, 1, 1, nullptr, tensor) \
	X(TriangularSolve, "mOut", tensor, tensor, 1, 1, 1, tensor, nullptr) \
	X(Convolution, "input", nullptr, tensor, tensor, integers, integers, integers, 1, integers, 1, tensor, 1) \
	X(Convolution, "weight", tensor, nullptr, tensor, integers, integers, integers, 1, integers, 1, tensor, 1) \
	X(Convolution, "stride", tensor, tensor, tensor, nullptr, integers, integers, 1, integers, 1, tensor, 1) \
	X(Convolution, "padding", tensor, tensor, tensor, integers, nullptr, integers, 1, integers, 1, tensor, 1) \
	X(Convolution, "dilation", tensor, tensor, tensor, integers, integers, nullptr, 1, integers, 1, tensor, 1) \
	X(Convolution, "outputPadding", tensor, tensor, tensor, integers, integers, integers, 1, nullptr, 1, tensor, 1) \
	X(Convolution, "output", tensor, tensor, tensor, integers, integers, integers, 1, integers, 1, nullptr, 1) \
	X(Im2col, "self", nullptr, integers, integers, integers, integers, tensor) \
	X(Im2col, "kernelSize", tensor, nullptr, integers, integers, integers, tensor) \
	X(Im2col, "dilation", tensor, integers, nullptr, integers, integers, tensor) \
	X(Im2col, "padding", tensor, integers, integers, nullptr, integers, tensor) \
	X(Im2col, "stride", tensor, integers, integers, integers, nullptr, tensor) \
	X(Im2col, "out", tensor, integers, integers, integers, integers, nullptr) \
	X(AvgPool2d, "self", nullptr, integers, integers, integers, 1, 1, 1, 1, tensor) \
	X(AvgPool2d, "kernelSize", tensor, nullptr, integers, integers, 1, 1, 1, 1, tensor) \
	X(AvgPool2d, "strides", tensor, integers, nullptr, integers, 1, 1, 1, 1, tensor) \
	X(AvgPool2d, "paddings", tensor, integers, integers, nullptr, 1, 1, 1, 1, tensor) \
	X(AvgPool2d, "out", tensor, integers, integers, integers, 1, 1, 1, 1, nullptr) \
	X(MaxPool, "self", nullptr, integers, integers, 1, integers, integers, 1, tensor) \
	X(MaxPool, "kernelShape", tensor, nullptr, integers, 1, integers, integers, 1, tensor) \
	X(MaxPool, "strides", tensor, integers, nullptr, 1, integers, integers, 1, tensor) \
	X(MaxPool, "pads", tensor, integers, integers, 1, nullptr, integers, 1, tensor) \
	X(MaxPool, "dilations", tensor, integers, integers, 1, integers, nullptr, 1, tensor) \
	X(MaxPool, "out", tensor, integers, integers, 1, integers, integers, 1, nullptr) \
	X(LogicalNot, "self", nullptr, tensor) \
	X(LogicalNot, "out", tensor, nullptr) \
	X(InplaceLogicalNot, "selfRef", nullptr) \
	X(Addcdiv, "self", nullptr, tensor, tensor, scalar, tensor) \
	X(Addcdiv, "tensor1", tensor, nullptr, tensor, scalar, tensor) \
	X(Addcdiv, "tensor2", tensor, tensor, nullptr, scalar, tensor) \
	X(Addcdiv, "value", tensor, tensor, tensor, nullptr, tensor) \
	X(Addcdiv, "out", tensor, tensor, tensor, scalar, nullptr) \
	X(InplaceAddcdiv, "selfRef", nullptr, tensor, tensor, scalar) \
	X(InplaceAddcdiv, "tensor1", tensor, nullptr, tensor, scalar) \
	X(InplaceAddcdiv, "tensor2", tensor, tensor, nullptr, scalar) \
	X(InplaceAddcdiv, "value", tensor, tensor, tensor, nullptr) \
	X(Ger, "self", nullptr, tensor, tensor) \
	X(Ger, "vec2", tensor, nullptr, tensor) \
	X(Ger, "out", tensor, tensor, nullptr) \
	X(Sum, "tensors", nullptr, tensor) \
	X(Sum, "out", tensors, nullptr) \
	X(LogSoftmax, "self", nullptr, 1, tensor) \
	X(LogSoftmax, "out", tensor, 1, nullptr) \
	X(Embedding, "weight", nullptr, tensor, tensor) \
	X(Embedding, "indices", tensor, nullptr, tensor) \
	X(Embedding, "out", tensor, tensor, nullptr) \
	X(InplaceMaskedFillScalar, "selfRef", nullptr, tensor, scalar) \
	X(InplaceMaskedFillScalar, "mask", tensor, nullptr, scalar) \
	X(InplaceMaskedFillScalar, "value", tensor, tensor, nullptr) \
	X(Scatter, "self", nullptr, 1, tensor, tensor, 1, tensor) \
	X(Scatter, "index", tensor, 1, nullptr, tensor, 1, tensor) \
	X(Scatter, "src", tensor, 1, tensor, nullptr, 1, tensor) \
	X(Scatter, "out", tensor, 1, tensor, tensor, 1, nullptr) \
	X(InplaceScatter, "selfRef", nullptr, 1, tensor, tensor, 1) \
	X(InplaceScatter, "index", tensor, 1, nullptr, tensor, 1) \
	X(InplaceScatter, "src", tensor, 1, tensor, nullptr, 1) \
	X(ScatterValue, "self", nullptr, 1, tensor, scalar, 1, tensor) \
	X(ScatterValue, "index", tensor, 1, nullptr, scalar, 1, tensor) \
	X(ScatterValue, "value", tensor, 1, tensor, nullptr, 1, tensor) \
	X(ScatterValue, "out", tensor, 1, tensor, scalar, 1, nullptr) \
	X(InplaceScatterValue, "selfRef", nullptr, 1, tensor, scalar, 1) \
	X(InplaceScatterValue, "index", tensor, 1, nullptr, scalar, 1) \
	X(InplaceScatterValue, "value", tensor, 1, tensor, nullptr, 1)
