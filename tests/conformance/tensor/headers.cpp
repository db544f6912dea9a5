// SPDX-License-Identifier: MIT
/*
 * DOC: headers that public programs include
 *
 * A file with these lines compiles. Each header declares the functions that it is named after, those of operators that
 * are not supported too.
 */
#include <acl/acl.h>
#include <aclnn/acl_meta.h>
#include <aclnn/aclnn_base.h>
#include <aclnnop/aclnn_abs.h>
#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_add_rms_norm.h>
#include <aclnnop/aclnn_addcdiv.h>
#include <aclnnop/aclnn_adds.h>
#include <aclnnop/aclnn_arange.h>
#include <aclnnop/aclnn_argmax.h>
#include <aclnnop/aclnn_argsort.h>
#include <aclnnop/aclnn_avgpool2d.h>
#include <aclnnop/aclnn_batch_matmul.h>
#include <aclnnop/aclnn_calculate_matmul_weight_size.h>
#include <aclnnop/aclnn_cast.h>
#include <aclnnop/aclnn_cat.h>
#include <aclnnop/aclnn_clamp.h>
#include <aclnnop/aclnn_constant_pad_nd.h>
#include <aclnnop/aclnn_convolution.h>
#include <aclnnop/aclnn_copy.h>
#include <aclnnop/aclnn_cos.h>
#include <aclnnop/aclnn_cumsum.h>
#include <aclnnop/aclnn_div.h>
#include <aclnnop/aclnn_elu.h>
#include <aclnnop/aclnn_embedding.h>
#include <aclnnop/aclnn_eq_tensor.h>
#include <aclnnop/aclnn_exp.h>
#include <aclnnop/aclnn_fill_scalar.h>
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_gather_v2.h>
#include <aclnnop/aclnn_geglu.h>
#include <aclnnop/aclnn_gelu.h>
#include <aclnnop/aclnn_gelu_v2.h>
#include <aclnnop/aclnn_ger.h>
#include <aclnnop/aclnn_group_norm.h>
#include <aclnnop/aclnn_grouped_matmul_v3.h>
#include <aclnnop/aclnn_gt_scalar.h>
#include <aclnnop/aclnn_hardsigmoid.h>
#include <aclnnop/aclnn_hardswish.h>
#include <aclnnop/aclnn_im2col.h>
#include <aclnnop/aclnn_index_copy.h>
#include <aclnnop/aclnn_index_fill_tensor.h>
#include <aclnnop/aclnn_index_select.h>
#include <aclnnop/aclnn_layer_norm.h>
#include <aclnnop/aclnn_leaky_relu.h>
#include <aclnnop/aclnn_log.h>
#include <aclnnop/aclnn_logical_not.h>
#include <aclnnop/aclnn_logsoftmax.h>
#include <aclnnop/aclnn_masked_fill_scalar.h>
#include <aclnnop/aclnn_matmul.h>
#include <aclnnop/aclnn_max_pool.h>
#include <aclnnop/aclnn_mean.h>
#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_mul.h>
#include <aclnnop/aclnn_muls.h>
#include <aclnnop/aclnn_mv.h>
#include <aclnnop/aclnn_neg.h>
#include <aclnnop/aclnn_norm.h>
#include <aclnnop/aclnn_permute.h>
#include <aclnnop/aclnn_pow.h>
#include <aclnnop/aclnn_pow_tensor_tensor.h>
#include <aclnnop/aclnn_recurrent_gated_delta_rule.h>
#include <aclnnop/aclnn_reduce_sum.h>
#include <aclnnop/aclnn_reflection_pad1d.h>
#include <aclnnop/aclnn_relu.h>
#include <aclnnop/aclnn_repeat.h>
#include <aclnnop/aclnn_repeat_interleave.h>
#include <aclnnop/aclnn_rms_norm.h>
#include <aclnnop/aclnn_roll.h>
#include <aclnnop/aclnn_rotary_position_embedding.h>
#include <aclnnop/aclnn_scatter.h>
#include <aclnnop/aclnn_sigmoid.h>
#include <aclnnop/aclnn_sign.h>
#include <aclnnop/aclnn_silu.h>
#include <aclnnop/aclnn_sin.h>
#include <aclnnop/aclnn_slice.h>
#include <aclnnop/aclnn_softmax.h>
#include <aclnnop/aclnn_softmax_cross_entropy_with_logits.h>
#include <aclnnop/aclnn_softplus.h>
#include <aclnnop/aclnn_sqrt.h>
#include <aclnnop/aclnn_sub.h>
#include <aclnnop/aclnn_sum.h>
#include <aclnnop/aclnn_swi_glu.h>
#include <aclnnop/aclnn_tanh.h>
#include <aclnnop/aclnn_threshold.h>
#include <aclnnop/aclnn_trans_matmul_weight.h>
#include <aclnnop/aclnn_triangular_solve.h>
#include <aclnnop/aclnn_tril.h>
#include <aclnnop/aclnn_triu.h>
#include <aclnnop/aclnn_upsample_nearest_2d.h>
#include <aclnnop/aclnn_weight_quant_batch_matmul_v2.h>
#include <aclnnop/aclnn_zero.h>

