// SPDX-License-Identifier: MIT
/*
 * DOC: The operators that the driver can call
 *
 * A table from the name of each operator to its two phases. For each parameter of the first phase, the driver takes
 * an argument of the parameter's type from the case.
 */
#include "operators.h"

#include <cstdio>
#include <tuple>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_adds.h"
#include "aclnnop/aclnn_all.h"
#include "aclnnop/aclnn_amax.h"
#include "aclnnop/aclnn_amin.h"
#include "aclnnop/aclnn_any.h"
#include "aclnnop/aclnn_arange.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_calculate_matmul_weight_size.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsumexp.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_max.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_mean.h"
#include "aclnnop/aclnn_min.h"
#include "aclnnop/aclnn_min_dim.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_muls.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_one_hot.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_stack.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_sum.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_topk.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "aclnnop/aclnn_trunc.h"
#include "aclnnop/aclnn_upsample_bicubic_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_linear_1d.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_upsample_trilinear_3d.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "aclnnop/aclnn_zero.h"

/* The names that follow aclnn. */
#define OPERATORS(X) \
	X(Abs) \
	X(Acos) \
	X(Acosh) \
	X(Add) \
	X(AddRmsNorm) \
	X(Addcdiv) \
	X(Adds) \
	X(All) \
	X(Amax) \
	X(Amin) \
	X(Any) \
	X(Arange) \
	X(ArgMax) \
	X(ArgMin) \
	X(Argsort) \
	X(Asin) \
	X(Asinh) \
	X(Atan) \
	X(Atan2) \
	X(Atanh) \
	X(AvgPool2d) \
	X(BatchMatMul) \
	X(BitwiseAndTensor) \
	X(BitwiseNot) \
	X(BitwiseOrTensor) \
	X(BitwiseXorTensor) \
	X(Cast) \
	X(Cat) \
	X(Ceil) \
	X(Clamp) \
	X(ClampMin) \
	X(ConstantPadNd) \
	X(Convolution) \
	X(Cos) \
	X(Cosh) \
	X(Cumsum) \
	X(Div) \
	X(Divs) \
	X(Elu) \
	X(Embedding) \
	X(EqScalar) \
	X(EqTensor) \
	X(Erf) \
	X(Erfc) \
	X(Exp) \
	X(Exp2) \
	X(Expand) \
	X(Expm1) \
	X(Flip) \
	X(Floor) \
	X(FloorDivide) \
	X(FmodTensor) \
	X(FusedInferAttentionScoreV2) \
	X(Gather) \
	X(GatherV2) \
	X(GeGluV3) \
	X(GeScalar) \
	X(GeTensor) \
	X(Gelu) \
	X(GeluV2) \
	X(Ger) \
	X(GroupNorm) \
	X(GtScalar) \
	X(GtTensor) \
	X(Hardsigmoid) \
	X(Hardswish) \
	X(Im2col) \
	X(IndexSelect) \
	X(InplaceAdd) \
	X(InplaceAddcdiv) \
	X(InplaceAdds) \
	X(InplaceClampMax) \
	X(InplaceCopy) \
	X(InplaceCos) \
	X(InplaceDiv) \
	X(InplaceDivs) \
	X(InplaceExp) \
	X(InplaceFillScalar) \
	X(InplaceIndexCopy) \
	X(InplaceIndexFillTensor) \
	X(InplaceLogicalNot) \
	X(InplaceMaskedFillScalar) \
	X(InplaceMul) \
	X(InplaceMuls) \
	X(InplacePowTensorTensor) \
	X(InplaceScatter) \
	X(InplaceScatterValue) \
	X(InplaceSin) \
	X(InplaceSub) \
	X(InplaceSubs) \
	X(InplaceThreshold) \
	X(InplaceTriu) \
	X(InplaceZero) \
	X(IsFinite) \
	X(IsInf) \
	X(LayerNorm) \
	X(LeScalar) \
	X(LeTensor) \
	X(LeakyRelu) \
	X(Log) \
	X(Log10) \
	X(Log1p) \
	X(Log2) \
	X(LogSoftmax) \
	X(LogSumExp) \
	X(LogicalAnd) \
	X(LogicalNot) \
	X(LogicalOr) \
	X(LogicalXor) \
	X(LtScalar) \
	X(LtTensor) \
	X(Matmul) \
	X(Max) \
	X(MaxDim) \
	X(MaxPool) \
	X(Maximum) \
	X(Mean) \
	X(Min) \
	X(MinDim) \
	X(Minimum) \
	X(Mm) \
	X(Mul) \
	X(Muls) \
	X(Mv) \
	X(NeScalar) \
	X(NeTensor) \
	X(Neg) \
	X(Norm) \
	X(OneHot) \
	X(Permute) \
	X(PowScalarTensor) \
	X(PowTensorScalar) \
	X(PowTensorTensor) \
	X(Prelu) \
	X(Prod) \
	X(ProdDim) \
	X(Reciprocal) \
	X(ReduceSum) \
	X(ReflectionPad1d) \
	X(ReflectionPad2d) \
	X(ReflectionPad3d) \
	X(Relu) \
	X(RemainderTensorTensor) \
	X(Repeat) \
	X(RepeatInterleaveIntWithDim) \
	X(ReplicationPad1d) \
	X(ReplicationPad2d) \
	X(ReplicationPad3d) \
	X(RmsNorm) \
	X(Roll) \
	X(RotaryPositionEmbedding) \
	X(Round) \
	X(Rsqrt) \
	X(SWhere) \
	X(Scatter) \
	X(ScatterAdd) \
	X(ScatterValue) \
	X(Sigmoid) \
	X(Sign) \
	X(Silu) \
	X(Sin) \
	X(Sinh) \
	X(Slice) \
	X(Softmax) \
	X(SoftmaxCrossEntropyWithLogits) \
	X(Softplus) \
	X(Sort) \
	X(Sqrt) \
	X(Square) \
	X(Stack) \
	X(Std) \
	X(Sub) \
	X(Subs) \
	X(Sum) \
	X(SwiGlu) \
	X(Tan) \
	X(Tanh) \
	X(Topk) \
	X(TransMatmulWeight) \
	X(TriangularSolve) \
	X(Tril) \
	X(Triu) \
	X(Trunc) \
	X(UpsampleBicubic2d) \
	X(UpsampleBilinear2d) \
	X(UpsampleLinear1d) \
	X(UpsampleNearest2d) \
	X(UpsampleTrilinear3d) \
	X(Var) \
	X(VarCorrection) \
	X(WeightQuantBatchMatmulV2)