#include "tensor/calls.h"

using namespace conformance;

namespace {

#define IS_DECLARED(name) \
	static_assert(std::is_function_v<decltype(aclnn##name)> && \
		      std::is_function_v<decltype(aclnn##name##GetWorkspaceSize)>)

/* In the header of the operator with two tensors. */
IS_DECLARED(InplaceAdds);
IS_DECLARED(ClampMin);
IS_DECLARED(InplaceClampMax);
IS_DECLARED(InplaceDivs);
IS_DECLARED(InplaceMuls);
IS_DECLARED(Muls);
IS_DECLARED(PowScalarTensor);
IS_DECLARED(InplaceSubs);

/* Some of these no program calls, but their headers are included. */
IS_DECLARED(Addcdiv);
IS_DECLARED(InplaceAddcdiv);
IS_DECLARED(Embedding);
IS_DECLARED(Ger);
IS_DECLARED(GroupedMatmulV3);
IS_DECLARED(LogicalNot);
IS_DECLARED(InplaceLogicalNot);
IS_DECLARED(LogSoftmax);
IS_DECLARED(InplaceMaskedFillScalar);
IS_DECLARED(RecurrentGatedDeltaRule);
IS_DECLARED(Scatter);
IS_DECLARED(InplaceScatter);
IS_DECLARED(ScatterValue);
IS_DECLARED(InplaceScatterValue);
IS_DECLARED(Sum);

using ClientHeaders = DeviceTest;

constexpr aclnnStatus kNotSupported = 207000;

TEST_F(ClientHeaders, UnsupportedOperatorsSayWhatToCallInstead)
{
	uint64_t workspace_bytes = 0;
	aclOpExecutor *executor = nullptr;
	EXPECT_EQ(aclnnGroupedMatmulV3GetWorkspaceSize(nullptr, nullptr, nullptr, nullptr, nullptr,
						       nullptr, nullptr, nullptr, 0, 0, nullptr,
						       &workspace_bytes, &executor),
		  kNotSupported);
	std::string sentence = aclGetRecentErrMsg();
	EXPECT_NE(sentence.find("aclnnGroupedMatmulV3 is not supported"), std::string::npos);
	EXPECT_NE(sentence.find("call aclnnMm"), std::string::npos) << sentence;
	EXPECT_EQ(aclnnGroupedMatmulV3(nullptr, 0, nullptr, nullptr), kNotSupported);
	EXPECT_EQ(aclnnRecurrentGatedDeltaRuleGetWorkspaceSize(
			  nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
			  nullptr, nullptr, 1.0f, nullptr, &workspace_bytes, &executor),
		  kNotSupported);
	sentence = aclGetRecentErrMsg();
	EXPECT_NE(sentence.find("aclnnRecurrentGatedDeltaRule is not supported"),
		  std::string::npos);
	EXPECT_NE(sentence.find("compute each step by"), std::string::npos) << sentence;
	EXPECT_EQ(aclnnRecurrentGatedDeltaRule(nullptr, 0, nullptr, nullptr), kNotSupported);
	EXPECT_EQ(executor, nullptr);
}

} // namespace