namespace {

/* take() - the next argument, or where a result of the first phase goes, as a parameter of type P. */
template <class P> P take(Arguments &arguments, Prepared &prepared)
{
	if constexpr (std::is_same_v<P, uint64_t *>)
		return &prepared.workspace_bytes;
	else if constexpr (std::is_same_v<P, aclOpExecutor **>)
		return &prepared.executor;
	else
		return arguments.next().as<P>();
}

template <class... P>
aclnnStatus prepare(aclnnStatus (*function)(P...), Arguments &arguments, Prepared &prepared)
{
	/* Braces: the parameters are taken from left to right. */
	const std::tuple<P...> values{take<P>(arguments, prepared)...};
	return std::apply(function, values);
}

template <auto FUNCTION> aclnnStatus prepare_by(Arguments &arguments, Prepared &prepared)
{
	return prepare(FUNCTION, arguments, prepared);
}

constexpr Operator OPERATORS_BY_NAME[] = {
#define ROW(name) {#name, prepare_by<aclnn##name##GetWorkspaceSize>, aclnn##name},
	OPERATORS(ROW)
#undef ROW
};

} // namespace

const Operator *find_operator(std::string_view name)
{
	for (const Operator &row : OPERATORS_BY_NAME)
		if (name == row.name)
			return &row;
	return nullptr;
}
